"""Fingers on the plane. One finger is the left button of the mouse, two fingers pan and zoom.

A finger that rests is a click of the right button, which adds a point of the other class.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QEventPoint, QMouseEvent, QTouchEvent

from svmviz.plane.mouse_handler import MouseHandler
from svmviz.plane.navigation import MAX_ZOOM, Navigation

# Time after which a finger that rests is a long press, ms.
LONG_PRESS = 550
# A finger rests as long as it stays within this distance, and it hits the nearest point within it,
# px at scale 1. Fingers are less exact than a mouse.
REACH = 14.0
PRESS, MOVE, RELEASE = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)


class Touch(QObject):
    """Handler of touches on one plane, which turns them into mouse events and camera movements.

    Parameters
    ----------
    mouse : MouseHandler
    navigation : Navigation
    parent : QObject
    """

    def __init__(self, mouse: MouseHandler, navigation: Navigation, parent: QObject) -> None:
        super().__init__(parent)
        self._mouse = mouse
        self._navigation = navigation
        # Where the single finger came down; None without a finger, or if its gesture has ended.
        self._start: QPointF | None = None
        # Whether the finger has hit a point, and the vector from the finger to this point, px.
        self._hits, self._offset = False, QPointF()
        self._is_resting = False
        # Centre and spread of two fingers, px.
        self._pinch: tuple[QPointF, float] | None = None
        self._timer = QTimer(self, singleShot=True, interval=LONG_PRESS)
        self._timer.timeout.connect(self._on_long_press)

    def handle(self, event: QTouchEvent) -> None:
        """Handle an event of the touch screen."""
        event.accept()
        if event.type() == QEvent.Type.TouchCancel:
            self._give_up()
            return
        down = [p for p in event.points() if p.state() != QEventPoint.State.Released]
        if len(event.points()) > 1 or self._pinch is not None:
            self._on_two(down)
        elif event.type() == QEvent.Type.TouchBegin:
            self._on_down(event.points()[0].position())
        elif self._start is not None:
            self._on_one(self._start, event.points()[0].position(), is_down=bool(down))

    def _on_down(self, place: QPointF) -> None:
        # The pen draws where the finger is, and from its first movement on.
        draws = self._mouse.tool.follows_all
        hit = None if draws else self._navigation.place_near(place.x(), place.y(), self._reach)
        self._hits = hit is not None
        self._offset = QPointF() if hit is None else QPointF(*hit) - place
        self._start, self._is_resting = place, not draws
        self._send(PRESS, place)
        # A brush that works while it rests has no long press.
        if not (self._mouse.tool.ticks or draws):
            self._timer.start()

    def _on_one(self, start: QPointF, place: QPointF, *, is_down: bool) -> None:
        """Handle a movement of the single finger, or its end."""
        if self._is_resting and math.dist(place.toTuple(), start.toTuple()) > self._reach:
            self._is_resting = False
            self._timer.stop()
        if not self._is_resting:
            self._send(MOVE, place)
        if not is_down:
            self._timer.stop()
            self._start = None
            self._send(RELEASE, start if self._is_resting else place)
            self._mouse.leave()
            if self._is_resting and self._hits:
                # No mouse hovers over the point, so its card is shown now.
                at = start + self._offset
                self._mouse.show_card(self._navigation.editable_at(at.x(), at.y()))

    def _on_two(self, points: list[QEventPoint]) -> None:
        """Pan and zoom. If one of the fingers is lifted, the other one does nothing."""
        if self._start is not None:
            self._give_up()
        if len(points) < 2:
            # The gesture ends when the last finger is lifted.
            self._pinch = (QPointF(), 0.0) if points else None
            return
        one, other = points[0].position(), points[1].position()
        centre, spread = (one + other) * 0.5, math.dist(one.toTuple(), other.toTuple())
        if self._pinch is not None and self._pinch[1] > 0.0:
            before, old_spread = self._pinch
            self._navigation.pan(centre.x() - before.x(), centre.y() - before.y())
            factor = min(max(spread / old_spread, 1.0 / MAX_ZOOM), MAX_ZOOM)
            self._navigation.zoom(factor, centre.x(), centre.y())
        self._pinch = centre, spread

    def _on_long_press(self) -> None:
        if self._start is None:
            return
        place = self._start
        self._give_up()
        self._send(PRESS, place, Qt.MouseButton.RightButton)
        self._send(RELEASE, place, Qt.MouseButton.RightButton)
        self._mouse.leave()

    def _give_up(self) -> None:
        """Cancel the stroke that the single finger has begun."""
        self._timer.stop()
        self._start, self._pinch = None, None
        self._mouse.end_strokes()

    @property
    def _reach(self) -> float:
        return REACH * self._navigation.scale

    def _send(
        self, kind: QEvent.Type, place: QPointF, button: Qt.MouseButton = Qt.MouseButton.LeftButton
    ) -> None:
        at, none = place + self._offset, Qt.MouseButton.NoButton
        held = none if kind == RELEASE else button
        keys = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, at, at, none if kind == MOVE else button, held, keys)
        mouse = self._mouse
        {PRESS: mouse.press, MOVE: mouse.move, RELEASE: mouse.release}[kind](event)
