"""The place of a panel in its dock, of one size whether the panel is visible or hidden."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget


class Holder(QWidget):
    """Asks for the room of its panel also while that is hidden, so that tabs change in place.

    To Qt a dock behind another tab is visible, and so would be all that it shows: charts nobody
    sees would be drawn for every frame.

    Parameters
    ----------
    dock : QWidget
    make : callable(QWidget) -> QWidget
        Makes the panel inside this.
    """

    def __init__(self, dock: QWidget, make: Callable[[QWidget], QWidget]) -> None:
        super().__init__(dock)
        # From the outside in: what is put into a styled widget is gone through with all it holds.
        self.panel = panel = make(self)
        self.setSizePolicy(panel.sizePolicy())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(panel)

    def sizeHint(self) -> QSize:
        return self.panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.panel.minimumSizeHint().expandedTo(self.panel.minimumSize())
