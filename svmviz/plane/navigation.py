"""What part of the plane is shown: zooming, panning, fitting, and when to fit unasked."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QNativeGestureEvent
from PySide6.QtWidgets import QWidget

from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera, is_equal, span_ratio
from svmviz.plane.paint.axes import arrange
from svmviz.plane.paint.style import point_radius
from svmviz.stage.stage import Stage
from svmviz.theme import active

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


class Navigation(QObject):
    """The camera of a plane on screen: from data units to px, moved by its user or by new points.

    It is the geometry that tools work with (:class:`svmviz.tools.base.Plane`).

    Parameters
    ----------
    stage : Stage
    widget : QWidget
        What the camera's picture is painted on.

    Signals
    -------
    looked : object (Camera)
        Another part of the plane is shown.
    fitting
        All points are about to be shown.
    """

    looked = Signal(object)
    fitting = Signal()

    def __init__(self, stage: Stage, widget: QWidget) -> None:
        super().__init__(widget)
        self._stage = stage
        self._widget = widget
        self._camera = Camera()
        self._data = stage.session.document.data
        self._task = stage.session.document.task

    # Geometry.

    @property
    def camera(self) -> Camera:
        """From data units to pixels and back."""
        return self._camera

    @property
    def scale(self) -> float:
        """Projector scale."""
        return active().metrics.scale

    def index_at(self, x: float, y: float) -> int | None:
        """Return the point nearest to a pixel, if it is under it."""
        data = self._stage.session.document.data
        if not len(data):
            return None
        apart = np.hypot(*(self._camera.to_pixels(data.points) - (x, y)).T)
        nearest = int(apart.argmin())
        reach = max(point_radius(len(data)) + 3.0, 7.0) * self.scale
        return nearest if apart[nearest] <= reach else None

    def data_window(self) -> tuple[float, float, float, float]:
        """Return left, right, bottom, top of what must be visible, in data units, for scenes."""
        camera = self._camera
        half_x, half_y = 0.5 * camera.span_x, 0.5 * camera.span_y
        return camera.x - half_x, camera.x + half_x, camera.y - half_y, camera.y + half_y

    # Moves.

    def fit(self) -> None:
        """Show all points."""
        self.fitting.emit()
        points = self._stage.session.document.data.points
        self._look(self._camera.fitted(points, self._aspect))

    def show_window(self, left: float, right: float, bottom: float, top: float) -> None:
        """Show at least a rectangle, in data units."""
        self._look(self._camera.showing(left, right, bottom, top))
        self.follow_options()

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Zoom in by a factor, with the same place under a pixel (or in the middle)."""
        camera = self._camera
        x = camera.left + 0.5 * camera.plot_width if x is None else x
        y = camera.top + 0.5 * camera.plot_height if y is None else y
        self._look(camera.zoomed(1.0 / factor, x, y))

    def pan(self, right: float, down: float) -> None:
        """Push the picture by so many px."""
        self._look(self._camera.panned(right, down))

    def look_along(self, camera: Camera) -> None:
        """Look where another plane of the same size looks."""
        self._camera = arrange(camera, self._widget.width(), self._widget.height(), self.scale)
        self._widget.update()

    # What it follows.

    def follow_size(self) -> None:
        """Show the same part of the plane in another size of the widget or of type."""
        self._look(self._camera)

    def follow_options(self) -> None:
        """Give both axes the same scale, or each its own, as the view options say."""
        points = self._stage.session.document.data.points
        self._look(self._camera.with_equal(is_equal(self._aspect, points)))

    def follow_document(self) -> None:
        """Fit the plane to other points, if they would be hard to find."""
        document = self._stage.session.document
        before, self._task = self._task, document.task
        if before != self._task:
            # Other axes altogether.
            self.fit()
        if self._stage.session.previewing:
            # The plane keeps still during a drag.
            return
        old, self._data = self._data, document.data
        if old is not self._data and must_look_elsewhere(self._camera, old, self._data):
            self.fit()

    def _look(self, camera: Camera) -> None:
        """Take another camera, and have frames show its part of the plane."""
        self.look_along(camera)
        camera = self._camera
        size = max(camera.plot_width, camera.plot_height) * self._widget.devicePixelRatioF()
        self._stage.feed.set_viewport(*camera.view, span_ratio(camera), size)
        self.looked.emit(self._camera)

    @property
    def _aspect(self) -> str:
        return self._stage.view.options.aspect_for(self._stage.session.document.task)


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
