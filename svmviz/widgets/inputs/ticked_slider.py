"""A slider that moves to the position of a click, with ticks, numbers and soft stops.

A soft stop is a position; a slider that is dragged near it jumps to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QLoggingCategory, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QSizePolicy, QSlider, QWidget

from svmviz.theme import LABEL, Look, Theme, look_of
from svmviz.widgets.key_taker import KeyTaker

KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)
"""Keys that move a slider."""

MODIFIERS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier

DIRECTIONS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
}
"""Directions of the arrow keys, by key."""

STOP_REACH = 4.0
"""A drag within this distance of a soft stop goes to the stop, px at scale 1."""

HEIGHT, NUMBERED_HEIGHT = 26, 34
"""Height of the widget without and with numbers, px at scale 1."""


class Groove(KeyTaker, QSlider):
    """Horizontal slider with ticks and numbers; a press of the mouse moves the handle there.

    A drag near a stop goes to the stop; with Shift, every position can be reached. The wheel moves
    the slider only if the slider has the focus. Otherwise the wheel scrolls the panel.

    Attributes
    ----------
    words : str
        The value at the position of the handle, for screen readers.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.words = ""
        self._ticks: tuple[int, ...] = ()
        self._default: int | None = None
        self._stops: tuple[int, ...] = ()
        self._numbers: dict[int, str] = {}
        self._focused_by_tab = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(0)

    def set_marks(
        self,
        ticks: Sequence[int],
        default: int | None = None,
        stops: Sequence[int] = (),
        numbers: Mapping[int, str] | None = None,
    ) -> None:
        """Set the positions of ticks, of the dot at the default and of soft stops.

        ``numbers`` are the texts below the groove, by position.
        """
        self._ticks, self._default, self._stops = tuple(ticks), default, tuple(stops)
        self._numbers = dict(numbers or {})
        self.updateGeometry()
        self.update()

    def set_words(self, words: str) -> None:
        """Change what a screen reader says of the value."""
        if words != self.words:
            self.words = words
            if QAccessible.isActive():
                event = QAccessibleEvent(self, QAccessible.Event.NameChanged)
                QAccessible.updateAccessibility(event)

    @property
    def _height(self) -> int:
        return look_of(self).metrics.px(NUMBERED_HEIGHT if self._numbers else HEIGHT)

    def sizeHint(self) -> QSize:
        metrics = look_of(self).metrics
        return QSize(metrics.px(120), self._height)

    def minimumSizeHint(self) -> QSize:
        metrics = look_of(self).metrics
        return QSize(metrics.px(60), self._height)

    def x_of(self, position: int) -> float:
        """Return the distance of a slider position from the left edge, px."""
        inset = look_of(self).metrics.px(10)
        span = max(self.maximum() - self.minimum(), 1)
        return inset + (position - self.minimum()) / span * (self.width() - 2 * inset)

    def position_at(self, x: float) -> int:
        """Return the slider position at a distance from the left edge, px."""
        inset = look_of(self).metrics.px(10)
        fraction = (x - inset) / max(self.width() - 2 * inset, 1)
        span = self.maximum() - self.minimum()
        return self.minimum() + round(min(max(fraction, 0.0), 1.0) * span)

    def _position_of(self, event: QMouseEvent) -> int:
        """Return the position under the mouse, or a stop near the mouse."""
        x = event.position().x()
        position = self.position_at(x)
        # A click on the handle changes nothing.
        ignores_stops = not self._stops or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if ignores_stops or position == self.sliderPosition():
            return position
        nearest = min(self._stops, key=lambda stop: abs(stop - position))
        is_near = abs(self.x_of(nearest) - x) <= look_of(self).metrics.px(STOP_REACH)
        return nearest if is_near else position

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self.setSliderPosition(self._position_of(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderPosition(self._position_of(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        tab_reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._focused_by_tab = event.reason() in tab_reasons
        super().focusInEvent(event)

    def uses(self, event: QKeyEvent) -> bool:
        """Return whether a key moves the slider, as it does if Tab has given it the focus.

        After a click, the same keys are still shortcuts of the window: arrows step through the run.
        """
        is_plain = not event.modifiers() & ~MODIFIERS
        return self._focused_by_tab and is_plain and event.key() in KEYS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next stop with an arrow key; with Shift, or without stops, by a notch."""
        direction = DIRECTIONS.get(Qt.Key(event.key()), 0)
        is_fine = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if not direction or not self._stops or is_fine:
            super().keyPressEvent(event)
            return
        here = self.sliderPosition()
        beyond = [stop for stop in self._stops if (stop - here) * direction > 0]
        self.setValue(min(beyond, key=lambda stop: abs(stop - here), default=here))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = look.metrics.px(10)
            self._paint_ticks(painter, look, middle)
            self._paint_numbers(painter, look)
            self._paint_groove(painter, look, middle)
            self._paint_handle(painter, look, middle)

    def _ink(self, theme: Theme) -> str:
        return theme.accent if self.isEnabled() else theme.disabled

    def _paint_ticks(self, painter: QPainter, look: Look, middle: float) -> None:
        metrics = look.metrics
        top = middle + metrics.px(6)
        painter.setPen(QPen(QColor(look.theme.line_strong), metrics.stroke(1)))
        for tick in self._ticks:
            x = self.x_of(tick)
            painter.drawLine(QPointF(x, top), QPointF(x, top + metrics.px(4)))
        if self._default is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.theme.muted))
            radius = metrics.stroke(2)
            # With numbers below the ticks, the dot is at the height of the ticks.
            y = top + metrics.px(2 if self._numbers else 7)
            painter.drawEllipse(QPointF(self.x_of(self._default), y), radius, radius)

    def _paint_numbers(self, painter: QPainter, look: Look) -> None:
        small = look_of(self).font(LABEL)
        painter.setFont(small)
        painter.setPen(QColor(look.theme.axis))
        line = QFontMetricsF(small).height()
        for position, text in self.shown_numbers.items():
            left, right = self._extent(position)
            box = QRectF(left, self.height() - line, right - left + 1.0, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)

    @property
    def shown_numbers(self) -> dict[int, str]:
        """Texts that fit, by position. The text 1 has priority, then texts nearer to the right."""
        gap, shown = look_of(self).metrics.px(5), {}
        for position in sorted(self._numbers, key=lambda p: (self._numbers[p] != "1", -p)):
            left, right = self._extent(position)
            extents = map(self._extent, shown)
            if all(right + gap <= begin or end + gap <= left for begin, end in extents):
                shown[position] = self._numbers[position]
        return shown

    def _extent(self, position: int) -> tuple[float, float]:
        """Return the left and right end of the text at a position, px from the left."""
        measure = QFontMetricsF(look_of(self).font(LABEL))
        width = measure.horizontalAdvance(self._numbers[position])
        left = min(max(self.x_of(position) - 0.5 * width, 0.0), self.width() - width)
        return left, left + width

    def _paint_groove(self, painter: QPainter, look: Look, middle: float) -> None:
        height = look.metrics.px(4)
        left, right = 0.0, float(self.width())
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, end in (
            (look.theme.pressed, right),
            (self._ink(look.theme), self.x_of(self.sliderPosition())),
        ):
            painter.setBrush(QColor(colour))
            bar = QRectF(left, middle - height / 2, end - left, height)
            painter.drawRoundedRect(bar, height / 2, height / 2)

    def _paint_handle(self, painter: QPainter, look: Look, middle: float) -> None:
        theme, metrics = look.theme, look.metrics
        at = QPointF(self.x_of(self.sliderPosition()), middle)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.focus), metrics.stroke(2)))
            painter.setBrush(QColor(theme.panel))
            painter.drawEllipse(at, metrics.stroke(9), metrics.stroke(9))
        painter.setPen(QPen(QColor(self._ink(theme)), metrics.stroke(2)))
        is_active = self.isSliderDown() or self.underMouse()
        painter.setBrush(QColor(theme.accent_soft if is_active else theme.card))
        painter.drawEllipse(at, metrics.stroke(6), metrics.stroke(6))


class SpokenGroove(QAccessibleWidget):
    """The object that represents a groove for screen readers: a slider with the value in its name.

    Otherwise a screen reader would say the position of the handle, such as 170 for γ = 0.05.
    """

    def __init__(self, groove: Groove) -> None:
        super().__init__(groove, QAccessible.Role.Slider)
        self._groove = groove

    def text(self, kind: QAccessible.Text) -> str:
        name = super().text(kind)
        return f"{name} {self._groove.words}" if kind is QAccessible.Text.Name else name


def _spoken(kind: str, thing: QObject) -> QAccessibleWidget | None:
    if kind == Groove.__name__ and isinstance(thing, Groove):
        return SpokenGroove(thing)
    return None


# WORKAROUND: see `svmviz.base.announcer`. A Python class cannot give the value itself, since
# `interface_cast` returns a pointer; Qt would warn of that at each change.
QAccessible.installFactory(_spoken)
QLoggingCategory.setFilterRules("qt.accessibility.atspi.warning=false")
