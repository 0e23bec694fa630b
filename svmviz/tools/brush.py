"""Base class of the tools that have a brush: a circle that follows the mouse, with settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt

from solvers import BadInput
from svmviz.stage.stage import Stage
from svmviz.tools.base import NO_FEEDBACK, Feedback, PlaneGeometry, Pointer, Tool


class Brush(Tool):
    """A circle under the mouse. Its settings have at least ``radius``, in px at scale 1."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, plane: PlaneGeometry, settings: Any) -> None:
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
            return  # the radius is at its limit
        self._show(self._pointer)

    def _show(self, pointer: Pointer | None) -> None:
        self._pointer = pointer
        if pointer is None:
            self.feedback = NO_FEEDBACK
        else:
            self.feedback = Feedback(
                circle=(pointer.x, pointer.y, self.radius), label=self.label_of(pointer)
            )

    def label_of(self, pointer: Pointer) -> int:
        """Return the class of the points that a stroke adds or would add; 0 if it adds none."""
        return 0
