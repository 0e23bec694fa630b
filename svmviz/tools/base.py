"""The base class of tools. A tool handles the mouse and sends edits to the session.

A tool knows the stage and the geometry of the plane, not the widget. From the press of a button to
its release, a tool stores where the button was pressed, and which points are dragged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import Qt

from svmviz.camera.camera import Camera
from svmviz.session.edits import other_number
from svmviz.stage.stage import Stage

# If the mouse moves at least this far from the position of the press, px at scale 1, it is a drag.
# Otherwise press and release are a click.
MIN_DRAG = 4.0


@dataclass(frozen=True)
class Pointer:
    """Position of the mouse pointer, and the keys held down.

    Attributes
    ----------
    x, y : float
        In px of the plane.
    right : bool
        Whether the right button was pressed (or the left one with Ctrl, for trackpads).
    shift : bool
        Whether Shift is held.
    """

    x: float
    y: float
    right: bool = False
    shift: bool = False


@dataclass(frozen=True)
class Feedback:
    """The drawings of a tool in use. The window paints them after the plane; exports do not.

    Attributes
    ----------
    outline : array of shape (m, 2), or None
        Corners of the closed outline of a selection, in px.
    circle : (x, y, radius) or None
        A brush, in px.
    label : int
        Mark of the points that the brush adds; 0 for an eraser.
    to_delete : array of shape (m, 2), or None
        Positions, in px, of points that releasing the button will delete.
    words : str
        A sentence that says what releasing the button will do; empty if that is obvious.
    handles : array of shape (m, 2), or None
        Places that can be dragged, in px.
    band : array of shape (2, 2), or None
        Both ends of a rubber band, in px.
    """

    outline: np.ndarray | None = None
    circle: tuple[float, float, float] | None = None
    label: int = 0
    to_delete: np.ndarray | None = None
    words: str = ""
    handles: np.ndarray | None = None
    band: np.ndarray | None = None


NO_FEEDBACK = Feedback()


class PlaneGeometry(Protocol):
    """The conversions and movements of the plane that tools may use."""

    @property
    def camera(self) -> Camera:
        """Conversion between data units and pixels."""
        ...

    @property
    def scale(self) -> float:
        """Factor on the sizes of marks, and on distances in px such as ``MIN_DRAG``."""
        ...

    def index_at(self, x: float, y: float) -> int | None:
        """Return the index of the training point at a position in px; None if there is none."""
        ...

    def editable_at(self, x: float, y: float) -> int | None:
        """Return the index in ``Document.editable`` of the point at a position in px, or None."""
        ...

    def pan(self, right: float, down: float) -> None:
        """Move the picture by ``right`` and ``down`` px."""
        ...


class Tool:
    """Base of all tools, which does nothing.

    Parameters
    ----------
    stage : Stage
    plane : PlaneGeometry
    """

    cursor = Qt.CursorShape.ArrowCursor
    # Whether `tick` is called while a button is down.
    ticks = False
    # Whether the tool changes points or the selection, and not only the view.
    edits = True
    # Whether a card is shown at a point under the mouse; it would cover what a brush changes.
    shows_cards = True
    # Whether `drag` is called for every movement, and not only once per turn of the event loop.
    follows_all = False
    # The class that the left button adds, in the order of the keys, from 0: with two classes +1 and
    # then -1. Each Add tool has its own. Any other tool gets that of the tool in use before it.
    number = 0
    # What is drawn on top of the plane now.
    feedback = NO_FEEDBACK
    # Two lines shown on an empty plane, which say what to do.
    invitation = ("No points yet", "Take a tool that places points: key 1 or 2.")

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        self.stage = stage
        self.plane = plane
        # Size and rate of a brush, as a form shows them; None for other tools.
        self.settings: Any = None
        # Where a button was pressed, or its last place; None if no button is down.
        self._held: Pointer | None = None

    @property
    def busy(self) -> bool:
        """Whether the tool is in the middle of a stroke: a button that it uses is down."""
        return self._held is not None

    def press(self, pointer: Pointer) -> None:
        """Handle a button that is pressed."""

    def drag(self, pointer: Pointer) -> None:
        """Handle a movement with the button down; called once per turn of the event loop."""

    def release(self, pointer: Pointer) -> None:
        """Handle the release of the button."""

    def hover(self, pointer: Pointer | None) -> None:
        """Handle a movement with no button down; None means that the mouse has left the plane."""

    def tick(self, seconds: float) -> None:
        """Handle a tick while the button is down; ``seconds`` have passed since the last tick."""

    def grow(self, factor: float) -> None:
        """Multiply the size of the brush, if the tool has one."""

    def cursor_over(self, index: int | None) -> Qt.CursorShape:
        """Return the cursor at a point; if ``index`` is None, the cursor where no point is."""
        return self.cursor

    def cancel(self) -> None:
        """Undo everything since the press of the button."""

    # Helpers.

    def number_for(self, pointer: Pointer) -> int:
        """Return the class that a button adds; the right one, one of the machine's other side."""
        document = self.stage.session.document
        # In a regression, points keep one of two labels for a later classification.
        number = min(self.number, 1) if document.is_regression else self.number
        return other_number(document, number) if pointer.right else number

    def position_of(self, pointer: Pointer) -> tuple[float, float]:
        """Return the position of the pointer in data units, rounded to a tenth of a px."""
        return self.plane.camera.to_round_data(pointer.x, pointer.y)

    def is_inside(self, pointer: Pointer) -> bool:
        """Return whether the pointer is in the plot."""
        return self.plane.camera.contains(pointer.x, pointer.y)
