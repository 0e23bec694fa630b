"""Gestures that several tools share: dragging points, and selecting a rectangle."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmviz.document.document import Document
from svmviz.session.edits import points_phrase
from svmviz.stage.stage import Stage
from svmviz.tools.base import MIN_DRAG, NO_FEEDBACK, Feedback, PlaneGeometry, Pointer


def is_drag(start: Pointer, now: Pointer, scale: float) -> bool:
    """Return whether the mouse has moved far enough for a drag."""
    return math.hypot(now.x - start.x, now.y - start.y) >= MIN_DRAG * scale


@dataclass
class PointDrag:
    """A drag of points, which follow the mouse. A release outside the plot deletes them.

    Attributes
    ----------
    stage : Stage
    plane : PlaneGeometry
    base : Document
        The document when the button was pressed.
    indices : tuple of int
        The points dragged.
    start : Pointer
        Position of the press.
    origin : (float, float)
        Position of the press in data units, since the camera may move during the drag.
    selection : frozenset of int
        The points selected when the button was pressed.
    moved : bool
        Whether the mouse has moved far enough for a drag.
    """

    stage: Stage
    plane: PlaneGeometry
    base: Document
    indices: tuple[int, ...]
    start: Pointer
    origin: tuple[float, float]
    selection: frozenset[int]
    moved: bool = False

    @classmethod
    def of(cls, stage: Stage, plane: PlaneGeometry, index: int, start: Pointer) -> PointDrag:
        """Begin to drag a point, or the whole selection if the point is part of it."""
        session = stage.session
        selection = session.editable_selection
        dragged = selection if index in selection else frozenset({index})
        origin = plane.camera.to_round_data(start.x, start.y)
        indices = tuple(sorted(dragged))
        return cls(stage, plane, session.document, indices, start, origin, selection)

    def drag(self, pointer: Pointer) -> Feedback:
        """Move the points; return what to draw on top of the plane."""
        if not self.moved and not is_drag(self.start, pointer, self.plane.scale):
            return NO_FEEDBACK
        self.moved = True
        session = self.stage.session
        if self.plane.camera.contains(pointer.x, pointer.y):
            session.preview(self._shifted(pointer))
            session.select(self.selection)
            return NO_FEEDBACK
        # The preview lacks the dragged points, so the indices of the selection would mean other
        # points. Therefore no point is selected during the preview.
        session.select(())
        session.preview(self.base.removed(self.indices))
        points = self._shifted(pointer).editable.points[list(self.indices)]
        return Feedback(
            to_delete=self.plane.camera.to_pixels(points),
            words=f"Release to delete {self._points_in_words()}",
        )

    def release(self, pointer: Pointer) -> bool:
        """End the drag with one undo entry; return False if it was only a click."""
        self.drag(pointer)
        if not self.moved:
            return False
        session, count = self.stage.session, len(self.indices)
        inside = self.plane.camera.contains(pointer.x, pointer.y)
        session.commit(
            f"Move {points_phrase(count)}" if inside else f"Delete {points_phrase(count)}"
        )
        return True

    def cancel(self) -> None:
        """Put the points back, and select the points that were selected before."""
        self.stage.session.abandon()
        self.stage.session.select(self.selection)

    def _points_in_words(self) -> str:
        count = len(self.indices)
        return "the point" if count == 1 else points_phrase(count)

    def _shifted(self, pointer: Pointer) -> Document:
        """Return the document with the points moved as far as the pointer since the press."""
        x, y = self.plane.camera.to_round_data(pointer.x, pointer.y)
        return self.base.moved(self.indices, (x - self.origin[0], y - self.origin[1]))


@dataclass
class RubberBand:
    """A rectangle that selects the points inside, including held-out points.

    With Shift, selected points inside become unselected, other points inside become selected, and
    points outside stay as they are.

    Attributes
    ----------
    stage : Stage
    plane : PlaneGeometry
    start : Pointer
        Position of the press.
    selection, held_selection : frozenset of int
        The training points and the held-out points selected when the button was pressed.
    moved : bool
        Whether the mouse has moved far enough for a drag.
    """

    stage: Stage
    plane: PlaneGeometry
    start: Pointer
    selection: frozenset[int]
    held_selection: frozenset[int]
    moved: bool = False

    @classmethod
    def of(cls, stage: Stage, plane: PlaneGeometry, start: Pointer) -> RubberBand:
        """Begin a band at the pointer."""
        session = stage.session
        return cls(stage, plane, start, session.editable_selection, session.held_selection)

    def drag(self, pointer: Pointer) -> Feedback:
        """Select the points that are inside now."""
        if not self.moved and not is_drag(self.start, pointer, self.plane.scale):
            return NO_FEEDBACK
        self.moved = True
        self._follow(pointer)
        inside, held = (frozenset(np.flatnonzero(rows).tolist()) for rows in self._inside(pointer))
        if self.start.shift:
            inside, held = self.selection ^ inside, self.held_selection ^ held
        self.stage.session.select(inside, held)
        return Feedback(outline=self._outline(pointer))

    def cancel(self) -> None:
        """Select the points that were selected before."""
        self.stage.session.select(self.selection, self.held_selection)

    def _groups(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the training points and the visible held-out points, shape (n, 2), data units."""
        document = self.stage.session.document
        # Test points are numbered last.
        rows = document.held_out_rows
        rows = rows[np.isin(document.parts[rows], document.parts_seen)]
        return document.editable.points, document.all_points.points[rows]

    # A subclass with another outline overrides the methods below.

    def _follow(self, pointer: Pointer) -> None:
        """Extend the outline to the pointer."""

    def _inside(self, pointer: Pointer) -> tuple[np.ndarray, ...]:
        """Return, for each of ``_groups``, a mask of the points inside, shape (n,)."""
        corners = np.array([[self.start.x, self.start.y], [pointer.x, pointer.y]])
        low, high = corners.min(axis=0), corners.max(axis=0)
        pixels = (self.plane.camera.to_pixels(points) for points in self._groups())
        return tuple(((group >= low) & (group <= high)).all(axis=1) for group in pixels)

    def _outline(self, pointer: Pointer) -> np.ndarray:
        """Return the corners of the outline, px, shape (m, 2)."""
        left, top, right, bottom = self.start.x, self.start.y, pointer.x, pointer.y
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
