"""The map of risks over two parameters, the curve along one of them, and the settings of both."""
