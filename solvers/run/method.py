"""The base class of methods: frozen settings, a small state of arrays, and one compiled step.

A new method is one file with a subclass of :class:`Method` and one line in the registry; the
form, the help, the command line, the narrator and the contract test are made from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.problem.problem import BIASES, Problem
from solvers.rounding import NOISE
from solvers.run.beats import Beat, PseudoCode
from solvers.run.formulas import Formula
from solvers.settings import Checked

# Maximum number of points that a step marks on the plane.
MAX_MARKED = 8
# A step number that no run reaches.
NEVER = 2**62
# What beta means in the formulas of a method that solves both tasks; they are those of a
# classification.
SIGNED = (
    "βᵢ is αᵢyᵢ in a classification, for which the formulas are written. In a regression every "
    "point has two α, and βᵢ is αᵢ* − αᵢ: αᵢ* raises f at a point above the tube, αᵢ lowers it at "
    "a point below."
)
# Properties that a method may guarantee, in words for the help of the window.
GUARANTEES = {
    "box": "Every α stays between 0 and C, exactly.",
    "equality": "Σ βᵢ = 0, where βᵢ = αᵢyᵢ in a classification, holds up to rounding if the bias "
    "is free.",
    "strictly-inside": "Every α stays strictly between 0 and C until the last step, which sets "
    "those that have reached a bound to it.",
    "dual-rises": "The dual never falls from one step to the next, up to rounding.",
    "converges": "If it says that it has converged, no point violates its optimality condition by "
    "more than the tolerance, up to rounding.",
    "ball": "With the projection on, ‖w‖ is at most 1/√λ after every step.",
    "best-falls": "If the best iterate so far is shown, the objective never rises.",
    "counts": "Without projection and averaging, every α is a whole number of equal portions: how "
    "often the point was drawn inside its margin.",
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
    """The end of a run: the reason, and a sentence for people."""

    reason: Reason
    sentence: str


def stop_from(stops: dict[int, tuple[Reason, str]], code: int, **words: Any) -> Stop:
    """Return the end for a stop code, with ``words`` put into its sentence."""
    reason, sentence = stops[code]
    return Stop(reason, sentence.format(**words))


def counted(number: int, noun: str) -> str:
    """Return ``1 step`` or ``2,000 steps``, for sentences about the end of a run."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Event:
    """The description of one step.

    Attributes
    ----------
    touched : tuple of int
        Indices of the points that the step examined or moved.
    sentence : str
        One plain sentence; points are numbered from 1, as in the table of the window.
    why : str
        A longer version, with reasons that do not fit into a line below the plane: why this step
        was taken, and what ended it. Empty if ``sentence`` is complete.
    marked : tuple of int
        The points that the plane marks; a cursor fills them in by :func:`marked_points`.
    beats : tuple of Beat
        The parts in which the step can be shown; a cursor fills them in by :meth:`Method.beats`.
        Empty if it is shown as one.
    """

    touched: tuple[int, ...]
    sentence: str
    why: str = field(default="", kw_only=True)
    marked: tuple[int, ...] = field(default=(), kw_only=True)
    beats: tuple[Beat, ...] = field(default=(), kw_only=True)

    def formulas(self) -> tuple[Formula, ...]:
        """Return the update of this step, in the order of its computation."""
        return ()


def marked_points(touched: tuple[int, ...], change: np.ndarray) -> tuple[int, ...]:
    """Return the touched points if they are few, else those that moved most.

    Marks on all points would hide the data. ``change`` is that of beta, shape (n,).
    """
    if len(touched) <= MAX_MARKED:
        return touched
    points = np.array(touched)
    size = np.abs(change[points])
    order = np.argsort(-size, kind="stable")[:MAX_MARKED]
    return tuple(points[order[size[order] > 0.0]].tolist())


class Method(Checked):
    """A method: settings only; everything that changes is in the state.

    Class attributes
    ----------------
    name, label, help, source : str
    about : str
        One or two paragraphs for the help of the window, separated by an empty line.
    latex : tuple of str
        Its problem and its step, in lines of LaTeX without dollar signs.
    tasks : tuple of str
        Tasks that it solves: "classification", "regression".
    biases : tuple of str
        Bias modes that it solves.
    dual_feasible : bool
        Whether every iterate is feasible for the dual.
    guarantees : tuple of str
        Keys of :data:`GUARANTEES`, which the contract test checks at every step.
    uses_penalty : bool
        Whether C plays a part.
    aim : str
        What a converged run has reached, in a few words. Empty if that is the optimum of the
        problem.
    maximizes_margin : bool
        Whether ``1 / ||w||`` of a converged run is the margin of a support vector machine.
    hard_margin : bool
        Whether it accepts an infinite C.
    finite_C : str
        The reason why it does not, as a clause for a sentence; otherwise empty.
    tol_measures : str
        What a setting ``tol`` bounds at the end of a run: "kkt", the KKT violation in units of f;
        "gap", the primal minus the dual, as a share of ``C n``; empty without such a setting.
    event_dtype : numpy dtype
        The type of the record of a step.
    moves_pairs : bool
        Whether a step moves two dual variables so that their sum constraint still holds.
    compares_errors : bool
        Whether it chooses variables by ``E = f - y`` among those that may rise or fall.
    records : bool
        Whether the record of each step is stored. Methods with steps of some tens of nanoseconds
        store none: their steps are taken again when one is shown.

    Every method has the setting ``max_steps``, made by :func:`solvers.settings.step_limit`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str]
    source: ClassVar[str]
    about: ClassVar[str] = ""
    latex: ClassVar[tuple[str, ...]] = ()
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    biases: ClassVar[tuple[str, ...]] = ("free",)
    dual_feasible: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]]
    uses_penalty: ClassVar[bool] = True
    aim: ClassVar[str] = ""
    maximizes_margin: ClassVar[bool] = True
    hard_margin: ClassVar[bool] = True
    finite_C: ClassVar[str] = ""
    tol_measures: ClassVar[str] = ""
    event_dtype: ClassVar[np.dtype]
    records: ClassVar[bool] = True
    moves_pairs: ClassVar[bool] = False
    compares_errors: ClassVar[bool] = False
    max_steps: int

    @property
    def kkt_tolerance(self) -> float | None:
        """Return the KKT violation at which a run stops, in units of f; None for another rule."""
        return vars(self)["tol"] if self.tol_measures == "kkt" else None

    def accept_task(self, task: str) -> None:
        """Raise :class:`BadInput` in words if this method is for another task."""
        if task not in self.tasks:
            raise BadInput(f"{self.label} is a method for {self.tasks[0]}, not for {task}.")

    def accept(self, problem: Problem) -> None:
        """Raise :class:`BadInput` in words if this method cannot solve this problem."""
        self.accept_task(problem.task)
        if problem.bias not in self.biases:
            can = " or ".join(self.biases)
            raise BadInput(
                f"{self.label} needs the bias to be {can}; here it is {problem.bias}"
                f" ({BIASES[problem.bias]})."
            )
        if math.isinf(problem.C) and not self.hard_margin:
            reason = f": {self.finite_C}" if self.finite_C else ""
            raise BadInput(f"{self.label} needs a finite C{reason}.")

    def segment_size(self, problem: Problem) -> int:
        """Return the number of steps between keyframes: a balance of replay time and memory.

        With 1,000 points, also in a regression, a million steps take less than 100 MB.
        """
        return max(512, min(problem.n_variables // 2, 1024), problem.n_variables // 4)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> Any:
        """Return the state before the first step; a guess of beta, shape (n,), is repaired."""
        raise NotImplementedError

    def workspace(self, problem: Problem, large_cache: bool) -> Any:
        """Allocate working memory, which is not part of the state.

        ``large_cache`` permits a cache of many kernel rows.
        """
        raise NotImplementedError

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        """Take up to ``len(marks)`` steps in place; return their number and a code.

        The code is 0 if the run continues, otherwise a stop code.
        """
        raise NotImplementedError

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        """Return the end of a run for a stop code."""
        raise NotImplementedError

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return ``(beta, b)`` of a state."""
        raise NotImplementedError

    def other_iterate(self, problem: Problem, state: Any) -> tuple[str, np.ndarray] | None:
        """Return the name and beta, shape (n,), of a second iterate, such as a mean, or None."""
        return None

    def certified_problem(self, problem: Problem, state: Any) -> Problem:
        """Return the problem that this method solves, for which certificates are computed.

        It differs from ``problem`` if the method does not use C. ``state`` is the first state.
        """
        return problem

    def is_correct(self, problem: Problem, decision: np.ndarray) -> np.ndarray:
        """Return which points are on the side of their class, from f(x_i); both of shape (n,)."""
        return problem.y * decision > 0.0

    def radius(self, problem: Problem) -> float:
        """Return the radius of a ball around 0 that contains w of the optimum, or infinity."""
        return math.inf

    def rounding(self, problem: Problem, state: Any) -> float:
        """Return a bound on the rounding error of ``f(x_i)``; used when a run has converged.

        It is ``4 eps (max |target| + max |k(x_i, x_i)| sum |beta|)``.
        """
        beta, _ = self.expand(problem, state)
        largest = float(np.abs(problem.dual_form.diagonal).max())
        return NOISE * (float(np.abs(problem.target).max()) + largest * float(np.abs(beta).sum()))

    def evaluations(self, state: Any) -> int:
        """Return the number of kernel evaluations so far; cached values count too."""
        raise NotImplementedError

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        """Return the :class:`Event` of the step between two states."""
        raise NotImplementedError

    def beats(self, problem: Problem, before: Any, after: Any, event: Any) -> tuple[Beat, ...]:
        """Return the parts of a step, from its event and the states before and after it.

        Empty if the step is shown as one. A line of :meth:`pseudo_code` that a beat lights must
        have been carried out.
        """
        return ()

    def pseudo_code(self) -> PseudoCode | None:
        """Return the algorithm for these settings as its source prints it, or None."""
        return None
