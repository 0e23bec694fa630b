"""The best known optimum of the problem of a race, computed in the background."""

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
from svmviz.base.background import WAIT, BackgroundTask, Pending
from svmviz.frames.frame import Frame

# Duration of each piece of the search, s.
SLICE = 0.1
# Tolerance of the methods that search for the optimum.
TOLERANCE = 1e-9
WORDS = "Looking for the optimum"


@dataclass(frozen=True)
class Optimum:
    """Bounds on the optimum.

    Attributes
    ----------
    dual, primal : float
        Lower and upper bound on the optimum.
    finished : bool
        Whether the search for the optimum has ended.
    method : str
        Name of the method that found the bounds.
    unfinished : bool
        Whether another frame may have better bounds, as in :mod:`svmviz.frames.studies`.
    """

    dual: float
    primal: float
    finished: bool
    method: str
    unfinished: bool = False

    @property
    def value(self) -> float:
        """The value from which the distances of all lanes are measured: at most every primal."""
        return self.dual


class Search:
    """The search for the optimum of one problem, in short pieces, in any thread.

    If a method ends without converging, as interior point may with an indefinite kernel, the next
    method is tried. If no method converges, the largest dual value is the result.
    """

    def __init__(self, problem: Problem) -> None:
        self._attempts = _attempts(problem)
        self._attempt: tuple[Run, Cursor] | None = None
        self._best: Optimum | None = None

    def advance(self) -> Optimum | None:
        """Take more steps, and return the best bounds; None if no method accepts the problem.

        The cursor continues from its last step, so no step is replayed twice.
        """
        attempt = self._attempt or self._next()
        if attempt is None:
            return None
        run, cursor = attempt
        run.advance(SLICE)
        converged = run.reason is Reason.CONVERGED
        found = certify(run.problem, cursor.seek(run.steps, with_event=False).expansion)
        reached = Optimum(found.dual, found.primal, False, run.method.label)
        best = self._best
        if best is None or converged or best.method == reached.method or reached.dual > best.dual:
            best = reached
        ended = converged or (run.finished and self._next() is None)
        self._best = replace(best, finished=ended)
        return self._best

    def _next(self) -> tuple[Run, Cursor] | None:
        run = next(self._attempts, None)
        self._attempt = None if run is None else (run, Cursor(run))
        return self._attempt


class Reference:
    """The study of a race, which searches for the optimum in the background, piece by piece.

    Until the search ends, the result is the best bound so far, which may come from a lane. During a
    drag there is no search, and only the bounds of the lanes are used.
    """

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._search: Search | None = None
        self._task = BackgroundTask()
        # Number of the piece of the search that is running or next.
        self._piece = 0
        self._found: Optimum | None = None
        self._seen: Optimum | None = None
        self._shown: tuple | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Optimum | Pending | None:
        lane = frame.lane
        if lane is None or len(frame.lanes) < 2:
            return None
        if lane.problem is not self._problem:
            self._problem, self._search = lane.problem, Search(lane.problem)
            self._found = self._seen = None
            self._piece += 1
        self._note_bounds(frame)
        if self._search is not None and not frame.temporary:
            self._advance(self._search, frame)
        unfinished = self._search is not None and not frame.temporary
        best = self._best()
        if best is None:
            return Pending(WORDS) if unfinished else None
        return replace(best, unfinished=unfinished)

    def _advance(self, search: Search, frame: Frame) -> None:
        """Start one more piece of the search; wait for its end if the lanes show the same steps."""
        shown = tuple((lane.run, lane.step, lane.field.grid) for lane in frame.lanes)
        still, self._shown = shown == self._shown, shown
        found = self._task.find(self._piece, search.advance, WORDS, WAIT if still else 0.0)
        if isinstance(found, Pending):
            return
        self._piece += 1
        if found is not None:
            self._found = found
        if found is None or found.finished:
            self._search = None

    def _note_bounds(self, frame: Frame) -> None:
        """Store the best bound of the lanes."""
        for lane in frame.lanes:
            # A method without this C solves another problem, whose dual may be above the optimum.
            if lane.certified_problem is not lane.problem:
                continue
            dual, primal = lane.certificate.dual, lane.certificate.primal
            if math.isfinite(dual) and (self._seen is None or dual > self._seen.dual):
                self._seen = Optimum(dual, primal, False, lane.method.label)

    def _best(self) -> Optimum | None:
        """Return the result of the search, or the largest bound until it has one."""
        found, seen = self._found, self._seen
        if found is not None and not math.isfinite(found.dual):
            found, seen = None, None if found.finished else seen
        if found is None or (not found.finished and seen is not None and seen.dual > found.dual):
            return seen
        return found


def _attempts(problem: Problem) -> Iterator[Run]:
    """Yield a run of each method that accepts the problem, the most accurate first."""
    methods: tuple[Method, ...] = (
        InteriorPoint(tol=TOLERANCE),
        SMO(tol=TOLERANCE),
        CoordinateAscent(tol=TOLERANCE),
    )
    for method in methods:
        with contextlib.suppress(BadInput):
            yield Run(problem, method)
