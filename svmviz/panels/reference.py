"""The best known optimum of the problem that is raced on, worked out beside the lanes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import (
    SMO,
    BadInput,
    CoordinateAscent,
    Cursor,
    InteriorPoint,
    Method,
    Problem,
    Run,
    certify,
)
from svmviz.frame import Frame

# Time for the reference in each frame, s, and how exact it shall be.
SLICE = 0.004
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Optimum:
    """Bounds on the optimum.

    Attributes
    ----------
    dual, primal : float
        The optimum lies between them.
    finished : bool
        Whether nothing better will come.
    method : str
        Whose it is.
    """

    dual: float
    primal: float
    finished: bool
    method: str

    @property
    def unfinished(self) -> bool:
        """Whether another frame would bring a better one."""
        return not self.finished

    @property
    def value(self) -> float:
        """What lanes are measured against: a bound that none of them can pass."""
        return self.dual


class Reference:
    """The study of a race: solves its problem to the end, a little in each frame."""

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._run: Run | None = None
        self._cursor: Cursor | None = None
        self._best: Optimum | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Optimum | None:
        lane = frame.lane
        if lane is None or len(frame.lanes) < 2:
            return None
        if lane.problem is not self._problem:
            self._problem, self._best = lane.problem, None
            self._run = _start(lane.problem)
            self._cursor = Cursor(self._run) if self._run else None
        run, cursor = self._run, self._cursor
        if run is None or cursor is None:
            return None
        if self._best is None or not self._best.finished:
            run.advance(SLICE)
            # The cursor goes on from where it stood, and takes no step a third time.
            found = certify(run.problem, cursor.seek(run.steps, look=False).expansion)
            self._best = Optimum(found.dual, found.primal, run.finished, run.method.label)
        return self._best if math.isfinite(self._best.dual) else None


def _start(problem: Problem) -> Run | None:
    """A run of the first method that takes the problem."""
    methods: tuple[Method, ...] = (
        InteriorPoint(tol=TOLERANCE),
        SMO(tol=TOLERANCE),
        CoordinateAscent(tol=TOLERANCE),
    )
    for method in methods:
        try:
            return Run(problem, method)
        except BadInput:
            continue
    return None
