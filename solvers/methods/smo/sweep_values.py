"""Named values of Platt's or the random choice of a pair, from the states around its step.

The sweep stops at a variable that violates its KKT condition, and finds a partner for it. j is the
violator, and i is its partner. In a regression each of the two may be replaced by its *twin*, the
other variable of the same point (:func:`solvers.methods.smo.choice.twin_that_moves`). i and j
are then the variables that moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from solvers.methods.smo.choice import FREE_POINTS, violations
from solvers.methods.smo.words import (
    compared_group,
    labelled,
    notes_of,
    point_name,
    points_of,
    points_of_each,
    short_name,
)
from solvers.problem.kkt import is_free
from solvers.problem.problem import Problem
from solvers.run.beats import candidates, short
from solvers.run.fields import Index
from solvers.run.formulas import without_rounding

# The rules by which a partner is found. For each of them a clause of the step's sentence, and one
# of its beat.
DRAWN, FURTHEST, NEXT_FREE, NEXT_OF_ALL = "drawn", "furthest", "next-free", "next-of-all"
PARTNER_CLAUSES = {
    DRAWN: ("is {its_point}drawn at random", "is {its_point}drawn at random among all others"),
    FURTHEST: (
        "has the largest |Eᵢ − Eⱼ| of the free {nouns}, {distance:.2g}",
        "is free and has the largest |Eᵢ − Eⱼ|, {distance:.3g}",
    ),
    NEXT_FREE: (
        "is the next free {noun}, from a random start",
        "is the next free {noun} from a random start; the furthest in E would not move",
    ),
    NEXT_OF_ALL: (
        "is {its_point}next of all points, from a random start",
        "is {its_point}the next of all points from a random start; no free {noun} would move",
    ),
}


def violator_of(after: Any) -> int:
    """Return the variable at which the sweep stopped; ``after`` is the state after the step."""
    # `sweep_position` is the variable after the violator.
    return int(after.scalars["sweep_position"][0]) - 1


def pair_of_sweep(problem: Problem, after: Any, rising: int, falling: int) -> tuple[int, int]:
    """Return the pair that moved as (i, j), where j belongs to the point of the violator."""
    point = problem.point_of(violator_of(after))
    return (rising, falling) if problem.point_of(falling) == point else (falling, rising)


def values_by_sweeps(
    problem: Problem, before: Any, after: Any, move: dict[str, Any], choice: str
) -> dict[str, Any]:
    """Return the values of Platt's or the random choice: first a violator, then its partner."""
    dual_form, beta, F, b = problem.dual_form, before.beta, before.F, before.scalars["b"][0]
    i, j, violator = move["i"], move["j"], violator_of(after)
    violation = float(violations(dual_form, beta, F, b)[violator])
    free = is_free(problem, beta)
    others = free.copy()
    others[violator] = False
    distances = np.abs(F - F[violator])
    rule = NEXT_FREE if free[i] else NEXT_OF_ALL
    if others[i] and i == int(np.where(others, distances, -np.inf).argmax()):
        rule = FURTHEST
    rule = DRAWN if choice == "random" else rule
    is_point = problem.task == "classification"
    noun = "point" if is_point else "variable"
    words = {"noun": noun, "nouns": f"{noun}s", "distance": float(distances[i])}
    # In a regression, the rule may have found the twin of i, and i moved in its place.
    words["its_point"] = "" if is_point else "of "
    if not is_point and rule == DRAWN:
        words["its_point"] = "of the point "
    in_sentence, in_beat = (clause.format(**words) for clause in PARTNER_CLAUSES[rule])
    violator_name = point_name(problem, violator)
    reason = (
        f"{violator_name.replace('point', 'Point', is_point)} violates KKT by"
        f" {violation:.2g}; partner {short_name(problem, i)} {in_sentence}"
    )
    free_partners = np.flatnonzero(others)
    named = dict.fromkeys((violator, i, j))
    errors = _errors_of(problem, b - F, named)
    rules = dict.fromkeys((FURTHEST, NEXT_FREE, NEXT_OF_ALL, DRAWN))
    rules[rule] = f"i = {short_name(problem, i)}"
    return {
        "subject": reason,
        "reason": reason,
        "violator": violator,
        "partner": i,
        "violator_violation": violation,
        **sweep_candidates(problem, before, after, violator, i, rule == FURTHEST),
        "name_violator": violator_name,
        "name_partner": point_name(problem, i),
        "short_violator": short_name(problem, violator),
        "partner_clause": in_beat,
        "twin_line": None if j == violator else f"j = {short_name(problem, j)}",
        **_twin_values(problem, move, violator),
        "violator_points": points_of(problem, [violator]),
        "sweep_points": points_of(problem, [violator, i]),
        "violator_notes": notes_of(
            problem, [(violator, labelled(problem, violator, f"off by {short(violation)}"))]
        ),
        "partner_notes": notes_of(problem, errors),
        "violator_groups": [
            compared_group(problem, "violates", np.array([violator]), b - F[[violator]], violator),
            compared_group(problem, "free", free_partners, b - F[free_partners]),
        ]
        if choice == "platt"
        else [],
        **{name.replace("-", "_"): text for name, text in rules.items()},
    }


def _errors_of(
    problem: Problem, errors: np.ndarray, variables: Iterable[int]
) -> list[tuple[int, str]]:
    """Return a text on the error of each variable; rounding error is 0."""
    size = float(np.abs(problem.target).max())
    shown = {k: short(without_rounding(float(errors[k]), (size,))) for k in variables}
    return [(k, labelled(problem, k, f"E = {text}")) for k, text in shown.items()]


def _twin_values(problem: Problem, move: dict[str, Any], violator: int) -> dict[str, Any]:
    """Return the twin that moves in place of the violator, and why; None if the violator moves.

    One of the two variables of a point is 0. The step moves the other one if it is above 0 and has
    to fall; otherwise the one that has to rise.
    """
    j = move["j"]
    if j == violator:
        return dict.fromkeys(("twin", "why_twin", "twin_E"))
    own, twin = (problem.name_of(k) for k in (violator, j))
    why = f"{own} is 0 and cannot fall, so its twin, {twin}, rises instead"
    if move["new_j"] < move["old_j"]:
        why = f"its twin, {twin}, is above 0, and falls before {own} rises"
    return {"twin": twin, "why_twin": why, "twin_E": move["E_j"]}


def sweep_candidates(
    problem: Problem, before: Any, after: Any, violator: int, partner: int, is_furthest: bool
) -> dict[str, Any]:
    """Return the violator to which a sweep comes, and the candidates for its partner.

    The candidates for the partner are None if it was not taken as the free variable with the
    largest ``|E_i - E_j|``.
    """
    beta, F = before.beta, before.F
    free = is_free(problem, beta)
    free[violator] = False
    others = np.flatnonzero(free)
    return {
        "violator_choice": problem.point_of(violator),
        "violator_number": Index(problem.point_of(violator)),
        "partner_choice": candidates(
            points_of_each(problem, others),
            np.abs(F[others] - F[violator]),
            int(np.flatnonzero(others == partner)[0]),
            name="are free",
            quantity="|Eᵢ − Eⱼ|",
            extreme="largest",
        )
        if is_furthest
        else None,
        **_sweep_words(problem, before, after, violator),
    }


def _sweep_words(problem: Problem, before: Any, after: Any, violator: int) -> dict[str, str]:
    """Return from where the sweep goes on, and over which points it goes."""
    position = int(before.scalars["sweep_position"][0])
    # The random choice never changes this number, so its sweeps go over all points.
    over_free = int(after.scalars["sweep_kind"][0]) == FREE_POINTS
    goes_on = before.scalars["sweep"][0] == after.scalars["sweep"][0] and 0 < position <= violator
    start = f"behind {point_name(problem, position - 1)}" if goes_on else "from point 1"
    if problem.task == "regression" and not goes_on:
        start = "from α* of point 1"
    passing = ", over the free points" if over_free else ", over all points"
    order = ", first every α*, then every α" if problem.task == "regression" else ""
    return {"sweep_from": f"{start}{passing}", "sweep_over": order}
