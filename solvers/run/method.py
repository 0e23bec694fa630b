"""The base class of methods: frozen settings, a small state of arrays, and one compiled step.

A new method needs a file with a subclass of :class:`Method`, and one line in the registry. The
settings form, the help, the command line, the text of a step and the contract test are written for
this class, so they need no change. A method must keep the contract of :class:`Solver`. The
narration of its steps, which :class:`Method` adds, has defaults.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.problem.problem import BIASES, Problem
from solvers.rounding import NOISE
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.settings import Checked

# Maximum number of points that a sentence names; more points are counted.
MAX_NAMED = 4
# A step number that no run reaches. A check that is scheduled for this step never happens.
NEVER = 2**62
# Properties that a method may guarantee, with the sentences that the window's help shows.
GUARANTEES = {
    "box": "Every α stays between 0 and C, exactly.",
    "equality": "Σ βᵢ = 0, where βᵢ = αᵢyᵢ in a classification, holds up to rounding if the bias "
    "is free.",
    "strictly-inside": "Every α stays strictly between 0 and C until the last step, which sets an "
    "α at a bound to exactly 0 or C.",
    "dual-rises": "The dual never falls from one step to the next, up to rounding.",
    "converges": "If it says that it has converged, no point violates its optimality condition by "
    "more than the tolerance, up to rounding.",
    "ball": "With the projection on, ‖w‖ is at most 1/√λ after every step.",
    "best-falls": "If the best iterate so far is shown, the objective never rises.",
    "counts": "Without projection and averaging, all α are whole multiples of the same number: the "
    "multiple is how often the point was drawn inside its margin line.",
    "mistakes": "Every α is a whole number: how often the point was a mistake.",
    "nonnegative": "Every weight is at least 0, exactly.",
    "objective-falls": "The objective of the hulls never rises, up to rounding.",
    "separates": "If it says that it has converged, every point is on its own side.",
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
    """The end of a run: the reason, and a sentence for the user."""

    reason: Reason
    sentence: str


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 step`` or ``2,000 steps``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def numbered(points: Sequence[int]) -> str:
    """Return the numbers of a few points, or how many they are: ``3, 7 and 9`` or ``12 points``.

    ``points`` are indices from 0; there is at least one.
    """
    if len(points) > MAX_NAMED:
        return counted(len(points), "point")
    *first, last = [f"{point + 1}" for point in points]
    return f"{', '.join(first)} and {last}" if first else last


def named(points: Sequence[int]) -> str:
    """Return the numbers of points with their noun: ``points 3, 7 and 9`` or ``12 points``."""
    if len(points) > MAX_NAMED:
        return numbered(points)
    return f"point{'' if len(points) == 1 else 's'} {numbered(points)}"


class Solver(Checked):
    """The contract of solving: an object that contains only settings.

    All that a run changes is in a separate state, which :meth:`start` makes.

    Class attributes
    ----------------
    name, label : str
        The name in the registry, and the name on screen.
    tasks : tuple of str
        Tasks that the method solves: "classification", "regression".
    biases : tuple of str
        Kinds of bias that the method supports: keys of :data:`solvers.problem.problem.BIASES`.
    dual_feasible : bool
        Whether every iterate is feasible for the dual.
    guarantees : tuple of str
        Keys of :data:`GUARANTEES`, which the contract test checks at every step.
    uses_penalty : bool
        Whether the result depends on C.
    aim : str
        The property of a converged run, in a few words, such as "separates". Empty if a converged
        run has reached the optimum of the problem.
    maximizes_margin : bool
        Whether ``1 / ||w||`` of a converged run is the margin of a support vector machine.
    hard_margin : bool
        Whether the method accepts an infinite C.
    takes_weights : bool
        Whether the points may have weights (:attr:`.Problem.weights`), so that each alpha has its
        own bound, which :attr:`.Problem.bounds` and the dual form have.
    finite_C : str
        The reason why C must be finite, as a clause for a sentence; empty if no reason is given.
    tol_measures : str
        The quantity that the setting ``tol`` bounds at the end of a run: "kkt" is the KKT violation
        in units of f, "gap" is the primal minus the dual, divided by ``C n``. Empty if there is no
        setting ``tol``.
    event_dtype : numpy dtype
        The type of a record: the numbers that :meth:`advance` writes into ``events`` for one step,
        and from which :meth:`Method.describe` makes an :class:`.Event`. Without fields by default.
    keeps_events : bool
        Whether the record of each step is stored. Methods whose step takes some tens of nanoseconds
        store no records: when a step is shown, a replay computes its record again.

    Every method has the setting ``max_steps``, made by :func:`solvers.settings.step_limit`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    biases: ClassVar[tuple[str, ...]] = ("free",)
    dual_feasible: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]]
    uses_penalty: ClassVar[bool] = True
    aim: ClassVar[str] = ""
    maximizes_margin: ClassVar[bool] = True
    hard_margin: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = False
    finite_C: ClassVar[str] = ""
    tol_measures: ClassVar[str] = ""
    event_dtype: ClassVar[np.dtype] = np.dtype([])
    keeps_events: ClassVar[bool] = True
    max_steps: int

    @property
    def kkt_tolerance(self) -> float | None:
        """Return the largest KKT violation, in units of f, with which a run converges.

        None if the method has another stopping rule, or no stopping rule.
        """
        return vars(self)["tol"] if self.tol_measures == "kkt" else None

    def accept_task(self, task: str) -> None:
        """Raise :class:`BadInput` with one sentence if this method cannot solve this task."""
        if task not in self.tasks:
            raise BadInput(f"{self.label} is a method for {self.tasks[0]}, not for {task}.")

    def accept(self, problem: Problem) -> None:
        """Raise :class:`BadInput` with one sentence if this method cannot solve this problem."""
        self.accept_task(problem.task)
        if problem.bias not in self.biases:
            supported = " or ".join(self.biases)
            raise BadInput(
                f"{self.label} needs the bias to be {supported}; here it is {problem.bias}"
                f" ({BIASES[problem.bias]})."
            )
        if math.isinf(problem.C) and not self.hard_margin:
            reason = f": {self.finite_C}" if self.finite_C else ""
            raise BadInput(f"{self.label} needs a finite C{reason}.")
        if problem.weights is not None:
            self.accept_weights()

    def accept_weights(self) -> None:
        """Raise :class:`BadInput` if the points cannot have weights."""
        if not self.takes_weights:
            reason = "has one C for all points" if self.uses_penalty else "does not use C"
            raise BadInput(f"{self.label} {reason}, so the points cannot have weights.")

    def segment_size(self, problem: Problem) -> int:
        """Return the maximum number of steps between two keyframes.

        With more steps a replay takes longer; with fewer steps the keyframes take more memory. With
        the numbers below, a million steps on 1,000 points take less than 100 MB, even in a
        regression.
        """
        return max(512, min(problem.n_variables // 2, 1024), problem.n_variables // 4)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> Any:
        """Return the state before the first step.

        ``guess`` is a guess of beta, shape (n,). Some methods start from it, and first make it
        feasible. All other methods ignore it.
        """
        raise NotImplementedError

    def workspace(self, problem: Problem, cache_bytes: int) -> Any:
        """Return new working memory, which is not part of the state.

        The kernel rows that it caches take at most ``cache_bytes``, but two rows always fit.
        """
        raise NotImplementedError

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        """Take up to ``len(marks)`` steps in place; return their number and a code.

        Each step changes ``state``, and writes one byte of ``marks`` (SUPPORT_CHANGED and
        SWEEP_STARTED of :mod:`solvers.run.trace`) and, if :attr:`keeps_events`, one record of
        ``events``. Without :attr:`keeps_events`, only ``events[0]`` is written: the record of the
        last step. The code is 0 if the run continues, otherwise a stop code.
        """
        raise NotImplementedError

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        """Return the end of a run for a stop code."""
        raise NotImplementedError

    def advice(self, problem: Problem) -> str:
        """Return a sentence for a run that stops at its step limit: which method to use instead."""
        return ""

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return ``(beta, b)`` of a state."""
        raise NotImplementedError

    def other_iterate(self, problem: Problem, state: Any) -> tuple[str, np.ndarray] | None:
        """Return the name and beta, shape (n,), of a second iterate, for example an average.

        None if the method has no second iterate.
        """
        return None

    def certified_problem(self, problem: Problem, state: Any) -> Problem:
        """Return the problem for which certificates are computed: the one that this method solves.

        It differs from ``problem`` if the method does not use C. ``state`` is the state before the
        first step.
        """
        return problem

    def is_correct(self, problem: Problem, decision: np.ndarray) -> np.ndarray:
        """Return which points are on the side of their class, bool, shape (n,).

        ``decision`` has the values ``f(x_i)``, shape (n,).
        """
        return problem.y * decision > 0.0

    def radius(self, problem: Problem) -> float:
        """Return an upper bound on ``||w||`` of the optimum; infinite if none is known."""
        return math.inf

    def rounding(self, problem: Problem, state: Any) -> float:
        """Return a bound on the rounding error of ``f(x_i)``; used when a run has converged.

        It is ``4 eps (max |target| + max |k(x_i, x_i)| sum |beta|)``.
        """
        beta, _ = self.expand(problem, state)
        largest = float(np.abs(problem.dual_form.diagonal).max())
        return NOISE * (float(np.abs(problem.target).max()) + largest * float(np.abs(beta).sum()))

    def evaluations(self, state: Any) -> int:
        """Return the number of kernel evaluations so far; cached values count too.

        By default it is the number ``evaluations`` of the state's ``scalars``.
        """
        return int(state.scalars["evaluations"][0])


class Method(Solver):
    """A method: a solver with the narration of its steps.

    A method without a narration runs, and its steps are shown with the default sentence.

    Class attributes
    ----------------
    help, source : str
        One sentence that describes the method, and the publications that describe it.
    compares_errors : bool
        Whether the method compares the errors ``E = f - y`` of variables to choose among them.
    """

    help: ClassVar[str]
    source: ClassVar[str]
    compares_errors: ClassVar[bool] = False

    @property
    def moves_pairs(self) -> bool:
        """Whether some steps move two dual variables at once, and keep the sum of their beta."""
        return False

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        """Return the :class:`.Event` of the step between two states.

        By default it is one sentence on the points whose alpha changed. Other methods fill a
        template with the values of ``record``, which has the type :attr:`event_dtype`, and of the
        states. The template (:mod:`solvers.run.templates`) may have beats. A beat lights only lines
        of :meth:`pseudo_code` that the step carried out.
        """
        change = self.expand(problem, after)[0] - self.expand(problem, before)[0]
        points = np.flatnonzero(change).tolist()
        return Event(tuple(points), f"Changes α of {named(points)}." if points else "Changes no α.")

    def pseudo_code(self, problem: Problem) -> PseudoCode | None:
        """Return the algorithm as its source prints it, or None if there is no pseudo-code.

        Lines that the method, with its settings, does not use on this problem are left out.
        """
        return None
