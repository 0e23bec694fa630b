"""Text that may change with every frame: a line, or several.

The window gets a new layout only if a text needs more height than the widget has.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import look_of
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower

WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class StillLabel(QWidget):
    """Muted line that keeps its size when its text changes; long text ends in an ellipsis.

    If the text of a ``QLabel`` without a fixed size changes, Qt lays out the whole window, docks
    included, which takes 1 to 3 ms per frame. This line takes 0.3 ms.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
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

    @property
    def _shown_text(self) -> str:
        return look_of(self).letters(self._text)

    def sizeHint(self) -> QSize:
        measure = QFontMetricsF(look_of(self).font())
        return QSize(
            int(measure.horizontalAdvance(self._shown_text)) + 2, int(measure.height() + 1)
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(look_of(self).font())
            painter.setPen(QColor(look_of(self).theme.muted))
            text = QFontMetricsF(look_of(self).font()).elidedText(
                self._shown_text, Qt.TextElideMode.ElideRight, self.width()
            )
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect(), flags, text)


class StillText(StyleFollower, StillLabel):
    """Text of several lines; the widget keeps its size when the text changes, if the text fits.

    Parameters
    ----------
    lines : int
        Number of lines that fit at first. The widget grows for longer texts and does not shrink
        again until its width or the style changes.
    """

    def __init__(self, lines: int = 2) -> None:
        super().__init__()
        self._lines = lines
        # The largest height that texts have needed at the current width and style, px.
        self._highest = 0
        self.follow_style(StillText._fit)

    def setText(self, text: str, invitation: str = "") -> None:
        """Show another text, and after it an invitation to use the mouse, except in files."""
        if invitation and not look_of(self).printing:
            text = f"{text} {invitation}"
        if text != self.text():
            super().setText(text)
            set_tip(self, text)
            self._grow()

    def _grow(self, forget: bool = False) -> None:
        """Request the height that the text needs at the current width.

        The height never decreases, unless ``forget`` says to forget the heights of earlier texts.
        """
        if not self.isVisible():
            return
        room = QRectF(0.0, 0.0, self.width(), 1e4)
        measure = QFontMetricsF(look_of(self).font())
        needed = math.ceil(measure.boundingRect(room, WRAP, self._shown_text).height())
        highest = needed if forget else max(needed, self._highest)
        if highest != self._highest:
            before = self.sizeHint().height()
            self._highest = highest
            if self.sizeHint().height() != before:
                self.updateGeometry()

    def _fit(self) -> None:
        self._grow(forget=True)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        height = self._lines * QFontMetricsF(look_of(self).font()).lineSpacing()
        return QSize(look_of(self).metrics.px(200), max(math.ceil(height) + 2, self._highest))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(look_of(self).font())
            painter.setPen(QColor(look_of(self).theme.text))
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            painter.drawText(QRectF(self.rect()), self._shown_text, option)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow(forget=event.oldSize().width() != self.width())
