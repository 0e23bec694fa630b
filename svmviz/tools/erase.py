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
        # The indices of points change while others are deleted, so nothing stays selected.
        self.stage.session.select(())
        self._last, self._erased = pointer, 0
        self.drag(pointer)

    def drag(self, pointer: Pointer) -> None:
        assert self._last is not None
        hit = self._under(self._last, pointer)
        self._last = pointer
        self._show(pointer)
        if len(hit):
            self._erased += len(hit)
            session = self.stage.session
            session.preview(session.document.removed(hit))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        self._last = None
        if self._erased:
            self.stage.session.commit(f"Erase {points_phrase(self._erased)}")

    def cancel(self) -> None:
        self._last = None
        self.stage.session.abandon()

    def _under(self, start: Pointer, end: Pointer) -> list[int]:
        """Return the points that the circle meets between two positions of a fast mouse."""
        pixels = self.plane.camera.to_pixels(self.stage.session.document.data.points)
        origin = np.array([start.x, start.y])
        way = np.array([end.x, end.y]) - origin
        length = float(way @ way)
        offsets = pixels - origin
        share = np.clip(offsets @ way / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(pixels))
        apart = np.hypot(*(offsets - share[:, None] * way).T)
        return np.flatnonzero(apart <= self.radius).tolist()
