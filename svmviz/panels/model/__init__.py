"""The Model panel: the model in numbers, with a sheet of rows per kind of model."""
