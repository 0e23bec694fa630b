"""A ring of light at the mouse pointer, shown while a key or a mouse button is held."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QCursor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRadialGradient,
    QWindow,
)
from PySide6.QtWidgets import QWidget

# Diameter of the ring as a fraction of the height of the widget behind it. A ring of this size is
# visible from the last row of a lecture hall.
RING_SHARE = 1.0 / 7.0
# While a key is held, X11 sends a release and a press for each repetition. A release counts only if
# no press follows within this time, ms.
REPEAT_GAP = 60
# The ring is a bright circle between two dark ones. Width of the bright circle, and of each dark
# one, as fractions of the diameter of the ring.
BRIGHT_WIDTH, DARK_WIDTH = 0.055, 0.02
# Yellow is not a colour of the plane; between dark edges it is visible on every field in both
# themes.
LIGHT_COLOUR, EDGE_COLOUR = "#ffd60a", "#1a1a1a"


class PointerRing(QWidget):
    """The ring of light. Clicks on it go to the widget behind it.

    Parameters
    ----------
    over : QWidget
        The widget in front of which the ring is shown.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, position: QPointF) -> None:
        """Show the ring around a position, in px of the widget behind the ring."""
        side = round(RING_SHARE * self._over.height())
        left, top = round(position.x()) - side // 2, round(position.y()) - side // 2
        self.setGeometry(left, top, side, side)
        if self.isHidden():
            self.show()
            self.raise_()

    @property
    def centre(self) -> QPointF:
        """The centre of the ring, in px of the widget behind it."""
        return QPointF(self.geometry().center())

    def paintEvent(self, event: QPaintEvent) -> None:
        side = float(self.width())
        bright, edge = BRIGHT_WIDTH * side, DARK_WIDTH * side
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            glow = QRadialGradient(0.5 * side, 0.5 * side, 0.5 * side)
            pale, clear = QColor(LIGHT_COLOUR), QColor(LIGHT_COLOUR)
            pale.setAlpha(70)
            clear.setAlpha(0)
            glow.setColorAt(0.35, clear)
            glow.setColorAt(0.9, pale)
            inner = 0.5 * bright + edge
            ring = QRectF(0.0, 0.0, side, side).adjusted(inner, inner, -inner, -inner)
            painter.setBrush(glow)
            painter.setPen(QPen(QColor(EDGE_COLOUR), bright + 2.0 * edge))
            painter.drawEllipse(ring)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(LIGHT_COLOUR), bright))
            painter.drawEllipse(ring)


class PointerWatch(QObject):
    """An event filter that shows the ring while a key or a mouse button is held in a window.

    Parameters
    ----------
    window : QWindow
    key : Qt.Key
        The key that shows the ring. A shortcut of the window must call :meth:`hold_key` when this
        key is pressed. So no ring is shown if a text field takes the key.
    to_widget : callable(QPointF) -> QPointF or None
        Converts px of the screen to px of the widget behind the ring. It returns None if the ring
        must not be shown there.
    ring : PointerRing
    """

    def __init__(
        self,
        window: QWindow,
        key: Qt.Key,
        to_widget: Callable[[QPointF], QPointF | None],
        ring: PointerRing,
    ) -> None:
        super().__init__(ring)
        self._key, self._to_widget, self._ring = key, to_widget, ring
        self._is_key_held = self._is_button_held = False
        self._release_timer = QTimer(self, singleShot=True, interval=REPEAT_GAP)
        self._release_timer.timeout.connect(self._on_released)
        # Qt sends events of mouse and keys to the QWindow before it sends them to a widget.
        window.installEventFilter(self)

    def hold_key(self) -> None:
        """Show the ring until the key is released."""
        self._release_timer.stop()
        self._is_key_held = True
        self._show(QPointF(QCursor.pos()))

    def hide_ring(self) -> None:
        """Hide the ring."""
        self._release_timer.stop()
        self._is_key_held = self._is_button_held = False
        self._ring.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QMouseEvent):
            # The buttons are read at each event, because a release may have gone to a menu or to
            # another window.
            is_pressed = event.buttons() != Qt.MouseButton.NoButton
            if kind == QEvent.Type.MouseButtonPress:
                self._is_button_held = self._to_widget(event.globalPosition()) is not None
            self._is_button_held = self._is_button_held and is_pressed
            self._show(event.globalPosition())
        elif isinstance(event, QKeyEvent):
            is_released = kind == QEvent.Type.KeyRelease and not event.isAutoRepeat()
            if is_released and event.key() == self._key:
                self._release_timer.start()
        elif kind in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide_ring()
        return False

    def _on_released(self) -> None:
        self._is_key_held = False
        self._show(QPointF(QCursor.pos()))

    def _show(self, on_screen: QPointF) -> None:
        """Show the ring at a position on the screen, while the key or a button is held.

        Hide it if neither is held, or if it must not be shown at this position.
        """
        is_held = self._is_key_held or self._is_button_held
        position = self._to_widget(on_screen) if is_held else None
        if position is None:
            self._ring.hide()
        else:
            self._ring.show_at(position)
