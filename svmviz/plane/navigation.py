"""From wheel, trackpad and pinch to factors of zoom."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QNativeGestureEvent

# One notch of a wheel (120 in Qt's units) goes nearer by this factor; so does a trackpad's
# movement by so many px.
NOTCH = 1.18
TRACKPAD_NOTCH = 60.0
# No single event zooms by more than this.
LARGEST = 4.0


def wheel_factor(pixels: float, angle: float) -> float:
    """How much nearer to go; ``pixels`` (of a trackpad) count before ``angle`` (of a wheel)."""
    notches = pixels / TRACKPAD_NOTCH if pixels else angle / 120.0
    most = math.log(LARGEST, NOTCH)
    return math.pow(NOTCH, min(max(notches, -most), most))


def pinch_of(event: QEvent) -> tuple[float, float, float] | None:
    """``(factor, x, y)`` of a pinch with two fingers; None for every other event."""
    if not isinstance(event, QNativeGestureEvent):
        return None
    if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
        return None
    place = event.position()
    return min(max(1.0 + event.value(), 1.0 / LARGEST), LARGEST), place.x(), place.y()
