"""Novikoff's bound on the mistakes of a perceptron, computed in the background."""

from __future__ import annotations

from solvers import Perceptron, Reason, Run
from solvers.methods.perceptron.perceptron import Novikoff
from svmviz.base.background import BackgroundTask, Pending
from svmviz.frames.frame import Frame

# Text that is shown while the bound is being computed.
WORDS = "Computing the bound"


class NovikoffStudy:
    """The bound for the lane in focus, computed for a new run and again when it has separated.

    A run has separated if its w separates the points. The second computation is for indefinite
    kernels. With them, a run gives a bound only by this w.
    """

    def __init__(self) -> None:
        self._task = BackgroundTask()
        self._last: tuple[object, Novikoff | None] | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Novikoff | Pending | None:
        lane = frame.lane
        method = lane.method if lane else None
        if lane is None or not isinstance(method, Perceptron):
            return None
        run = next(run for run in runs if run.number == lane.run)
        has_separated = run.reason is Reason.CONVERGED
        key = run.number, has_separated
        if self._last is None or self._last[0] != key:
            beta = run.expansion.beta if has_separated else None
            bound = self._task.find(key, lambda: method.bound(run.problem, beta), WORDS)
            if isinstance(bound, Pending):
                return bound
            self._last = key, bound
        return self._last[1]
