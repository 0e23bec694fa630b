"""The container of a panel in its dock."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget


class PanelHolder(QWidget):
    """A container that has the size hints of its panel even while the panel is hidden.

    Qt counts a dock behind another tab as visible, so its panel would draw every frame. To prevent
    that, `PanelFiller` hides the panel. The container keeps the size hints, so the layout stays the
    same when another tab comes to the front.

    Parameters
    ----------
    dock : QWidget
    make : callable(QWidget) -> QWidget
        Makes the panel as a child of this container.
    """

    def __init__(self, dock: QWidget, make: Callable[[QWidget], QWidget]) -> None:
        super().__init__(dock)
        # The panel is created as a child of this widget. If it got its parent later, Qt would style
        # it twice.
        self.panel = panel = make(self)
        self.setSizePolicy(panel.sizePolicy())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(panel)

    def sizeHint(self) -> QSize:
        return self.panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.panel.minimumSizeHint().expandedTo(self.panel.minimumSize())
