"""What an entry of a menu needs before it can be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QAction

from svmviz.widgets.plain_text import set_tip

# Name of the property under which an action keeps what it lacks.
LACKS = "lacks"


class Needs(NamedTuple):
    """A condition, and what a user lacks if it does not hold, in words."""

    holds: Callable[[], bool]
    words: str


def allow(action: QAction, can_run: bool, tip: str, needs: str) -> None:
    """Enable an action; or disable it, and say in its tooltip what it needs."""
    action.setEnabled(can_run)
    set_tip(action, tip if can_run else f"This needs {needs}.")
    action.setProperty(LACKS, "" if can_run else needs)


def lacks_of(action: QAction) -> str:
    """Return what a disabled action lacks, or an empty text if nobody has said it."""
    return action.property(LACKS) or ""
