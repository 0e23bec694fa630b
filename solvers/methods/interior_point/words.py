"""The words of an iteration of the interior point: sentence, formulas, beats, and pseudo-code.

:func:`iteration_values` returns the named values from the record of the iteration, and the states
around it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.methods.interior_point.steps import (
    ALPHA,
    DISTANCE_TO_C,
    LOWER_MULTIPLIER,
    STEP_FRACTION,
    State,
)
from solvers.problem.problem import Problem
from solvers.run.beats import pseudo_code, short, short_distinct
from solvers.run.formulas import alpha, digits_of_sum, number, without_rounding
from solvers.run.records import values_of
from solvers.run.templates import step_template

CODE = pseudo_code(
    "Mehrotra 1992",
    f"""
              | u, v ← multipliers of α ≥ 0, α ≤ C
              | repeat until the gap is small
    affine    |   Δᵃᶠᶠ ← Newton step to αu = 0, (C − α)v = 0
    first     |   sᵃᶠᶠ ← longest step along Δᵃᶠᶠ
    center    |   ω ← min(1, μᵃᶠᶠ / μ)³
    correct   |   Δ ← Newton step to αu = ωμ − ΔᵃᶠᶠαΔᵃᶠᶠu,
    correct-v |        (C − α)v = ωμ + ΔᵃᶠᶠαΔᵃᶠᶠv
    length    |   s ← {STEP_FRACTION} · longest step along Δ
    move      |   α, b, u, v ← each + sΔ
    end       | each α near a bound ← this bound
    """,
)
# For each task, the condition that variables between their bounds satisfy after the last step.
FREE_CONDITIONS = {
    "classification": r"y_i f(x_i) = 1",
    "regression": r"|y_i - f(x_i)| = \varepsilon",
}
# The distances and multipliers that bound a step, without and with a hard margin, as LaTeX; in a
# regression a star in brackets takes the place of @.
BOUNDS = {
    False: r"\{\alpha_i@,\ C - \alpha_i@,\ u_i@,\ v_i@\}",
    True: r"\{\alpha_i@,\ u_i@\}",
}
# What a multiplier is, where one is named.
PUSH = "a multiplier is the push of a bound on its α, and stays above 0"
# A gap below this fraction of P is rounding error, and is shown as 0.
ROUNDING = 1e-14
# If there are more variables than this, no question asks to count those at a bound.
MAX_COUNTED = 40


def gap(primal: float, dual: float) -> float:
    """Return the duality gap."""
    return primal - dual


# In the formulas of the lengths of the steps, z is a distance or a multiplier: the largest length
# is the one with which no z falls below 0.
STEP = step_template(
    rf"""
    Step $t: $progress, $reach along the corrected direction (centring ω = ${{sigma:.2g}})[[;
    $limiting limits the step]].
    why: Step $t: aimed straight at the optimum, a step could go $predicted_reach; so this step
    aims at ${{sigma:.2g}} times the mean product of distance and multiplier, and goes
    $reach_until.

    # Predictor
    Straight towards the optimum, the step could go $first_reach[[; $push]].
    points: first_points
    line affine:
    line first: s = $predicted
    asks number s=predicted: Straight towards the optimum, $first_quantity would be the first to
    reach 0: it is $first_now, and the whole way would lower it by $first_fall. Which fraction s of
    the way can the step go?
    missed: s = min(1, what it is divided by how much it falls).
    formula: s_{{\mathrm{{aff}}}} = \min\left(1,\ \min_{{\Delta^{{\mathrm{{aff}}}} z < 0}}
        \frac{{z}}{{{{-}}\Delta^{{\mathrm{{aff}}}} z}}\right), \quad
        z \in $bounds => z = $first_z, \quad
        s_{{\mathrm{{aff}}}} = \min\left(1,\ $first_ratio\right) = $predicted
        || s_{{\mathrm{{aff}}}} = 1

    # Corrector
    After the predictor μ, the mean of distance times multiplier, would be $mu_affine instead of
    $mu; so the step aims at ωμ with ω = min(1, ratio of the two)³ = $sigma.
    points: no_points
    line center: ω = $sigma
    line correct:
    line correct-v:
    asks number ω=sigma: μ = $mu, and after the predictor it would be $mu_affine. What is ω?
    missed: ω = min(1, ratio of the two)³.
    slip mu_ratio: That is the ratio, and ω is its cube.
    formula: \omega = \min\left(1,\ \frac{{\mu_{{\mathrm{{aff}}}}}}{{\mu}}\right)^3
        => \omega = \min\left(1,\ $mu_fraction\right)^3 = $sigma

    # The longest step
    Along the corrected direction the step goes $blocking_reach; so all distances and multipliers
    stay above 0.
    points: blocking_points
    line length: s = $length
    asks number s=length: Along the corrected direction $blocking_quantity would be the first to
    reach 0: it is $blocking_now, and the whole way would lower it by $blocking_fall. Which fraction
    s of the way does the step go?
    missed: s = min(1, {STEP_FRACTION} · what it is divided by how much it falls).
    slip longest: That would end exactly at the bound; the step goes {STEP_FRACTION} of it.
    formula: s = \min\left(1,\ {STEP_FRACTION} \cdot \min_{{\Delta z < 0}} \frac{{z}}{{{{-}}\Delta
        z}}\right), \quad z \in $bounds => z = $blocking_z, \quad
        s = \min\left(1,\ {STEP_FRACTION} \cdot $blocking_ratio\right)
        = $length || s = 1

    # The step
    All α move by s of the way, for instance $farthest from $old to $new[[; the gap is now $gap]].
    line move: s = $length
    asks number α=new: $farthest was $old, the whole way would change it by $alpha_direction, and
    s = $length. What is it now?
    missed: α ← α + s Δα.
    size: old
    formula: $alpha_i \leftarrow $alpha_i + s\, \Delta$alpha_i
        => $farthest_alpha \leftarrow $old + $length \cdot ${{alpha_direction:()}} = $new
    formula: b \leftarrow b + s\, \Delta b
        => b \leftarrow $b_before + $length \cdot ${{b_direction:()}} = $b
    formula: P - D => P - D = [[$primal - ${{dual:()}} = ]]$shown_gap
    """,
    sums={
        "new": lambda old, length, alpha_direction: old + length * alpha_direction,
        "b": lambda b_before, length, b_direction: b_before + length * b_direction,
        "shown_gap": gap,
    },
)
LAST_STEP = step_template(
    r"""
    Step $t: $end.

    # The end
    Step $t: $end.
    line end:
    asks number n=n_zero_asked: Each α near a bound becomes equal to it. At how many is α = 0 then?
    missed: α = 0 belongs to points with y·f > 1, or inside the tube.
    formula: $alpha_i \leftarrow 0 \ \text{ or } \ C \ \text{ near a bound}, \quad
        $free_condition \ \text{ between} => $farthest_alpha \leftarrow $old ${change:+} = $new
    formula: P - D => P - D = [[$primal - ${dual:()} = ]]$shown_gap
    """,
    sums={"new": lambda old, change: old + change, "shown_gap": gap},
)


def iteration_values(
    problem: Problem, unit: float, states: tuple[State, State], expansions: Any, record: Any
) -> dict[str, Any]:
    """Return the values of the step between two states.

    ``mu`` and ``mu_affine`` are the mean product of distance and multiplier, in units of the
    objective: before the step, and after the longest possible predictor step. ``sigma`` is the
    centring parameter, omega on screen: the step aims at the product ``sigma mu``. ``predicted``
    and ``length`` are the lengths of the longest predictor step, and of the step that was taken
    along the corrected direction; 1 is the length of a whole Newton step.

    ``points`` are the point that limits the step, if its length is below 1, the point whose alpha
    moved farthest, and those that became support vectors or ceased to be support vectors.

    ``unit`` is S, where ``alpha = S a``. ``expansions`` has beta, shape (n,), and b of both states.
    """
    before, after = states
    old_scalars, new_scalars = before.scalars[0], after.scalars[0]
    numbers = {name: x for name, x in values_of(record).items() if isinstance(x, float)}
    first, blocking = (
        _bound_values(problem, record[name], name, float(record[step]))
        for name, step in (("first", "predicted"), ("blocking", "length"))
    )
    length, primal, gap = (numbers[name] for name in ("length", "primal", "gap"))
    old, new = (unit * state.distance[0] for state in states)
    farthest = int(np.abs(new - old).argmax())
    points = blocking["blocking_points"] if length < 1.0 else []
    betas, biases = zip(*expansions, strict=True)
    changed = np.flatnonzero((betas[0] != 0) ^ (betas[1] != 0)).tolist()
    is_separated, has_free_bias = not math.isinf(gap), problem.bias == "free"
    change = float((new - old)[farthest])
    b_before, b = map(_without_noise, biases)
    return {
        **numbers,
        **first,
        **blocking,
        **_asked(problem, numbers, blocking, after),
        "t": int(new_scalars["steps"]),
        "is_last": bool(new_scalars["is_done"]),
        "points": list(dict.fromkeys([*points, problem.point_of(farthest), *changed])),
        "no_points": [],
        "push": PUSH if first["first_kind"] not in (None, ALPHA, DISTANCE_TO_C) else None,
        "progress": _progress(float(old_scalars["gap"]), gap),
        "reach": "the whole way" if length == 1.0 else _fraction_in_words(length),
        "limiting": blocking["blocking_limit"] if length < 1.0 else None,
        "predicted_reach": _reach(numbers["predicted"], first["first_end"], " until {}"),
        "reach_until": _reach(length, blocking["blocking_end"], ", just short of where {}"),
        "farthest": problem.name_of(farthest),
        "farthest_alpha": alpha(problem, farthest),
        "old": float(old[farthest]),
        "new": float(new[farthest]),
        **{"change": change, "alpha_direction": change / length},
        "b_before": b_before if has_free_bias else None,
        "b_direction": (b - b_before) / length,
        "b": b if has_free_bias else None,
        "primal": primal if is_separated else None,
        "dual": primal - gap if is_separated else None,
        "gap": gap if is_separated else None,
        "shown_gap": 0.0 if abs(gap) < ROUNDING * abs(primal) else gap,
        "end": _end_in_words(after.distance),
        **_letters(problem),
    }


def _letters(problem: Problem) -> dict[str, str]:
    """Return what formulas call alpha, the bounds of a step, and the condition between bounds."""
    star = "^{(*)}" if problem.task == "regression" else ""
    return {
        "alpha_i": rf"\alpha_i{star}",
        "bounds": BOUNDS[problem.hard].replace("@", star),
        "free_condition": FREE_CONDITIONS[problem.task],
    }


def _asked(
    problem: Problem, numbers: dict[str, float], blocking: dict[str, Any], after: State
) -> dict[str, Any]:
    """Return values of questions: wrong answers that omit a part, and the number to be counted."""
    fall, is_few = blocking["blocking_fall"], problem.n_variables <= MAX_COUNTED
    return {
        "mu_fraction": _ratio(numbers["mu_affine"], numbers["mu"]),
        "mu_ratio": numbers["mu_affine"] / numbers["mu"] if numbers["mu"] > 0.0 else None,
        "longest": blocking["blocking_now"] / fall if fall else None,
        "n_zero_asked": int(np.count_nonzero(after.distance[0] == 0)) if is_few else None,
    }


def _bound_values(problem: Problem, record: Any, name: str, length: float) -> dict[str, Any]:
    """Return the values of the bound that limits a step: a distance or multiplier z would reach 0.

    The keys begin with ``name``. The variable has its name and its index (``variable``). z has its
    kind, its LaTeX (``z``), its words (``quantity``), its value before the step (``now``), and by
    how much a step of length 1 lowers it (``fall``); ``ratio`` is the fraction of these two numbers
    as LaTeX. ``end`` is a clause on the bound, and ``limit`` names what limits the step. All these
    are None if no bound limits the step. ``points`` are the points to mark, and ``reach`` says how
    far the step goes. ``record`` is a :data:`.steps.BLOCKING` record.
    """
    bound = values_of(record)
    kind, variable = bound["kind"], bound["variable"]
    names = ("kind", "variable", "z", "now", "fall", "end", "limit", "quantity", "ratio")
    keys = (name, *(f"{name}_{key}" for key in names))
    if variable < 0:
        return {**dict.fromkeys(keys), f"{name}_points": [], f"{name}_reach": "the whole way"}
    symbol, variable_name = alpha(problem, variable), problem.name_of(variable)
    if kind in (ALPHA, DISTANCE_TO_C):
        z = symbol if kind == ALPHA else f"C - {symbol}"
        limit = variable_name
        end = f"{limit} would reach {'0' if kind == ALPHA else 'C'}"
        quantity = limit if kind == ALPHA else f"C − {limit}"
    else:
        z = symbol.replace(r"\alpha", "u" if kind == LOWER_MULTIPLIER else "v")
        bound_name = "0" if kind == LOWER_MULTIPLIER else "C"
        limit = quantity = f"the multiplier of {variable_name} at the bound {bound_name}"
        end = f"{limit} would reach 0"
    until = "until" if name == "first" else "just short of where"
    numbers = (variable_name, kind, variable, z, bound["now"], -bound["change"], end, limit)
    numbers += (quantity, _ratio(bound["now"], -bound["change"]))
    return {
        **dict(zip(keys, numbers, strict=True)),
        f"{name}_points": [problem.point_of(variable)],
        f"{name}_reach": "the whole way"
        if length == 1.0
        else f"{short(length)} of the way, {until} {end}",
    }


def _ratio(now: float, fall: float) -> str:
    """Write a fraction with enough digits to check its value."""
    ratio = now / fall if fall else math.inf
    # One digit more than the ratio has. Tiny numbers get two further digits.
    digits = digits_of_sum((now, fall), ratio, lambda x, y: x / y) + (3 if now < 1e-3 else 1)
    return rf"\frac{{{number(now, digits)}}}{{{number(fall, digits)}}}"


def _without_noise(b: float) -> float:
    return without_rounding(float(b), (1.0,))


def _progress(old_gap: float, gap: float) -> str:
    """Return a clause on the duality gap before and after a step."""
    if math.isinf(gap):
        return "not separated yet"
    if math.isinf(old_gap):
        return f"the classes are separated, gap {gap:.2g}"
    texts = [f"{value:.2g}" for value in (old_gap, gap)]
    return f"gap {' → '.join(texts if texts[0] != texts[1] else short_distinct((old_gap, gap)))}"


def _reach(length: float, end: str | None, until: str) -> str:
    """Return how far a step goes, in words; ``until`` is a template for the bound that ends it."""
    if end is None or length == 1.0:
        return "the whole way"
    return _fraction_in_words(length) + until.format(end)


def _fraction_in_words(length: float) -> str:
    """Return a step length in words; if it rounds to 1, "nearly the whole way"."""
    return "nearly the whole way" if length >= 0.995 else f"{length:.2g} of the way"


def _end_in_words(distance: np.ndarray) -> str:
    """Return a clause on the step that sets variables to their bounds."""
    n_at_zero = int(np.count_nonzero(distance[0] == 0))
    n_at_C = int(np.count_nonzero(distance[1] == 0)) if len(distance) == 2 else 0
    return (
        "the path shows which α end at a bound, so these are set to it, and the others solved for:"
        f" {n_at_zero:,} α at 0, {n_at_C:,} at C,"
        f" {distance.shape[1] - n_at_zero - n_at_C:,} between"
    )
