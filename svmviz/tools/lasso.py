"""Selecting by a free outline. Otherwise the lasso behaves like the selection tool."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import Qt

from svmviz.document.document import Document
from svmviz.tools.base import Pointer
from svmviz.tools.gestures import RubberBand
from svmviz.tools.select import Select

# Minimum length of a side of the outline, except the closing line, px at scale 1.
MIN_SIDE = 3.0


def crossings(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return by how much one side of an outline changes the winding numbers of points, shape (n,).

    The side runs from ``start`` to ``end``. From each point a ray runs to the right. The result is
    1 if the side crosses the ray upwards, -1 if it crosses downwards, and 0 if it does not cross.
    The sum over all sides of a closed outline is the winding number of the outline around the point
    (Sunday 2001), which is 0 outside the outline.
    """
    x, y = points.T
    # Positive if the point lies to the left of the side.
    turn = (end[0] - start[0]) * (y - start[1]) - (x - start[0]) * (end[1] - start[1])
    is_upward = (start[1] <= y) & (y < end[1]) & (turn > 0.0)
    is_downward = (end[1] <= y) & (y < start[1]) & (turn < 0.0)
    return is_upward.astype(np.int64) - is_downward


@dataclass
class FreeOutline(RubberBand):
    """A path of the mouse, closed by a line to its start.

    Attributes
    ----------
    path : list of arrays of shape (2,)
        Corners of the path, in data units, because the camera may move during the drag.
    windings : list of arrays of shape (n,)
        For each point, the sum of ``crossings`` of the sides of the path, without the closing line.
        The first array is for the training points, the second for the visible held-out points. The
        sums are stored so that a new side costs the same however long the path is.
    document : Document or None
        The document for whose points ``windings`` were computed.
    """

    path: list[np.ndarray] = field(default_factory=list)
    windings: list[np.ndarray] = field(default_factory=list)
    document: Document | None = None

    def _follow(self, pointer: Pointer) -> None:
        if not self.path:
            self.path.append(np.array(self.plane.camera.to_data(self.start.x, self.start.y)))
        document = self.stage.session.document
        if document is not self.document:
            self.document = document
            self.windings = [np.zeros(len(points), np.int64) for points in self._groups()]
            for start, end in zip(self.path, self.path[1:], strict=False):
                self._wind(start, end)
        last = self.plane.camera.to_pixels(self.path[-1][None])[0]
        if np.hypot(*(last - (pointer.x, pointer.y))) >= MIN_SIDE * self.plane.scale:
            self.path.append(np.array(self.plane.camera.to_data(pointer.x, pointer.y)))
            self._wind(*self.path[-2:])

    def _wind(self, start: np.ndarray, end: np.ndarray) -> None:
        for winding, points in zip(self.windings, self._groups(), strict=True):
            winding += crossings(points, start, end)

    def _inside(self, pointer: Pointer) -> tuple[np.ndarray, ...]:
        closing = self.path[-1], self.path[0]
        pairs = zip(self.windings, self._groups(), strict=True)
        return tuple(winding + crossings(points, *closing) != 0 for winding, points in pairs)

    def _outline(self, pointer: Pointer) -> np.ndarray:
        return self.plane.camera.to_pixels(np.array(self.path))


class Lasso(Select):
    """Tool that selects the points inside a free outline."""

    cursor = Qt.CursorShape.CrossCursor
    band = FreeOutline
