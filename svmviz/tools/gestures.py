"""Strokes that several tools share: dragging points, and the rubber band."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmviz.document.document import Document
from svmviz.session.edits import points
from svmviz.stage.stage import Stage
from svmviz.tools.base import NOTHING, STILL, Overlay, Plane, Pointer


def far(start: Pointer, now: Pointer, scale: float) -> bool:
    """Whether the hand has moved so far that it drags."""
    return math.hypot(now.x - start.x, now.y - start.y) >= STILL * scale


@dataclass
class PointDrag:
    """Points follow the hand; off the plane they are deleted.

    Attributes
    ----------
    stage, plane
    base : Document
        As it was when the hand went down.
    indices : tuple of int
        What is dragged.
    start : Pointer
    origin : (float, float)
        Where that was, in data units: the camera may move while the hand is down.
    selection : frozenset of int
        What was selected when the hand went down.
    """

    stage: Stage
    plane: Plane
    base: Document
    indices: tuple[int, ...]
    start: Pointer
    origin: tuple[float, float]
    selection: frozenset[int]
    moved: bool = False

    @classmethod
    def of(cls, stage: Stage, plane: Plane, index: int, start: Pointer) -> PointDrag:
        """A drag of one point, or of the whole selection if it is part of it."""
        session = stage.session
        held = session.selection if index in session.selection else frozenset({index})
        origin = plane.camera.to_round_data(start.x, start.y)
        indices = tuple(sorted(held))
        return cls(stage, plane, session.document, indices, start, origin, session.selection)

    def drag(self, pointer: Pointer) -> Overlay:
        """Move the points along; return what is to be shown over the plane."""
        if not self.moved and not far(self.start, pointer, self.plane.scale):
            return NOTHING
        self.moved = True
        session = self.stage.session
        if self.plane.camera.contains(pointer.x, pointer.y):
            session.preview(self._shifted(pointer))
            session.select(self.selection)
            return NOTHING
        # What the plane will be without them is shown at once. The indices of the selection are
        # those of the whole document, so it rests meanwhile.
        session.select(())
        session.preview(self.base.removed(self.indices))
        moved = self._shifted(pointer).data.points[list(self.indices)]
        return Overlay(
            ghosts=self.plane.camera.to_pixels(moved),
            words=f"Release to delete {self._what()}",
        )

    def release(self, pointer: Pointer) -> bool:
        """End the drag with one undo entry; return False if the hand never moved."""
        self.drag(pointer)
        if not self.moved:
            return False
        session, count = self.stage.session, len(self.indices)
        inside = self.plane.camera.contains(pointer.x, pointer.y)
        session.commit(f"Move {points(count)}" if inside else f"Delete {points(count)}")
        return True

    def cancel(self) -> None:
        """Put the points back."""
        self.stage.session.abandon()
        self.stage.session.select(self.selection)

    def _what(self) -> str:
        count = len(self.indices)
        return "the point" if count == 1 else points(count)

    def _shifted(self, pointer: Pointer) -> Document:
        x, y = self.plane.camera.to_round_data(pointer.x, pointer.y)
        return self.base.moved(self.indices, (x - self.origin[0], y - self.origin[1]))


@dataclass
class RubberBand:
    """A rectangle that selects what it holds; with Shift, toggles it."""

    stage: Stage
    plane: Plane
    start: Pointer
    selection: frozenset[int]
    moved: bool = False

    @classmethod
    def of(cls, stage: Stage, plane: Plane, start: Pointer) -> RubberBand:
        """A band that begins at the pointer."""
        return cls(stage, plane, start, stage.session.selection)

    def drag(self, pointer: Pointer) -> Overlay:
        """Select what lies inside so far."""
        if not self.moved and not far(self.start, pointer, self.plane.scale):
            return NOTHING
        self.moved = True
        inside = frozenset(self._inside(pointer))
        session = self.stage.session
        session.select(self.selection ^ inside if self.start.shift else inside)
        return Overlay(band=(self.start.x, self.start.y, pointer.x, pointer.y))

    def cancel(self) -> None:
        """Select what was selected before."""
        self.stage.session.select(self.selection)

    def _inside(self, pointer: Pointer) -> list[int]:
        pixels = self.plane.camera.to_pixels(self.stage.session.document.data.points)
        corners = np.array([[self.start.x, self.start.y], [pointer.x, pointer.y]])
        low, high = corners.min(axis=0), corners.max(axis=0)
        return np.flatnonzero(((pixels >= low) & (pixels <= high)).all(axis=1)).tolist()
