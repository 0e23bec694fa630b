"""The words of a step of the working-set method, its pseudo-code, and the values of its sentences.

A step is a choice, a pair, a Newton step, or a test. ``F = target - K beta``. m is the largest F of
the variables that may rise, M is the smallest F of the variables that may fall.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from solvers.methods.smo.choice_values import pair_candidates
from solvers.methods.smo.steps import MOVED
from solvers.methods.smo.values import bounds_reached, pair_values
from solvers.methods.smo.words import (
    PAIR_STEP,
    code_for_task,
    compared_group,
    points_of,
    variable_noun,
)
from solvers.methods.working_set.newton import RIDGE
from solvers.methods.working_set.state import CHOICE, NEWTON, PAIR
from solvers.problem.kkt import is_free, may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.beats import ComparedPoints, PseudoCode, short
from solvers.run.event import Event
from solvers.run.formulas import alpha, variable_set
from solvers.run.method import counted
from solvers.run.templates import step_template

CODE = """
                | repeat, with E = f − y, F = b − E
    worst       |   if violation < tol over all: stop
    fast        |   B ← worst, free, random violators
    worst-first |   B ← the worst from both sides
    osuna       |   B ← those of B with α > 0, violators
                |   until B is nearly solved:
    rise        |     i ← αy may rise, smallest E
    fall        |     m ← αy may fall, largest E
    partner     |     j ← largest (Eⱼ − Eᵢ)² / (2η)
    move        |     αⱼ ← clip(αⱼ + yⱼ(Eᵢ − Eⱼ)/η)
    other       |     αᵢ ← αᵢ + yᵢyⱼ (old αⱼ − αⱼ)
    newton      |     or free S: KΔ + b = F on S
    scaled      |     α ← α + t y Δ on S, t ≤ 1
    rest        |   F ← F − KΔβ at all points
    """
# For each choice of the set, the label of its line in the pseudo-code.
CHOICE_LINES = {"fast": "fast", "worst": "worst-first", "osuna": "osuna"}
# The members of the first set and of later sets as LaTeX, for each choice. A set has at most as
# many members as the setting allows.
MEMBERS = {
    "fast": (
        r"\text{worst pair, random violators}",
        r"\text{worst pair, free ones of the last } B \text{, random violators}",
    ),
    "worst": (r"\text{worst violators: one half to rise, one half to fall}",) * 2,
    "osuna": (
        r"\text{worst pair, evenly spaced others}",
        r"\text{those of the last } B \text{ with } \alpha > 0 \text{, violators}",
    ),
}
ALL_MEMBERS = r"\text{all, since all fit}"
# The full Newton step solves the equations of newton.py. The step that was taken is s times the
# full step, with s at most 1. s is not recorded; to find it, the full step is computed again. s is
# shown only if each entry of the step that was taken differs from s times the full step by at most
# this fraction of the largest entry of the step that was taken.
MAX_DEVIATION = 1e-3
# ``m - M`` is shown as 0 if it is at most this fraction of the largest of ``|m|``, ``|M|`` and 1.
NEGLIGIBLE_F = 1e-10
# If there are more variables than this, no question asks to count the free ones.
MAX_COUNTED = 40


@functools.cache
def code_of(choice: str, task: str) -> PseudoCode:
    """Return the pseudo-code for a choice of the set."""
    unused = (line for name, line in CHOICE_LINES.items() if name != choice)
    return code_for_task("Osuna et al. 1997; Joachims 1999", CODE, task).without(*unused)


# The stopping rule compares m - M over all points with the tolerance.
VIOLATION = r"""
    formula: \max_{i \in I_{\mathrm{up}}} F_i - \min_{j \in I_{\mathrm{low}}} F_j
        => $m - ${M:()} = $shown_violation
    """
SUMS = {"shown_violation": lambda m, M: m - M}
SET_CHOSEN = step_template(
    r"""
    Round $round: $n_chosen chosen[[, $n_repeated of them again]]; over all $noun the worst pair
    violates by ${violation:.2g}.

    # Violation
    Round $round: over all $noun the violation is $violation, which is above the tolerance, so the
    run continues.
    points: no_points
    compared: both_sides
    line worst: $violation ≥ tol
    asks point pair_choice: Of all points, which two violate optimality most: the one with the
    smallest E that may rise, and the one with the largest E that may fall? Click both.
    """
    + VIOLATION
    + r"""

    # Choose
    $n_chosen ${size:forms|form} the set B[[, $n_repeated of them again]]; $others.
    compared: both_sides
    line fast: |B| = $size
    line worst-first: |B| = $size
    line osuna: |B| = $size
    formula: B = $members => B = $set, \quad |B| = $size
    """,
    kind="set",
    sums=SUMS,
)
FREE_MOVED = step_template(
    r"""
    Round $round, Newton step on $n_moved[[ of $n_all]] free $noun: $end; the lower bound D rises
    by ${rise:.2g}.

    # The free $noun
    $n_free of B ${count_free:is|are} free, 0 < α < C: [[$some_moved of them move in this step, and
    ]]the best joint step of their α solves a system of linear equations.
    compared: errors_before
    asks number |S|=free_asked: The set B is all of the $size_of_all. How many of their α are free,
    0 < α < C?
    missed: A free one is neither 0 nor C.

    # Solve
    After the step Δ of their $signed, F of all $n_moved would equal b: this is their joint optimum.
    compared: errors_before
    line newton: |S| = $n_moved
    formula: K_{SS}\,\Delta + b\,\mathbf{1} = F_S, \quad \mathbf{1}^\top \Delta = 0
        => S = $set, \quad t = $fraction || S = $set, \quad t < 1

    # As far as the box allows
    The step goes $extent; the dual objective D, a lower bound of P, rises by $rise.
    compared: errors
    line scaled: ${is_full:t = 1|t < 1}
    asks case is_full: The joint step to their optimum is computed. Does it fit into the box as a
    whole? yes, t = 1 | no, t < 1
    missed: It goes $extent.
    formula for moved when is_part: $letters \leftarrow $letters + t\, $sign_k \Delta_k, \quad
        t \leq 1 \ \text{ as far as the box allows} => $name \leftarrow $old
        + $t \cdot ${direction:()} = $new
    formula for moved when is_whole: $letters \leftarrow $letters + t\, $sign_k \Delta_k, \quad
        t \leq 1 \ \text{ as far as the box allows} => $name \leftarrow $old ${direction:+} = $new
    """,
    kind="newton",
    sums={"new": lambda old, t, direction: old + t * direction},
)
REST_TESTED = step_template(
    r"""
    Round $round ends: $n_changed α changed; over all $noun the worst pair violates by
    ${positive_violation:.2g}. || Round $round ends: $n_changed α changed; no pair
    violates.

    # The rest
    Round $round has changed $n_changed α, $outside.
    line rest: $n_changed Δβ

    # Test
    Over all $noun the violation is $violation_or_0: if this is below the tolerance, the run ends;
    otherwise a new set is chosen.
    compared: both_sides
    line worst: $shown_violation
    asks case ends: Does the run end now, or is another set chosen? it ends | another set
    missed: It ends if no pair violates optimality by more than the tolerance, and over all points
    the violation is $violation_or_0.
    """
    + VIOLATION,
    kind="test",
    sums=SUMS,
)


def describe(
    problem: Problem,
    before: Any,
    after: Any,
    record: Any,
    choice: str,
    biases: tuple[float, float],
    code: PseudoCode,
) -> Event:
    """Return the event of the step between two states; ``biases`` are b before and after it."""
    kind, round_number = int(record["kind"]), int(after.round["number"][0])
    if kind == PAIR:
        old, new, members = states_of_pair(problem, before, after)
        values = pair_values(problem, old, new, record, "second-order", biases, members, "B")
        values["subject"] = f"Round {round_number}, p{values['subject'][1:]}"
        return PAIR_STEP.fill(values, values["pair_points"], code)
    m, M = float(record["m"]), float(record["M"])
    violation = m - M
    negligible = NEGLIGIBLE_F * max(1.0, abs(m), abs(M))
    common = {
        "round": round_number,
        "size": int(after.round["size"][0]),
        "noun": f"{variable_noun(problem)}s",
        "m": m,
        "M": M,
        "violation": violation,
        # A violation that is only rounding error of F is shown as 0.
        "shown_violation": 0.0 if abs(violation) <= negligible else violation,
    }
    if kind == CHOICE:
        values = common | _set_values(problem, before, after, common, choice)
        return SET_CHOSEN.fill(values, values["set_points"], code)
    if kind == NEWTON:
        values = common | _newton_values(problem, before, after, record)
        return FREE_MOVED.fill(values, values["moved_points"], code)
    values = common | _test_values(problem, before, after, common)
    return REST_TESTED.fill(values, values["worst_pair"], code)


def _set_values(
    problem: Problem, before: Any, after: Any, common: dict[str, Any], choice: str
) -> dict[str, Any]:
    """Return the values of the choice of a set at the beginning of a round."""
    size = common["size"]
    chosen = after.points[:size]
    n_repeated = len(np.intersect1d(chosen, before.points[: before.round["size"][0]]))
    points = points_of(problem, chosen)
    has_all, is_later = size == problem.n_variables, common["round"] > 1
    return {
        "n_chosen": counted(size, variable_noun(problem)),
        "n_repeated": n_repeated or None,
        "others": f"these are all {common['noun']}" if has_all else "all other α stay as they are",
        "set_points": points,
        "no_points": [],
        "members": ALL_MEMBERS if has_all else MEMBERS[choice][is_later],
        "set": variable_set(problem, chosen.tolist()),
        "both_sides": _both_sides(problem, before, common["m"], common["M"]),
        **_worst_pair(problem, before),
    }


def _worst_pair(problem: Problem, state: Any) -> dict[str, Any]:
    """Return the candidates for the two variables that violate optimality most."""
    among = tuple(
        np.flatnonzero(is_movable(problem, state.beta)) for is_movable in (may_rise, may_fall)
    )
    pair = int(among[0][state.F[among[0]].argmax()]), int(among[1][state.F[among[1]].argmin()])
    middle = 0.5 * float(state.F[pair[0]] + state.F[pair[1]])
    return pair_candidates(problem, pair, (among[0], among[1]), middle - state.F)


def states_of_pair(problem: Problem, before: Any, after: Any) -> tuple[Any, Any, np.ndarray]:
    """Return what SMO needs to describe a pair step: a state before it, one after it, and the set.

    The two states have only those fields of SMO's states that the description reads. F is up to
    date for the set only. Outside the set, beta after the step is 0, and F is not a number.
    """
    size = int(before.round["size"][0])
    members = before.points[:size]
    F, new_F = before.F.copy(), np.full(problem.n_variables, np.nan)
    F[members], new_F[members] = before.local_F[:size], after.local_F[:size]
    # b is computed from the free variables of the set, so other variables must not count as free.
    beta = np.zeros(problem.n_variables)
    beta[members] = after.beta[members]
    new = SimpleNamespace(beta=beta, F=new_F, scalars=after.scalars)
    return SimpleNamespace(beta=before.beta, F=F), new, members


def _newton_values(problem: Problem, before: Any, after: Any, record: Any) -> dict[str, Any]:
    """Return the values of a Newton step.

    All free variables of the set move at once; if there are very many, only some of them move.
    ``moved`` has those that moved, the largest changes first. ``fraction`` is the fraction s of the
    full step that fits into the box. It is 1 if no bound was reached. It is None if s is unknown
    because of rounding errors, which can happen for a kernel with few features.
    """
    size, noun = int(after.round["size"][0]), variable_noun(problem)
    points = before.points[:size]
    free = moved = points[is_free(problem, before.beta)[points]]
    if len(free) > record["i"]:
        # More variables were free than one step can move, so it moved some of them.
        moved = free[before.beta[free] != after.beta[free]]
    changes = np.abs(after.beta - before.beta)[moved]
    moved = moved[np.argsort(-changes, kind="stable")]
    old, new = ((problem.sign * state.beta)[moved].tolist() for state in (before, after))
    bounds = bounds_reached(problem, moved.tolist(), old, new)
    ends = problem.bounds
    at_bound = [k for k, a in zip(moved.tolist(), new, strict=True) if a in (0.0, ends[k])]
    fraction = _fraction_taken(problem, before, after, moved) if at_bound else 1.0
    t = 1.0 if fraction is None else fraction  # formulas then show the whole change
    extent = "the whole way"
    if at_bound:
        extent = f"until {problem.name_of(at_bound[0])} is at a bound"
        extent = extent if fraction is None else f"{short(fraction)} of the way, {extent}"
    has_some, moved_points = len(moved) < len(free), points_of(problem, moved)
    errors = _errors_of_moved(problem, before, after)
    return {
        "n_free": counted(len(free), noun),
        "count_free": len(free),
        "free_asked": len(free) if size == problem.n_variables and size <= MAX_COUNTED else None,
        "size_of_all": counted(size, noun),
        "n_moved": len(moved),
        "n_all": len(free) if has_some else None,
        "some_moved": len(moved) if has_some else None,
        "moved_points": moved_points,
        "signed": "αy" if problem.task == "classification" else "sα",
        "letters": r"\alpha_k" if problem.task == "classification" else r"\alpha_k^{(*)}",
        "sign_k": "y_k" if problem.task == "classification" else "s_k",
        "moved": [
            {"name": alpha(problem, k), "old": a, "new": z, "direction": (z - a) / t}
            for k, a, z in zip(moved.tolist(), old, new, strict=True)
        ],
        "end": f"cut short where {bounds[0]}" if bounds else "to their joint optimum",
        "limiting": at_bound[0] if at_bound else None,
        "fraction": fraction,
        "t": t,
        "is_part": t < 1.0,
        "is_whole": t == 1.0,
        "is_full": not at_bound,
        "extent": extent,
        "set": variable_set(problem, moved.tolist()),
        "rise": _rise(before, after),
        "errors": errors,
        "errors_before": errors[:1],
    }


def _test_values(
    problem: Problem, before: Any, after: Any, common: dict[str, Any]
) -> dict[str, Any]:
    """Return the values of the test of all points at the end of a round."""
    size = common["size"]
    changed = int(np.count_nonzero(before.local_beta[:size] != before.old_beta[:size]))
    groups = _both_sides(problem, after, common["m"], common["M"])
    worst = [x.points[x.selected] for x in groups if x.selected is not None]
    return {
        "n_changed": changed,
        "outside": f"so F of all {common['noun']} outside B is updated"
        if size < problem.n_variables
        else f"and no {variable_noun(problem)} is outside B",
        "positive_violation": max(common["shown_violation"], 0.0) or None,
        "violation_or_0": max(common["shown_violation"], 0.0),
        "worst_pair": list(dict.fromkeys(worst)),
        "ends": int(after.scalars["stop_code"][0]) != MOVED,
        "both_sides": groups,
    }


def _both_sides(problem: Problem, state: Any, m: float, M: float) -> list[ComparedPoints]:
    """Return two groups: the variables that may rise, and those that may fall.

    In each group, the selected variable is the one of the maximal violating pair.
    """
    rising = np.flatnonzero(may_rise(problem, state.beta))
    falling = np.flatnonzero(may_fall(problem, state.beta))
    groups = []
    for name, variables, extreme in (("may rise", rising, m), ("may fall", falling, M)):
        F = state.F[variables]
        selected = int(variables[extreme == F][0]) if (extreme == F).any() else None
        groups.append(compared_group(problem, name, variables, 0.5 * (m + M) - F, selected))
    return groups


def _errors_of_moved(problem: Problem, before: Any, after: Any) -> list[ComparedPoints]:
    """Return two groups: the moved points with their errors before, and after, a Newton step.

    All errors are ``E = b - F``, with the same b: the mean of F of the moved points after the step.
    """
    size = int(before.round["size"][0])
    moved = before.local_beta[:size] != after.local_beta[:size]
    if not moved.any():
        return []
    b = float(after.local_F[:size][moved].mean())
    return [
        compared_group(problem, name, before.points[:size][moved], b - state.local_F[:size][moved])
        for name, state in (("before", before), ("after", after))
    ]


def _rise(before: Any, after: Any) -> float:
    """Return by how much the dual rose: ``delta' (F_before + F_after) / 2`` over the set."""
    size = int(after.round["size"][0])
    delta = after.local_beta[:size] - before.local_beta[:size]
    return float(0.5 * delta @ (before.local_F[:size] + after.local_F[:size]))


def _fraction_taken(problem: Problem, before: Any, after: Any, free: np.ndarray) -> float | None:
    """Return s of :func:`_newton_values`: the fraction of the full step that was taken, or None."""
    points = problem.centered[[problem.point_of(int(k)) for k in free]]
    K = problem.used_kernel(points, points)
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
