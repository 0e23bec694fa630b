"""A word in front of the planes: the choice that the user has just made by a key.

The word is large enough to be read from the last row of a lecture hall.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from svmviz.theme import SENTENCE, STRONG, font, look_of

# Time that the word is shown, ms.
DURATION = 1000
# Text size of the word, and of the line below it, as fractions of the height of the planes.
WORD_SHARE, LINE_SHARE = 1.0 / 16.0, 1.0 / 34.0
# Space left and right of the text, as a fraction of the height of the word's line. Above and below,
# the space is half as large.
MARGIN = 0.5


class Word(QWidget):
    """A word that is shown in front of a widget for a second, with an optional smaller line below.

    It has no focus, and clicks go to the widget behind it. Both text sizes are fractions of the
    height of that widget, but at least that of a sentence (SENTENCE). If a line is wider than the
    widget, both sizes are reduced until it fits.

    Parameters
    ----------
    over : QWidget
        The widget in front of which the word is shown.

    Signals
    -------
    word_shown : str, str
        A word and its line are shown.
    """

    word_shown = Signal(str, str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.text = self.line = ""
        self._sizes = (SENTENCE, SENTENCE)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, singleShot=True, interval=DURATION)
        self._timer.timeout.connect(self.hide)
        self.hide()

    def show_word(self, text: str, line: str = "") -> None:
        """Show a word for a second."""
        self.text, self.line = text, line
        self.word_shown.emit(text, line)
        self.setAccessibleName(f"{text}. {line}" if line else text)
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._timer.start()

    def _place(self) -> None:
        """Choose the text sizes, and move to the upper half of the widget."""
        over, smallest = self._over.size(), round(SENTENCE * look_of(self).metrics.scale)
        large = max(smallest, round(WORD_SHARE * over.height()))
        small = max(smallest, round(LINE_SHARE * over.height()))
        room = 0.92 * over.width()
        while (text_width := self._width(large, small)) > room and small > 1:
            large, small = max(1, large - 1), max(1, small - (small > 0.5 * large))
        self._sizes = large, small
        heights = [QFontMetricsF(font(large, STRONG, 1.0)).height()]
        heights += [QFontMetricsF(font(small, scale=1.0)).height()] if self.line else []
        pad = MARGIN * heights[0]
        width, height = round(min(text_width, room) + 2), round(sum(heights) + pad)
        left, top = (over.width() - width) // 2, round(0.25 * over.height() - 0.5 * height)
        self.setGeometry(left, max(0, top), width, height)

    def _width(self, large: int, small: int) -> float:
        """Return the width with margins, px: the word in size ``large``, the line in ``small``."""
        above = QFontMetricsF(font(large, STRONG, 1.0))
        below = QFontMetricsF(font(small, scale=1.0)).horizontalAdvance(self.line)
        return max(above.horizontalAdvance(self.text), below) + 2 * MARGIN * above.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, box = look_of(self), QRectF(self.rect())
        large, small = self._sizes
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            # The background has the colour of text, and the word has the colour of the window, so
            # that the word is visible on every field in both themes.
            painter.setBrush(QColor(look.theme.text))
            corner = look.metrics.px(10)
            painter.drawRoundedRect(box, corner, corner)
            painter.setPen(QColor(look.theme.window))
            painter.setFont(font(large, STRONG, 1.0))
            line_height = QFontMetricsF(painter.font()).height()
            pad = 0.5 * MARGIN * line_height
            middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0.0, pad, box.width(), line_height), middle, self.text)
            if self.line:
                painter.setFont(font(small, scale=1.0))
                below = pad + line_height
                lower = QRectF(0.0, below, box.width(), box.height() - pad - below)
                painter.drawText(lower, middle, self.line)
