"""Panning with the left button, for trackpads; the middle button pans with every tool."""

from __future__ import annotations

from PySide6.QtCore import Qt

from svmviz.tools.base import Pointer, Tool


class Pan(Tool):
    """Tool that moves the picture."""

    cursor = Qt.CursorShape.OpenHandCursor
    edits = False

    def press(self, pointer: Pointer) -> None:
        self._held = pointer

    def drag(self, pointer: Pointer) -> None:
        if self._held is not None:
            self.plane.pan(pointer.x - self._held.x, pointer.y - self._held.y)
            self._held = pointer

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        self._held = None

    def cancel(self) -> None:
        self._held = None
