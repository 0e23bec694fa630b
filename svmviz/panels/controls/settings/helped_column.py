"""A column of settings of the document, with buttons that open pages of the help."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column


class HelpedColumn(Column):
    """Column of settings of the document. Subclasses add the buttons that open help pages.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional

    Signals
    -------
    help_requested(str)
        The user asked for the help page of this name.
    """

    help_requested = Signal(str)

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, parent=parent)
        self._session = stage.session
