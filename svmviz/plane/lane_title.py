"""The title of a lane of a race, as a widget."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title
from svmviz.plane.race_tiles import TITLE_HEIGHT
from svmviz.theme import look_of
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import TypeFollower

# Height of a title of two lines, px at scale 1.
TWO_LINES = 40


class LaneTitle(TypeFollower, QWidget):
    """Title with the method and the step of a lane. A click puts the lane in focus.

    Parameters
    ----------
    in_panel : bool
        Whether the title is in a panel. Then it has two lines, and is scaled like the controls of
        the window. Otherwise it has one line, and is scaled like the text of the plane.
    parent : QWidget, optional

    Signals
    -------
    pressed()
        The title was clicked.
    """

    pressed = Signal()

    def __init__(self, in_panel: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_panel = in_panel
        self._title = Title()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_tip(self, "Click to show this method in the panels")

    @property
    def text(self) -> str:
        """The title in one sentence."""
        return self._title.text

    def set_title(self, title: Title) -> None:
        """Show a title."""
        if title != self._title:
            self._title = title
            self.setAccessibleName(title.text)
            self.update()

    def sizeHint(self) -> QSize:
        height = TWO_LINES if self._in_panel else TITLE_HEIGHT
        return QSize(100, round(height * self._scale))

    @property
    def _scale(self) -> float:
        metrics = look_of(self).metrics
        return metrics.controls if self._in_panel else metrics.scale

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            style, lines = Style(look.theme, self._scale), 2 if self._in_panel else 1
            draw_title(painter, self._title, QRectF(self.rect()), style, lines)
