"""A method of another package without a narration: it defines only what solving takes."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from solvers.run.method import Method, Reason, Stop
from solvers.run.records import new_record
from solvers.run.trace import SUPPORT_CHANGED
from solvers.settings import step_limit

SCALARS = np.dtype([("steps", "i8"), ("idle", "i8")])


class State(NamedTuple):
    beta: np.ndarray
    scalars: np.ndarray


@dataclass(frozen=True)
class Plain(Method):
    """Visit the points in turn, and move each alpha to the top of its parabola."""

    name: ClassVar[str] = "plain"
    label: ClassVar[str] = "Plain"
    source: ClassVar[str] = "none"
    help: ClassVar[str] = "Visits the points in turn."
    biases: ClassVar[tuple[str, ...]] = ("none",)
    guarantees: ClassVar[tuple[str, ...]] = ("box", "dual-rises")

    max_steps: int = step_limit(2_000, "Stop after this many visits.", high=1e6)

    def start(self, problem, guess=None):
        return State(np.zeros(problem.n), new_record(SCALARS))

    def workspace(self, problem, cache_bytes):
        return problem.kernel(problem.X, problem.X)

    def advance(self, problem, state, work, events, marks):
        form, beta, scalars = problem.dual_form, state.beta, state.scalars
        for k in range(len(marks)):
            if scalars["idle"][0] == problem.n:
                return k, 1
            i, old = int(scalars["steps"][0]) % problem.n, beta.copy()
            top = beta[i] + (problem.y[i] - work[i] @ beta) / work[i, i]
            top = min(max(top, form.lower[i]), form.upper[i])
            beta[i] = top if abs(top - beta[i]) > 1e-9 else beta[i]
            scalars["idle"] = 0 if beta[i] != old[i] else scalars["idle"] + 1
            scalars["steps"] += 1
            marks[k] = SUPPORT_CHANGED if (old[i] != 0.0) != (beta[i] != 0.0) else 0
        return len(marks), 0

    def stop(self, code, problem, state):
        return Stop(Reason.CONVERGED, "No α moves any more.")

    def expand(self, problem, state):
        return state.beta.copy(), 0.0

    def evaluations(self, state):
        return int(state.scalars["steps"][0])
