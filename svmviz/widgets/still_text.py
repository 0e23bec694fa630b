"""A few lines of text that may change with every frame and never ask for another layout."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QWidget

from svmviz.theme import BODY, active, font
from svmviz.widgets.still_label import StillLabel


class StillText(StillLabel):
    """Text that wraps, with room for a fixed number of lines.

    Parameters
    ----------
    lines : int
    size : int
        Type size at scale 1, px.
    parent : QWidget, optional
    """

    def __init__(self, lines: int = 2, size: int = BODY, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._lines, self._size = lines, size

    def setText(self, text: str) -> None:
        """Say something else."""
        if text != self.text():
            super().setText(text)
            self.setToolTip(text)

    def sizeHint(self) -> QSize:
        height = self._lines * QFontMetricsF(font(self._size)).lineSpacing()
        return QSize(active().metrics.px(200), math.ceil(height) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(self._size))
        painter.setPen(QColor(active().theme.text))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.drawText(QRectF(self.rect()), self._text, option)
