"""Sequential minimal optimisation: the dual, two variables at a time.

Problem (in signed variables ``beta_i = y_i alpha_i``; classification and regression alike)::

    max  sum_i target_i beta_i - 1/2 beta' K beta
    s.t. lower <= beta <= upper,  sum_i beta_i = 0

With ``F_i = target_i - sum_j beta_j K_ij`` the bias would have to be at least ``F_i`` for every i
that can still grow (*up*: ``beta_i < upper_i``) and at most ``F_j`` for every j that can still
shrink (*low*: ``beta_j > lower_j``). A step takes a pair that contradicts this, ``F_i > F_j``, and
moves it as far as the parabola along ``beta_i + t, beta_j - t`` and the box allow.

Sources: Platt 1998 (the idea); Keerthi, Shevade, Bhattacharyya and Murthy 2001 (the maximal
violating pair and the stop); Fan, Chen and Lin 2005 (the second-order choice of j).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.certificate import feasible_start
from solvers.formulas import Formula, bracketed, number
from solvers.method import Event, Method, Reason, Stop
from solvers.pairs import (
    EVENT,
    INSEPARABLE,
    MAXIMAL_VIOLATION,
    OPTIMAL,
    SECOND_ORDER,
    STUCK,
    UNBOUNDED,
    State,
    Work,
    advance,
    curvature,
    extremes,
)
from solvers.problem import Problem
from solvers.rows import make_rows
from solvers.settings import setting

ENDS = {
    OPTIMAL: (Reason.CONVERGED, "Converged {taken}: no pair violates by more than {tol:g}."),
    STUCK: (
        Reason.STALLED,
        "Stopped {taken}: the worst pair violates by {violation:.2g} and moves by less than"
        " rounding, so the tolerance {tol:g} is out of reach.",
    ),
    UNBOUNDED: (
        Reason.STALLED,
        "Stopped {taken}: α grows without end, so with this kernel there is no hard margin that"
        " can be computed; choose a finite C.",
    ),
    INSEPARABLE: (
        Reason.NOT_SEPARABLE,
        "Stopped {taken}: two points with different labels coincide, so there is no hard margin;"
        " choose a finite C.",
    ),
}


@dataclass(frozen=True)
class PairMoved(Event):
    """One SMO step, seen in alpha.

    Attributes
    ----------
    i, j : int
        The pair of variables; i grew and j shrank in ``beta = side alpha``.
    old, new, unclipped : tuple of two floats
        ``(alpha_i, alpha_j)`` before, after, and where the parabola alone would have led.
    low, high : float
        The segment ``[L, H]`` that the box and the equality leave for ``alpha_j``.
    eta : float
        Curvature ``K_ii + K_jj - 2 K_ij``.
    violation : float
        ``m - M`` before the step: what the stopping rule looks at.
    rise : float
        How far the dual rose.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    unclipped: tuple[float, float]
    low: float
    high: float
    eta: float
    violation: float
    rise: float

    def formulas(self) -> tuple[Formula, ...]:
        """Platt's update of alpha_j, and what the equality makes of alpha_i."""
        i, j = self.i + 1, self.j + 1
        (old_i, old_j), (new_i, new_j) = self.old, self.new
        y_j = -1 if self.unclipped[1] > old_j else 1
        # F_i > F_j by the choice of the pair, and E = f - y = -F - b.
        errors = -self.eta * abs(self.unclipped[1] - old_j)
        together = (new_i - old_i) * (new_j - old_j) < 0
        return (
            Formula(
                r"\alpha_j^{\mathrm{new}} = \mathrm{clip}\left(\alpha_j + "
                r"\frac{y_j\,(E_i - E_j)}{\eta},\ L,\ H\right)",
                rf"\alpha_{{{j}}}^{{\mathrm{{new}}}} = \mathrm{{clip}}\left({number(old_j)} + "
                rf"\frac{{{y_j} \cdot {bracketed(errors)}}}{{{number(self.eta)}}},\ "
                rf"{number(self.low)},\ {number(self.high)}\right) = {number(new_j)}",
            ),
            Formula(
                r"\alpha_i^{\mathrm{new}} = \alpha_i + "
                r"y_i y_j\,(\alpha_j - \alpha_j^{\mathrm{new}})",
                rf"\alpha_{{{i}}}^{{\mathrm{{new}}}} = {number(old_i)} "
                rf"{'+' if together else '-'} "
                rf"\left({number(old_j)} - {number(new_j)}\right) = {number(new_i)}",
            ),
        )


@dataclass(frozen=True)
class SMO(Method):
    """Sequential minimal optimisation with a full-width choice of the pair."""

    name: ClassVar[str] = "smo"
    label: ClassVar[str] = "SMO"
    source: ClassVar[str] = "Platt 1998; Keerthi et al. 2001; Fan, Chen and Lin 2005"
    help: ClassVar[str] = (
        "Moves two dual variables at a time, so that Σ αᵢyᵢ = 0 always holds, "
        "until no pair violates optimality by more than the tolerance."
    )
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    guarantees: ClassVar[tuple[str, ...]] = ("box", "equality", "dual-rises", "converges")
    event_dtype: ClassVar[np.dtype] = EVENT
    moves_pairs: ClassVar[bool] = True

    pair: str = setting(
        "second-order",
        "Choice of the pair",
        "Second order: the partner that promises the largest rise of the dual. "
        "Maximal violation: the two points that contradict each other most.",
        scale="choice",
        choices=(
            ("second-order", "second order"),
            ("maximal-violation", "maximal violating pair"),
        ),
    )
    tol: float = setting(
        1e-3,
        "Tolerance",
        "Stop when the largest violation m − M falls below this, in units of f.",
        low=1e-8,
        high=1e-1,
        scale="log",
        hard_low=1e-12,
        hard_high=1.0,
    )
    max_steps: int = setting(
        2_000_000,
        "Step limit",
        "Stop after this many pairs, converged or not.",
        low=100,
        high=1e7,
        scale="integer",
        hard_low=1,
        hard_high=1e9,
    )

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Zeros, or the guess made feasible: clipped to the box, the equality restored."""
        beta, F = feasible_start(problem, guess)
        state = State(beta, F, np.zeros(3), np.zeros(2, dtype=np.int64))
        state.level[:2] = np.add(extremes(problem.form, state), 0.0)
        return state

    def workspace(self, problem: Problem, keep: bool) -> Work:
        rows = make_rows(problem.size, len(problem.form.ops), keep)
        return Work(rows, np.empty(problem.size))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        choice = SECOND_ORDER if self.pair == "second-order" else MAXIMAL_VIOLATION
        return advance(problem.form, choice, self.tol, state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        steps = int(state.count[0])
        m, M, _ = state.level
        reason, sentence = ENDS[code]
        taken = f"after {steps:,} step" if steps == 1 else f"after {steps:,} steps"
        return Stop(reason, sentence.format(taken=taken, tol=self.tol, violation=m - M))

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """b is the mean of F over the free variables, else the middle of what the rest allow."""
        form, beta, F = problem.form, state.beta, state.F
        free = (beta > form.lower) & (beta < form.upper)
        if free.any():
            return problem.fold(beta).copy(), float(F[free].mean())
        m = F[beta < form.upper].max(initial=-np.inf)
        M = F[beta > form.lower].min(initial=np.inf)
        return problem.fold(beta).copy(), float(0.5 * (m + M))

    def evaluations(self, state: Any) -> int:
        return int(state.count[1])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> PairMoved:
        i, j = int(record["i"]), int(record["j"])
        y, C, x = problem.side, problem.C, problem.form.X
        old_i, old_j = float(y[i] * before.beta[i]), float(y[j] * before.beta[j])
        new_i, new_j = float(y[i] * after.beta[i]), float(y[j] * after.beta[j])
        diagonal = problem.form.diagonal
        K_ij = float(problem.kernel(x[i : i + 1], x[j : j + 1])[0, 0])
        eta = float(curvature(diagonal[i], diagonal[j], K_ij))
        difference = float(before.F[i] - before.F[j])
        t, free = abs(new_i - old_i), difference / eta
        if y[i] == y[j]:
            low, high = max(0.0, old_i + old_j - C), min(C, old_i + old_j)
        else:
            low, high = max(0.0, old_j - old_i), min(C, C + old_j - old_i)
        rise = t * difference - 0.5 * t * t * eta
        return PairMoved(
            touched=tuple(dict.fromkeys((problem.point_of(i), problem.point_of(j)))),
            sentence=_sentence(problem, i, j, (old_i, old_j), (new_i, new_j), rise),
            i=i,
            j=j,
            old=(old_i, old_j),
            new=(new_i, new_j),
            unclipped=(old_i + float(y[i]) * free, old_j - float(y[j]) * free),
            low=low,
            high=high,
            eta=eta,
            violation=float(record["m"] - record["M"]),
            rise=rise,
        )


def _sentence(problem: Problem, i: int, j: int, old: Any, new: Any, rise: float) -> str:
    """One plain sentence: who moves, who stops where, and what it gains."""
    ends = []
    for variable, before, after in ((i, old[0], new[0]), (j, old[1], new[1])):
        if after == problem.C and before != problem.C:
            ends.append(f"{problem.name_of(variable)} stops at C")
        elif after == 0.0 and before != 0.0:
            ends.append(f"{problem.name_of(variable)} falls to 0")
    where = " and ".join(ends) if ends else "both are free"
    pair = f"({problem.point_of(i) + 1}, {problem.point_of(j) + 1})"
    return f"Pair {pair}: {where}; the dual rises by {rise:.2g}."
