"""The Map panel: risks over two parameters, the curve along one of them, and the settings."""
