"""The events of the working-set method: choices of a set, pairs, Newton steps, and tests.

``F = target - K beta``. m is the largest F of the variables that can grow, M is the smallest F of
the variables that can shrink.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from solvers.methods.smo.events import PairMoved, bounds_reached, describe_pair
from solvers.methods.working_set.newton import RIDGE
from solvers.methods.working_set.state import CHOICE, NEWTON, PAIR
from solvers.problem.problem import Problem
from solvers.run.formulas import (
    Formula,
    adding_up,
    alpha,
    assignment,
    in_brackets,
    number,
    point_set,
)
from solvers.run.method import OldEvent

# The full Newton step solves the equations of newton.py. The step that was taken is s times the
# full step, with s at most 1. s is not recorded; to find it, the full step is computed again. s is
# shown only if each entry of the step that was taken differs from s times the full step by at most
# this fraction of the largest entry of the step that was taken.
MAX_DEVIATION = 1e-3
# ``m - M`` is shown as 0 if it is at most this fraction of the largest of ``|m|``, ``|M|`` and 1.
NEGLIGIBLE_F = 1e-10
# Maximum number of variables that the formula of a Newton step names.
MAX_NAMED = 3
# The members of the set as LaTeX, for each choice of the set.
CHOICES = {
    "fast": r"\text{worst pair, random violators, free points}",
    "worst": r"\text{worst from above, worst from below}",
    "osuna": r"\text{last set without } \alpha = 0 \text{, all violators}",
}


@dataclass(frozen=True)
class SetChosen(OldEvent):
    """The choice of a set at the beginning of a round.

    Attributes
    ----------
    round : int
        Number of the round, from 1.
    size, n_repeated : int
        Number of points in the set, and how many of them were also in the previous set.
    violation, m, M : float
        ``m - M``, m and M over all points.
    choice : str
        The members of the set, as LaTeX.
    """

    round: int
    size: int
    n_repeated: int
    violation: float
    m: float
    M: float
    choice: str

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the set, and the violation over all points."""
        chosen = Formula(
            rf"B = {self.choice}",
            rf"B = {point_set(self.touched)}, \quad |B| = {self.size}",
        )
        return chosen, violation_formula(self.m, self.M)


@dataclass(frozen=True)
class FreeMoved(OldEvent):
    """A Newton step: all free variables of the set moved at once, or many of them if very many are.

    Attributes
    ----------
    round, size : int
        Number of the round, from 1, and number of points in the set.
    n_free : int
        Number of free points in the set, moved or not.
    old, new : tuple of float
        alpha of the moved variables, before and after the step; the largest changes come first.
    names : tuple of str
        The LaTeX names of the first few moved variables, in the order of ``old``.
    limiting : int or None
        The variable whose alpha reached 0 or C and ended the step.
    fraction : float or None
        s, the fraction of the full step that fits into the box; 1 if no bound was reached. None if
        s is unknown because of rounding errors, which can happen for a kernel with few features.
    violation : float
        ``m - M`` over the set, before the step.
    rise : float
        By how much the dual rose.
    """

    round: int
    size: int
    n_free: int
    old: tuple[float, ...]
    new: tuple[float, ...]
    names: tuple[str, ...]
    limiting: int | None
    fraction: float | None
    violation: float
    rise: float

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the equations that the free variables solve, and some of their new values."""
        changes = [
            assignment(name, old, new)
            for name, old, new in zip(self.names, self.old, self.new, strict=False)
        ]
        if len(self.old) > len(self.names):
            changes.append(r"\dots")
        return (
            Formula(
                r"K_{SS}\,\Delta + b\,\mathbf{1} = F_S, \quad \mathbf{1}^\top \Delta = 0",
                rf"S = {point_set(self.touched)}, \quad "
                + ("s < 1" if self.fraction is None else f"s = {number(self.fraction)}"),
            ),
            Formula(
                r"\beta_S \leftarrow \beta_S + s\,\Delta, \quad s \leq 1 \ "
                r"\text{ as far as the box allows}",
                r", \quad ".join(changes),
            ),
        )


@dataclass(frozen=True)
class RestTested(OldEvent):
    """The test of all points at the end of a round.

    Attributes
    ----------
    round, size : int
        Number of the round, from 1, and number of points in the set.
    n_changed : int
        Number of alphas that the round changed.
    violation, m, M : float
        ``m - M``, m and M over all points.
    """

    round: int
    size: int
    n_changed: int
    violation: float
    m: float
    M: float

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the violation over all points."""
        return (violation_formula(self.m, self.M),)


def shown_violation(m: float, M: float) -> float:
    """Return ``m - M``, or 0 if this is only rounding error of F."""
    violation = m - M
    return 0.0 if abs(violation) <= NEGLIGIBLE_F * max(1.0, abs(m), abs(M)) else violation


def violation_formula(m: float, M: float) -> Formula:
    """Return the formula for ``m - M``, which the stopping rule compares with the tolerance."""
    terms, result = adding_up((m, M), shown_violation(m, M), lambda a, b: a - b)
    return Formula(
        r"\max_{i \in I_{\mathrm{up}}} F_i - \min_{j \in I_{\mathrm{low}}} F_j",
        rf"{terms[0]} - {in_brackets(terms[1])} = {result}",
    )


def describe(
    problem: Problem,
    before: Any,
    after: Any,
    record: Any,
    choice: str,
    biases: tuple[float, float],
) -> OldEvent:
    """Return the event of the step between two states; ``biases`` are b before and after it."""
    kind = int(record["kind"])
    if kind == CHOICE:
        return _set_chosen(problem, before, after, record, choice)
    if kind == PAIR:
        return _pair_moved(problem, before, after, record, biases)
    if kind == NEWTON:
        return _free_moved(problem, before, after, record)
    return _rest_tested(problem, before, after, record)


def _set_chosen(problem: Problem, before: Any, after: Any, record: Any, choice: str) -> SetChosen:
    number, size = int(after.round["number"][0]), int(after.round["size"][0])
    points = after.points[:size]
    n_repeated = len(np.intersect1d(points, before.points[: before.round["size"][0]]))
    violation = float(record["m"] - record["M"])
    again = f", {n_repeated} of them again" if n_repeated else ""
    return SetChosen(
        touched=_points_of(problem, points),
        sentence=f"Round {number}: {_counted_points(size)} chosen{again}; over all points the worst"
        f" pair violates by {violation:.2g}.",
        round=number,
        size=size,
        n_repeated=n_repeated,
        violation=violation,
        m=float(record["m"]),
        M=float(record["M"]),
        choice=CHOICES[choice],
    )


def _pair_moved(
    problem: Problem, before: Any, after: Any, record: Any, biases: tuple[float, float]
) -> PairMoved:
    """Return the event of SMO for a pair of the set."""
    old, new, members = states_of_pair(problem, before, after)
    event = describe_pair(problem, old, new, record, "second-order", biases, members)
    sentence = f"Round {after.round['number'][0]}, p{event.sentence[1:]}"
    return replace(event, sentence=sentence)


def states_of_pair(problem: Problem, before: Any, after: Any) -> tuple[Any, Any, np.ndarray]:
    """Return what SMO needs to describe a pair step: a state before it, one after it, and the set.

    The two states have only those fields of SMO's states that the description reads. F is up to
    date for the set only, and beta after the step is 0 outside the set.
    """
    size = int(before.round["size"][0])
    members = before.points[:size]
    F = before.F.copy()
    F[members] = before.local_F[:size]
    # b is computed from the free variables of the set, so other variables must not count as free.
    beta = np.zeros(problem.n_variables)
    beta[members] = after.beta[members]
    new = SimpleNamespace(beta=beta, scalars=after.scalars)
    return SimpleNamespace(beta=before.beta, F=F), new, members


def _free_moved(problem: Problem, before: Any, after: Any, record: Any) -> FreeMoved:
    number, size = int(after.round["number"][0]), int(after.round["size"][0])
    lower, upper = problem.dual_form.lower, problem.dual_form.upper
    points = before.points[:size]
    beta = before.local_beta[:size]
    free = touched = points[(beta > lower[points]) & (beta < upper[points])]
    if len(free) > record["i"]:
        # More variables were free than one step can move, so it moved some of them.
        touched = free[before.beta[free] != after.beta[free]]
    count = f"{len(free)}" if len(touched) == len(free) else f"{len(touched)} of {len(free)}"
    changes = np.abs(after.beta - before.beta)[touched]
    touched = touched[np.argsort(-changes, kind="stable")]
    old = tuple((problem.sign * before.beta)[touched].tolist())
    new = tuple((problem.sign * after.beta)[touched].tolist())
    bounds = bounds_reached(problem, touched.tolist(), old, new)
    at_bound = [i for i, a in zip(touched.tolist(), new, strict=True) if a in (0.0, problem.C)]
    rise = _rise(before, after)
    end = f"cut short where {bounds[0]}" if bounds else "to their joint optimum"
    return FreeMoved(
        n_free=len(_points_of(problem, free)),
        touched=_points_of(problem, touched),
        sentence=f"Round {number}, Newton step on {count} free points: {end};"
        f" the dual rises by {rise:.2g}.",
        round=number,
        size=size,
        old=old,
        new=new,
        names=tuple(alpha(problem, variable) for variable in touched[:MAX_NAMED].tolist()),
        limiting=at_bound[0] if at_bound else None,
        fraction=_fraction_taken(problem, before, after, touched) if at_bound else 1.0,
        violation=float(record["m"] - record["M"]),
        rise=rise,
    )


def _rest_tested(problem: Problem, before: Any, after: Any, record: Any) -> RestTested:
    number, size = int(after.round["number"][0]), int(after.round["size"][0])
    changed = int(np.count_nonzero(before.local_beta[:size] != before.old_beta[:size]))
    violation = float(record["m"] - record["M"])
    dual_form, beta, F = problem.dual_form, after.beta, after.F
    up = np.flatnonzero((beta < dual_form.upper) & (record["m"] == F))
    low = np.flatnonzero((beta > dual_form.lower) & (record["M"] == F))
    result = (
        f"over all points the worst pair violates by {violation:.2g}"
        if violation > 0
        else "no pair violates"
    )
    return RestTested(
        touched=_points_of(problem, [*up[:1], *low[:1]]),
        sentence=f"Round {number} ends: α of {_counted_points(changed)} changed; {result}.",
        round=number,
        size=size,
        n_changed=changed,
        violation=violation,
        m=float(record["m"]),
        M=float(record["M"]),
    )


def _rise(before: Any, after: Any) -> float:
    """Return by how much the dual rose: ``delta' (F_before + F_after) / 2`` over the set."""
    size = int(after.round["size"][0])
    delta = after.local_beta[:size] - before.local_beta[:size]
    return float(0.5 * delta @ (before.local_F[:size] + after.local_F[:size]))


def _fraction_taken(problem: Problem, before: Any, after: Any, free: np.ndarray) -> float | None:
    """Return s of :class:`FreeMoved`: the fraction of the full step that was taken, or None."""
    K = problem.kernel(*2 * (problem.X[[problem.point_of(int(k)) for k in free]],))
    K[np.diag_indices_from(K)] *= 1.0 + RIDGE
    F = before.F.copy()
    size = int(before.round["size"][0])
    F[before.points[:size]] = before.local_F[:size]
    ones = np.ones(len(free))
    try:
        u, v = np.linalg.solve(K, np.column_stack((F[free] - F[free].mean(), ones))).T
    except np.linalg.LinAlgError:
        return None
    full_step, step = u - u.sum() / v.sum() * v, (after.beta - before.beta)[free]
    fraction = float(full_step @ step / (full_step @ full_step))
    deviation = float(np.abs(step - fraction * full_step).max())
    is_multiple = deviation <= MAX_DEVIATION * np.abs(step).max()
    return fraction if 0.0 < fraction <= 1.0 and is_multiple else None


def _points_of(problem: Problem, variables: Any) -> tuple[int, ...]:
    """Return the points of some variables, each once."""
    return tuple(dict.fromkeys(problem.point_of(int(variable)) for variable in variables))


def _counted_points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
