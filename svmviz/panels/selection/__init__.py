"""Panels on the choice of a model: split, folds, map of parameters, and risk."""
