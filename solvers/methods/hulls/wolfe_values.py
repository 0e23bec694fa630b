"""Named values of a step of Wolfe's method, from the states around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.methods.hulls.steps import State
from solvers.methods.hulls.values import common_values
from solvers.problem.problem import Problem
from solvers.run.beats import short
from solvers.run.fields import Index
from solvers.run.formulas import bracketed, digits_of_sum, number, point_set, without_rounding
from solvers.run.method import counted, named, numbered

# Maximum number of weights in the formula of a step.
MAX_WEIGHTS = 2
WEIGHTS_LETTERS = (
    r"\tau_S \leftarrow \tau_S + s\,\Delta, \quad \tau_S + \Delta \text{ is best on } S, "
    r"\quad s \leq 1"
)
GAP_LETTERS = (
    r"\sum_{\pm} \max\left(0,\ \max_{\tau_i > 0} g_i - \min_{\tau_i < \mu} g_i\right), "
    r"\quad g_i = y_i \langle p - q,\ @\rangle"
)


def wolfe_values(problem: Problem, mu: float, before: State, after: State) -> dict[str, Any]:
    """Return the values of a step of Wolfe's method.

    :mod:`solvers.geometry.min_norm_point` explains the *corral*, the set of points whose weights a
    step changes, and the gradient gap. ``gap`` is the sum of the gradient gaps of both classes
    after the step: ``||p - q||^2 / 2`` can still fall by at most this number.
    """
    # The state lists the corral of its last step, with the points that left it in this step.
    corral = np.sort(after.order[: int(after.scalars["corral_size"][0])])
    added = corral[~before.free[corral]].tolist()
    dropped = corral[~after.free[corral]].tolist()
    moved = _changed_weights(before.tau, after.tau)
    n_moved, n_dropped, is_idle = len(moved), len(dropped), not added and not moved
    start = f"{named(added)} join{_ending(added)}" if added else "no point joins"
    end = f", {named(dropped)} leave{_ending(dropped)} it on the way" if dropped else ""
    start += " the corral"
    if added and added == dropped:
        start += f" and leave{_ending(added)} it again"
        end = ""
    until = ""
    if dropped:
        bound = "is at its bound" if n_dropped == 1 else "are at their bounds"
        until = f" until {named(dropped)} {bound}"
    size = counted(len(corral), "point")
    common = common_values(problem, before, after, relaxed=False)
    return {
        **common,
        **_gap_values(problem, mu, after, common),
        "corral": corral.tolist(),
        "n_corral": len(corral),
        "size": size,
        "added": added,
        "joining_points": _joining(problem, mu, before, added) if added else None,
        "drops": n_dropped > 0,
        "n_added": len(added) or None,
        "dropped": dropped,
        "moved": moved,
        "moved_first": [*(row["i"] for row in moved), *corral.tolist()],
        "joining": None if is_idle else start[0].upper() + start[1:],
        "leaving": end,
        "idle": is_idle and not dropped,
        "acts": not is_idle or bool(dropped),
        "full_size": size if len(corral) else None,
        "joiners": f"{named(added)[0].upper()}{named(added)[1:]}" if added else None,
        "added_numbers": numbered(added) if added else None,
        "dropped_numbers": numbered(dropped) if dropped else None,
        "moves": f"{n_moved} τ move{until}" if moved else "No τ moves",
        "moved_count": f"{n_moved} τ" if moved else None,
        "weights_letters": WEIGHTS_LETTERS,
        "weights_numbers": _weights_in_numbers(corral.tolist(), moved, n_dropped > 0)
        if len(corral)
        else None,
    }


def _weights_in_numbers(corral: list[int], moved: list[dict[str, Any]], is_cut_short: bool) -> str:
    """Write the corral and the weights that change most, with enough digits to check them."""
    parts = [rf"S = {point_set(corral)}"]
    for row in moved[:MAX_WEIGHTS]:
        old, new, change = row["old"], row["new"], row["new"] - row["old"]
        digits = digits_of_sum((old, change), new, lambda x, y: x + y)
        sign, size = "-" if change < 0.0 else "+", bracketed(abs(change), digits)
        name = rf"\tau_{{{row['i'] + 1}}}"
        parts.append(rf"{name} \leftarrow {number(old, digits)} {sign} {size} = {number(new)}")
    parts += [r"\dots"] if len(moved) > MAX_WEIGHTS else []
    parts += ["s < 1" if is_cut_short else "s = 1"] if moved else []
    return r", \quad ".join(parts)


def _gap_values(
    problem: Problem, mu: float, after: State, common: dict[str, Any]
) -> dict[str, Any]:
    """Return the gap after the step, its terms, and a clause on the bound that it gives.

    Half the squared distance of p and q can fall by at most the gap. If the gap is larger than half
    the squared distance, this says nothing.
    """
    gradients = _gradients(problem, after, common)
    extremes = _extreme_gradients(problem, mu, after.tau, gradients)
    flat = [value for pair in extremes for value in pair]
    gap = without_rounding(sum(high - low for high, low in extremes), flat or [0.0])
    digits = digits_of_sum(flat, gap, lambda *x: sum(x[::2]) - sum(x[1::2]))
    terms = [
        rf"\left({number(high, digits)} - {bracketed(low, digits)}\right)" for high, low in extremes
    ]
    half = 0.5 * common["distance"] ** 2
    bound = f"‖p − q‖²/2 = {short(half)} can still fall by at most {short(gap)}"
    if gap == 0.0:
        bound = f"‖p − q‖²/2 = {short(half)} cannot fall any more"
    elif gap >= half:
        bound = (
            f"by the bound ‖p − q‖²/2 can still fall by {short(gap)}, but it is only {short(half)}"
        )
    return {
        "gap": gap,
        "gap_terms": " + ".join(terms) or "0",
        "gap_letters": GAP_LETTERS.replace("@", "x_i" if problem.linear else r"\varphi(x_i)"),
        "gap_bounds": bound,
    }


def _gradients(problem: Problem, after: State, common: dict[str, Any]) -> np.ndarray:
    """Return ``y_i <p - q, phi(x_i)>`` of all points, shape (n,)."""
    if common["p"] is None:
        return problem.y * after.S
    # S is computed with centred points, which changes it by a constant.
    return problem.y * (problem.X @ (np.array(common["p"]) - np.array(common["q"])))


def _joining(problem: Problem, mu: float, before: State, added: list[int]) -> list[int]:
    """Return the points that join the corral, and those that violate optimality equally."""
    g, tau = problem.y * before.S, before.tau
    found = list(added)
    for k in added:
        ties = np.isclose(g, g[k], rtol=1e-9, atol=1e-12 * float(np.abs(g).max()))
        same = (problem.y == problem.y[k]) & ~before.free & ((tau < mu) == (tau[k] < mu))
        found += np.flatnonzero(ties & same).tolist()
    return list(dict.fromkeys(found))


def _ending(points: list[int]) -> str:
    """Return the ending of a verb whose subject is one point, or several."""
    return "s" if len(points) == 1 else ""


def _extreme_gradients(
    problem: Problem, mu: float, tau: np.ndarray, gradients: np.ndarray
) -> tuple[tuple[float, float], ...]:
    """Return two gradients for each class with a gradient gap above 0, which is their difference.

    The first is the largest gradient of a point whose weight can shrink. The second is the smallest
    gradient of a point whose weight can grow.
    """
    extremes, sizes = [], [float(np.abs(gradients).max())]
    for label in (1.0, -1.0):
        in_class = problem.y == label
        shrink, grow = gradients[in_class & (tau > 0.0)], gradients[in_class & (tau < mu)]
        gap = float(shrink.max() - grow.min()) if len(shrink) and len(grow) else 0.0
        if without_rounding(gap, sizes) > 0.0:
            extremes.append((float(shrink.max()), float(grow.min())))
    return tuple(extremes)


def _changed_weights(before: np.ndarray, after: np.ndarray) -> list[dict[str, Any]]:
    """Return point, old and new weight of each changed weight, the largest changes first."""
    change = np.abs(after - before)
    order = np.argsort(-change, kind="stable")[: np.count_nonzero(change)]
    return [{"i": Index(i), "old": float(before[i]), "new": float(after[i])} for i in order]
