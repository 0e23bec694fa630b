"""What a tool is: it hears the pointer, sends edits to the session, and holds no truth.

A tool sees the stage and the geometry of the plane, never the widget. What it keeps between
press and release (where the hand went down, which points it holds) is forgotten at the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import Qt

from svmviz.camera.camera import Camera
from svmviz.stage.stage import Stage

# A hand that moved less than this clicked; in px at scale 1.
STILL = 4.0


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is and what is held down.

    Attributes
    ----------
    x, y : float
        In px of the plane.
    right : bool
        Whether it is the right button (or Ctrl and the left one, for trackpads).
    shift : bool
        Whether Shift is held.
    """

    x: float
    y: float
    right: bool = False
    shift: bool = False


@dataclass(frozen=True)
class Overlay:
    """What a tool shows over the plane while it works; never part of an exported picture.

    Attributes
    ----------
    band : (x, y, x, y) or None
        Corners of a rubber band, in px.
    circle : (x, y, radius) or None
        A brush, in px.
    label : int
        Class of the brush; 0 for an eraser.
    ghosts : array of shape (m, 2), or None
        Pixels of points that will be gone at the release.
    words : str
        What the release will do, where that is not plain.
    """

    band: tuple[float, float, float, float] | None = None
    circle: tuple[float, float, float] | None = None
    label: int = 0
    ghosts: np.ndarray | None = None
    words: str = ""


NOTHING = Overlay()


class Plane(Protocol):
    """The geometry that tools may ask for."""

    @property
    def camera(self) -> Camera:
        """From data units to pixels and back."""
        ...

    @property
    def scale(self) -> float:
        """Projector scale."""
        ...

    def index_at(self, x: float, y: float) -> int | None:
        """The point under a pixel."""
        ...

    def pan(self, right: float, down: float) -> None:
        """Push the picture by so many px."""
        ...


class Tool:
    """Base of all tools: does nothing.

    Parameters
    ----------
    stage : Stage
    plane : Plane
    """

    cursor = Qt.CursorShape.ArrowCursor
    # Whether it works while the hand is still.
    ticks = False
    # The class that the left button places; carried on to tools that have none of their own.
    label = 1
    # What to do with an empty plane: a line, and another under it.
    invitation = ("No points yet", "Take a tool that places points: key 1 or 2.")

    def __init__(self, stage: Stage, plane: Plane) -> None:
        self.stage = stage
        self.plane = plane
        self.overlay = NOTHING
        # Size and rate of a brush, as a form shows them; None for other tools.
        self.settings: Any = None

    @property
    def busy(self) -> bool:
        """Whether the hand is down and the tool at work."""
        return False

    def press(self, pointer: Pointer) -> None:
        """The hand goes down."""

    def drag(self, pointer: Pointer) -> None:
        """The hand moves while it is down; told at most once a turn of the event loop."""

    def release(self, pointer: Pointer) -> None:
        """The hand comes up."""

    def hover(self, pointer: Pointer | None) -> None:
        """The hand moves without pressing; None when it leaves the plane."""

    def tick(self, seconds: float) -> None:
        """Time passes while the hand is down."""

    def grow(self, factor: float) -> None:
        """Make the brush larger, if there is one."""

    def cursor_over(self, index: int | None) -> Qt.CursorShape:
        """The cursor over a point, or over none."""
        return self.cursor

    def cancel(self) -> None:
        """Forget the stroke, as if the hand had never gone down."""

    # Helpers.

    def place_of(self, pointer: Pointer) -> tuple[float, float]:
        """Data units under the pointer, rounded to a tenth of a px."""
        return self.plane.camera.to_round_data(pointer.x, pointer.y)

    def is_inside(self, pointer: Pointer) -> bool:
        """Whether the pointer is in the plot."""
        return self.plane.camera.contains(pointer.x, pointer.y)
