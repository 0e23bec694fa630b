"""The main window: it only puts the parts together."""

from svmviz.window.main import MainWindow

__all__ = ["MainWindow"]
