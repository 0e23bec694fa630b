"""The main window: it only puts the parts together."""

# WORKAROUND: pyqtgraph and numba both import colorama, which fails now and then (KeyError) when two
# threads do so at once; the solver's thread loads numba as soon as there is something to solve.
import colorama  # noqa: F401

from svmviz.window.main import MainWindow

__all__ = ["MainWindow"]
