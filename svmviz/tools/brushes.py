"""Tools with a brush, which is a circle that follows the mouse: spraying and erasing points."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from solvers import BadInput
from solvers.settings import Checked, setting
from svmviz.document.document import Document
from svmviz.document.many_classes import LEFT_OUT_MARK
from svmviz.session.edits import label_of_number, points_phrase, with_new_class, words_on_new_class
from svmviz.stage.stage import Stage
from svmviz.tools.base import NO_FEEDBACK, Feedback, PlaneGeometry, Pointer, Tool


def mark_of_number(document: Document, number: int) -> int:
    """Return the mark of points of a class; of one that there is not yet, as if left out."""
    if number >= len(document.class_names):
        return LEFT_OUT_MARK + number
    if document.many is None:
        return label_of_number(document, number)
    return int(document.many.mark_of_class[number])


class Brush(Tool):
    """A circle under the mouse. Its settings have at least ``radius``, in px at scale 1."""

    cursor = Qt.CursorShape.CrossCursor
    shows_cards = False

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
                circle=(pointer.x, pointer.y, self.radius), label=self.mark_of(pointer)
            )

    def mark_of(self, pointer: Pointer) -> int:
        """Return the mark of the points that a stroke adds or would add; 0 if it adds none."""
        return 0


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
        self._erased = 0

    def press(self, pointer: Pointer) -> None:
        # Deleting points changes the indices of others, so no point stays selected.
        self.stage.session.select(())
        self._held, self._erased = pointer, 0
        self.drag(pointer)

    def drag(self, pointer: Pointer) -> None:
        assert self._held is not None
        indices = self._points_between(self._held, pointer)
        self._held = pointer
        self._show(pointer)
        if len(indices):
            self._erased += len(indices)
            session = self.stage.session
            session.preview(session.document.removed(indices))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        self._held = None
        if self._erased:
            self.stage.session.commit(f"Erase {points_phrase(self._erased)}")

    def cancel(self) -> None:
        self._held = None
        self.stage.session.abandon()

    def _points_between(self, start: Pointer, end: Pointer) -> list[int]:
        """Return the indices of points over which the circle passes from ``start`` to ``end``."""
        pixels = self.plane.camera.to_pixels(self.stage.session.document.editable.points)
        origin = np.array([start.x, start.y])
        path = np.array([end.x, end.y]) - origin
        length = float(path @ path)
        offsets = pixels - origin
        share = (
            np.clip(offsets @ path / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(pixels))
        )
        distances = np.hypot(*(offsets - share[:, None] * path).T)
        return np.flatnonzero(distances <= self.radius).tolist()


@dataclass(frozen=True)
class SpraySettings(Checked):
    """Size and rate of the brush."""

    radius: float = setting(
        36.0, "Radius", "Radius of the brush.", low=6.0, high=200.0, hard_low=2.0,
        hard_high=400.0, scale="log", unit="px",
    )  # fmt: skip
    rate: float = setting(
        40.0, "Rate", "Points per second while the button is down.", low=2.0, high=500.0,
        hard_low=0.1, hard_high=5000.0, scale="log", unit="/s",
    )  # fmt: skip


class Spray(Brush):
    """Tool that sprays points.

    They have the class of the Add tool used last or, with the right button, the other class. Their
    random positions depend on how many strokes were made before with this tool, not on the time.
    """

    ticks = True
    invitation = ("Hold the button to spray points", "Left and right button: the two classes")

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane, SpraySettings())
        self._strokes = 0
        # The class of the current stroke.
        self._sprays = 0
        self._sprayed = 0
        # Number of points still to be added. A tick adds only whole points, so a number below 1
        # remains for the next tick.
        self._points_due = 0.0
        self._generator = np.random.default_rng(0)

    def mark_of(self, pointer: Pointer) -> int:
        """Return the mark of the current stroke; without one, of a stroke that begins here."""
        number = self._sprays if self.busy else self.number_for(pointer)
        return mark_of_number(self.stage.session.document, number)

    def press(self, pointer: Pointer) -> None:
        self._sprays = self.number_for(pointer)
        self._held, self._sprayed, self._points_due = pointer, 0, 0.0
        self._generator = np.random.default_rng((0, self._strokes))
        self._strokes += 1
        self.stage.session.select(())
        self._show(pointer)
        self._spray(1)

    def drag(self, pointer: Pointer) -> None:
        self._held = pointer
        self._show(pointer)

    def tick(self, seconds: float) -> None:
        # If the window was busy for longer, only 0.1 s count, so that few points are added at once.
        self._points_due += min(seconds, 0.1) * self.settings.rate
        count = math.floor(self._points_due)
        self._points_due -= count
        self._spray(count)

    def release(self, pointer: Pointer) -> None:
        self._held = None
        self._show(pointer)
        if self._sprayed:
            session = self.stage.session
            words = words_on_new_class(session.committed, session.document)
            session.commit(f"Spray {points_phrase(self._sprayed)}")
            self.feedback = replace(self.feedback, words=words)

    def cancel(self) -> None:
        self._held = None
        self.stage.session.abandon()

    def _spray(self, count: int) -> None:
        """Add ``count`` points under the brush, but leave out those outside the plot."""
        if not count or self._held is None:
            return
        camera = self.plane.camera
        radii = self.radius * np.sqrt(self._generator.random(count))
        angles = 2.0 * math.pi * self._generator.random(count)
        xs = (self._held.x + radii * np.cos(angles)).tolist()
        ys = (self._held.y + radii * np.sin(angles)).tolist()
        positions = [
            camera.to_round_data(x, y) for x, y in zip(xs, ys, strict=True) if camera.contains(x, y)
        ]
        if positions:
            self._sprayed += len(positions)
            session = self.stage.session
            document = with_new_class(session.document, self._sprays)
            labels = [label_of_number(document, self._sprays)] * len(positions)
            session.preview(document.added(np.array(positions), labels))
