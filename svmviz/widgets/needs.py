"""Conditions under which an entry of a menu can be used, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QAction

from svmviz.widgets.plain_text import set_tip

# Name of the property under which an action keeps what it lacks.
LACKS = "lacks"


class Needs(NamedTuple):
    """A condition, and words for what is missing if it does not hold."""

    holds: Callable[[], bool]
    words: str


def allow(action: QAction, can_run: bool, tip: str, needs: str) -> None:
    """Enable an action if it can run; if not, disable it, and say why in its tooltip."""
    action.setEnabled(can_run)
    set_tip(action, tip if can_run else f"This needs {needs}.")
    action.setProperty(LACKS, "" if can_run else needs)


def lacks_of(action: QAction) -> str:
    """Return what a disabled action lacks; empty if :func:`allow` has not stored it."""
    return action.property(LACKS) or ""
