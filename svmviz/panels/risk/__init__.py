"""The Risk panel: the learning curve of the model, and its risk over many random splits."""
