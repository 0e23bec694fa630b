"""Erasing: the circle deletes the points that it passes over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.settings import Checked, setting
from svmviz.session.edits import points_phrase
from svmviz.stage.stage import Stage
from svmviz.tools.base import PlaneGeometry, Pointer
from svmviz.tools.brush import Brush


@dataclass(frozen=True)
class EraseSettings(Checked):
    """Size of the eraser."""

    radius: float = setting(
        16.0, "Radius", "Radius of the eraser.", low=4.0, high=200.0, hard_low=2.0,
        hard_high=400.0, scale="log", unit="px",
    )  # fmt: skip


class Erase(Brush):
    """Tool that deletes the points under it; one undo entry per stroke."""

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane, EraseSettings())
        self._last: Pointer | None = None
        self._erased = 0

    @property
    def busy(self) -> bool:
        return self._last is not None

    def press(self, pointer: Pointer) -> None:
        # Deleting points changes the indices of others, so no point stays selected.
        self.stage.session.select(())
        self._last, self._erased = pointer, 0
        self.drag(pointer)

    def drag(self, pointer: Pointer) -> None:
        assert self._last is not None
        indices = self._points_between(self._last, pointer)
        self._last = pointer
        self._show(pointer)
        if len(indices):
            self._erased += len(indices)
            session = self.stage.session
            session.preview(session.document.removed(indices))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        self._last = None
        if self._erased:
            self.stage.session.commit(f"Erase {points_phrase(self._erased)}")

    def cancel(self) -> None:
        self._last = None
        self.stage.session.abandon()

    def _points_between(self, start: Pointer, end: Pointer) -> list[int]:
        """Return the indices of points over which the circle passes from ``start`` to ``end``."""
        pixels = self.plane.camera.to_pixels(self.stage.session.document.data.points)
        origin = np.array([start.x, start.y])
        path = np.array([end.x, end.y]) - origin
        length = float(path @ path)
        offsets = pixels - origin
        share = (
            np.clip(offsets @ path / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(pixels))
        )
        distances = np.hypot(*(offsets - share[:, None] * path).T)
        return np.flatnonzero(distances <= self.radius).tolist()
