"""The frame: a frozen object with all data of one picture.

A frame has one lane for each run. Each lane has its own field, so that the rings of one step are
never drawn on the field of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from solvers import Certificate, Event, Expansion, Method, Problem, Stop
from solvers.run.beats import Beat
from svmviz.document.document import Document
from svmviz.frames.clocks import STEPS, Clock
from svmviz.frames.viewport import Grid

Outlines = list[tuple[np.ndarray, np.ndarray]]
NO_STUDIES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Field:
    """The decision function over a grid, ready to paint.

    Attributes
    ----------
    grid : Grid
    values : float64 array, shape (rows, columns)
        f at the nodes, from the bottom row.
    shades : uint8 array, shape (rows, columns)
        ``f / (0.3 + |f|)`` from -1..1 to 0..255, from the *top* row: an indexed image. Pixel
        centres sit on the nodes.
    contours : dict of float to list of arrays, shape (m, 2)
        Polylines of f = -1, 0 and +1 in data units.
    bands : pair of lists of (points, starts)
        Filled regions ``-1 <= f <= 0`` and ``0 <= f <= 1``: outlines with their holes, in data
        units; ``starts`` are offsets.
    """

    grid: Grid
    values: np.ndarray
    shades: np.ndarray
    contours: dict[float, list[np.ndarray]]
    bands: tuple[Outlines, Outlines]


@dataclass(frozen=True, eq=False)
class Glide:
    """The picture of a lane on its way from the step before to its step.

    Attributes
    ----------
    share : float
        Part of the way, from 0 to below 1.
    expansion : Expansion
        The expansion of ``(1 - share) f_before + share f``.
    field : Field
        Its field.
    alpha : array, shape (n,)
        The same mixture of alpha at both steps.
    """

    share: float
    expansion: Expansion
    field: Field
    alpha: np.ndarray


@dataclass(frozen=True, eq=False)
class ShownBeat:
    """A beat of a step, which the lane shows.

    Attributes
    ----------
    step : int
        The step that the beat explains.
    event : Event
        The event of that step.
    number : int
        Number of the beat, from 1. The lane is at the step itself for the last beat, and at the
        step before it for the others.
    """

    step: int
    event: Event
    number: int

    @property
    def beat(self) -> Beat:
        """The beat."""
        return self.event.beats[self.number - 1]

    @property
    def count(self) -> int:
        """How many beats the step has."""
        return len(self.event.beats)


@dataclass(frozen=True, eq=False)
class Lane:
    """One run at one step.

    Attributes
    ----------
    run : int
        Number of the run; no two runs have the same.
    method : Method
    problem : Problem
        In solver units.
    certified_problem : Problem
        The problem of the certificate: another one if the method does not solve the given one.
    step, length : int
        Step shown, and steps recorded when the frame was made.
    expansion : Expansion
    event : Event or None
        What the step did; None at the start.
    certificate : Certificate
    stop : Stop or None
        Why the run ended, once it has.
    seconds, evaluations : float, int
        Solving time and kernel values up to this step.
    field : Field
    warm : bool
        Whether the run began at the solution of an earlier one, so that steps count from there.
    glide : Glide or None
        While the picture moves to this step: the field and the alpha to draw instead of those of
        the step.
    shown_beat : ShownBeat or None
        The beat shown; None if the step is shown as one.
    held : array, shape (m,), or None
        f at the validation and then the test points; None without a split, or if that takes long.
    """

    run: int
    method: Method
    problem: Problem
    certified_problem: Problem
    step: int
    length: int
    expansion: Expansion
    event: Event | None
    certificate: Certificate
    stop: Stop | None
    seconds: float
    evaluations: int
    field: Field
    warm: bool = False
    glide: Glide | None = None
    shown_beat: ShownBeat | None = None
    held: np.ndarray | None = None

    @property
    def shown_field(self) -> Field:
        """The field to be drawn: of the step, or on the way to it."""
        return self.field if self.glide is None else self.glide.field

    @property
    def shown_alpha(self) -> np.ndarray:
        """The alpha to be drawn as bars, shape (n,)."""
        return self.certificate.alpha if self.glide is None else self.glide.alpha

    @property
    def explained(self) -> Event | None:
        """The event of the step that is explained: that of the beat, or of the step shown."""
        return self.event if self.shown_beat is None else self.shown_beat.event

    @property
    def marked(self) -> tuple[int, ...]:
        """The points that are marked: those of the beat, or of the step shown."""
        if self.shown_beat is not None:
            return self.shown_beat.beat.points
        return self.event.marked if self.event is not None else ()

    @property
    def touched(self) -> tuple[int, ...]:
        """All points of the beat or of the step shown; none at the end of the run."""
        if self.at_end:
            return ()
        if self.shown_beat is not None:
            return self.shown_beat.beat.points
        return self.event.touched if self.event is not None else ()

    @property
    def exceeds(self) -> bool:
        """Whether an alpha is above C, which happens in methods that are not dual."""
        return float(self.certificate.alpha.max(initial=0.0)) > self.ceiling

    @property
    def ceiling(self) -> float:
        """C, with a tolerance for rounding error."""
        return self.certified_problem.C * (1.0 + 1e-12)

    @property
    def at_end(self) -> bool:
        """Whether this is the last step of a run that has ended."""
        return self.stop is not None and self.step == self.length


@dataclass(frozen=True, eq=False)
class Frame:
    """The document and the lanes computed from it; no lanes if nothing can be solved.

    Attributes
    ----------
    document : Document
    lanes : tuple of Lane
    trouble : str
        Why nothing is solved, in one sentence; empty if something is.
    studies : mapping of str to object
        Results for these lanes that the visible views subscribed to.
    focus : int
        Which lane the panels show.
    temporary : bool
        Whether this frame will soon be replaced, as during a drag; studies then start no slow work.
    clock : Clock
        The clock by which the lanes are compared.
    """

    document: Document
    lanes: tuple[Lane, ...] = ()
    trouble: str = ""
    studies: Mapping[str, Any] = field(default_factory=lambda: NO_STUDIES)
    focus: int = 0
    temporary: bool = False
    clock: Clock = STEPS

    @property
    def lane(self) -> Lane | None:
        """The lane in focus (the only one, unless it is a race), if there is one."""
        return self.lanes[min(self.focus, len(self.lanes) - 1)] if self.lanes else None

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Run and step of each lane."""
        return tuple((lane.run, lane.step) for lane in self.lanes)

    @property
    def glides(self) -> bool:
        """Whether a lane is on its way from the step before."""
        return any(lane.glide is not None for lane in self.lanes)

    def focused_on(self, lane: int) -> Frame:
        """Return the frame with another lane in focus."""
        return self if lane == self.focus else replace(self, focus=lane)
