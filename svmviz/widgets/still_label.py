"""A line of text that may change with every frame without a new layout of the window."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import BODY, look_of


class StillLabel(QWidget):
    """Muted line that keeps its size when its text changes; long text ends in an ellipsis.

    If the text of a ``QLabel`` without a fixed size changes, Qt lays out the whole window, docks
    included, which takes 3 ms per frame.

    Parameters
    ----------
    text : str
    parent : QWidget, optional
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """Return the text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        measure = QFontMetricsF(look_of(self).font(BODY))
        return QSize(int(measure.horizontalAdvance(self._text)) + 2, int(measure.height() + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(look_of(self).font(BODY))
            painter.setPen(QColor(look_of(self).theme.muted))
            text = QFontMetricsF(look_of(self).font(BODY)).elidedText(
                self._text, Qt.TextElideMode.ElideRight, self.width()
            )
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect(), flags, text)
