"""The main window and its parts, which :mod:`svmviz.window.main` makes and connects."""

# WORKAROUND: pyqtgraph and numba both import colorama. If two threads import it at the same time,
# the import sometimes fails with a KeyError. So it is imported here, before the solver's thread
# imports numba.
import colorama  # noqa: F401

from svmviz.window.main import MainWindow

__all__ = ["MainWindow"]
