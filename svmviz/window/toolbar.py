"""The toolbar at the left of the plane."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QToolButton

from svmviz.theme import active
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower


class ToolBar(StyleFollower, QToolBar):
    """Buttons of the tools and, below them, of some other actions.

    Parameters
    ----------
    tools, other_actions : iterable of QAction
    """

    def __init__(self, tools: Iterable[QAction], other_actions: Iterable[QAction]) -> None:
        super().__init__("Tools")
        self.setObjectName("tools")
        self.setMovable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.addActions(list(tools))
        self.addSeparator()
        self.addActions(list(other_actions))
        # If not all buttons fit, Qt adds a button of 12 px that opens the rest. The padding of the
        # style sheet would hide the arrow on that button.
        more = self.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:
            more.setStyleSheet("padding: 0; border: 0;")
            set_tip(more, "More tools")
        self.follow_style(ToolBar._apply_style)

    def _apply_style(self) -> None:
        side = active().metrics.icon
        self.setIconSize(QSize(side, side))
