"""The Model panel: the model in numbers. Each kind of model has a sheet, a list of its numbers."""
