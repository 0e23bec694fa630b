"""Functions that make the event of a step from the states before and after the step.

The events and their formulas are in :mod:`solvers.methods.hulls.events`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.hulls.events import (
    CorralMoved,
    NearestStep,
    OppositePairMoved,
    Point,
    WeightMoved,
)
from solvers.methods.hulls.steps import State, Work, distance_of
from solvers.problem.problem import Problem
from solvers.run.method import named


def make_event(
    algorithm: str, mu: float, problem: Problem, work: Work, states: Any, record: Any
) -> NearestStep:
    """Return the event of a step; ``states`` are the states before and after the step."""
    before, after = states
    if algorithm == "pairwise":
        return _pairwise_event(problem, work, before, after, record)
    if algorithm == "mdm":
        return _mdm_event(problem, mu, work, states, record)
    return _wolfe_event(problem, mu, states)


def _pairwise_event(
    problem: Problem, work: Work, before: State, after: State, record: Any
) -> OppositePairMoved:
    pair_fields = _pair_fields(work, before, after, record)
    i, j, delta = pair_fields["i"], pair_fields["j"], pair_fields["delta"]
    clipped = delta > pair_fields["unclipped"]
    common = _common_fields(problem, before, after, relaxed=True)
    fall = common["objective_before"] - common["objective"]
    if clipped:
        emptied = [
            f"{k + 1}" for k, value in zip((i, j), pair_fields["new"], strict=True) if value == 0.0
        ]
        change = f"both τ fall by {-delta:.3g}, until τ of point {' and '.join(emptied)} is 0"
    else:
        change = f"both τ {'grow' if delta > 0 else 'fall'} by {abs(delta):.3g}"
    return OppositePairMoved(
        **common,
        **pair_fields,
        sentence=f"Pair ({i + 1}, {j + 1}): {change}; the objective falls by {fall:.2g}.",
        low=float(record["low"]),
        clipped=clipped,
        skipped=int(record["skipped"]),
        sweep=int(before.pairwise["sweeps"][0]) + 1,
    )


def _mdm_event(problem: Problem, mu: float, work: Work, states: Any, record: Any) -> WeightMoved:
    before, after = states
    pair_fields = _pair_fields(work, before, after, record)
    i, j, max_delta = pair_fields["i"], pair_fields["j"], float(record["low"])
    clipped = pair_fields["unclipped"] > max_delta
    common = _common_fields(problem, before, after, relaxed=False)
    end = ""
    if pair_fields["new"][1] == 0.0:
        end = f", all the weight of point {j + 1}"
    elif clipped:
        end = f", up to the cap of point {i + 1}"
    return WeightMoved(
        **common,
        **pair_fields,
        sentence=(
            f"Weight {pair_fields['delta']:.3g} goes from point {j + 1} to point {i + 1}{end};"
            f" {_distance_clause(common)}."
        ),
        max_delta=max_delta,
        mu=mu,
        clipped=clipped,
    )


def _pair_fields(work: Work, before: State, after: State, record: Any) -> dict[str, Any]:
    """Return the fields that are computed in the same way for a pairwise and an MDM step."""
    i, j = int(record["i"]), int(record["j"])
    return {
        "touched": (i, j),
        "i": i,
        "j": j,
        "old": (float(before.tau[i]), float(before.tau[j])),
        "new": (float(after.tau[i]), float(after.tau[j])),
        "delta": float(record["delta"]),
        "unclipped": float(record["unclipped"]),
        "eta": float(distance_of(work, i, j)),
    }


def _wolfe_event(problem: Problem, mu: float, states: Any) -> CorralMoved:
    before, after = states
    # The state lists the corral of its last step, with the points that left it in this step.
    corral = np.sort(after.order[: int(after.scalars["corral_size"][0])])
    added = corral[~before.free[corral]].tolist()
    dropped = corral[~after.free[corral]].tolist()
    common = _common_fields(problem, before, after, relaxed=False)
    moved = _changed_weights(before.tau, after.tau)
    start = f"{named(added)} join{_ending(added)}" if added else "no point joins"
    end = f", {named(dropped)} leave{_ending(dropped)} it on the way" if dropped else ""
    sentence = f"{start.capitalize()} the corral{end}; {_distance_clause(common)}."
    if not added and not moved:
        sentence = (
            "τ is already optimal on the corral, so a point joins it next."
            if len(corral)
            else "The corral is empty, so a point joins it next."
        )
    return CorralMoved(
        **common,
        touched=tuple(corral.tolist()),
        sentence=sentence,
        added=tuple(added),
        dropped=tuple(dropped),
        corral=tuple(corral.tolist()),
        gap=float(after.scalars["gap"][0]),
        gradients=_extreme_gradients(problem, mu, after),
        moved=moved,
    )


def _ending(points: list[int]) -> str:
    """Return the ending of a verb whose subject is one point, or several."""
    return "s" if len(points) == 1 else ""


def _extreme_gradients(
    problem: Problem, mu: float, state: State
) -> tuple[tuple[float, float], ...]:
    """Return two gradients for each class with a gradient gap above 0, which is their difference.

    The first is the largest gradient of a point whose weight can shrink. The second is the smallest
    gradient of a point whose weight can grow.
    """
    gradients, extremes = problem.y * state.S, []
    for label in (1.0, -1.0):
        in_class = problem.y == label
        shrink = gradients[in_class & (state.tau > 0.0)]
        grow = gradients[in_class & (state.tau < mu)]
        if len(shrink) and len(grow) and shrink.max() > grow.min():
            extremes.append((float(shrink.max()), float(grow.min())))
    return tuple(extremes)


def _changed_weights(before: np.ndarray, after: np.ndarray) -> tuple[tuple[int, float, float], ...]:
    """Return (point, old weight, new weight) of each changed weight, the largest changes first."""
    change = np.abs(after - before)
    order = np.argsort(-change, kind="stable")[: np.count_nonzero(change)]
    return tuple((int(i), float(before[i]), float(after[i])) for i in order)


def _distance_clause(common: dict[str, Any]) -> str:
    """Return a clause on the distance of p and q before and after a step."""
    before, after = common["distance_before"], common["distance"]
    if after == before:
        return f"p and q stay {after:.4g} apart"
    return f"the distance of p and q falls from {before:.4g} to {after:.4g}"


def _common_fields(problem: Problem, before: State, after: State, relaxed: bool) -> dict[str, Any]:
    """Return the fields of :class:`NearestStep`, which the events of all algorithms share."""
    p, q, distance, objective = nearest_points(problem, after, relaxed)
    p_before, q_before, distance_before, objective_before = nearest_points(problem, before, relaxed)
    return {
        "p": p,
        "q": q,
        "p_before": p_before,
        "q_before": q_before,
        "distance": distance,
        "distance_before": distance_before,
        "objective": objective,
        "objective_before": objective_before,
    }


def nearest_points(
    problem: Problem, state: State, relaxed: bool
) -> tuple[Point | None, Point | None, float, float]:
    """Return p, q, their distance and the objective of a state.

    p and q are None for a nonlinear kernel. If all weights of a class are 0, as before the first
    pairwise step, p and q are None, and the distance is NaN. The objective is that of the relaxed
    form (steps.py) if ``relaxed`` is true, otherwise ``||p - q||^2``.
    """
    tau, y = state.tau, problem.y
    sum_plus, sum_minus = float(tau[y > 0].sum()), float(tau[y < 0].sum())
    norm = float(state.scalars["squared_norm"][0])
    objective = norm - sum_plus - sum_minus if relaxed else norm
    if sum_plus == 0.0 or sum_minus == 0.0:
        return None, None, math.nan, objective
    distance = math.sqrt(norm) / (0.5 * (sum_plus + sum_minus))
    if not problem.linear:
        return None, None, distance, objective
    p = tuple((tau[y > 0] @ problem.X[y > 0] / sum_plus).tolist())
    q = tuple((tau[y < 0] @ problem.X[y < 0] / sum_minus).tolist())
    return p, q, distance, objective
