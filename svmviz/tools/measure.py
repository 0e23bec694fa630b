"""Measuring f at a place, and the distance of two places in the plane and in the feature space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from solvers.errors import BadInput
from solvers.kernels.feature_geometry import feature_distance
from svmviz.base.words import axis_units, class_titles, distance_words, number
from svmviz.document.document import Document
from svmviz.frames.frame import Lane
from svmviz.stage.stage import Stage
from svmviz.tools.base import NO_FEEDBACK, Feedback, PlaneGeometry, Pointer, Tool
from svmviz.tools.gestures import is_drag


@dataclass(frozen=True)
class _End:
    """An end of the band.

    Attributes
    ----------
    index : int or None
        Index of the point at this end; None if the end is no point.
    place : (float, float)
        In data units; if the end is a point, its place at the press.
    """

    index: int | None
    place: tuple[float, float]

    def in_data(self, document: Document) -> tuple[float, float]:
        """Return the place now, since a point may have moved."""
        if self.index is None:
            return self.place
        x, y = document.data.points[self.index].tolist()
        return x, y


class Measure(Tool):
    """Tool that draws a rubber band between two places, which stays until the next press.

    If an end is on a point, it stays on that point. Two points that were measured are selected. A
    click shows f at a place, until the next press.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane)
        self._ends: tuple[_End, ...] = ()
        # Number of points at the press; if it changes, the ends may be other points.
        self._n = 0

    @property
    def feedback(self) -> Feedback:
        # Made anew for each picture, since kernel, points and camera may have changed.
        document = self.stage.session.document
        if not self._ends or document.n != self._n:
            return NO_FEEDBACK
        if len(self._ends) == 1:
            return self._at_place(document, self._ends[0])
        places = np.array([end.in_data(document) for end in self._ends])
        try:
            words = self._words(document, places)
        except BadInput as error:
            # In a regression only x is used, so a kernel with a formula in x1 and x2 has no value.
            words = str(error)
        return Feedback(band=self.plane.camera.to_pixels(places), words=words)

    def _at_place(self, document: Document, end: _End) -> Feedback:
        """Return the mark at a place, and f, the class and the distance there."""
        frame = self.stage.feed.frame
        lane = frame.lane
        # A lesson may hide f, because a question asks for it.
        if lane is None or not document.has_coordinates or "f" in self.stage.view.hidden:
            return NO_FEEDBACK
        place = np.array(end.in_data(document))
        words = words_at(lane, frame.document, place)
        return Feedback(handles=self.plane.camera.to_pixels(place[None, :]), words=words)

    def _words(self, document: Document, places: np.ndarray) -> str:
        if not document.has_coordinates:
            return self._words_on_items()
        x, z = places / document.factors
        where = "in the plane"
        if document.is_regression:
            x, z, where = x[:1], z[:1], "along x"
        return distance_words(feature_distance(document.kernel, x, z), self._who, where)

    def _words_on_items(self) -> str:
        """Return words on two points without coordinates, which have a distance only by phi."""
        points = [end.index for end in self._ends if end.index is not None]
        lane = self.stage.feed.frame.lane
        if len(points) < 2 or lane is None or lane.problem.n != self._n:
            return "Points without coordinates: drag from one of them to another."
        found = feature_distance(lane.problem.kernel, *lane.problem.X[points])
        return distance_words(found, self._who, "")

    @property
    def _who(self) -> str:
        """The names of both ends, with which a sentence begins."""
        numbers = [end.index + 1 for end in self._ends if end.index is not None]
        if len(numbers) == 2:
            return f"Points {numbers[0]} and {numbers[1]}"
        return f"Point {numbers[0]} and a place" if numbers else "Two places"

    def _end_at(self, pointer: Pointer) -> _End:
        index = self.plane.index_at(pointer.x, pointer.y)
        return _End(index, self.position_of(pointer))

    def press(self, pointer: Pointer) -> None:
        self._held, self._ends = pointer, ()
        self._n = self.stage.session.document.n

    def drag(self, pointer: Pointer) -> None:
        start = self._held
        if start is None or not is_drag(start, pointer, self.plane.scale):
            return
        ends = self._end_at(start), self._end_at(pointer)
        if ends[0].index is None or ends[0].index != ends[1].index:
            self._ends = ends
            self.stage.spotlight.highlight(*(end.index for end in ends))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        if self._held is not None and not self._ends:
            self._ends = (self._end_at(self._held),)
        self._held = None
        self.stage.spotlight.highlight(None)
        points = {end.index for end in self._ends if end.index is not None}
        if len(points) == 2:
            self.stage.session.select(points)

    def cancel(self) -> None:
        self._held, self._ends = None, ()


def words_at(lane: Lane, document: Document, place: np.ndarray) -> str:
    """Return f, the class and the distance at a place, shape (2,), in data units, as words."""
    at = place / document.factors
    (across, unit), (up, other) = axis_units(document.data)
    if document.is_regression:
        return f"{across} {number(unit * place[0])}: f = {number(float(lane.expansion(at[:1])[0]))}"
    f = float(lane.expansion(at[None, :])[0])
    where = f"{across} {number(unit * place[0])}, {up} {number(other * place[1])}"
    words = f"{where}: f = {number(f)}, class {class_titles(document.data)[f >= 0.0]}"
    norm = lane.certificate.norm
    if not norm > 0.0:
        return f"{words}."
    space = " in the feature space" if lane.expansion.w is None else ""
    scaled = "" if space or (document.factors == 1.0).all() else " (scaled)"
    return f"{words}; f / ‖w‖ = {number(f / norm)} from the boundary{space}{scaled}."
