"""Laying the user's line through the plane, shifting it and turning it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt

from solvers import BadInput
from solvers.geometry.lines import Line
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.document.user_line import UserLine, line_through
from svmviz.stage.stage import Stage
from svmviz.tools.base import Feedback, PlaneGeometry, Pointer, Tool
from svmviz.tools.gestures import is_drag

# Distance from a handle, and from the line, within which a press takes hold of it, px at scale 1.
HANDLE_REACH, LINE_REACH = 14.0, 9.0
# Minimum length of a drag that lays another line, px at scale 1. A click that misses a handle is
# shorter, even if the hand moves a little.
MIN_LAID = 40.0
# Where the handles are, as fractions of the visible part of the line.
HANDLES = (0.15, 0.85)


@dataclass(frozen=True)
class _Grip:
    """The grip of the mouse: the name of the undo entry, and the line for each mouse position."""

    text: str
    line_at: Callable[[Pointer], Line | None]


class LineTool(Tool):
    """Tool for the user's line: a drag lays it, shifts it, or turns it by one of two handles."""

    cursor = Qt.CursorShape.CrossCursor
    invitation = ("No points yet", "A line can be drawn without points, too: drag it.")

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane)
        self._grip: _Grip | None = None
        self._over = ""

    @property
    def feedback(self) -> Feedback:
        handles = self._handles
        return Feedback(handles=handles if len(handles) else None)

    def press(self, pointer: Pointer) -> None:
        session = self.stage.session
        if pointer.right:
            if self._line is not None:
                session.edit(replace(session.document, user_line=None), "Remove line")
            return
        if session.document.is_regression:
            return
        self._held, self._grip = pointer, self._grip_at(pointer)

    def drag(self, pointer: Pointer) -> None:
        start, grip = self._held, self._grip
        if start is None or grip is None or not is_drag(start, pointer, self.plane.scale):
            return
        line = grip.line_at(pointer)
        if line is None:
            return
        session = self.stage.session
        document = session.document
        user_line = document.user_line or UserLine((1.0, 0.0), 0.0)
        try:
            user_line = user_line.following(line, document.factors)
        except BadInput:
            return  # too far away for numbers of 64 bits
        session.preview(replace(document, user_line=user_line))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        grip, self._held, self._grip = self._grip, None, None
        if grip is not None:
            self.stage.session.commit(grip.text)

    def cancel(self) -> None:
        self._held = self._grip = None
        self.stage.session.abandon()

    def hover(self, pointer: Pointer | None) -> None:
        self._over = "" if pointer is None else self._part_at(pointer)

    def cursor_over(self, index: int | None) -> Qt.CursorShape:
        if self._grip is not None or self._over:
            return Qt.CursorShape.ClosedHandCursor if self.busy else Qt.CursorShape.OpenHandCursor
        return self.cursor

    # The line and its parts.

    @property
    def _document(self) -> Document:
        return self.stage.session.document

    @property
    def _line(self) -> Line | None:
        document = self._document
        return document.user_line and document.user_line.in_solver_units(document.factors)

    @property
    def _handles(self) -> np.ndarray:
        """Both handles, px, shape (2, 2); shape (0, 2) if no part of the line is visible."""
        user_line = self._document.user_line
        ends = np.zeros((0, 2)) if user_line is None else visible_ends(user_line, self.plane.camera)
        if not len(ends):
            return ends
        return np.array([ends[0] + share * (ends[1] - ends[0]) for share in HANDLES])

    def _part_at(self, pointer: Pointer) -> str:
        """Return "first" or "second" for a handle, "line" for the line, "" for neither."""
        handles, scale = self._handles, self.plane.scale
        if not len(handles):
            return ""
        offsets = handles - (pointer.x, pointer.y)
        distances = np.hypot(*offsets.T)
        if distances.min() <= HANDLE_REACH * scale:
            return ("first", "second")[int(distances.argmin())]
        along = handles[1] - handles[0]
        across = abs(float(along[0] * offsets[0, 1] - along[1] * offsets[0, 0]))
        return "line" if across <= LINE_REACH * scale * math.hypot(*along) else ""

    # Positions, in solver units.

    def _place(self, pointer: Pointer) -> np.ndarray:
        return np.array(self.position_of(pointer)) / self._document.factors

    def _grip_at(self, pointer: Pointer) -> _Grip:
        part, line = self._part_at(pointer), self._line
        if not part or line is None:
            return self._laying(pointer)
        return self._shifting(pointer, line) if part == "line" else self._turning(line)

    def _laying(self, start: Pointer) -> _Grip:
        data, first = self._document.data, self._place(start)
        points = data.points / self._document.factors

        is_first = self._line is None

        def line_at(pointer: Pointer) -> Line | None:
            length = math.hypot(pointer.x - start.x, pointer.y - start.y)
            if not is_first and length < MIN_LAID * self.plane.scale:
                return None
            return line_through(first, self._place(pointer), points, data.labels)

        return _Grip("Draw line", line_at)

    def _shifting(self, start: Pointer, line: Line) -> _Grip:
        origin = self._place(start)

        def line_at(pointer: Pointer) -> Line:
            return Line(line.w, line.b - float((self._place(pointer) - origin) @ line.w))

        return _Grip("Shift line", line_at)

    def _turning(self, line: Line) -> _Grip:
        """Turn about the middle between the handles; ``||w||`` stays."""
        x, y = self._handles.mean(axis=0).tolist()
        centre = np.array(self.plane.camera.to_data(x, y)) / self._document.factors
        normal = line.unit

        def line_at(pointer: Pointer) -> Line | None:
            nonlocal normal
            along = self._place(pointer) - centre
            length = math.hypot(*along)
            if not length > 0.0:
                return None
            turned = np.array([-along[1], along[0]]) / length
            # The handle may be on either side, so w would flip without this.
            normal = turned if turned @ normal > 0.0 else -turned
            w = line.norm * normal
            return Line((float(w[0]), float(w[1])), -float(w @ centre))

        return _Grip("Turn line", line_at)


def visible_ends(line: UserLine, camera: Camera) -> np.ndarray:
    """Return both ends of the part of a line in the plot, px, shape (2, 2), or (0, 2) if none."""
    left, right, bottom, top = camera.view
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    values = corners @ line.w + line.b
    ends = []
    for k in range(4):
        value, after = values[k], values[(k + 1) % 4]
        if (value < 0.0) != (after < 0.0):
            share = value / (value - after)
            ends.append(corners[k] + share * (corners[(k + 1) % 4] - corners[k]))
    return camera.to_pixels(np.array(ends[:2])) if len(ends) > 1 else np.zeros((0, 2))
