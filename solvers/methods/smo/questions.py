"""The candidates of the choices of SMO, for its questions, and the values that it compares."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.methods.smo.platt import FREE_POINTS
from solvers.methods.smo.variables import point_name, points_of_each
from solvers.problem.problem import Problem
from solvers.run.fields import Index
from solvers.run.questions import Candidates, candidates


def pair_candidates(
    problem: Problem, pair: tuple[int, int], among: tuple[np.ndarray, np.ndarray], E: np.ndarray
) -> dict[str, Any]:
    """Return the candidates for the smallest E that may rise, the largest that may fall, and both.

    Parameters
    ----------
    pair : tuple of int
        The variable that may rise, and the one that may fall, that were taken.
    among : tuple of two int arrays
        The variables that may rise, and those that may fall.
    E : array, shape (n_variables,)
    """
    choices = {
        f"{name}_choice": candidates(
            points_of_each(problem, variables),
            E[variables],
            int(np.flatnonzero(variables == taken)[0]),
            name=f"may {name}",
            quantity="E",
            extreme=extreme,
        )
        for name, extreme, taken, variables in zip(
            ("rise", "fall"), ("smallest", "largest"), pair, among, strict=True
        )
    }
    return {**choices, "pair_choice": tuple(choices.values())}


def partner_candidates(
    problem: Problem, falling: np.ndarray, rises: np.ndarray, taken: int
) -> Candidates:
    """Return the candidates for the partner with the largest predicted rise of the dual."""
    return candidates(
        points_of_each(problem, falling),
        rises,
        int(np.flatnonzero(falling == taken)[0]),
        name="may fall",
        quantity="rise of D",
        extreme="largest",
    )


def sweep_candidates(
    problem: Problem, before: Any, after: Any, violator: int, partner: int, is_furthest: bool
) -> dict[str, Any]:
    """Return the violator to which a sweep comes, and the candidates for its partner.

    Those for the partner are None if it is not the free one with the largest ``|E_i - E_j|``.
    """
    form, beta, F = problem.dual_form, before.beta, before.F
    free = (beta > form.lower) & (beta < form.upper)
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
    # The random choice leaves this number as it began, so that its sweeps go over all points.
    over_free = int(after.scalars["sweep_kind"][0]) == FREE_POINTS
    goes_on = before.scalars["sweep"][0] == after.scalars["sweep"][0] and 0 < position <= violator
    start = f"behind {point_name(problem, position - 1)}" if goes_on else "from point 1"
    if problem.task == "regression":
        start = start.replace("point 1", "α* of point 1")
    passing = ", over the free points" if over_free else ", over all points"
    order = ", first every α*, then every α" if problem.task == "regression" else ""
    return {"sweep_from": f"{start}{passing}", "sweep_over": order}
