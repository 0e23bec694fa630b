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
# The *gain* of a partner is twice the predicted rise of the dual (see `gains`). A gain counts as
# equal to the largest gain if it is smaller by at most this fraction, because kernel values are
# rounded.
EQUAL_GAIN = 1e-9
# The rules by which Platt's choice and the random choice find a partner, and a clause for each.
DRAWN, FURTHEST, NEXT_FREE, NEXT_OF_ALL = "drawn", "furthest", "next-free", "next-of-all"
PARTNER_CLAUSES = {
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
    """Return two texts: the subject of a sentence on the step, and why the pair was taken.

    The subject names the pair. Platt's choice and the random choice find the two points one after
    the other. For these choices both texts are the same: they say how each point was chosen.

    ``pair`` contains two variables, ``choice`` is the setting ``pair`` of SMO. ``candidates`` are
    the variables among which the pair was chosen, or None for all.
    """
    if choice in ("platt", "random"):
        reason = _reason_of_platt_or_random(problem, before, after, pair, choice)
        return reason, reason
    i, j = pair
    if candidates is None:
        candidates = np.arange(problem.n_variables)
    rising = candidates[may_rise(problem, before.beta)[candidates]]
    falling = candidates[may_fall(problem, before.beta)[candidates]]
    reason_for_i = (
        f"{name_in_sentence(problem, i, 'Point')} has the smallest E of the"
        f" {variable_symbol(problem)} that may rise{tie_clause_of_E(problem, i, rising, before.F)}"
    )
    subject = f"Pair ({problem.point_of(i) + 1}, {problem.point_of(j) + 1})"
    partner = name_in_sentence(problem, j, "point")
    if choice == "second-order":
        gain = gains(problem, i, falling, before.F)
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        # If the move of the pair with the largest gain is so small that rounding cancels it, the
        # step moves the maximal violating pair instead.
        if j in falling[largest]:
            clause = tie_clause(problem, j, falling[largest], gain[largest])
            partner = f"{partner} has the largest predicted rise of the dual{clause}"
            return subject, f"{reason_for_i}; of those that may fall, {partner}"
    clause = tie_clause_of_E(problem, j, falling, before.F)
    return subject, f"{reason_for_i}; {partner} has the largest E of those that may fall{clause}"


def gains(problem: Problem, i: int, partners: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return the gain of each partner j in ``partners``, in the same order.

    The gain is ``(F_i - F_j)^2 / eta_ij``, twice the predicted rise of the dual; it is 0 if
    ``F_j > F_i``. TAU replaces an eta that is not above 0.
    """
    eta = curvatures(problem, i, partners)
    # For equal points eta is TAU; if their F differ much, the division overflows.
    with np.errstate(over="ignore"):
        return np.maximum(F[i] - F[partners], 0.0) ** 2 / np.where(eta > 0.0, eta, TAU)


def curvatures(problem: Problem, i: int, partners: np.ndarray) -> np.ndarray:
    """Return ``eta_ij = K_ii + K_jj - 2 K_ij`` of each partner j in ``partners``."""
    X, diagonal = problem.dual_form.X, problem.dual_form.diagonal
    K = problem.kernel(X[i : i + 1], X[partners])[0]
    return diagonal[i] + diagonal[partners] - 2.0 * K


def tie_clause_of_E(
    problem: Problem, k: int, among: np.ndarray, F: np.ndarray, negligible: float = 0.0
) -> str:
    """Return :func:`tie_clause` for the variables of ``among`` whose E is equal to E of k.

    Two E count as equal if they differ by at most ``negligible``, or by rounding error.
    """
    rounding = 4.0 * NOISE * (1.0 + np.abs(F[k]))
    tied = among[np.abs(F[among] - F[k]) <= max(rounding, negligible)]
    return tie_clause(problem, k, tied, F[tied])


def tie_clause(problem: Problem, k: int, tied: np.ndarray, values: np.ndarray) -> str:
    """Return a clause that names the variables tied with k and says what broke the tie.

    ``values`` contains, for each variable of ``tied``, the value by which they were compared. The
    clause is empty if no variable except k is tied.
    """
    others = tied[tied != k]
    if len(others) == 0:
        return ""
    rule = "rounding decides"
    if (values == values[0]).all():
        rule = "the lower number goes first" if k < others.min() else "the higher number goes first"
    names = [short_name(problem, other) for other in others[:MAX_NAMED].tolist()]
    more = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
    return f" (tied with {', '.join(names)}{more}; {rule})"


def variable_symbol(problem: Problem) -> str:
    """Return the symbol of the variables in sentences."""
    return "αy" if problem.task == "classification" else "signed α"


def short_name(problem: Problem, variable: int) -> str:
    """Return the number of a variable's point, such as ``3``; in a regression its full name."""
    point = f"{problem.point_of(variable) + 1}"
    return point if problem.n_variables == problem.n else problem.name_of(variable)


def name_in_sentence(problem: Problem, variable: int, noun: str) -> str:
    """Return the name of a variable in sentences, such as ``point 3`` for the noun ``point``.

    In a regression ``noun`` is not used: a point has two variables, alpha* and alpha, and the name
    says which of them is meant.
    """
    point = f"{noun} {problem.point_of(variable) + 1}"
    return point if problem.n_variables == problem.n else problem.name_of(variable)


@dataclass(frozen=True)
class SequentialChoice:
    """A pair chosen by Platt's rules or at random: first a violator, then its partner.

    Attributes
    ----------
    partner : int
        The variable of the partner, which Platt calls i1.
    violator : int
        The variable that violates its KKT condition, which Platt calls i2.
    violation : float
        By how much the violator violates its KKT condition, in units of f.
    partner_rule : str
        The rule that found the partner: DRAWN, FURTHEST, NEXT_FREE or NEXT_OF_ALL.
    distance : float
        ``|E_1 - E_2|``.
    """

    partner: int
    violator: int
    violation: float
    partner_rule: str
    distance: float

    @classmethod
    def of(
        cls, problem: Problem, before: Any, after: Any, pair: tuple[int, int], choice: str
    ) -> SequentialChoice:
        """Return the choice of a pair, from the states before and after its step."""
        dual_form, beta, F, b = problem.dual_form, before.beta, before.F, before.scalars["b"][0]
        # The sweep stopped at the violator; `sweep_position` is the variable after it.
        violator = int(after.scalars["sweep_position"][0]) - 1
        # In a regression a point has two variables, and the violator's other variable may have
        # moved in its place. So points are compared, and not variables.
        violator_is_j = problem.point_of(pair[1]) == problem.point_of(violator)
        partner = pair[0] if violator_is_j else pair[1]
        violation = float(violations(dual_form, beta, F, b)[violator])
        free = (beta > dual_form.lower) & (beta < dual_form.upper)
        others = free.copy()
        others[violator] = False
        distances = np.where(others, np.abs(F - F[violator]), -np.inf)
        rule = NEXT_FREE if free[partner] else NEXT_OF_ALL
        if others[partner] and partner == int(distances.argmax()):
            rule = FURTHEST
        if choice == "random":
            rule = DRAWN
        return cls(partner, violator, violation, rule, float(abs(F[partner] - F[violator])))


def _reason_of_platt_or_random(
    problem: Problem, before: Any, after: Any, pair: tuple[int, int], choice: str
) -> str:
    """Return a sentence part on how Platt's or the random choice found a pair."""
    chosen = SequentialChoice.of(problem, before, after, pair, choice)
    clause = PARTNER_CLAUSES[chosen.partner_rule].format(chosen.distance)
    return (
        f"Point {problem.point_of(chosen.violator) + 1} violates KKT by {chosen.violation:.2g}; "
        f"partner {problem.point_of(chosen.partner) + 1} {clause}"
    )
