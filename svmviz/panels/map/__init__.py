"""The map of two parameters, the curve along one of them, and how risks are estimated."""
