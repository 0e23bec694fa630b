"""What a method is: frozen settings, a small state of arrays, and one compiled step.

A new method is one file with a subclass of :class:`Method` and one line in the registry; the
form, the help, the command line, the narrator and the contract test are made from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.formulas import Formula
from solvers.problem import BIASES, Problem
from solvers.settings import Checked

# What a method may promise of its iterates (the table of methods in the architecture's notes).
GUARANTEES = {
    "box": "0 <= alpha <= C, exactly",
    "equality": "sum_i alpha_i y_i = 0 up to rounding, where the bias is free",
    "strictly-inside": "0 < alpha < C at every step but the last, which sets what is on a bound",
    "dual-rises": "the dual never falls",
    "converges": "it ends with a KKT violation of at most tol",
    "ball": "after the optional projection, ||w|| <= 1 / sqrt(lam)",
    "best-falls": "where the best iterate so far is shown, the objective never rises",
    "counts": "alpha is a whole number of equal portions",
    "mistakes": "alpha is a whole number: how often the point was a mistake",
    "nonnegative": "alpha >= 0, exactly; there is no upper bound",
    "objective-falls": "the hulls' objective, -1/2 of sum alpha - 1/2 ||w||^2, never rises",
    "separates": "it ends as converged only with y f > 0 at every point",
}


class Reason(StrEnum):
    """Why a run stopped. Not converging is a reason, not an error."""

    CONVERGED = "converged"
    STEP_LIMIT = "step-limit"
    MEMORY_LIMIT = "memory-limit"
    CANCELLED = "cancelled"
    STALLED = "stalled"
    NOT_SEPARABLE = "not-separable"


@dataclass(frozen=True)
class Stop:
    """The end of a run: the reason, and a sentence for people."""

    reason: Reason
    sentence: str


@dataclass(frozen=True)
class Event:
    """What one step did, looked at from both sides.

    Attributes
    ----------
    touched : tuple of int
        Indices of the points the step looked at or moved.
    sentence : str
        One plain sentence; points are numbered from 1, as in the table of the window.
    """

    touched: tuple[int, ...]
    sentence: str

    def formulas(self) -> tuple[Formula, ...]:
        """The update of this step, in the order of its computation."""
        return ()


class Method(Checked):
    """A solver: settings only; everything that changes is in the state.

    Class attributes
    ----------------
    name, label, help, source : str
    tasks : tuple of str
        Which tasks it can solve: "classification", "regression".
    biases : tuple of str
        Which bias modes it can solve.
    dual_feasible : bool
        Whether every iterate is feasible for the dual.
    guarantees : tuple of str
        What holds at every step, as keys of :data:`GUARANTEES`; the contract test holds it to them.
    event_dtype : numpy dtype
        What it records of a step.
    moves_pairs : bool
        Whether a step moves two dual variables along the line that their constraint leaves.
    records : bool
        Whether events are kept; methods of some tens of nanoseconds a step are re-run instead.

    Every method has the setting ``max_steps``.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str]
    source: ClassVar[str]
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    biases: ClassVar[tuple[str, ...]] = ("free",)
    dual_feasible: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]]
    hard_margin: ClassVar[bool] = True
    event_dtype: ClassVar[np.dtype]
    records: ClassVar[bool] = True
    moves_pairs: ClassVar[bool] = False
    max_steps: int

    def accept(self, problem: Problem) -> None:
        """Raise :class:`BadInput` in words if this method cannot solve this problem."""
        if problem.task not in self.tasks:
            raise BadInput(f"{self.label} is a method for {self.tasks[0]}, not for {problem.task}.")
        if problem.bias not in self.biases:
            can = " or ".join(self.biases)
            raise BadInput(
                f"{self.label} needs the bias to be {can}; here it is {problem.bias}"
                f" ({BIASES[problem.bias]})."
            )
        if math.isinf(problem.C) and not self.hard_margin:
            raise BadInput(
                f"{self.label} needs a finite C: its lambda = 1 / (C n) is 0 at the hard margin."
            )

    def segment_size(self, problem: Problem) -> int:
        """Steps between keyframes: few enough to re-run at once, enough to spare the memory."""
        return max(512, problem.size // 4)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> Any:
        """The state before the first step; a guess of beta, shape (n,), is repaired first."""
        raise NotImplementedError

    def workspace(self, problem: Problem, keep: bool) -> Any:
        """Working memory of the steps, no part of the state; ``keep`` allows large caches."""
        raise NotImplementedError

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        """Take up to ``len(marks)`` steps in place; return (steps taken, code), code 0 for more."""
        raise NotImplementedError

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        """The reason behind a code other than 0."""
        raise NotImplementedError

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """``(beta, b)`` of a state."""
        raise NotImplementedError

    def evaluations(self, state: Any) -> int:
        """Kernel values asked for so far, whether or not they were still in a cache."""
        raise NotImplementedError

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        """The :class:`Event` of the step between two states."""
        raise NotImplementedError
