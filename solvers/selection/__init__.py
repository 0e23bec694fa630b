"""Model selection: what a model's risk on new points is, and which of several models to take."""
