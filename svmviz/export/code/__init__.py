"""Export of a model as Python: scripts and notebooks that rebuild it and check the result."""
