"""Named values of the move of a pair by SMO, from the states before and after its step.

F, m and M are those of :mod:`solvers.methods.smo.smo`: m is the largest F of the variables that may
rise, and M is the smallest F of the variables that may fall.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from solvers.methods.smo.choice import SWEEPING
from solvers.methods.smo.choice_values import ChoiceByErrors
from solvers.methods.smo.sweep_values import pair_of_sweep, values_by_sweeps
from solvers.methods.smo.words import (
    alpha_name,
    alpha_symbol,
    named_like_alpha,
    notes_of,
    points_of,
    variable_noun,
)
from solvers.problem.kkt import is_free, may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.rounding import EPS
from solvers.run.beats import short, short_change
from solvers.run.formulas import (
    NEGLIGIBLE,
    alpha,
    digits_of_sum,
    in_brackets,
    number,
    without_rounding,
)

# A step counts as cut short by the box if it goes less than this fraction of the distance to the
# vertex of the parabola. The fraction differs from 1 only to allow for rounding error.
FULL_FRACTION = 1.0 - 1e-9
# Clauses on a step that took no variable to a bound, a step to the top of its parabola, and a step
# without a top.
BOTH_FREE = {
    "classification": "both weights α end between 0 and C",
    "regression": "both weights β end between −C and C",
}
# The same clause where C is infinite.
NO_BOUND = {
    "classification": "both weights α end above 0",
    "regression": "no bound ends the step",
}
# The upper bound of alpha in a clause.
OWN_C = re.compile(r"(?<=[<≤] )C(?![\w\\])|(?<= and )C(?!\w)")
NO_TOP = "the dual has no top along their line"
# The ends of the segment, by whether the signs of the pair are equal.
ENDS = {
    True: "L = max(0, αᵢ + αⱼ − {0}) and H = min({1}, αᵢ + αⱼ), since αᵢ + αⱼ is constant",
    False: "L = max(0, αⱼ − αᵢ) and H = min({1}, {0} + αⱼ − αᵢ), since αⱼ − αᵢ is constant",
}
# The rules by which b is computed: F of a free variable or the mean of F of the free ones; the mean
# of F of the pair; and the middle of the interval that the KKT conditions allow.
BIAS_RULES = BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE = "free", "mean", "middle"
F_IS = {
    "classification": r"F_k = y_k - \sum_l \alpha_l^{\mathrm{new}} y_l K_{kl}",
    "regression": r"F_k = y_k - s_k\,\varepsilon - \sum_l \beta_l^{\mathrm{new}} K_{kl}",
}
# Maximum number of F that a formula adds one by one.
MAX_TERMS = 4


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

    ``i`` and ``j`` are the pair of variables. If the choice compares errors, beta_i rose and beta_j
    fell, where beta is alpha times its sign; if it sweeps over the points, j is the variable at
    which the sweep stopped, or its twin. The signs ``y_i`` and ``y_j`` are the labels; in a
    regression +1 for a variable alpha* and -1 for a variable alpha. ``violation`` is ``m - M``
    before the step over the variables among which the pair was chosen.

    Parameters
    ----------
    before, after : states with ``beta``, ``F`` and ``scalars``
    record : the record of the step, with the fields of :data:`.steps.EVENT`
    choice : str
        The setting ``pair`` of SMO.
    biases : tuple of two floats
        b before and after the step.
    candidates : int array, optional
        The variables among which the pair was chosen; all by default.
    set_name : str, optional
        The name of the set of the candidates in sentences; empty if they are all variables.
    """
    by_sweeps = choice in SWEEPING
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
        return _with_own_C(
            problem, values | values_by_sweeps(problem, before, after, values, choice)
        )
    if candidates is None:
        candidates = np.arange(problem.n_variables)
    second_order = choice == "second-order"
    chosen = ChoiceByErrors(
        problem, before.F, before.beta, values, candidates, set_name, second_order
    )
    return _with_own_C(problem, values | chosen.values())


def _with_own_C(problem: Problem, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values; if the points have weights, their clauses have C_i in place of C."""
    if problem.weights is None:
        return values
    own = {key: OWN_C.sub("Cᵢ", text) for key, text in values.items() if isinstance(text, str)}
    return values | {key: text.replace(r"< C\}", r"< C_k\}") for key, text in own.items()}


def _moved_values(
    problem: Problem, before: Any, after: Any, pair: tuple[int, int]
) -> dict[str, Any]:
    """Return alpha of the pair before and after the step, the parabola, and the segment [L, H].

    ``unclipped`` is where alpha_j would go without the box:

    * to the top of the parabola if there is one, so if the curvature ``eta`` is above 0;
    * otherwise to infinity, in the direction of the step;
    * but if no bound ends the step either (``is_endless``), as can be with a hard margin, to where
      it is with ``divisor`` in place of eta.

    The texts name this number by the case, so that those of other cases are left out: ``top`` in
    the first case, ``goal`` in the first and third, ``no_top`` in the second. Likewise ``clip`` is
    the new alpha_j if the box cut the step short, and ``stop_j`` if there is an end to ask for.
    """
    i, j = pair
    y, box = problem.sign, _box_values(problem, pair)
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
    low, high = _segment(old_i, old_j, box["C_i"], box["C_j"], same_signs)
    slope = float(before.F[i] - before.F[j])
    # alpha_j rises if D rises with it. The end L always exists; H may be infinite if C is.
    has_top, has_bound = eta > 0.0, y_j * slope > 0.0 or math.isfinite(high)
    is_endless = not has_top and not has_bound
    divisor = eta if has_top else EPS * (abs(K_ii) + abs(K_jj))
    # Steps of beta_i; that of beta_j is the opposite.
    t_to_top = slope / divisor if has_top or is_endless else math.copysign(math.inf, slope)
    unclipped = old_j - y_j * t_to_top
    t = y_i * without_rounding(new_i - old_i, sizes)
    cut_short = abs(new_j - old_j) < FULL_FRACTION * abs(unclipped - old_j)
    return {
        "y_i": y_i,
        "y_j": y_j,
        **box,
        "K_ii": K_ii,
        "K_jj": K_jj,
        "K_ij": K_ij,
        "eta": eta,
        "old_i": old_i,
        "old_j": old_j,
        "new_i": new_i,
        "new_j": new_j,
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
        **_asked_ends(low, high, same_signs, problem.weights is None),
        "to_high": unclipped > old_j,
        "stop_j": None if is_endless else new_j,
        "cut_short": cut_short,
        "clip": new_j if cut_short else None,
        "slope": slope,
        "rise": t * slope - 0.5 * t * t * eta,
    }


def _segment(
    old_i: float, old_j: float, C_i: float, C_j: float, same_signs: bool
) -> tuple[float, float]:
    """Return L and H, the ends of the interval that the constraint and the box allow alpha_j."""
    low, high = old_j - old_i, C_i + old_j - old_i
    if same_signs:
        low, high = old_i + old_j - C_i, old_i + old_j
    low, high = (without_rounding(end, (old_i, old_j, C_i)) for end in (low, high))
    return max(0.0, low), min(C_j, high)


def _box_values(problem: Problem, pair: tuple[int, int]) -> dict[str, Any]:
    """Return the bounds of a pair: C if it is the same for all points, otherwise C_i and C_j."""
    one_C = problem.weights is None
    C_i, C_j = problem.bounds[list(pair)].tolist()
    return {
        "C": problem.C,
        "one_C": "C" if one_C else None,
        "C_i": C_i,
        "C_j": C_j,
        "top_i": "C" if one_C else "C_i",
        "top_j": "C" if one_C else "C_j",
        "box": "[0, ∞)²" if problem.hard else "[0, C]²" if one_C else "[0, Cᵢ] × [0, Cⱼ]",
    }


def _asked_ends(low: float, high: float, same_signs: bool, one_C: bool) -> dict[str, Any]:
    """Return the ends of the segment for questions: both, or only L if there is no H."""
    is_finite = math.isfinite(high)
    return {
        "ends_rule": ENDS[same_signs].format(*(("C", "C") if one_C else ("Cᵢ", "Cⱼ"))),
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
        "top_letter": _marked(rf"\alpha_j{star}", "top"),
        "top_name": _marked(alpha(problem, pair[1]), "top"),
    }
    for letter, variable in zip("ij", pair, strict=True):
        name = alpha(problem, variable)
        names[f"a_{letter}"] = alpha_name(problem, variable)
        # As in the pseudo-code.
        names[f"{letter}_alpha"] = f"α{'ᵢ' if letter == 'i' else 'ⱼ'}{'*' * name.endswith('*}')}"
        names[f"letter_{letter}"] = rf"\alpha_{letter}{star}"
        names[f"new_letter_{letter}"] = _marked(rf"\alpha_{letter}{star}", "new")
        names[f"new_name_{letter}"] = _marked(name, "new")
    return names


def _marked(name: str, mark: str) -> str:
    """Return the LaTeX name with a mark, such as "new" for the value after the step."""
    base, caret, above = name.partition("^{")
    above = above.removesuffix("}") + r"\," if caret else ""
    return rf"{base}^{{{above}\mathrm{{{mark}}}}}"


def _words_of_move(problem: Problem, values: dict[str, Any]) -> dict[str, Any]:
    """Return clauses on where the step ended, and the notes on the two variables."""
    pair = values["i"], values["j"]
    old, new = ((values[f"{when}_i"], values[f"{when}_j"]) for when in ("old", "new"))
    bounds = " and ".join(bounds_reached(problem, pair, old, new))
    if values["has_top"]:
        box = "the box, α ≥ 0" if problem.hard else "the box, 0 ≤ α ≤ C"
        side = f"outside {box}, so {bounds}" if bounds else f"inside {box}"
        end_of_step = f"the top of D along their line lies {side}"
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
        "bounds": bounds or (NO_BOUND if problem.hard else BOTH_FREE)[problem.task],
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

    ``old`` and ``new`` are alpha of the variables before and after the step. A regression speaks of
    beta, as its panels do: alpha* for a point above the tube, -alpha for one below it.
    """
    clauses = []
    for variable, before, after in zip(variables, old, new, strict=True):
        name, bound = problem.name_of(variable), problem.bounds[variable]
        own = "C" if problem.weights is None else "its own C"
        top = f"rises to {own}"
        if problem.task == "regression":
            name = f"β of point {problem.point_of(variable) + 1}"
            top = top if problem.sign[variable] > 0 else f"falls to −{own}"
        if after == bound and before != bound:
            clauses.append(f"{name} {top}")
        elif after == 0.0 and before != 0.0:
            clauses.append(f"{name} goes to 0")
    return clauses


def bias_values(
    problem: Problem,
    before: Any,
    after: Any,
    biases: tuple[float, float],
    move: dict[str, Any],
    by_sweeps: bool,
    set_name: str,
) -> dict[str, Any]:
    """Return b before and after the step, and the rule and the numbers that gave it.

    ``F_k = target_k - (K beta)_k`` is the b for which the error ``E_k = b - F_k`` would be 0.
    For Platt's choice and the random choice the rule is found from b. If BIAS_MIDDLE gives the same
    b as BIAS_FREE or BIAS_MEAN, the rule is one of those. ``set_name`` is as in
    :func:`pair_values`: b is computed from the variables of this set.
    """
    beta, b = after.beta, biases[1]
    pair = move["i"], move["j"]
    m, M = float(after.scalars["m"][0]), float(after.scalars["M"][0])
    free = is_free(problem, beta)
    is_middle = b == 0.5 * (m + M) and (by_sweeps or not free.any())
    rule, used = BIAS_FREE if free.any() else BIAS_MIDDLE, np.flatnonzero(free).tolist()
    if by_sweeps:
        used = [k for k in pair if free[k] and after.F[k] == b][:1]
        is_mean = not free[list(pair)].any() and 0.5 * sum(after.F[list(pair)]) == b
        rule = BIAS_FREE if used else BIAS_MEAN if is_mean else BIAS_MIDDLE
        used = used or list(pair)
    # b is computed from numbers about as large as m, M or 1. A tiny b is only their rounding error.
    shown = without_rounding(b, (m, M, 1.0))
    by_pair = by_sweeps and rule != BIAS_MIDDLE
    in_B = r" \in B" if set_name == "B" else ""
    star = r"^{(*)}" if problem.task == "regression" else ""
    return {
        "b_before": biases[0],
        "b": shown,
        **{f"b_{name}": shown if name == rule else None for name in BIAS_RULES},
        "b_clause": _bias_clause(problem, rule, by_sweeps, set_name),
        **_bias_question(rule, by_sweeps),
        "by_middle": is_middle and not by_pair,
        "by_pair": by_pair,
        "by_free": not by_sweeps and not is_middle,
        "middle": b,
        "m_after": m,
        "M_after": M,
        "m_name": _name_at(problem, may_rise(problem, beta), after.F, m),
        "M_name": _name_at(problem, may_fall(problem, beta), after.F, M),
        "n_free": int(np.count_nonzero(free)),
        "F_is": F_IS[problem.task],
        "in_set": {"": "", "B": r" \cap B"}.get(set_name, r",\ \text{active}"),
        "S_is": rf"S = \{{k{in_B} : 0 < \alpha_k{star} < C\}}",
        "F_of_pair": _F_of_pair(problem, before, after, biases[0], move, used) if by_pair else [],
        "mean_of_F": _mean_of(problem, used, after.F[used].tolist(), b) if used else None,
    }


def _bias_clause(problem: Problem, rule: str, by_sweeps: bool, set_name: str) -> str:
    """Return a clause on the rule, at the end of the last beat."""
    noun = variable_noun(problem)
    if rule == BIAS_MEAN:
        return "; neither is free, so b is the mean of both F, where F is the b at which E is 0"
    if rule == BIAS_MIDDLE:
        of_set = " of B" if set_name == "B" else ""
        why = f"no {noun}{of_set} is free, 0 < α < C, so " if not by_sweeps or of_set else ""
        return f"; {why}b is the middle of the interval that KKT allows"
    return (
        f"; b is the mean of F, the b at which E is 0, of the free {noun}s of B"
        if set_name == "B"
        else ""
    )


def _bias_question(rule: str, by_sweeps: bool) -> dict[str, Any]:
    """Return the rules by which a choice of the pair may compute b, and which one it used."""
    if not by_sweeps:
        return {
            "b_case": rule == BIAS_FREE,
            "b_choices": "mean of the free | middle of its interval",
            "b_rule": "If a point is free, 0 < α < C, b is the mean of y − Σ αyK over all that "
            "are, and otherwise the middle of its interval",
        }
    return {
        "b_case": (BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE).index(rule),
        "b_choices": "from a free one of the pair | mean of both | middle of its interval",
        "b_rule": "E becomes 0 at one of the pair that is free; if neither is, b is the mean of "
        "both, or the middle of its interval if all points are optimal",
    }


def _name_at(problem: Problem, allowed: np.ndarray, F: np.ndarray, value: float) -> str | None:
    """Return the name of the first allowed variable with this F; None if there is none."""
    found = np.flatnonzero(allowed & (value == F))
    return named_like_alpha(problem, int(found[0]), "F") if len(found) else None


def _F_of_pair(
    problem: Problem, before: Any, after: Any, b: float, move: dict[str, Any], used: Sequence[int]
) -> list[dict[str, Any]]:
    """Return for each variable in ``used`` how its F follows from E before the step.

    ``F_k = b - E_k - d_i K_ik - d_j K_jk``, where d_i and d_j are the changes of beta.
    """
    i, j = move["i"], move["j"]
    K = {(i, i): move["K_ii"], (j, j): move["K_jj"], (i, j): move["K_ij"], (j, i): move["K_ij"]}
    return [
        {
            "F_name": named_like_alpha(problem, k, "F"),
            "E_k": without_rounding(b - float(before.F[k]), (b, float(problem.target[k]))),
            "less_i": float(before.beta[i] - after.beta[i]),
            "K_ik": K[i, k],
            "less_j": float(before.beta[j] - after.beta[j]),
            "K_jk": K[j, k],
            "F_k": float(after.F[k]),
        }
        for k in used
    ]


def _mean_of(problem: Problem, variables: Sequence[int], F: list[float], mean: float) -> str:
    """Write the mean of F of some variables, with enough digits to check it."""
    n, names = len(F), [named_like_alpha(problem, k, "F") for k in variables]
    if n == 1:
        return names[0]
    if n > MAX_TERMS:
        shown = " + ".join([*names[: MAX_TERMS - 1], r"\dots"])
        digits = digits_of_sum([sum(F)], mean, lambda total: total / n)
        total = in_brackets(number(sum(F), digits))
        return rf"\left({shown}\right) / {n} = {total} / {n}"
    F = [without_rounding(value, (1.0,)) for value in F]
    digits = digits_of_sum(F, mean, lambda *terms: sum(terms) / n)
    terms = [in_brackets(number(abs(value), digits)) for value in F]
    signs = ["{-}" if F[0] < 0.0 else "", *(" - " if value < 0.0 else " + " for value in F[1:])]
    written = "".join(sign + term for sign, term in zip(signs, terms, strict=True))
    return rf"\left({' + '.join(names)}\right) / {n} = \left({written}\right) / {n}"
