"""The plane as a widget: it shows the newest frame, and whatever the tool in hand shows over it.

It holds no truth but a camera; everything else is asked of the stage.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.settings import Checked
from svmviz.plane.hands import Hands
from svmviz.plane.navigation import must_look_elsewhere, pinch_of, wheel_factor
from svmviz.plane.paint.axes import arrange
from svmviz.plane.paint.style import point_radius
from svmviz.plane.picture import Picture
from svmviz.plane.screen import Screen
from svmviz.plane.subscriptions import OverlaySubscriptions
from svmviz.stage.stage import Stage
from svmviz.theme import Theme, active
from svmviz.view.camera import Camera, is_equal, span_ratio


class PlaneView(QWidget):
    """Points, decision field, boundary and margins; where points are made and moved.

    Parameters
    ----------
    stage : Stage
    lane : int, optional
        Which lane it shows; by default the one in focus.

    Signals
    -------
    looked : object (Camera)
        Another part of the plane is looked at.
    painted
        A picture is on the screen.
    hovered_text : str
        The lit point in one line; empty where none is.
    tool_changed : str
        Name of the tool in hand.
    brush_changed : object (Checked)
        A key has changed the size of the brush in hand.
    """

    looked = Signal(object)
    painted = Signal()
    hovered_text = Signal(str)
    tool_changed = Signal(str)
    brush_changed = Signal(object)

    def __init__(
        self, stage: Stage, lane: int | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._camera = Camera()
        self._screen = Screen(stage, self, lane)
        self._screen.changed.connect(self.update)
        self._data = stage.session.document.data
        self._task = stage.session.document.task
        self._subscriptions = OverlaySubscriptions(stage, self) if lane is None else None
        self._hands = Hands(stage, self)
        self._hands.changed.connect(self.update)
        self._hands.tool_changed.connect(self.tool_changed)
        self._hands.brush_changed.connect(self.brush_changed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Plane of points")
        self.fit()
        stage.session.document_changed.connect(self._on_document)
        stage.session.selection_changed.connect(self.update)
        stage.view.changed.connect(self._on_options)
        stage.spotlight.changed.connect(self._on_spotlight)

    # What there is.

    @property
    def camera(self) -> Camera:
        """From data units to pixels and back."""
        return self._camera

    @property
    def scale(self) -> float:
        """Projector scale."""
        return active().metrics.scale

    @property
    def theme(self) -> Theme:
        """Colours the plane is shown in."""
        return active().theme

    def index_at(self, x: float, y: float) -> int | None:
        """The point nearest to a pixel, if it is under it."""
        data = self._stage.session.document.data
        if not len(data):
            return None
        apart = np.hypot(*(self._camera.to_pixels(data.points) - (x, y)).T)
        nearest = int(apart.argmin())
        reach = max(point_radius(len(data)) + 3.0, 7.0) * self.scale
        return nearest if apart[nearest] <= reach else None

    def data_window(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top of what must be visible, in data units, for scene files."""
        camera = self._camera
        half_x, half_y = 0.5 * camera.span_x, 0.5 * camera.span_y
        return camera.x - half_x, camera.x + half_x, camera.y - half_y, camera.y + half_y

    def picture(self, theme: Theme, factor: float) -> Picture:
        """What is on screen as a picture ``factor`` times as large, to be painted later."""
        return Picture(
            frame=self._screen.frame,
            size=(round(self.width() * factor), round(self.height() * factor)),
            theme=theme,
            options=self._stage.view.options,
            scale=self.scale * factor,
            camera=self._camera,
        )

    @property
    def brush(self) -> Checked | None:
        """Size and rate of the brush in hand; None for tools without one."""
        return self._hands.tool.settings

    # What can be done.

    def set_brush(self, settings: Checked) -> None:
        """Change the brush in hand; ``settings`` are of the kind that ``brush`` gives."""
        self._hands.tool.settings = settings
        self.update()

    def show_tool(self, name: str) -> None:
        """Take a tool in hand; see ``svmviz.tools.TOOLS``."""
        self._hands.take(name)

    def fit(self) -> None:
        """Show all points."""
        self._screen.begin_anew()
        points = self._stage.session.document.data.points
        self._look(self._camera.fitted(points, self._aspect))

    def show_window(self, left: float, right: float, bottom: float, top: float) -> None:
        """Show at least a rectangle, in data units."""
        self._look(self._camera.showing(left, right, bottom, top))
        self._on_options()

    def zoom(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Go ``factor`` times nearer, with the same place under a pixel (or in the middle)."""
        camera = self._camera
        x = camera.left + 0.5 * camera.plot_width if x is None else x
        y = camera.top + 0.5 * camera.plot_height if y is None else y
        self._look(camera.zoomed(1.0 / factor, x, y))

    def pan(self, right: float, down: float) -> None:
        """Push the picture by so many px."""
        self._look(self._camera.panned(right, down))

    def show_lane(self, lane: int | None) -> None:
        """Show one lane, whichever is in focus; None for the one in focus."""
        self._screen.show_lane(lane)

    def look_along(self, camera: Camera) -> None:
        """Look where another plane of the same size looks."""
        self._camera = arrange(camera, self.width(), self.height(), self.scale)
        self.update()

    def _look(self, camera: Camera) -> None:
        """Look through another camera, and say which part of the plane that shows."""
        self.look_along(camera)
        camera = self._camera
        size = max(camera.plot_width, camera.plot_height) * self.devicePixelRatioF()
        self._stage.feed.set_viewport(*camera.view, span_ratio(camera), size)
        self.looked.emit(self._camera)

    # What the stage tells.

    def _on_document(self) -> None:
        document = self._stage.session.document
        before, self._task = self._task, document.task
        if before != self._task:
            # Other axes altogether.
            self.fit()
        self.setAccessibleDescription(f"{document.n} points")
        if self._stage.session.previewing:
            # The plane keeps still under a hand, until it has let go.
            return
        old, self._data = self._data, document.data
        if old is not self._data and must_look_elsewhere(self._camera, old, self._data):
            self.fit()

    def _on_options(self) -> None:
        points = self._stage.session.document.data.points
        self._look(self._camera.with_equal(is_equal(self._aspect, points)))

    @property
    def _aspect(self) -> str:
        return self._stage.view.options.aspect_for(self._stage.session.document.task)

    def _on_spotlight(self) -> None:
        index = self._stage.spotlight.index
        card = None if index is None else self._screen.card_of(index)
        self.hovered_text.emit(card.line if card else "")
        self.update()

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._screen.paint(painter, self._camera, self._hands.tool, self._hands.card_index)
        painter.end()
        self.painted.emit()

    def sizeHint(self) -> QSize:
        return QSize(800, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 240)

    # What Qt tells.

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._look(self._camera)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._look(self._camera)
        super().changeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._screen.rest()
        self._hands.rest()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hands.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The second press of two quick clicks; it meets the point that the first one placed.
        self._hands.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hands.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hands.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hands.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._hands.key(event.key()):
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        place = event.position()
        factor = wheel_factor(event.pixelDelta().y(), event.angleDelta().y())
        self.zoom(factor, place.x(), place.y())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._hands.tool.busy:
            # No menu acts on points that a hand is holding.
            event.accept()
            return True
        pinch = pinch_of(event)
        if pinch is not None:
            self.zoom(*pinch)
            return True
        return super().event(event)
