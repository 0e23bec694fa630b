"""Kernel ridge regression beside a regression with a tube."""

from __future__ import annotations

import numpy as np

from solvers.errors import BadInput
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.problem.smooth_losses import kernel_ridge
from solvers.run.run import Run
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame, Lane

# With more points the curve would take too long: its linear system takes O(n^3) time.
MAX_POINTS = 1000


class RidgeStudyMaker:
    """A study of the curve of each lane's problem, shape (m, 2), data units; f does not move."""

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


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows the curve."""
    return options.ridge and document.is_regression
