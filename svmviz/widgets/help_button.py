"""A small button with a "?", whose size follows the size of controls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from svmviz.theme import active
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower

# Width and height of the icon, px at scale 1.
SIDE = 14


class HelpButton(StyleFollower, QToolButton):
    """Button with a question mark, beside the widget that it explains.

    Parameters
    ----------
    tip : str
        Tooltip: the subject that a click explains.
    parent : QWidget, optional
    """

    def __init__(self, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(icon("question-mark"))
        set_tip(self, tip)
        self.setAccessibleName(tip)
        self.setProperty("role", "small")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.follow_style(HelpButton._apply_style)

    def _apply_style(self) -> None:
        side = active().metrics.px(SIDE)
        self.setIconSize(QSize(side, side))
