"""The tools that add points, one for each class. The right button adds the other class."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from solvers.data.datasets import NO_PLACES
from svmviz.session.edits import label_of_number, with_new_class, words_on_new_class
from svmviz.stage.stage import Stage
from svmviz.tools.base import NO_FEEDBACK, Feedback, PlaneGeometry, Pointer, Tool
from svmviz.tools.gestures import PointDrag, RubberBand, is_drag


class Add(Tool):
    """Tool that adds points by clicks.

    A drag moves the point under the mouse, or selects a rectangle.
    """

    cursor = Qt.CursorShape.CrossCursor
    # The gesture of a drag that begins where no point is. A subclass may set another type.
    band = RubberBand
    invitation = (
        "Click to place points",
        "Left button +1, right button −1",
    )

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane)
        # The index of the point where a button was pressed; None if there is none.
        self._index: int | None = None
        # The gesture of the drag that the left button has begun.
        self._gesture: PointDrag | RubberBand | None = None

    def press(self, pointer: Pointer) -> None:
        self._held, self._gesture = pointer, None
        self._index = self.plane.editable_at(pointer.x, pointer.y)
        self.feedback = NO_FEEDBACK
        if pointer.right:
            return
        has_plane = self.stage.session.document.has_coordinates
        if self._index is not None and has_plane:
            self._gesture = PointDrag.of(self.stage, self.plane, self._index, pointer)
        elif self._index is None:
            self._gesture = self.band.of(self.stage, self.plane, pointer)

    def drag(self, pointer: Pointer) -> None:
        if self._gesture is not None:
            self.feedback = self._gesture.drag(pointer)
        elif (
            # A left button without a gesture was pressed on a point without coordinates.
            self._index is not None
            and self._held is not None
            and not self._held.right
            and is_drag(self._held, pointer, self.plane.scale)
        ):
            self.feedback = Feedback(words=NO_PLACES)

    def release(self, pointer: Pointer) -> None:
        start, gesture = self._held, self._gesture
        index, self._index = self._index, None
        self._held, self._gesture, self.feedback = None, None, NO_FEEDBACK
        if start is None:
            return
        if isinstance(gesture, PointDrag):
            if gesture.release(pointer):
                return
        elif gesture is not None:
            gesture.drag(pointer)
            if gesture.moved:
                return
        elif is_drag(start, pointer, self.plane.scale):
            return
        self._click(start, index)

    def hover(self, pointer: Pointer | None) -> None:
        if not self.busy and pointer is None:
            self.feedback = NO_FEEDBACK

    def cursor_over(self, index: int | None) -> Qt.CursorShape:
        if self.feedback.to_delete is not None:
            return Qt.CursorShape.ForbiddenCursor
        if isinstance(self._gesture, PointDrag):
            return Qt.CursorShape.ClosedHandCursor
        return self.cursor if index is None else Qt.CursorShape.OpenHandCursor

    def cancel(self) -> None:
        if self._gesture is not None:
            self._gesture.cancel()
        self._held, self._gesture, self.feedback = None, None, NO_FEEDBACK

    def _click(self, pointer: Pointer, index: int | None) -> None:
        """Select the clicked point, or toggle it with Shift. If there is no point, add one."""
        session = self.stage.session
        if index is not None:
            clicked = frozenset({index})
            session.select(session.editable_selection ^ clicked if pointer.shift else clicked)
        elif self.is_inside(pointer) and not session.document.has_coordinates:
            self.feedback = Feedback(words=NO_PLACES)
        elif self.is_inside(pointer):
            session.select(())
            positions, number = np.array([self.position_of(pointer)]), self.number_for(pointer)
            before = session.document
            grown = with_new_class(before, number)
            added = grown.added(positions, [label_of_number(grown, number)])
            session.edit(added, "Add point")
            self.feedback = Feedback(words=words_on_new_class(before, added))


class AddPositive(Add):
    """Tool that places +1, or the first of several classes."""


class AddNegative(Add):
    """Tool that places -1, or the second of several classes."""

    number = 1
    invitation = (
        "Click to place points",
        "Left button −1, right button +1",
    )


class AddOf(Add):
    """Tool that places a class by its number, from 0."""

    def __init__(self, stage: Stage, plane: PlaneGeometry, number: int) -> None:
        super().__init__(stage, plane)
        self.number = number
