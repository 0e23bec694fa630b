"""Buttons that show a picture and no text."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton

from svmviz.theme import active
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower

# Width and height of a small icon, px at scale 1.
SIDE = 14


class IconButton(QToolButton):
    """Button with a picture. Tab gives it the focus, a click does not: Space would press it again.

    Parameters
    ----------
    picture : str
    tip : str
        Tooltip; up to its first bracket, it is also the name for screen readers.
    """

    def __init__(self, picture: str, tip: str) -> None:
        super().__init__()
        self.setIcon(icon(picture))
        set_tip(self, tip)
        self.setAccessibleName(tip.partition(" (")[0])


class SmallButton(StyleFollower, IconButton):
    """Small button in a title or beside the widget that it explains."""

    def __init__(self, picture: str, tip: str) -> None:
        super().__init__(picture, tip)
        self.setProperty("role", "small")
        self.follow_style(SmallButton._apply_style)

    def _apply_style(self) -> None:
        side = active().metrics.px(SIDE)
        self.setIconSize(QSize(side, side))
