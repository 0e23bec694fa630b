"""The learning curve of the model, and the distribution of its risk over many splits."""
