"""The best known bounds on the optimum P* of a problem, computed in the background."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from solvers import (
    SMO,
    BadInput,
    Certificate,
    CoordinateAscent,
    Cursor,
    Expansion,
    InteriorPoint,
    Method,
    Problem,
    Reason,
    Run,
    certify,
)
from svmviz.frames.frame import Frame
from svmviz.frames.studies import WAIT, Pending, SlowResult

# Duration of each piece of the search, s. A new problem waits for the end of the running piece.
PIECE_DURATION = 0.1
# Tolerance of the methods that search for the optimum.
TOLERANCE = 1e-9
# Panels that compare one run with the optimum search it for at most this number of points: a search
# may take minutes for more, and all the time new frames are made.
MAX_SEARCHED = 1000
# Text while there is no bound yet.
SEARCHING_TEXT = "Looking for the optimum"


@dataclass(frozen=True)
class Optimum:
    """Bounds on the optimum P*.

    Attributes
    ----------
    dual, primal : float
        Lower and upper bound.
    finished : bool
        Whether the bounds are the final result of a search. If not, the panel adds "so far".
    method : str
        Name of the method that found the bounds.
    certificate : Certificate
        Decision values and norm of the iterate that has the bounds.
    expansion : Expansion
        This iterate.
    unfinished : bool
        Whether another frame is requested, because a search still runs; see
        :mod:`svmviz.frames.studies`. During a drag no search runs, so the bounds may be neither
        ``finished`` nor ``unfinished``.
    """

    dual: float
    primal: float
    finished: bool
    method: str
    certificate: Certificate
    expansion: Expansion
    unfinished: bool = False

    @property
    def value(self) -> float:
        """The lower bound, from which the distances of all lanes are measured.

        It is at most any primal value of the problem, so that distances are not negative.
        """
        return self.dual


class OptimumSearch:
    """Search for the optimum of one problem in short pieces, not always in the same thread.

    If a method ends without converging, as interior point may with an indefinite kernel, the next
    method is tried. If no method converges, the largest dual value is the result.
    """

    def __init__(self, problem: Problem) -> None:
        self._attempts = _attempts(problem)
        self._attempt: tuple[Run, Cursor] | None = None
        self._best: Optimum | None = None

    def advance(self) -> Optimum | None:
        """Take steps for ``PIECE_DURATION``, and return the best bounds so far.

        The result is None if no method accepts the problem. A cursor replays the new steps of the
        run; it continues from its last step, so no step is replayed twice.
        """
        attempt = self._attempt or self._next()
        if attempt is None:
            return None
        run, cursor = attempt
        run.advance(PIECE_DURATION)
        converged = run.reason is Reason.CONVERGED
        expansion = cursor.seek(run.steps, with_event=False).expansion
        certificate = certify(run.problem, expansion)
        bounds = Optimum(
            certificate.dual, certificate.primal, False, run.method.label, certificate, expansion
        )
        best = self._best
        # Later bounds of one method replace its earlier bounds.
        if best is None or converged or best.method == bounds.method or bounds.dual > best.dual:
            best = bounds
        ended = converged or (run.finished and self._next() is None)
        self._best = replace(best, finished=ended)
        return self._best

    def _next(self) -> tuple[Run, Cursor] | None:
        """Start the run of the next method; return run and cursor, or None if all were tried."""
        run = next(self._attempts, None)
        self._attempt = None if run is None else (run, Cursor(run))
        return self._attempt


class Reference:
    """Study that searches for the optimum in the background, piece by piece.

    Until the search ends, the result is the best bound so far, which may come from a lane. During a
    drag there is no search, and only the bounds of the lanes are used.

    Parameters
    ----------
    min_lanes : int
        With fewer lanes the result is None. A race has two or more.
    max_points : int or None
        With more points there is no search, and only the bounds of the lanes are used.
    """

    def __init__(self, min_lanes: int = 1, max_points: int | None = None) -> None:
        self._min_lanes, self._max_points = min_lanes, max_points
        self._problem: Problem | None = None
        self._search: OptimumSearch | None = None
        self._slow = SlowResult()
        # Number of the piece of the search that is running or will run next.
        self._piece = 0
        # Result of the last piece, and the best bound of all lanes so far.
        self._search_result: Optimum | None = None
        self._lane_bound: Optimum | None = None
        # Run, step and grid of the field of each lane in the last frame.
        self._last_steps: tuple | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Optimum | Pending | None:
        lane = frame.lane
        if lane is None or len(frame.lanes) < self._min_lanes:
            return None
        if lane.problem is not self._problem:
            is_small = self._max_points is None or lane.problem.n <= self._max_points
            self._problem = lane.problem
            self._search = OptimumSearch(lane.problem) if is_small else None
            self._search_result = self._lane_bound = None
            self._piece += 1
        self._note_bounds(frame)
        if self._search is not None and not frame.temporary:
            self._advance_search(self._search, frame)
        unfinished = self._search is not None and not frame.temporary
        best = self._best_bound()
        if best is None:
            return Pending(SEARCHING_TEXT) if unfinished else None
        return replace(best, unfinished=unfinished)

    def _advance_search(self, search: OptimumSearch, frame: Frame) -> None:
        """Start the next piece of the search, if none is running, and use its result when it ends.

        If the last frame showed the same steps on the same grid, wait a moment for the result. The
        picture has not changed then, so the wait delays no new picture.
        """
        steps = tuple((lane.run, lane.step, lane.field.grid) for lane in frame.lanes)
        is_same, self._last_steps = steps == self._last_steps, steps
        wait = WAIT if is_same else 0.0
        result = self._slow.find(self._piece, search.advance, SEARCHING_TEXT, wait)
        if isinstance(result, Pending):
            return
        self._piece += 1
        if result is not None:
            self._search_result = result
        if result is None or result.finished:
            self._search = None

    def _note_bounds(self, frame: Frame) -> None:
        """Store the largest dual of the lanes, if it is larger than the stored dual."""
        for lane in frame.lanes:
            # A method that does not use C may solve another problem, whose dual may exceed P*; a
            # lane with another C solves one.
            if not (lane.certified_problem is lane.problem is self._problem):
                continue
            dual, primal = lane.certificate.dual, lane.certificate.primal
            earlier = self._lane_bound
            if math.isfinite(dual) and (earlier is None or dual > earlier.dual):
                self._lane_bound = Optimum(
                    dual, primal, False, lane.method.label, lane.certificate, lane.expansion
                )

    def _best_bound(self) -> Optimum | None:
        """Return the result of the search if it has ended.

        Until then, return the result so far or the bound of the lanes, whichever has the larger
        dual. Return None if there is neither, or if the search has ended without a finite dual.
        """
        result, bound = self._search_result, self._lane_bound
        if result is not None and not math.isfinite(result.dual):
            result, bound = None, None if result.finished else bound
        if result is None:
            return bound
        is_lane_better = bound is not None and bound.dual > result.dual
        return bound if not result.finished and is_lane_better else result


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
