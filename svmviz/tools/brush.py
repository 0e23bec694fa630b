"""What the brushes share: a circle that follows the hand, and settings of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt

from solvers import BadInput
from svmviz.stage.stage import Stage
from svmviz.tools.base import NOTHING, Overlay, Plane, Pointer, Tool


class Brush(Tool):
    """A circle under the hand. Its settings have at least ``radius``, in px at scale 1."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, plane: Plane, settings: Any) -> None:
        super().__init__(stage, plane)
        self.settings = settings
        self._pointer: Pointer | None = None

    @property
    def radius(self) -> float:
        """Radius of the brush, in px."""
        return self.settings.radius * self.plane.scale

    def hover(self, pointer: Pointer | None) -> None:
        self._show(pointer)

    def grow(self, factor: float) -> None:
        try:
            self.settings = replace(self.settings, radius=self.settings.radius * factor)
        except BadInput:
            return  # as large, or as small, as it gets
        self._show(self._pointer)

    def _show(self, pointer: Pointer | None) -> None:
        self._pointer = pointer
        if pointer is None:
            self.overlay = NOTHING
        else:
            self.overlay = Overlay(
                circle=(pointer.x, pointer.y, self.radius), label=self.label_of(pointer)
            )

    def label_of(self, pointer: Pointer) -> int:
        """Class that the brush paints; 0 if none."""
        return 0
