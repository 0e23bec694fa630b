"""The frame: a frozen object with all data of one picture.

A frame has one *lane* for each run, so a race has several lanes. A lane is a run at one step: the
field and the support vectors of a lane belong to the same step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from solvers import Certificate, Event, Expansion, Method, Problem, Stop
from solvers.problem.expansion import freeze
from solvers.run.beats import Beat, PseudoCode
from svmviz.document.document import Document
from svmviz.frames.clocks import STEPS, Clock
from svmviz.frames.viewport import Grid

# Filled regions, as contourpy returns them. A region is a pair of arrays. The first has the corners
# of all outlines of the region, shape (m, 2). The second has the index of the first corner of each
# outline, and m as the last entry.
Outlines = list[tuple[np.ndarray, np.ndarray]]
NONE_MISSED = freeze(np.zeros(0, dtype=int))
NO_STUDIES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Field:
    """The decision function over a grid, ready to paint.

    Attributes
    ----------
    grid : Grid
    values : float64 array, shape (rows, columns)
        f at the nodes, from the bottom row to the top row. In regression, here and below f means
        ``(y - f(x)) / epsilon``.
    shades : uint8 array, shape (rows, columns)
        An indexed image of ``f / (0.3 + |f|)``, mapped from -1..1 to 0..255. It begins with the
        *top* row. The centres of its pixels are the nodes.
    contours : dict of float to list of arrays, shape (m, 2)
        For each of the levels -1, 0 and +1, the polylines on which f has this level, in data units.
    missed : int array, shape (m,)
        Indices of the points that the grid misses: f has another sign at the point than around it,
        in a region smaller than the distance of the nodes.
    bands : (Outlines, Outlines)
        The regions ``-1 <= f <= 0`` and ``0 <= f <= 1``, in data units: the margin band.
    """

    grid: Grid
    values: np.ndarray
    shades: np.ndarray
    contours: dict[float, list[np.ndarray]]
    bands: tuple[Outlines, Outlines]
    missed: np.ndarray = field(default_factory=lambda: NONE_MISSED)


@dataclass(frozen=True, eq=False)
class Glide:
    """A mixture of a lane's step and the previous step.

    It is drawn while the picture moves from the previous step to the lane's step. In a movie, which
    may skip steps, the previous step is the one that was shown last.

    Attributes
    ----------
    share : float
        Weight of the lane's step, at least 0 and below 1.
    expansion : Expansion
        ``(1 - share) f_previous + share f``, where f belongs to the lane's step.
    field : Field
        The field of this mixture.
    alpha : array, shape (n,)
        ``(1 - share) alpha_previous + share alpha``.
    """

    share: float
    expansion: Expansion
    field: Field
    alpha: np.ndarray


@dataclass(frozen=True, eq=False)
class ShownBeat:
    """The beat that a lane shows. A beat is one part of the explanation of a step.

    Attributes
    ----------
    step : int
        The step that the beat explains.
    event : Event
        The event of that step.
    number : int
        Number of the beat, from 1. With the last beat, the lane has the state after the step; with
        any other beat, it has the state before the step.
    """

    step: int
    event: Event
    number: int

    @property
    def beat(self) -> Beat:
        """The beat."""
        return self.event.beats[self.number - 1]


@dataclass(frozen=True, eq=False)
class Lane:
    """One run at one step.

    Attributes
    ----------
    run : int
        Number of the run; no two runs have the same number.
    method : Method
    problem : Problem
        The problem in solver units: data units divided by ``Document.factors``.
    certified_problem : Problem
        The problem whose optimality the certificate measures. It differs from ``problem`` if the
        method solves another problem, as reduced hulls do.
    step, length : int
        The step shown, and the number of steps recorded when the frame was made.
    expansion : Expansion
    event : Event or None
        What the step did; None at step 0.
    certificate : Certificate
    stop : Stop or None
        Why the run ended; None while it continues.
    seconds, evaluations : float, int
        Solving time, s, and number of kernel values computed up to this step.
    field : Field
    gap_proves : bool or None
        Whether the gap proves how near the optimum is. It does if the dual is concave on these
        points. None if this is not checked, as in a warm run.
    warm : bool
        Whether the run began at the solution of an earlier run. Otherwise it began at zero.
    glide : Glide or None
        The mixture to draw while the picture moves to the step; None if it shows the step.
    shown_beat : ShownBeat or None
        The beat shown; None if the step is shown without beats.
    next_beat : ShownBeat or None
        The next beat, about which a question may be asked; None if there is none.
    looked_ahead : bool
        Whether ``next_beat`` was looked for.
    held_out_values : array, shape (m,), or None
        f at the held-out points: the validation points, then the test points. None without a split,
        and if there are so many points that computing f takes long.
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
    gap_proves: bool | None = True
    warm: bool = False
    glide: Glide | None = None
    shown_beat: ShownBeat | None = None
    next_beat: ShownBeat | None = None
    looked_ahead: bool = False
    held_out_values: np.ndarray | None = None

    @property
    def shown_field(self) -> Field:
        """The field to be drawn: that of the glide if there is one, otherwise that of the step."""
        return self.field if self.glide is None else self.glide.field

    @property
    def shown_alpha(self) -> np.ndarray:
        """The alpha to be drawn as bars, shape (n,)."""
        return self.certificate.alpha if self.glide is None else self.glide.alpha

    @property
    def explained_event(self) -> Event | None:
        """The event that is explained: that of the beat shown or, without a beat, of the step.

        A beat may belong to the event of the next step.
        """
        return self.event if self.shown_beat is None else self.shown_beat.event

    @property
    def marked(self) -> tuple[int, ...]:
        """Indices of the points that plane and panels mark in their drawings.

        They are the points of the beat shown or, without a beat, those of the step. If a step
        touches many points, only some of them are marked, since more marks would hide the data.
        """
        if self.shown_beat is not None:
            return self.shown_beat.beat.points
        return self.event.marked if self.event is not None else ()

    @property
    def touched(self) -> tuple[int, ...]:
        """Indices of all points of the beat or step shown, for panels with one value per point.

        ``marked`` may have only some points of a step, and has points at the end of the run. This
        property has all points of a step, and none at the end of the run.
        """
        if self.at_end:
            return ()
        if self.shown_beat is not None:
            return self.shown_beat.beat.points
        return self.event.touched if self.event is not None else ()

    @property
    def exceeds_bound(self) -> bool:
        """Whether some alpha is above C, which happens in methods that do not solve the dual."""
        return bool((self.certificate.alpha > self.ceiling).any())

    @property
    def ceiling(self) -> np.ndarray:
        """C of each point, increased by a tolerance for rounding errors, shape (n,)."""
        return self.certified_problem.caps * (1.0 + 1e-12)

    @property
    def pseudo_code(self) -> PseudoCode | None:
        """The algorithm of the method; its source says what C is if the points have weights."""
        code = self.method.pseudo_code(self.problem)
        if code is None or self.problem.weights is None:
            return code
        own = "C is that of the point: C times the weight of its class"
        return replace(code, source=f"{code.source}. {own}")

    @property
    def kkt_tolerance(self) -> float:
        """The largest KKT violation, in units of f, that counts as no violation.

        It is the tolerance of the method, or 0.001 if the method has none, increased by 0.1 %. The
        increase allows for rounding errors: a method may update f from step to step and never
        compute f from scratch.
        """
        return 1.001 * max(self.method.kkt_tolerance or 1e-3, 1e-9)

    @property
    def at_end(self) -> bool:
        """Whether this is the last step of a run that has ended."""
        return self.stop is not None and self.step == self.length


@dataclass(frozen=True, eq=False)
class Frame:
    """The document and the lanes computed from it.

    Attributes
    ----------
    document : Document
        Seen from the lane in focus.
    lanes : tuple of Lane
        Empty if the document cannot be solved.
    trouble : str
        A sentence that says why the document cannot be solved; empty if it can.
    studies : mapping of str to object
        The result of each study (``svmviz.frames.studies``) to which a visible view has subscribed.
    focus : int
        Index of the lane that the panels show.
    temporary : bool
        Whether this frame will soon be replaced, as during a drag. Then studies start no slow work.
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "document", self.document.seen_from(self.focus))

    @property
    def lane(self) -> Lane | None:
        """The lane that the panels show; None if there are no lanes."""
        return self.lanes[min(self.focus, len(self.lanes) - 1)] if self.lanes else None

    @property
    def run_steps(self) -> tuple[tuple[int, int], ...]:
        """The number of the run and the step of each lane."""
        return tuple((lane.run, lane.step) for lane in self.lanes)

    @property
    def glides(self) -> bool:
        """Whether the picture of some lane is moving to its step."""
        return any(lane.glide is not None for lane in self.lanes)

    def focused_on(self, lane: int) -> Frame:
        """Return the frame with another lane in focus."""
        return self if lane == self.focus else replace(self, focus=lane)
