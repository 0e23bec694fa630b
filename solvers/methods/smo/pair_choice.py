"""Sentences that explain why a step of SMO took its pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.methods.smo.steps import NOISE, TAU
from solvers.methods.smo.threshold import violations
from solvers.problem.movable import may_fall, may_rise
from solvers.problem.problem import Problem

# Maximum number of tied variables that a sentence names.
MAX_NAMED = 3
# A gain within this relative distance of the largest gain is tied with it, since kernel values are
# rounded.
EQUAL_GAIN = 1e-9
# The ways in which Platt's choice and the random choice find a partner, and a clause for each.
DRAWN, FURTHEST, NEXT_FREE, NEXT_OF_ALL = "drawn", "furthest", "next-free", "next-of-all"
WORDS = {
    DRAWN: "is drawn at random",
    FURTHEST: "has the largest |E₁ − E₂| of the free points, {:.2g}",
    NEXT_FREE: "is the next free point, from a random start",
    NEXT_OF_ALL: "is the next of all points, from a random start",
}


def reason_for(
    problem: Problem,
    before: Any,
    after: Any,
    pair: tuple[int, int],
    choice: str,
    candidates: np.ndarray | None,
) -> tuple[str, str]:
    """Return how a sentence names the pair, and the reason why the pair was taken.

    Platt's choice and the random choice find the two points one after the other. For these choices
    name and reason are the same text, which says how each point was chosen.

    ``pair`` contains two variables. ``candidates`` are the variables among which the pair was
    chosen, or None for all.
    """
    if choice in ("platt", "random"):
        reason = _reason_of_platt_or_random(problem, before, after, pair, choice)
        return reason, reason
    i, j = pair
    if candidates is None:
        candidates = np.arange(problem.n_variables)
    rising = candidates[may_rise(problem, before.beta)[candidates]]
    falling = candidates[may_fall(problem, before.beta)[candidates]]
    first = (
        f"{named(problem, i, 'Point')} has the smallest E of the {variables_word(problem)} that may"
        f" rise{ties_of(problem, i, rising, before.F)}"
    )
    subject = f"Pair ({problem.point_of(i) + 1}, {problem.point_of(j) + 1})"
    partner = named(problem, j, "point")
    if choice == "second-order":
        gain = gains(problem, i, falling, before.F)
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        # If the move of the pair with the largest gain is so small that rounding cancels it, the
        # step moves the maximal violating pair instead.
        if j in falling[largest]:
            ties = tied_with(problem, j, falling[largest], gain[largest])
            partner = f"{partner} has the largest predicted rise of the dual{ties}"
            return subject, f"{first}; of those that may fall, {partner}"
    ties = ties_of(problem, j, falling, before.F)
    return subject, f"{first}; {partner} has the largest E of those that may fall{ties}"


def gains(problem: Problem, i: int, others: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return ``(F_i - F_j)^2 / eta_ij`` for the partners j in ``others``.

    This is twice the predicted rise of the dual, or 0 if ``F_j > F_i``. The shape is that of
    ``others``.
    """
    X, diagonal = problem.dual_form.X, problem.dual_form.diagonal
    K = problem.kernel(X[i : i + 1], X[others])[0]
    eta = diagonal[i] + diagonal[others] - 2.0 * K
    # For equal points eta is TAU; if their F differ much, the division overflows.
    with np.errstate(over="ignore"):
        return np.maximum(F[i] - F[others], 0.0) ** 2 / np.where(eta > 0.0, eta, TAU)


def ties_of(
    problem: Problem, k: int, among: np.ndarray, F: np.ndarray, negligible: float = 0.0
) -> str:
    """Return a clause that names the variables of ``among`` whose E is equal to that of k.

    Differences of E that are rounding error, or at most ``negligible``, are ignored.
    """
    rounding = 4.0 * NOISE * (1.0 + np.abs(F[k]))
    tied = among[np.abs(F[among] - F[k]) <= max(rounding, negligible)]
    return tied_with(problem, k, tied, F[tied])


def tied_with(problem: Problem, k: int, tied: np.ndarray, values: np.ndarray) -> str:
    """Return a clause that names the variables tied with k and says what broke the tie.

    ``values`` has the compared value of each tied variable. Without other tied variables the clause
    is empty.
    """
    others = tied[tied != k]
    if len(others) == 0:
        return ""
    rule = "rounding decides"
    if (values == values[0]).all():
        rule = "the lower number goes first" if k < others.min() else "the higher number goes first"
    names = [number_of(problem, other) for other in others[:MAX_NAMED].tolist()]
    more = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
    return f" (tied with {', '.join(names)}{more}; {rule})"


def variables_word(problem: Problem) -> str:
    """Return the symbol of the variables in sentences."""
    return "αy" if problem.task == "classification" else "signed α"


def number_of(problem: Problem, variable: int) -> str:
    """Return the number of a variable's point; in a regression the name of the variable."""
    point = f"{problem.point_of(variable) + 1}"
    return point if problem.n_variables == problem.n else problem.name_of(variable)


def named(problem: Problem, variable: int, noun: str) -> str:
    """Return the name of a variable in sentences.

    In a classification it is ``noun`` and the number of the point. A point of a regression has two
    variables, alpha* and alpha, so there the name says which of them it is.
    """
    point = f"{noun} {problem.point_of(variable) + 1}"
    return point if problem.n_variables == problem.n else problem.name_of(variable)


@dataclass(frozen=True)
class SequentialChoice:
    """How Platt's choice or the random choice chosen a pair: first a violator, then its partner.

    The names are those of Platt, who calls the violator i2, and its partner i1.

    Attributes
    ----------
    first : int
        The variable of the partner.
    second : int
        The variable that violates its KKT condition.
    violation : float
        By how much ``second`` violates its KKT condition, in units of f.
    how : str
        How the partner was chosen: DRAWN, FURTHEST, NEXT_FREE or NEXT_OF_ALL.
    distance : float
        ``|E_1 - E_2|``.
    """

    first: int
    second: int
    violation: float
    how: str
    distance: float

    @classmethod
    def of(
        cls, problem: Problem, before: Any, after: Any, pair: tuple[int, int], choice: str
    ) -> SequentialChoice:
        """Return the choice of a pair, from the states before and after its step."""
        dual_form, beta, F, b = problem.dual_form, before.beta, before.F, before.scalars["b"][0]
        second = int(after.scalars["sweep_position"][0]) - 1
        # A point of a regression has two variables. The variable that moved may belong to the point
        # that violates, and yet not be the variable that violates. So points are compared.
        first = pair[0] if problem.point_of(pair[1]) == problem.point_of(second) else pair[1]
        violation = float(violations(dual_form, beta, F, b)[second])
        free = (beta > dual_form.lower) & (beta < dual_form.upper)
        others = free.copy()
        others[second] = False
        distances = np.where(others, np.abs(F - F[second]), -np.inf)
        how = NEXT_FREE if free[first] else NEXT_OF_ALL
        if others[first] and first == int(distances.argmax()):
            how = FURTHEST
        if choice == "random":
            how = DRAWN
        return cls(first, second, violation, how, float(abs(F[first] - F[second])))


def _reason_of_platt_or_random(
    problem: Problem, before: Any, after: Any, pair: tuple[int, int], choice: str
) -> str:
    """Return how Platt's choice or the random choice chosen the violator and its partner."""
    chosen = SequentialChoice.of(problem, before, after, pair, choice)
    reason = WORDS[chosen.how].format(chosen.distance)
    return (
        f"Point {problem.point_of(chosen.second) + 1} violates KKT by {chosen.violation:.2g}; "
        f"partner {problem.point_of(chosen.first) + 1} {reason}"
    )
