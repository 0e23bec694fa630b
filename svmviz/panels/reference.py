"""The best known optimum of the problem that is raced on, worked out beside the lanes."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from solvers import (
    SMO,
    BadInput,
    CoordinateAscent,
    Cursor,
    InteriorPoint,
    Method,
    Problem,
    Reason,
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
    """The study of a race: solves its problem to the end, a little in each frame.

    Where a method ends without having converged (an interior point on a kernel that is none), the
    next one has a try; the largest dual is what counts then.
    """

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._attempts: Iterator[Run] = iter(())
        self._cursor: Cursor | None = None
        self._best: Optimum | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Optimum | None:
        lane = frame.lane
        if lane is None or len(frame.lanes) < 2:
            return None
        if lane.problem is not self._problem:
            self._problem, self._best = lane.problem, None
            self._attempts = _attempts(lane.problem)
            self._next()
        if self._cursor is not None:
            self._go_on(self._cursor)
        best = self._best
        return best if best is not None and math.isfinite(best.dual) else None

    def _next(self) -> None:
        run = next(self._attempts, None)
        self._cursor = None if run is None else Cursor(run)

    def _go_on(self, cursor: Cursor) -> None:
        """Some steps more; the cursor goes on from where it stood, and takes none a third time."""
        run = cursor.run
        run.advance(SLICE)
        converged = run.reason is Reason.CONVERGED
        found = certify(run.problem, cursor.seek(run.steps, look=False).expansion)
        reached = Optimum(found.dual, found.primal, False, run.method.label)
        best = self._best
        if best is None or converged or best.method == reached.method or reached.dual > best.dual:
            best = reached
        if run.finished:
            self._next()
        if converged or self._cursor is None:
            best, self._cursor = replace(best, finished=True), None
        self._best = best


def _attempts(problem: Problem) -> Iterator[Run]:
    """A run of each method that takes the problem, the most exact first."""
    methods: tuple[Method, ...] = (
        InteriorPoint(tol=TOLERANCE),
        SMO(tol=TOLERANCE),
        CoordinateAscent(tol=TOLERANCE),
    )
    for method in methods:
        with contextlib.suppress(BadInput):
            yield Run(problem, method)
