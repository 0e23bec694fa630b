"""One line that names a lane of a race: its colour, its method, and where it stands."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import BODY, active, font

# Height at scale 1, and of the line under the one in focus, px.
TITLE, LINE = 30, 3


class LaneTitle(QWidget):
    """Which method, at which step; a click chooses it.

    Signals
    -------
    pressed : a click
    """

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._words, self._colour, self._lit = "", "", "", False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click to show this solver in the panels")

    @property
    def text(self) -> str:
        """What it says."""
        return f"{self._name}: {self._words}"

    def tell(self, name: str, words: str, colour: str, lit: bool) -> None:
        """Say something else."""
        told = (name, words, colour, lit)
        if told != (self._name, self._words, self._colour, self._lit):
            self._name, self._words, self._colour, self._lit = told
            self.setAccessibleName(self.text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, active().metrics.px(TITLE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = active()
        px = look.metrics.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(look.theme.panel))
        if self._lit:
            foot = QRect(0, self.height() - px(LINE), self.width(), px(LINE))
            painter.fillRect(foot, QColor(look.theme.focus))
        side, left = px(11), px(10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour))
        painter.drawRoundedRect(
            QRectF(left, 0.5 * (self.height() - side), side, side), px(2), px(2)
        )
        x = left + side + px(8)
        x += self._write(painter, x, self._name, font(BODY, 600), look.theme.text) + px(10)
        self._write(painter, x, self._words, font(BODY), look.theme.muted)

    def _write(self, painter: QPainter, x: int, text: str, kind: QFont, colour: str) -> int:
        painter.setFont(kind)
        painter.setPen(QColor(colour))
        measure = QFontMetricsF(kind)
        room = max(0, self.width() - x - active().metrics.px(6))
        text = measure.elidedText(text, Qt.TextElideMode.ElideRight, room)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(x, 0, room, self.height()), flags, text)
        return math.ceil(measure.horizontalAdvance(text))
