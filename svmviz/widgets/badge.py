"""A badge: a few words and an icon on a rounded background, in the colour of a state."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.announcer import Announcer
from svmviz.theme import TEXT, Theme, look_of
from svmviz.theme.icons import render
from svmviz.widgets.plain_text import set_tip, words_of_tip

# Text size of a badge in two lines, relative to the size for one line.
TWO_LINE_SIZE = 0.68


class BadgeState(Enum):
    """State of a badge: its icon, and the colours of text and background by name in the theme."""

    GOOD = "check", "good", "good_soft"
    WARN = "warning", "warning", "warning_soft"
    BUSY = "busy", "accent", "accent_soft"
    NEUTRAL = "info", "muted", "hover"


def colours(state: BadgeState, theme: Theme) -> tuple[str, str]:
    """Return the colours of the text and of the background of a badge."""
    _, ink, ground = state.value
    return getattr(theme, ink), getattr(theme, ground)


class Badge(QWidget):
    """Icon and text on a rounded background, in the colour of a state.

    Parameters
    ----------
    text : str
    state : BadgeState
    reserve : tuple of str
        Other texts that must fit into the badge, so that its size stays when it shows one of them.

    Signals
    -------
    clicked()
    """

    clicked = Signal()

    def __init__(
        self,
        text: str = "",
        state: BadgeState = BadgeState.NEUTRAL,
        reserve: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self._text = text
        self._state = state
        self._shorter: tuple[str, ...] = ()
        self._reserve = reserve
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)
        self._announcer = Announcer(self)

    @property
    def text(self) -> str:
        """The text on the badge."""
        return self._text

    @property
    def state(self) -> BadgeState:
        """The state, which determines the colour and the icon."""
        return self._state

    def show_state(
        self, state: BadgeState, text: str, tip: str = "", shorter: tuple[str, ...] = ()
    ) -> None:
        """Show another state and text.

        A badge that is too narrow for the text shows the first of the ``shorter`` texts that fits.
        If none fits, it shows the last text in two lines of smaller type.
        """
        current = self._state, self._text, words_of_tip(self), self._shorter
        if (state, text, tip, shorter) == current:
            return
        self._state, self._text, self._shorter = state, text, shorter
        set_tip(self, tip)
        self.setAccessibleName(text)
        self._announcer.say(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = look_of(self).metrics
        measure = QFontMetricsF(look_of(self).font())
        widest = max(measure.horizontalAdvance(text) for text in (self._text, *self._reserve))
        # The icon, the space beside it, and the margins at both ends, each rounded as in painting.
        beside = metrics.px(16) + metrics.px(5) + 2 * metrics.px(10)
        return QSize(int(widest + 1) + beside, metrics.px(26))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        text_colour, background = colours(self._state, look.theme)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(background))
            box = QRectF(self.rect())
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            side, left = look.metrics.px(16), look.metrics.px(10)
            ratio = self.devicePixelRatioF()
            pixmap = render(self._state.value[0], look.theme, text_colour, side, ratio)
            painter.drawPixmap(QPointF(left, (box.height() - side) / 2), pixmap)
            painter.setPen(QColor(text_colour))
            left += side + look.metrics.px(5)
            self._draw_text(painter, box.adjusted(left, 0, -look.metrics.px(10), 0))

    def _draw_text(self, painter: QPainter, box: QRectF) -> None:
        """Paint the first text that fits; if none fits, the last one in two lines."""
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(look_of(self).font())
        # As in `sizeHint`: the metrics in whole pixels may be one wider than the badge.
        measure, width = QFontMetricsF(painter.font()), box.width()
        texts = (self._text, *self._shorter)
        for text in texts:
            if measure.horizontalAdvance(text) <= width:
                painter.drawText(box, align, text)
                return
        painter.setFont(look_of(self).font(TEXT * TWO_LINE_SIZE))
        painter.drawText(box, align | Qt.TextFlag.TextWordWrap, texts[-1])
