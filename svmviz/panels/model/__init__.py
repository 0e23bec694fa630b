"""The Model panel: the model in numbers."""
