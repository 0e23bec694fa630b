"""The section of the plane that is shown: zooming, panning, and fitting it to the points."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QNativeGestureEvent
from PySide6.QtWidgets import QWidget

from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera, has_equal_axes, span_ratio
from svmviz.plane.paint.axes import have_room
from svmviz.plane.paint.legend import with_legend
from svmviz.plane.paint.roles import PLAIN, ROLES
from svmviz.plane.paint.style import Style
from svmviz.playback.feed import WINDOW
from svmviz.stage.stage import Stage
from svmviz.theme import Metrics, look_of

# One notch of a mouse wheel (120 in Qt's units of angle) zooms by the factor NOTCH. So does a
# movement by TRACKPAD_NOTCH px on a trackpad.
NOTCH = 1.18
TRACKPAD_NOTCH = 60.0
# Maximum factor by which a single event zooms.
MAX_ZOOM = 4.0
# Points count as moved together, as by a shift or by jitter, if their displacements differ by at
# most this fraction of the range of the points.
MAX_SHAKE = 0.3
# If other points replace all points, the view stays if it shows all new points, and if the range of
# the new points along x or y is at least this fraction of the view.
MIN_FILLED = 0.6


class Navigation(QObject):
    """The camera of a plane on screen. The user moves it, and new points may change it.

    Tools use this object as their :class:`svmviz.tools.base.PlaneGeometry`.

    Parameters
    ----------
    stage : Stage
    widget : QWidget
        The widget on which the plane is painted.
    viewer : str
        The window that shows the plane, for which frames are requested: WINDOW or PICTURE of
        :mod:`svmviz.playback.feed`.

    Signals
    -------
    camera_changed(Camera)
        The camera is another one: the section of the plane or the size of the widget has changed.
    before_fit()
        The camera is about to be fitted to all points.
    """

    camera_changed = Signal(object)
    before_fit = Signal()

    def __init__(self, stage: Stage, widget: QWidget, viewer: str = WINDOW) -> None:
        super().__init__(widget)
        self._stage = stage
        self._widget, self._viewer = widget, viewer
        self._camera = Camera()
        self._data = stage.session.document.data
        self._task = stage.session.document.task

    # Geometry.

    @property
    def camera(self) -> Camera:
        """Conversion between data units and pixels."""
        return self._camera

    @property
    def metrics(self) -> Metrics:
        """Sizes of text and marks."""
        return look_of(self._widget).metrics

    @property
    def scale(self) -> float:
        """Factor on the sizes of marks, and on distances in px such as a grab radius."""
        return self.metrics.scale

    def index_at(self, x: float, y: float) -> int | None:
        """Return the index of the point at a position, px, or None.

        If several points are there, the nearest one is returned.
        """
        return self._index_among(self._stage.session.document.data, x, y)

    def editable_at(self, x: float, y: float) -> int | None:
        """Return the index in ``Document.editable`` of the point at a position, px, or None."""
        return self._index_among(self._stage.session.document.editable, x, y)

    def _index_among(self, data: PointSet, x: float, y: float) -> int | None:
        if not len(data):
            return None
        distances = np.hypot(*(self._camera.to_pixels(data.points) - (x, y)).T)
        nearest = int(distances.argmin())
        metrics = self.metrics
        # The closer together the points lie, the smaller their marks are.
        radius = ROLES[PLAIN].radius(self._style.size_for(data, self._camera))
        # A mark is hit within 3 px of its edge, and a small mark within 7 px of its centre.
        reach = max(metrics.scale * radius + 3.0 * metrics.scale, 7.0 * metrics.scale)
        return nearest if distances[nearest] <= reach else None

    def place_near(self, x: float, y: float, reach: float) -> tuple[float, float] | None:
        """Return the place, px, of the point nearest to (x, y) within ``reach`` px, or None."""
        data = self._stage.session.document.data
        if not len(data):
            return None
        pixels = self._camera.to_pixels(data.points)
        distances = np.hypot(*(pixels - (x, y)).T)
        nearest = int(distances.argmin())
        left, top = pixels[nearest].tolist()
        return (left, top) if distances[nearest] <= reach else None

    def data_window(self) -> tuple[float, float, float, float]:
        """Return the rectangle that a scene stores: left, right, bottom and top, in data units.

        With equal units on both axes, the plane shows more than this rectangle along one axis.
        """
        camera = self._camera
        half_x, half_y = 0.5 * camera.span_x, 0.5 * camera.span_y
        return camera.x - half_x, camera.x + half_x, camera.y - half_y, camera.y + half_y

    # Movements.

    def fit(self) -> None:
        """Show all points."""
        self.before_fit.emit()
        points = self._stage.session.document.visible_points
        self._show(self._camera.fitted(points, self._aspect))

    def show_window(self, left: float, right: float, bottom: float, top: float) -> None:
        """Show at least a rectangle, in data units."""
        self._show(self._camera.showing(left, right, bottom, top))
        self.follow_options()

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Zoom in by a factor. The data at (x, y), px, stay there; by default, in the middle."""
        camera = self._camera
        x = camera.left + 0.5 * camera.plot_width if x is None else x
        y = camera.top + 0.5 * camera.plot_height if y is None else y
        self._show(camera.zoomed(1.0 / factor, x, y))

    def pan(self, right: float, down: float) -> None:
        """Move the picture by ``right`` and ``down`` px."""
        self._show(self._camera.panned(right, down))

    def set_camera(self, camera: Camera) -> None:
        """Use another camera without requesting frames for it.

        Planes of a race that have the same size share one camera. If the user moves the picture of
        one plane, that plane requests the frames, and this method is called for the other planes.
        """
        widget, document = self._widget, self._stage.session.document
        width, height = widget.width(), widget.height()
        self._camera = with_legend(document, camera, width, height, self._style)
        self._widget.update()

    def follow(self, camera: Camera) -> None:
        """Show the section that another plane, perhaps of another size, shows with ``camera``."""
        if _section_of(camera) != _section_of(self._camera):
            self._show(camera)

    # Changes of widget, options and document.

    def follow_size(self) -> None:
        """Keep the section shown after the size of the widget or of its text has changed."""
        self._show(self._camera)

    def follow_options(self) -> None:
        """Use the same units per px on both axes, or not, as the options say."""
        points = self._stage.session.document.visible_points
        self._show(self._camera.with_equal(has_equal_axes(self._aspect, points)))

    def follow_document(self) -> None:
        """Fit the view to the points of a new document if :func:`must_fit` says so."""
        document = self._stage.session.document
        old_task, self._task = self._task, document.task
        if old_task != self._task:
            # In another task the axes have another meaning.
            self.fit()
        if self._stage.session.previewing:
            # The plane does not move during a drag.
            return
        old_data, self._data = self._data, document.data
        if old_data is not self._data and must_fit(self._camera, old_data, self._data):
            self.fit()
            return
        # The legend of another document may need more rows, or fewer.
        top = self._camera.top
        self.set_camera(self._camera)
        if self._camera.top != top:
            self._show(self._camera)

    def _show(self, camera: Camera) -> None:
        """Use another camera, and request frames for its section of the plane."""
        self.set_camera(camera)
        camera = self._camera
        size = max(camera.plot_width, camera.plot_height) * self._widget.devicePixelRatioF()
        self._stage.feed.set_viewport(*camera.view, span_ratio(camera), size, viewer=self._viewer)
        self.camera_changed.emit(self._camera)

    @property
    def _style(self) -> Style:
        """The style of the plane, as far as it matters for sizes."""
        metrics, widget = self.metrics, self._widget
        return Style(
            scale=metrics.scale,
            in_hall=metrics.in_hall,
            on_screen=True,
            options=self._stage.view.options,
            axes=have_room(widget.width(), widget.height(), metrics.scale),
        )

    @property
    def _aspect(self) -> str:
        return self._stage.view.options.aspect_for(self._stage.session.document.task)


def _section_of(camera: Camera) -> tuple[float | bool, ...]:
    """Return those attributes of a camera that do not depend on the size of the picture."""
    return camera.x, camera.y, camera.span_x, camera.span_y, camera.equal


def wheel_factor(pixels: float, angle: float) -> float:
    """Return the factor by which a wheel event zooms.

    Parameters
    ----------
    pixels : float
        Movement on a trackpad, px; 0 if the event comes from a wheel.
    angle : float
        Turn of a wheel, 120 per notch; ignored if ``pixels`` is not 0.
    """
    notches = pixels / TRACKPAD_NOTCH if pixels else angle / 120.0
    max_notches = math.log(MAX_ZOOM, NOTCH)
    return math.pow(NOTCH, min(max(notches, -max_notches), max_notches))


def pinch_of(event: QEvent) -> tuple[float, float, float] | None:
    """Return ``(factor, x, y)`` of a pinch with two fingers; None for every other event."""
    if not isinstance(event, QNativeGestureEvent):
        return None
    if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
        return None
    position = event.position()
    return min(max(1.0 + event.value(), 1.0 / MAX_ZOOM), MAX_ZOOM), position.x(), position.y()


def must_fit(camera: Camera, old: PointSet, new: PointSet) -> bool:
    """Return whether to fit the view to the points ``new``, which replace ``old``.

    If none of the points ``new`` is in the view, the view is fitted. If there were no points
    before, the view is fitted unless all points ``new`` are in it.

    Otherwise the view stays if points were added, moved, erased or shaken: then some points are
    where they were, or all have moved together (``MAX_SHAKE``). In any other case the points come
    from a file or a generator. Then the view is fitted, unless all of them are in the view and fill
    it well (``MIN_FILLED``).
    """
    if not len(new):
        # All points were removed. If there was only one point, the view stays.
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
    # Points are compared as complex numbers, because ``np.isin`` compares single numbers.
    if np.isin(new.points.view(complex), old.points.view(complex)).any():
        return False
    return not (
        inside.all() and bool((np.ptp(pixels, axis=0) >= MIN_FILLED * np.array(size)).any())
    )


def _moved_together(old: PointSet, new: PointSet) -> bool:
    """Return whether all points have moved by about the same vector."""
    spread = np.ptp(new.points - old.points, axis=0)
    return bool((spread <= MAX_SHAKE * np.ptp(old.points, axis=0)).all())
