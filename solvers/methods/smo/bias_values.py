"""Named values of the new b after a pair has moved, and of the numbers from which it is computed.

``F_k = target_k - (K beta)_k`` is the b for which the error ``E_k = b - F_k`` would be 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.methods.smo.variables import named_like_alpha, variable_noun
from solvers.problem.movable import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.formulas import digits_of_sum, in_brackets, number, without_rounding

# The rules by which b is computed: F of a free variable or the mean of F of the free ones; the mean
# of F of the pair; and the middle of the interval that the KKT conditions allow.
BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE = "free", "mean", "middle"
F_IS = {
    "classification": r"F_k = y_k - \sum_l \alpha_l^{\mathrm{new}} y_l K_{kl}",
    "regression": r"F_k = y_k - s_k\,\varepsilon - \sum_l \beta_l^{\mathrm{new}} K_{kl}",
}
# Maximum number of F that a formula adds one by one.
MAX_TERMS = 4


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

    For Platt's choice and the random choice the rule is found from b. If BIAS_MIDDLE gives the same
    b as BIAS_FREE or BIAS_MEAN, the rule is one of those. ``set_name`` is as in
    :func:`.values.pair_values`: b is computed from the variables of this set.
    """
    dual_form, beta, b = problem.dual_form, after.beta, biases[1]
    pair = move["i"], move["j"]
    m, M = float(after.scalars["m"][0]), float(after.scalars["M"][0])
    free = (beta > dual_form.lower) & (beta < dual_form.upper)
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
        "bias_rule": rule,
        **{f"b_{name}": shown if name == rule else None for name in (BIAS_FREE, BIAS_MEAN)},
        "b_middle": shown if rule == BIAS_MIDDLE else None,
        "b_clause": _clause(problem, rule, by_sweeps, set_name),
        **_bias_question(rule, by_sweeps),
        "by_middle": is_middle and not by_pair,
        "by_pair": by_pair,
        "by_free": not by_sweeps and not is_middle,
        "by_mean_of_pair": rule == BIAS_MEAN,
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


def _clause(problem: Problem, rule: str, by_sweeps: bool, set_name: str) -> str:
    """Return a clause on the rule, at the end of the last beat."""
    noun = variable_noun(problem)
    if rule == BIAS_MEAN:
        return "; neither is free, so b is the mean F of both"
    if rule == BIAS_MIDDLE:
        why = f"no {noun} of B is free, so " if set_name == "B" else ""
        return f"; {why}b is the middle of its interval"
    return f"; b is the mean F of the free {noun}s of B" if set_name == "B" else ""


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
