"""The panel of the whole choice of a model: parts, candidates, retraining, and one test."""
