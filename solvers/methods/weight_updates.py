"""Values of a step that adds points to w: w before and after it, or coefficients of points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.beats import PseudoCode
from solvers.run.fields import Index
from solvers.run.formulas import ROUNDING
from solvers.run.templates import MAX_WRITTEN


def weight_values(
    problem: Problem, before: np.ndarray, after: np.ndarray, points: Sequence[int], visited: int
) -> dict[str, Any]:
    """Return the values of a step that adds ``points`` to w, for the formulas of the step.

    * For the linear kernel: ``w_before`` and ``w``; ``pull``, the sum of ``y_i x_i`` over the
      points; ``x``, the point ``visited``; ``f_terms``, the terms whose sum is ``<w_before, x>``.
      For other kernels these are None.
    * For other kernels: ``coefficients``, a dict for each of the points, or for the point
      ``visited`` if there are none. It has the index ``i``, ``beta_i`` before (``old``) and after
      the step (``new``), and how many times ``x_i`` is added, with the sign y_i: as LaTeX
      (``added``) and as a number (``signed_times``). For the linear kernel it is None.
    * For sentences: ``yx`` is what is added. ``w_is`` and ``norm_of`` name w, or w and b if b is
      regularised, since b is then one more weight.

    ``before`` and ``after`` are beta before and after the step, shape (n,). A point may occur in
    ``points`` more than once.
    """
    values: dict[str, Any] = dict.fromkeys(
        ("w_before", "w", "pull", "x", "f_terms", "coefficients")
    )
    # With a kernel, w is a sum of images in its feature space.
    has_weight = problem.bias == "augmented"
    names = {
        "yx": "y·x" if problem.linear else "y·φ(x)",
        "w_is": "w and b are" if has_weight else "w is",
        "norm_of": "‖(w, b)‖" if has_weight else "‖w‖",
    }
    if problem.linear:
        X = problem.centered
        values["w_before"], values["w"] = weights(before, X), weights(after, X)
        values["x"], values["f_terms"] = X[visited], values["w_before"] * X[visited]
        if len(points):
            values["pull"] = weights(problem.y[points], X[points])
        return names | {
            name: None if w is None else tuple((w + 0.0).tolist()) for name, w in values.items()
        }
    values["coefficients"] = [
        {
            "i": Index(i),
            "old": float(before[i]) + 0.0,
            "new": float(after[i]) + 0.0,
            "added": _added(int(problem.y[i]), points.count(i)),
            "signed_times": float(problem.y[i]) * points.count(i),
        }
        for i in list(dict.fromkeys(points or [visited]))[: MAX_WRITTEN + 1]
    ]
    return names | values


def weights(coefficients: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return ``w = sum_i coefficients_i x_i``, shape (d,); entries of rounding error are 0."""
    w, size = coefficients @ X, np.abs(coefficients) @ np.abs(X)
    return np.where(np.abs(w) <= ROUNDING * size, 0.0, w)


def in_feature_space(code: PseudoCode, problem: Problem) -> PseudoCode:
    """Return pseudo-code in which φ(x) stands for x where a nonlinear kernel is linear in φ(x)."""
    if problem.linear:
        return code
    lines = []
    for line in code.lines:
        text = line.text
        for vector in ("yᵢxᵢ", "ζx", "xᵢ − xⱼ"):
            text = text.replace(vector, re.sub("(x[ᵢⱼ]?)", r"φ(\1)", vector))
        lines.append(replace(line, text=text))
    return replace(code, lines=tuple(lines))


def _added(label: int, times: int) -> str | None:
    sign = "+" if label > 0 else "-"
    return None if not times else sign if times == 1 else rf"{sign} {times} \cdot"
