"""Models with another loss: the line of logistic regression, and kernel ridge regression."""

from __future__ import annotations

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.lines import Line
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.problem.smooth_losses import kernel_ridge, logistic_regression
from solvers.run.run import Run
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Pending, SlowResult

# With more points, either study would take too long. A linear system of n unknowns takes O(n^3)
# time, and the line needs one system per step of Newton's method.
MAX_POINTS = 1000
PENDING = "Looking for the line of logistic regression …"


class LogisticStudyMaker:
    """A study of the line of logistic regression, in solver units; the same for all lanes."""

    def __init__(self) -> None:
        self._slow = SlowResult()

    def __call__(self, frame: Frame, _runs: tuple[Run, ...]) -> tuple[Line | Pending | None, ...]:
        lane = frame.lane
        if lane is None or lane.problem.n > MAX_POINTS:
            return ()
        problem = lane.problem
        found = self._slow.find(problem, lambda: line_of(problem), PENDING)
        return (found,) * len(frame.lanes)


def line_of(problem: Problem) -> Line | None:
    """Return f of logistic regression; None if it was not found, or is constant."""
    found = logistic_regression(problem)
    w = None if found is None else found.w
    if found is None or w is None or not w.any():
        return None
    return Line((float(w[0]), float(w[1])), found.bias)


def shows_logistic(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows the line, which exists for the linear kernel only."""
    is_plane = not document.is_regression and document.has_coordinates
    return options.logistic and is_plane and document.kernel.name == "linear"


class RidgeStudyMaker:
    """A study of the ridge regression of each lane's problem.

    Each result is a curve, shape (m, 2), in data units. Its f is the same at all steps.
    """

    def __init__(self) -> None:
        self._found: list[tuple[Problem, Expansion]] = []

    def __call__(self, frame: Frame, _runs: tuple[Run, ...]) -> tuple[np.ndarray | None, ...]:
        factors = frame.document.factors
        curves = []
        for lane in frame.lanes:
            try:
                curves.append(self._curve(lane, float(factors[0])))
            except (BadInput, np.linalg.LinAlgError):
                curves.append(None)
        self._found = self._found[-len(frame.lanes) :] if frame.lanes else []
        return tuple(curves)

    def _curve(self, lane: Lane, factor: float) -> np.ndarray | None:
        problem = lane.problem
        if problem.task != "regression" or problem.n > MAX_POINTS:
            return None
        known = (f for of, f in self._found if of is problem)
        f = next(known, None)
        if f is None:
            f = kernel_ridge(problem)
            self._found.append((problem, f))
        xs = lane.field.grid.xs
        return np.column_stack([xs, f(xs[:, None] / factor)])


def shows_ridge(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows the curve."""
    return options.ridge and document.is_regression
