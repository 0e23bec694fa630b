"""The Risk panel: the learning curve of the model, and its risk in many random splits."""
