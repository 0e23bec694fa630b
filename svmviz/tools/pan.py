"""Panning with the left button, for trackpads; the middle button pans with every tool."""

from __future__ import annotations

from PySide6.QtCore import Qt

from svmviz.stage.stage import Stage
from svmviz.tools.base import PlaneGeometry, Pointer, Tool


class Pan(Tool):
    """Tool that moves the picture."""

    cursor = Qt.CursorShape.OpenHandCursor
    edits = False

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane)
        self._last: Pointer | None = None

    @property
    def busy(self) -> bool:
        return self._last is not None

    def press(self, pointer: Pointer) -> None:
        self._last = pointer

    def drag(self, pointer: Pointer) -> None:
        if self._last is not None:
            self.plane.pan(pointer.x - self._last.x, pointer.y - self._last.y)
            self._last = pointer

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        self._last = None

    def cancel(self) -> None:
        self._last = None
