"""Named values of the move of a pair by SMO, from the states before and after its step.

F, m and M are those of :mod:`solvers.methods.smo.smo`: m is the largest F of the variables that can
grow, and M is the smallest F of the variables that can shrink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from solvers.methods.smo.bias_values import bias_values
from solvers.methods.smo.choice import ChoiceByErrors
from solvers.methods.smo.sweep_choice import pair_of_sweep, values_by_sweeps
from solvers.methods.smo.variables import (
    alpha_name,
    alpha_symbol,
    named_like_alpha,
    notes_of,
    points_of,
)
from solvers.problem.problem import Problem
from solvers.rounding import EPS
from solvers.run.beats import short, short_change
from solvers.run.formulas import NEGLIGIBLE, alpha, without_rounding

# A step counts as cut short by the box if it goes less than this fraction of the distance to the
# vertex of the parabola. The fraction differs from 1 only to allow for rounding error.
FULL_FRACTION = 1.0 - 1e-9
# Clauses on a step that took no variable to a bound, a step to the top of its parabola, and a step
# without a top.
BOTH_FREE = "both are free after the step"
INSIDE_BOX = "the optimum along their line lies inside the box"
NO_TOP = "the dual has no top along their line"
# For whether the signs of the pair are equal: the ends of the segment.
ENDS = {
    True: "L = max(0, αᵢ + αⱼ − C) and H = min(C, αᵢ + αⱼ), since αᵢ + αⱼ is constant",
    False: "L = max(0, αⱼ − αᵢ) and H = min(C, C + αⱼ − αᵢ), since αⱼ − αᵢ is constant",
}


def pair_values(
    problem: Problem,
    before: Any,
    after: Any,
    record: Any,
    choice: str,
    biases: tuple[float, float],
    candidates: np.ndarray | None = None,
    set_name: str = "",
) -> dict[str, Any]:
    """Return the values of the step between two states, in terms of alpha.

    ``i`` and ``j`` are the pair of variables. If the choice compares errors, beta_i grew and beta_j
    shrank, where beta is alpha times its sign; if it sweeps over the points, j is the variable at
    which the sweep stopped, or its twin. The signs ``y_i`` and ``y_j`` are the labels; in a
    regression +1 for a variable alpha* and -1 for a variable alpha. ``violation`` is ``m - M``
    before the step over the variables among which the pair was chosen.

    Parameters
    ----------
    before, after : states with ``beta``, ``F`` and ``scalars``
    record : the record of the step, with the fields of :data:`.state.EVENT`
    choice : str
        The setting ``pair`` of SMO.
    biases : tuple of two floats
        b before and after the step.
    candidates : int array, optional
        The variables among which the pair was chosen; all by default.
    set_name : str, optional
        The name of the set of the candidates in sentences; empty if they are all variables.
    """
    by_sweeps = choice in ("platt", "random")
    i, j = pair = int(record["i"]), int(record["j"])
    if by_sweeps:
        i, j = pair = pair_of_sweep(problem, after, i, j)
    values = {
        "i": i,
        "j": j,
        "classification": problem.task == "classification",
        "regression": problem.task == "regression",
        "violation": float(record["m"] - record["M"]),
        **_moved_values(problem, before, after, pair),
        **_error_values(problem, before, pair, biases[0]),
        **_names(problem, pair),
    }
    values |= bias_values(problem, before, after, biases, values, by_sweeps, set_name)
    values |= _words_of_move(problem, values)
    if by_sweeps:
        return values | values_by_sweeps(problem, before, after, values, choice)
    if candidates is None:
        candidates = np.arange(problem.n_variables)
    second_order = choice == "second-order"
    chosen = ChoiceByErrors(
        problem, before.F, before.beta, values, candidates, set_name, second_order
    )
    return values | chosen.values()


def _moved_values(
    problem: Problem, before: Any, after: Any, pair: tuple[int, int]
) -> dict[str, Any]:
    """Return alpha of the pair before and after the step, the parabola, and the segment [L, H].

    ``unclipped`` is alpha_j at the top of the parabola. If there is no top, because the curvature
    ``eta`` is not above 0, it is infinitely far in the direction of the step; but if no bound ends
    the step either (``is_endless``, hard margin), it is alpha_j at the end of the step, for which
    ``divisor`` replaces eta.
    """
    i, j = pair
    y, C = problem.sign, problem.C
    y_i, y_j, same_signs = int(y[i]), int(y[j]), bool(y[i] == y[j])
    alphas = [(y[[i, j]] * state.beta[[i, j]]).tolist() for state in (before, after)]
    sizes = [value for pair in alphas for value in pair]
    (old_i, old_j), (new_i, new_j) = ([without_rounding(a, sizes) for a in x] for x in alphas)
    K_ii, K_jj = problem.dual_form.diagonal[[i, j]].tolist()
    X = problem.dual_form.X
    K_ij = float(problem.used_kernel(X[i : i + 1], X[j : j + 1])[0, 0])
    eta = K_ii + K_jj - 2.0 * K_ij
    # The step divides by any eta above 0, however tiny.
    eta = eta if eta > 0.0 else without_rounding(eta, (K_ii, K_jj, K_ij))
    low, high = _segment(old_i, old_j, C, same_signs)
    slope = float(before.F[i] - before.F[j])
    # alpha_j rises if D rises with it. An end L always exists, an end H not with a hard margin.
    has_top, has_bound = eta > 0.0, y_j * slope > 0.0 or math.isfinite(high)
    is_endless = not has_top and not has_bound
    divisor = eta if has_top else EPS * (abs(K_ii) + abs(K_jj))
    # Steps of beta_i; that of beta_j is the opposite.
    t_to_top = slope / divisor if has_top or is_endless else math.copysign(math.inf, slope)
    unclipped = old_j - y_j * t_to_top
    t = y_i * without_rounding(new_i - old_i, sizes)
    cut_short = abs(new_j - old_j) < FULL_FRACTION * abs(unclipped - old_j)
    numbers = {"y_i": y_i, "y_j": y_j, "C": C, "K_ii": K_ii, "K_jj": K_jj, "K_ij": K_ij, "eta": eta}
    return numbers | {
        **{"old_i": old_i, "old_j": old_j, "new_i": new_i, "new_j": new_j},
        "sign": y_i * y_j,
        "plus": "+" if same_signs else "-",
        "same_signs": same_signs,
        "opposite_signs": not same_signs,
        "divisor": divisor,
        "has_top": has_top,
        "is_endless": is_endless,
        "endless_eta": divisor if is_endless else None,
        "unclipped": unclipped,
        "top": unclipped if has_top else None,
        "goal": unclipped if has_top or is_endless else None,
        "no_top": None if has_top or is_endless else unclipped,
        "low": low,
        "high": high,
        "end": "H" if unclipped > old_j else "L",
        **_asked_ends(low, high, same_signs),
        **{"to_high": unclipped > old_j, "stop_j": None if is_endless else new_j},
        "cut_short": cut_short,
        "box": "[0, C]²" if math.isfinite(C) else "[0, ∞)²",
        "clip": new_j if cut_short else None,
        "slope": slope,
        "rise": t * slope - 0.5 * t * t * eta,
    }


def _segment(old_i: float, old_j: float, C: float, same_signs: bool) -> tuple[float, float]:
    """Return L and H, the ends between which the constraint and the box leave alpha_j."""
    low, high = old_j - old_i, C + old_j - old_i
    if same_signs:
        low, high = old_i + old_j - C, old_i + old_j
    low, high = (without_rounding(end, (old_i, old_j, C)) for end in (low, high))
    return max(0.0, low), min(C, high)


def _asked_ends(low: float, high: float, same_signs: bool) -> dict[str, Any]:
    """Return the ends of the segment for questions: both, or only L if there is no H."""
    is_finite = math.isfinite(high)
    return {
        "ends_rule": ENDS[same_signs],
        "low_asked": low if is_finite else None,
        "high_asked": high if is_finite else None,
        "lowest": None if is_finite else low,
    }


def _error_values(problem: Problem, before: Any, pair: tuple[int, int], b: float) -> dict[str, Any]:
    """Return the errors ``E = f - target`` of the pair; one that hardly changes the step is 0.

    In a regression the target of a variable is ``y - s epsilon``, where s is its sign.
    """
    targets = [float(problem.target[k]) for k in pair]
    decisions = [b - float(before.F[k]) + y for k, y in zip(pair, targets, strict=True)]
    size = float(np.abs(problem.target).max())
    decisions = [without_rounding(f, (size,)) for f in decisions]
    E_i, E_j = (without_rounding(f - y, (f, y)) for f, y in zip(decisions, targets, strict=True))
    limit = NEGLIGIBLE * abs(E_i - E_j)
    errors = [0.0 if abs(E) <= limit else E for E in (E_i, E_j)]
    epsilon = getattr(problem, "epsilon", 0.0)
    rows = [
        {
            "E_name": named_like_alpha(problem, k, "E"),
            "f": f,
            "y": target + float(problem.sign[k]) * epsilon,
            "s_epsilon": float(problem.sign[k]) * epsilon,
            "E": E,
        }
        for k, f, target, E in zip(pair, decisions, targets, errors, strict=True)
    ]
    return {"pair": rows, "E_i": errors[0], "E_j": errors[1]}


def _names(problem: Problem, pair: tuple[int, int]) -> dict[str, Any]:
    """Return the names of the pair in sentences, and in formulas as LaTeX."""
    is_regression = problem.task == "regression"
    star, sign = ("^{(*)}", "s") if is_regression else ("", "y")
    names: dict[str, Any] = {
        "sum": "Σ α* − Σ α" if is_regression else "Σ αy",
        "signs": "signs s (+1 for α*, −1 for α)" if is_regression else "classes",
        "sign_name": "sⱼ" if is_regression else "yⱼ",
        "sign_i": f"{sign}_i",
        "sign_j": f"{sign}_j",
        "hat_letter": rf"\hat{{\alpha}}_j{star}",
        "hat_name": alpha(problem, pair[1]).replace(r"\alpha", r"\hat{\alpha}"),
    }
    for letter, variable in zip("ij", pair, strict=True):
        name = alpha(problem, variable)
        names[f"a_{letter}"] = alpha_name(problem, variable)
        # As in the pseudo-code.
        names[f"{letter}_alpha"] = f"α{'ᵢ' if letter == 'i' else 'ⱼ'}{'*' * name.endswith('*}')}"
        names[f"letter_{letter}"] = rf"\alpha_{letter}{star}"
        names[f"new_letter_{letter}"] = _new(rf"\alpha_{letter}{star}")
        names[f"new_name_{letter}"] = _new(name)
    return names


def _new(name: str) -> str:
    """Return the LaTeX name with the mark "new", for the value after the step."""
    base, caret, above = name.partition("^{")
    above = above.removesuffix("}") + r"\," if caret else ""
    return rf"{base}^{{{above}\mathrm{{new}}}}"


def _words_of_move(problem: Problem, values: dict[str, Any]) -> dict[str, Any]:
    """Return clauses on where the step ended, and the notes on the two variables."""
    pair = values["i"], values["j"]
    old, new = ((values[f"{when}_i"], values[f"{when}_j"]) for when in ("old", "new"))
    bounds = " and ".join(bounds_reached(problem, pair, old, new))
    if values["has_top"]:
        end_of_step = f"the unclipped optimum lies outside the box, so {bounds}"
        end_of_step = end_of_step if bounds else INSIDE_BOX
    else:
        end_of_step = (
            f"{NO_TOP}, so {bounds}" if bounds else f"{NO_TOP}, and no bound ends the step"
        )
    without_top = ": it rises up to the end of the box"
    stop = "the top is inside, so the step goes there"
    if values["is_endless"]:
        tiny = short(values["divisor"])
        without_top = f"; no bound ends the step, so η = {tiny} is taken instead"
        stop = f"there is neither a top nor an end, so the step goes to {short(new[1])}"
    elif not values["has_top"]:
        stop = f"there is no top, so the step goes to {values['end']}"
    elif values["cut_short"]:
        stop = f"the top is beyond {values['end']}, so the step stops there"
    symbols = [alpha_symbol(problem, k) for k in pair]
    changes = zip(pair, symbols, old, new, strict=True)
    return {
        "bounds": bounds or BOTH_FREE,
        "end_of_step": end_of_step,
        "without_top": without_top,
        "stop": stop,
        "pair_points": points_of(problem, pair),
        "old_notes": notes_of(
            problem, [(k, f"{a} = {short(x)}") for k, a, x in zip(pair, symbols, old, strict=True)]
        ),
        "new_notes": notes_of(
            problem, [(k, f"{a} {' → '.join(short_change(x, z))}") for k, a, x, z in changes]
        ),
    }


def bounds_reached(
    problem: Problem, variables: Iterable[int], old: Iterable[float], new: Iterable[float]
) -> list[str]:
    """Return a clause for each variable that a step took to 0 or C.

    ``old`` and ``new`` are alpha of the variables before and after the step.
    """
    clauses = []
    for variable, before, after in zip(variables, old, new, strict=True):
        if after == problem.C and before != problem.C:
            clauses.append(f"{problem.name_of(variable)} stops at C")
        elif after == 0.0 and before != 0.0:
            clauses.append(f"{problem.name_of(variable)} falls to 0")
    return clauses
