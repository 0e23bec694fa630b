"""A ring of light at the mouse, while a key or a button of the mouse is held."""

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

# Diameter of the ring as a fraction of the height of the picture, large enough for the last row.
RING_SHARE = 1.0 / 7.0
# X sends a release and a press for each repetition of a key that is held. A release counts if no
# press follows within this time, ms.
REPEAT_GAP = 60
# Widths of the bright line and of the dark lines at its two sides, as fractions of the diameter.
BRIGHT, DARK_EDGE = 0.055, 0.02
# Yellow is not a colour of the plane; between dark edges it is visible on every field in both
# themes.
LIGHT_COLOUR, EDGE_COLOUR = "#ffd60a", "#1a1a1a"


class PointerRing(QWidget):
    """The ring; it takes no clicks.

    Parameters
    ----------
    over : QWidget
        The widget over which it is shown.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, place: QPointF) -> None:
        """Show the ring around a position in the widget, px."""
        side = round(RING_SHARE * self._over.height())
        self.setGeometry(round(place.x()) - side // 2, round(place.y()) - side // 2, side, side)
        if self.isHidden():
            self.show()
            self.raise_()

    @property
    def centre(self) -> QPointF:
        """Position of the centre in the widget below, px."""
        return QPointF(self.geometry().center())

    def paintEvent(self, event: QPaintEvent) -> None:
        side = float(self.width())
        bright, edge = BRIGHT * side, DARK_EDGE * side
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
    """Watches the mouse and the keys of one window, and shows the ring while something is held.

    Parameters
    ----------
    window : QWindow
    key : Qt.Key
        The key that shows the ring. A shortcut of the window calls :meth:`hold_key` when it is
        pressed; a text field that takes the key shows no ring.
    place : callable(QPointF) -> QPointF or None
        Converts a position on the screen to one in the ring's widget; None if the ring is not shown
        there.
    ring : PointerRing
    """

    def __init__(
        self,
        window: QWindow,
        key: Qt.Key,
        place: Callable[[QPointF], QPointF | None],
        ring: PointerRing,
    ) -> None:
        super().__init__(ring)
        self._key, self._place, self._ring = key, place, ring
        self._is_key_held = self._is_button_held = False
        self._release = QTimer(self)
        self._release.setSingleShot(True)
        self._release.setInterval(REPEAT_GAP)
        self._release.timeout.connect(self._on_released)
        # Mouse and keys go to the window first, and only then to one of its widgets.
        window.installEventFilter(self)

    def hold_key(self) -> None:
        """Show the ring until the key is released."""
        self._release.stop()
        self._is_key_held = True
        self._show(QPointF(QCursor.pos()))

    def hide_ring(self) -> None:
        """Hide the ring."""
        self._release.stop()
        self._is_key_held = self._is_button_held = False
        self._ring.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QMouseEvent):
            # The buttons are read at each event, since a release may have gone to a menu or another
            # window.
            pressed = event.buttons() != Qt.MouseButton.NoButton
            if kind == QEvent.Type.MouseButtonPress:
                self._is_button_held = self._place(event.globalPosition()) is not None
            self._is_button_held = self._is_button_held and pressed
            self._show(event.globalPosition())
        elif isinstance(event, QKeyEvent):
            released = kind == QEvent.Type.KeyRelease and not event.isAutoRepeat()
            if released and event.key() == self._key:
                self._release.start()
        elif kind in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide_ring()
        return False

    def _on_released(self) -> None:
        self._is_key_held = False
        self._show(QPointF(QCursor.pos()))

    def _show(self, place: QPointF) -> None:
        """Move the ring, or hide it if nothing is held."""
        held = self._is_key_held or self._is_button_held
        there = self._place(place) if held else None
        if there is None:
            self._ring.hide()
        else:
            self._ring.show_at(there)
