"""Points, lines and planes in three dimensions, turned by the mouse; drawn by QPainter.

What lies behind a plane is drawn before it, and the rest after it. So no depth buffer and no OpenGL
is needed, and an exported figure consists of vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.strokes import polygon
from svmviz.theme import look_of
from svmviz.widgets.charts.dots import draw_dots, draw_rings
from svmviz.widgets.key_taker import KeyTaker
from svmviz.widgets.styling import StyleFollower

# The first direction of view: turned about the vertical axis, and tilted, degrees.
YAW, PITCH = 35.0, 24.0
# The angle between the first direction of view and an upright plane, degrees.
GRAZE = 20.0
MAX_PITCH = 90.0
# Degrees per px of a drag, and per press of an arrow key.
TURN, KEY_TURN = 0.5, 5.0
TURNS = {
    Qt.Key.Key_Left: (KEY_TURN, 0.0),
    Qt.Key.Key_Right: (-KEY_TURN, 0.0),
    Qt.Key.Key_Up: (0.0, KEY_TURN),
    Qt.Key.Key_Down: (0.0, -KEY_TURN),
}
# Distance of the eye from the middle, in half lengths of the box. The larger it is, the weaker is
# the perspective.
EYE = 6.0
# Diameter of a point in the middle of the box, and width around the box for the names of its axes,
# px at scale 1.
POINT_SIZE, EDGE = 12.5, 24.0
# Turns of the box, degrees, among which the one that needs most room decides on its size: it does
# not change while the box is turned about its axis.
YAWS = range(0, 90, 10)
# The corners of the box, and the pairs of them that its edges join.
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
EDGES = [(a, b) for a in range(8) for b in range(a) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 2]


@dataclass(frozen=True, eq=False)
class CuttingPlane:
    """The plane ``<normal, x> = offset``, and its colour by name in the theme."""

    normal: np.ndarray
    offset: float
    colour: str
    opacity: float

    def corners(self) -> np.ndarray:
        """Return the corners of its part inside the box, shape (m, 3), in order."""
        values = CORNERS @ self.normal - self.offset
        found = []
        for a, b in EDGES:
            if (values[a] < 0.0) != (values[b] < 0.0):
                share = values[a] / (values[a] - values[b])
                found.append(CORNERS[a] + share * (CORNERS[b] - CORNERS[a]))
        if len(found) < 3:
            return np.zeros((0, 3))
        points = np.array(found)
        first = points[0] - points.mean(axis=0)
        second = np.cross(self.normal, first)
        centred = points - points.mean(axis=0)
        return points[np.argsort(np.arctan2(centred @ second, centred @ first))]


@dataclass(frozen=True, eq=False)
class Solid:
    """Points, lines and planes to be drawn, in a box from -1 to 1 along each axis.

    Attributes
    ----------
    points : array, shape (n, 3)
    labels : array, shape (n,)
    lines : list of (array, shape (m, 3), str, float)
        Each with the name of its colour in the theme, and its width, px at scale 1.
    planes : tuple of CuttingPlane
        The first one decides what lies in front.
    names : tuple of str
        Names of the three axes.
    """

    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    labels: np.ndarray = field(default_factory=lambda: np.zeros(0))
    lines: list[tuple[np.ndarray, str, float]] = field(default_factory=list)
    planes: tuple[CuttingPlane, ...] = ()
    names: tuple[str, str, str] = ("", "", "")


class SolidView(KeyTaker, StyleFollower, QWidget):
    """A view of a :class:`Solid`. A drag turns it; with the focus (Tab), so do the arrow keys.

    A double click turns it back.

    Signals
    -------
    hovered(object), pressed(object)
        The index of the point under the mouse, or None; the point that was clicked.
    """

    hovered = Signal(object)
    pressed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.solid = Solid()
        self.yaw, self.pitch = self._first = YAW, PITCH
        # Points with rings: a function that returns (indices, colour) pairs.
        self.rings: Callable[[], list[tuple[list[int], str]]] = lambda: []
        self._grabbed: QPointF | None = None
        self._moved = False
        self.setMouseTracking(True)
        # A click does not take the focus. So after a drag, the key Right still goes to the next
        # step.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Points in three dimensions; arrow keys turn them")
        self.follow_style(SolidView.update)

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(280), px(260))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(160), px(210))

    def show_solid(self, solid: Solid) -> None:
        """Draw another solid, seen from the same direction."""
        self.solid = solid
        self.update()

    def see_between(self, plane: CuttingPlane) -> None:
        """Look nearly along an upright plane, so that its two sides are seen, unless turned."""
        x, y, z = plane.normal
        if (self.yaw, self.pitch) != self._first or math.hypot(x, y) < abs(z):
            return
        along = math.degrees(math.atan2(y, x))
        turns = [
            (along + half + graze - YAW + 180.0) % 360.0 - 180.0
            for half in (0.0, 180.0)
            for graze in (-GRAZE, GRAZE)
        ]
        self._first = (YAW + min(turns, key=abs)) % 360.0, PITCH
        self.yaw = self._first[0]
        self.update()

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn by angles, degrees."""
        self.yaw = (self.yaw + yaw) % 360.0
        self.pitch = max(-MAX_PITCH, min(self.pitch + pitch, MAX_PITCH))
        self.update()

    # Projection.

    def _axes(self, yaw: float) -> np.ndarray:
        """Return, as rows, the directions on the screen to the right, up, and towards the eye."""
        yaw, pitch = math.radians(yaw), math.radians(self.pitch)
        right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        eye = np.array(
            [
                math.sin(yaw) * math.cos(pitch),
                -math.cos(yaw) * math.cos(pitch),
                math.sin(pitch),
            ]
        )
        return np.stack([right, np.cross(eye, right), eye])

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Return the places of points, shape (m, 3), on the screen, px, shape (m, 2)."""
        corners = np.concatenate([self._projected(CORNERS, yaw) for yaw in YAWS])
        low, high = corners.min(axis=0), corners.max(axis=0)
        size = np.array([self.width(), self.height()])
        edge = look_of(self).metrics.stroke(EDGE)
        scale = float(np.maximum((size - 2.0 * edge) / (high - low), 1.0).min())
        return 0.5 * size + scale * (self._projected(points, self.yaw) - 0.5 * (low + high))

    def _projected(self, points: np.ndarray, yaw: float) -> np.ndarray:
        """Return the places of points to the right of the middle of the box and below it."""
        turned = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self._axes(yaw).T
        near = EYE / np.maximum(EYE - turned[:, 2], 0.5)
        return np.column_stack([turned[:, 0], -turned[:, 1]]) * near[:, None]

    def point_at(self, position: QPointF) -> int | None:
        """Return the index of the point at a place, px."""
        if not len(self.solid.points):
            return None
        away = np.hypot(*(self.to_pixels(self.solid.points) - (position.x(), position.y())).T)
        nearest = int(away.argmin())
        return nearest if away[nearest] < look_of(self).metrics.px(10) else None

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(look_of(self).theme.card))
            self._paint_box(painter)
            solid = self.solid
            behind = self._are_behind()
            self._paint_points(painter, behind)
            for line, colour, width in solid.lines:
                painter.setPen(self._pen(colour, width))
                painter.drawPolyline(polygon(self.to_pixels(line)))
            for plane in solid.planes:
                self._paint_plane(painter, plane)
            self._paint_points(painter, ~behind)
            for indices, colour in self.rings():
                inside = [i for i in indices if i < len(solid.points)]
                draw_rings(
                    painter,
                    self.to_pixels(solid.points[inside]),
                    colour,
                    1.6 * POINT_SIZE,
                    look_of(self),
                )
            if self.hasFocus():
                painter.setPen(self._pen("focus", 2.0))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _are_behind(self) -> np.ndarray:
        """Return which points lie on the far side of the first plane, shape (n,)."""
        solid = self.solid
        if not solid.planes:
            return np.zeros(len(solid.points), dtype=bool)
        plane = solid.planes[0]
        eye_side = float(plane.normal @ (EYE * self._axes(self.yaw)[2])) - plane.offset
        return (solid.points @ plane.normal - plane.offset) * eye_side < 0.0

    def _paint_points(self, painter: QPainter, chosen: np.ndarray) -> None:
        # Draw from the farthest to the nearest point, in a few layers. Nearer layers have larger
        # dots.
        depth = self.solid.points @ self._axes(self.yaw)[2]
        order = np.argsort(depth, kind="stable")
        order = order[chosen[order]]
        for part in np.array_split(order, 8):
            if len(part):
                size = POINT_SIZE * EYE / (EYE - float(depth[part].mean()))
                places = self.to_pixels(self.solid.points[part])
                draw_dots(painter, places, self.solid.labels[part], size, look_of(self))

    def _paint_plane(self, painter: QPainter, plane: CuttingPlane) -> None:
        corners = plane.corners()
        if not len(corners):
            return
        colour = QColor(getattr(look_of(self).theme, plane.colour))
        colour.setAlphaF(plane.opacity)
        painter.setBrush(colour)
        painter.setPen(self._pen(plane.colour, 1.0))
        painter.drawPolygon(polygon(self.to_pixels(corners)))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_box(self, painter: QPainter) -> None:
        look = look_of(self)
        painter.setPen(self._pen("line_strong", 1.0))
        for a, b in EDGES:
            painter.drawPolyline(polygon(self.to_pixels(CORNERS[[a, b]])))
        painter.setFont(look.font(look.metrics.label))
        painter.setPen(QColor(look.theme.axis))
        measure = QFontMetricsF(look.font(look.metrics.label))
        middle = self.to_pixels(np.zeros(3))[0]
        for axis, name in enumerate(map(look.letters, self.solid.names)):
            # The name stands beside the edge of the box that is lowest, or farthest to the left: no
            # point lies there.
            ends = np.array([c for c in CORNERS if c[axis] < 0.0])
            ends[:, axis] = 0.0
            places = self.to_pixels(ends)
            x, y = places[places[:, 0].argmin() if axis == 2 else places[:, 1].argmax()]
            width, away = measure.horizontalAdvance(name), np.array([x, y]) - middle
            x, y = np.array([x, y]) + away / max(np.hypot(*away), 1.0) * 0.5 * measure.height()
            left = x - width if x < middle[0] else x
            left = min(max(left, 0.0), self.width() - width)
            bottom = self.height() - measure.descent()
            painter.drawText(QPointF(left, min(y + 0.5 * measure.ascent(), bottom)), name)

    def _pen(self, colour: str, width: float) -> QPen:
        look = look_of(self)
        return QPen(QColor(getattr(look.theme, colour)), look.metrics.stroke(width))

    # Mouse and keys.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            self.hovered.emit(self.point_at(event.position()))
            return
        by = event.position() - self._grabbed
        self._moved = self._moved or by.manhattanLength() > 3.0
        if self._moved:
            self._grabbed = event.position()
            self.turn(-TURN * by.x(), TURN * by.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None and not self._moved:
            self.pressed.emit(self.point_at(event.position()))
        self._grabbed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.yaw, self.pitch = self._first
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)
        super().leaveEvent(event)

    def uses(self, event: QKeyEvent) -> bool:
        return event.key() in TURNS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.uses(event):
            self.turn(*TURNS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
