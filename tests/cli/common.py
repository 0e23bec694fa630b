"""Helpers of several tests of the command line."""

import json

from solvers.jit.compiled import COMPILING

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
REFUSE_QT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError(f"{name} is refused")

sys.meta_path.insert(0, Refuse())
"""


def without_notice(err):
    """Return what is on stderr, without the line that the first command on a machine prints."""
    return err.replace(f"svmviz: {COMPILING}\n", "")


def strictly(text):
    """Parse JSON, refusing NaN and Infinity."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)
