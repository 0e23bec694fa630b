"""From wheel, trackpad and pinch to factors of zoom; and when to look elsewhere unasked."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QNativeGestureEvent

from solvers.data.datasets import PointSet
from svmviz.view.camera import Camera

# One notch of a wheel (120 in Qt's units) goes nearer by this factor; so does a trackpad's
# movement by so many px.
NOTCH = 1.18
TRACKPAD_NOTCH = 60.0
# No single event zooms by more than this.
LARGEST = 4.0
# Points that were shaken differ in how far they moved by at most this share of their range.
SHAKEN = 0.3
# Another set of points need not be fitted where it fills this share of the plane.
FILLED = 0.6


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


def must_look_elsewhere(camera: Camera, old: PointSet, new: PointSet) -> bool:
    """Whether to fit the plane to points that took the place of others.

    The camera stays for whatever a hand did: adding, moving, erasing, shaking. It moves for points
    that came from a file or a generator unless they fill it well, and where it would show no point
    at all.
    """
    if not len(new):
        # Nothing is left to be lost sight of: the axes of the old points mean nothing now.
        return len(old) > 1
    low = np.array([camera.left, camera.top])
    pixels, size = camera.to_pixels(new.points) - low, (camera.plot_width, camera.plot_height)
    inside = ((pixels >= 0.0) & (pixels <= size)).all(axis=1)
    if not len(old):
        return not inside.all()
    if not inside.any():
        return True
    if np.array_equal(old.labels, new.labels) and _moved_together(old, new):
        return False
    known = set(map(tuple, old.points.tolist()))
    if any(tuple(point) in known for point in new.points.tolist()):
        return False
    return not (inside.all() and bool((np.ptp(pixels, axis=0) >= FILLED * np.array(size)).any()))


def _moved_together(old: PointSet, new: PointSet) -> bool:
    """Whether every point moved by about the same: pushed as a whole, or shaken."""
    spread = np.ptp(new.points - old.points, axis=0)
    return bool((spread <= SHAKEN * np.ptp(old.points, axis=0)).all())
