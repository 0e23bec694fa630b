"""Model selection: estimating a model's risk on new points, and choosing among several models."""
