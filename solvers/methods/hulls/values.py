"""Named values of a step towards the nearest points of two hulls, from the states around it.

p and q are weighted means: the weights of each class are divided by their sum. In MDM and Wolfe's
method this sum is 1. In the pairwise algorithm it varies, and is 0 before the first step. While it
is 0, p and q do not exist, and their values are None.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.hulls.steps import State, Work, distance_of
from solvers.problem.problem import Problem
from solvers.run.beats import candidates
from solvers.run.fields import Index
from solvers.run.formulas import (
    MAX_DIGITS,
    digits_of_change,
    digits_of_sum,
    number,
    without_rounding,
)
from solvers.run.method import counted

Point = tuple[float, ...]


def pairwise_values(
    problem: Problem, work: Work, before: State, after: State, record: Any
) -> dict[str, Any]:
    """Return the values of a step of the pairwise sweep.

    At the vertex of the objective, ``unclipped`` is
    ``(1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2``. ``low`` is ``M = max(-tau_i, -tau_j)``.
    """
    values = _pair_values(problem, work, before, after, record, relaxed=True)
    i, j, delta, eta = (values[name] for name in ("i", "j", "delta", "eta"))
    weights = ((i, values["new_i"]), (j, values["new_j"]))
    emptied = [f"ζ of point {k + 1} is 0" for k, weight in weights if weight == 0.0]
    is_clipped, skipped = delta > values["unclipped"], int(record["skipped"])
    sums = {label: float(after.tau[problem.y == label].sum()) for label in (1.0, -1.0)}
    return {
        **values,
        **_clipping(is_clipped, delta, eta),
        "symbol": "ζ",
        "at_bound": "≥",
        "sweep": int(before.pairwise["sweeps"][0]) + 1,
        "skipped": counted(skipped, "pair") if skipped else None,
        "rises": delta > 0.0,
        "size": abs(delta),
        "emptied": ("both are 0" if len(emptied) == 2 else emptied[0]) if is_clipped else None,
        "minus_old_i": -values["old_i"],
        "minus_old_j": -values["old_j"],
        "inverse_eta": 1.0 / eta if eta > 0.0 else None,
        "inner": without_rounding(1.0 - values["unclipped"] * eta, (1.0,)),
        "fall": values["objective_before"] - values["objective"],
        "share_i": values["new_i"] / sums[1.0] if sums[1.0] else None,
        "share_j": values["new_j"] / sums[-1.0] if sums[-1.0] else None,
    }


def mdm_values(
    problem: Problem, mu: float, work: Work, before: State, after: State, record: Any
) -> dict[str, Any]:
    """Return the values of a step of MDM.

    ``low`` is the largest delta with which both weights stay from 0 to mu,
    ``min(tau_j, mu - tau_i)``.
    """
    values = _pair_values(problem, work, before, after, record, relaxed=False)
    unclipped, eta, low = values["unclipped"], values["eta"], values["low"]
    is_clipped = unclipped > low
    vertex = number(unclipped)
    if eta > 0.0:
        inner = unclipped * eta
        digits = digits_of_sum((inner, eta), unclipped, lambda x, y: x / y) + 1
        vertex = rf"\frac{{{number(inner, digits)}}}{{{number(eta, digits)}}}"
    end = f", up to the cap of point {values['i'] + 1}" if is_clipped else ""
    if values["new_j"] == 0.0:
        end = f", all the weight of point {values['j'] + 1}"
    return {
        **values,
        **_clipping(is_clipped, values["delta"], eta),
        "symbol": "τ",
        "label": int(problem.y[values["i"]]),
        "at_bound": "≤",
        "inner": unclipped * eta,
        **_givers(problem, mu, before, values["i"], values["j"]),
        "mu": mu,
        "vertex": vertex,
        "end": end,
    }


def _pair_values(
    problem: Problem, work: Work, before: State, after: State, record: Any, relaxed: bool
) -> dict[str, Any]:
    """Return the values that a pairwise and an MDM step have in common."""
    i, j = Index(record["i"]), Index(record["j"])
    (old_i, old_j), (new_i, new_j) = (state.tau[[i, j]].tolist() for state in (before, after))
    eta = float(distance_of(work, i, j))
    return {
        **common_values(problem, before, after, relaxed),
        "i": i,
        "j": j,
        "old_i": old_i,
        "old_j": old_j,
        "new_i": new_i,
        "new_j": new_j,
        "change_i": new_i - old_i,
        "change_j": new_j - old_j,
        "delta": float(record["delta"]),
        "unclipped": float(record["unclipped"]),
        "low": float(record["low"]),
        "eta": eta,
        "minimum": float(record["unclipped"]) if eta > 0.0 else None,
    }


def _givers(problem: Problem, mu: float, before: State, i: int, j: int) -> dict[str, Any]:
    """Return the candidates for the point that gains weight, i, and the one that loses it, j.

    If the gaps of both classes are equal, the points of both are candidates.
    """
    g, found = problem.y * before.S, {}
    gaps = {
        label: _gap(g[problem.y == label], before.tau[problem.y == label], mu)
        for label in (1.0, -1.0)
    }
    own = problem.y == problem.y[i]
    if math.isclose(gaps[1.0], gaps[-1.0], rel_tol=1e-9):
        # The values of a class are shifted to those of the class that the step took.
        shift = g[~own & (before.tau < mu)].min() - g[i]
        g, own = np.where(own, g, g - shift), np.ones_like(own)
    for name, allowed, taken, extreme, what in (
        ("gains", before.tau < mu, i, "smallest", "may gain weight"),
        ("loses", before.tau > 0.0, j, "largest", "can lose weight"),
    ):
        points = np.flatnonzero(own & allowed)
        found[name] = candidates(
            points.tolist(),
            g[points].tolist(),
            int(np.flatnonzero(points == taken)[0]),
            name=f"are of this class and {what}",
            quantity="y⟨p − q, x⟩",
            extreme=extreme,
        )
    return found


def _gap(g: np.ndarray, tau: np.ndarray, mu: float) -> float:
    """Return the gradient gap of a class; 0 if no weight can move."""
    grow, shrink = g[tau < mu], g[tau > 0.0]
    return float(shrink.max() - grow.min()) if len(grow) and len(shrink) else 0.0


def _clipping(is_clipped: bool, delta: float, eta: float) -> dict[str, Any]:
    why = "The minimum is beyond M" if is_clipped else "The minimum is allowed"
    return {
        "clipped": is_clipped,
        "clip": delta if is_clipped else None,
        "why_delta": why if eta > 0.0 else "There is no minimum",
    }


def common_values(problem: Problem, before: State, after: State, relaxed: bool) -> dict[str, Any]:
    """Return p, q, their distance and the objective before and after the step.

    p and q may be None as in :func:`nearest_points`. If they do not exist, their distance is None.
    """
    p, q, distance, objective = nearest_points(problem, after, relaxed)
    p_before, q_before, distance_before, objective_before = nearest_points(problem, before, relaxed)
    is_linear = problem.linear
    return {
        "p": p,
        "q": q,
        "p_before": p_before,
        "q_before": q_before,
        "distance": None if math.isnan(distance) else distance,
        "distance_before": None if math.isnan(distance_before) else distance_before,
        **_distance_words(distance_before, distance),
        "objective": objective,
        "objective_before": objective_before,
        **_inner_products(problem, after, p, q),
        # With a nonlinear kernel the hulls are in its feature space.
        "weighted_x": "x" if is_linear else "φ(x)",
        "difference": "xᵢ − xⱼ" if is_linear else "φ(xᵢ) − φ(xⱼ)",
        "x_k": "x_k" if is_linear else r"\varphi(x_k)",
        "x_difference": r"x_i - x_j" if is_linear else r"\varphi(x_i) - \varphi(x_j)",
    }


def _distance_words(before: float, after: float) -> dict[str, str | None]:
    """Return both distances with enough digits to see the change, and a clause on it."""
    if math.isnan(before) or math.isnan(after):
        return {"distances": None, "distance_changes": ""}
    digits = digits_of_change(before, after, least=4)
    old, new = (f"{distance:.{digits}g}" for distance in (before, after))
    if old == new:
        digits_text = "" if after == before else f", to {MAX_DIGITS} digits"
        clause = f"p and q stay {new} apart{digits_text}"
        return {"distances": f"{new}, as before{digits_text}", "distance_changes": clause}
    verb = "falls" if after < before else "rises"
    clause = f"the distance of p and q {verb} from {old} to {new}"
    return {"distances": f"{old} → {new}", "distance_changes": clause}


def _inner_products(
    problem: Problem, state: State, p: Point | None, q: Point | None
) -> dict[str, float | None]:
    """Return ``R = <p, p>``, ``S = <p, q>`` and ``T = <q, q>`` after the step, and ``R - 2S + T``.

    All are None if p and q do not exist. Without p and q in coordinates, they are sums of kernel
    values: ``S = sum_ij tau_i tau_j k(x_i, x_j)`` over the points i of class +1 and j of class -1.
    """
    names = ("R", "S", "T", "squared_distance")
    if p is not None and q is not None:
        R, S, T = (float(np.dot(a, b)) for a, b in ((p, p), (p, q), (q, q)))
        return dict(zip(names, (R, S, T, math.dist(p, q) ** 2), strict=True))
    support = np.flatnonzero(state.tau > 0.0)
    tau, points, y = state.tau[support], problem.X[support], problem.y[support]
    weights = [np.where(y == side, tau, 0.0) for side in (1.0, -1.0)]
    if not all(of_class.any() for of_class in weights):
        return dict.fromkeys(names)
    plus, minus = (of_class / of_class.sum() for of_class in weights)
    K = problem.used_kernel(points, points)
    R, S, T = (float(a @ K @ b) for a, b in ((plus, plus), (plus, minus), (minus, minus)))
    return dict(zip(names, (R, S, T, R - 2.0 * S + T), strict=True))


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
