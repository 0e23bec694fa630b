"""The main window and its parts, which :mod:`svmviz.window.main` makes and connects."""

# WORKAROUND: pyqtgraph and numba both import colorama, which fails now and then (KeyError) when two
# threads import it at the same time; the solver's thread imports numba as soon as there is
# something to solve.
import colorama  # noqa: F401

from svmviz.window.main import MainWindow

__all__ = ["MainWindow"]
