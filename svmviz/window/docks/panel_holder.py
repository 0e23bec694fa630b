"""The container of a panel in its dock."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.theme import SIZED_BY_TYPE
from svmviz.widgets.scroller import Scroller
from svmviz.widgets.styling import OwnSizes


class PanelHolder(OwnSizes, QWidget):
    """A container that has the size hints of its panel even while the panel is hidden.

    Qt counts a dock behind another tab as visible, so its panel would draw every frame. To prevent
    that, `PanelFiller` hides the panel. The container keeps the size hints, so the layout stays the
    same when another tab comes to the front.

    Parameters
    ----------
    dock : QWidget
    make : callable(QWidget) -> Scroller
        Makes the scroll area with the panel as a child of this container.
    max_width : callable() -> int
        Returns the largest minimum width, px. A panel that needs more is scrolled.
    """

    def __init__(
        self, dock: QWidget, make: Callable[[QWidget], Scroller], max_width: Callable[[], int]
    ) -> None:
        super().__init__(dock)
        self._max_width = max_width
        # The panel is created as a child of this widget. If it got its parent later, Qt would style
        # it twice.
        self.panel = panel = make(self)
        self.setSizePolicy(panel.sizePolicy())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(panel)

    def set_brief(self, brief: bool) -> None:
        """Let the panel leave out what others beside it show, in the size of the text."""
        panel = self.panel.content
        if isinstance(panel, FramePanel) and panel.brief != brief:
            self.setProperty(SIZED_BY_TYPE, brief)
            panel.set_brief(brief)
            self.fit()

    def sizeHint(self) -> QSize:
        return self.panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self.panel.minimumSizeHint().expandedTo(self.panel.minimumSize())
        return least.boundedTo(QSize(self._max_width(), least.height()))
