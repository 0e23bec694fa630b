"""The rules by which SMO computes b: which of them a step applied, and its formula."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, adding_up, in_brackets, number, without_rounding

# The rules by which b is computed. Each is also the label of its line in the pseudo-code.
BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE = "free", "mean", "middle"


def bias_formula(problem: Problem, after: Any, b: float, choice: str) -> Formula:
    """Return the formula by which b was computed, with its value."""
    dual_form, beta, new = problem.dual_form, after.beta, r"b^{\mathrm{new}}"
    m, M = float(after.scalars["m"][0]), float(after.scalars["M"][0])
    free = int(np.count_nonzero((beta > dual_form.lower) & (beta < dual_form.upper)))
    # b is computed from numbers about as large as m, M or 1. A tiny b is only their rounding error.
    shown = without_rounding(b, (m, M, 1.0))
    F = r"F_k = y_k - \sum_l \alpha_l^{\mathrm{new}} y_l K_{kl}"
    if problem.task != "classification":
        F = r"F_k = y_k - s_k\,\varepsilon - \sum_l \beta_l^{\mathrm{new}} K_{kl}"
    has_threshold = choice in ("platt", "random")
    if b == 0.5 * (m + M) and (has_threshold or not free):
        terms, middle = adding_up((m, M), b, lambda p, q: 0.5 * (p + q))
        return Formula(
            rf"{new} = \frac{{1}}{{2}} \left(\max_{{k \in I_{{\mathrm{{up}}}}}} F_k + "
            rf"\min_{{k \in I_{{\mathrm{{low}}}}}} F_k\right), \quad {F}",
            rf"{new} = \frac{{1}}{{2}} \cdot \left({terms[0]} + {in_brackets(terms[1])}\right)"
            rf" = {middle}",
        )
    if has_threshold:
        rule = r"F_k \ \text{ of a free one of the pair, else the mean of both}"
        return Formula(rf"{new} = {rule}, \quad {F}", rf"{new} = {number(shown)}")
    return Formula(
        rf"{new} = \frac{{1}}{{|S|}} \sum_{{k \in S}} F_k, \quad S = \{{k : 0 < \alpha_k < C\}}, "
        rf"\quad {F}",
        rf"{new} = {number(shown)}, \quad |S| = {free}",
    )


def bias_rule(problem: Problem, after: Any, b: float, choice: str, pair: tuple[int, int]) -> str:
    """Return the rule by which b was computed.

    For Platt's choice and the random choice the rule is found from b. If BIAS_MIDDLE gives the same
    b as BIAS_FREE or BIAS_MEAN, return BIAS_FREE or BIAS_MEAN.
    """
    beta, dual_form = after.beta, problem.dual_form
    free = (beta > dual_form.lower) & (beta < dual_form.upper)
    if choice not in ("platt", "random"):
        return BIAS_FREE if free.any() else BIAS_MIDDLE
    F = [float(after.F[k]) for k in pair]
    if any(free[k] and after.F[k] == b for k in pair):
        return BIAS_FREE
    return BIAS_MEAN if not free[list(pair)].any() and 0.5 * sum(F) == b else BIAS_MIDDLE
