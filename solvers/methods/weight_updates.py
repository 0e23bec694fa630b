"""Formulas of a step that adds points to w: ``w <- factor w + rate sum_i y_i x_i`` with numbers.

The sum is over the added points. For the linear kernel the formulas show w. For other kernels they
show the coefficients ``beta_i`` of the first added points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.fields import Index
from solvers.run.formulas import Formula, bracketed, number, vector

Vector = tuple[float, ...]


# Maximum number of coefficients or of margins in a formula.
MAX_SHOWN = 3


@dataclass(frozen=True)
class Coefficient:
    """One ``beta_i`` before and after a step.

    Attributes
    ----------
    i, times, label : int
        Index of a point, how many times the step adds it, and its label ``y_i``.
    old, new : float
        ``beta_i`` before and after the step.
    """

    i: int
    times: int
    label: int
    old: float
    new: float

    def line(self, factor: str, rate: str) -> str:
        """Return ``beta_i <- factor old + y_i times rate = new`` in LaTeX, with numbers."""
        times = f"{self.times} " + r"\cdot " if self.times > 1 else ""
        change = rf" {'+' if self.label > 0 else '-'} {times}{rate}" if self.times else ""
        old = bracketed(self.old) if factor else number(self.old)
        return rf"\beta_{{{self.i + 1}}} \leftarrow {factor}{old}{change} = {number(self.new)}"


@dataclass(frozen=True)
class Update:
    """The change of w, and of the coefficients of the first added points.

    Attributes
    ----------
    before, after, pull : tuple of d floats, or None
        w before and after the step, and ``sum_i y_i x_i`` over the added points; None for a
        nonlinear kernel.
    adds_points : bool
        Whether any point is added.
    shown : tuple of Coefficient
        The coefficients that the formulas show: those of the first added points, or, if no point is
        added, that of the point that the step visited.
    """

    before: Vector | None
    after: Vector | None
    pull: Vector | None
    adds_points: bool
    shown: tuple[Coefficient, ...]

    def of_w(self, left: str, factor: str, rate: str) -> str | None:
        """Return ``left factor before + rate pull = after``; None for a nonlinear kernel.

        ``left``, such as ``w_{3} =``, ``factor`` and ``rate`` are LaTeX; an empty factor or rate
        stands for 1. The others are numbers. If no point is added, ``rate pull`` is left out.
        """
        if self.before is None or self.after is None or self.pull is None:
            return None
        added = rf" + {rate} {vector(self.pull)}" if self.adds_points else ""
        return rf"{left} {factor} {vector(self.before)}{added} = {vector(self.after)}"

    def of_beta(self, letters: str, factor: str, rate: str) -> Formula:
        """Return the formula of the coefficients.

        ``letters`` is the formula in letters, as LaTeX. ``factor`` and ``rate`` are LaTeX; a factor
        ends with a multiplication sign, and an empty factor stands for 1.
        """
        lines = (coefficient.line(factor, rate) for coefficient in self.shown)
        return Formula(letters, r", \quad ".join(lines))


def update_of(
    problem: Problem, before: np.ndarray, after: np.ndarray, points: Sequence[int], visited: int
) -> Update:
    """Return the update of a step that adds ``points``.

    ``before`` and ``after`` are beta before and after the step, shape (n,). A point may occur in
    ``points`` more than once. If ``points`` is empty, the formulas show the coefficient of the
    point ``visited``.
    """
    added = list(points)
    pull = problem.y[added] @ problem.X[added] if added else np.zeros(problem.X.shape[1])
    indices = tuple(dict.fromkeys(added or [visited]))[:MAX_SHOWN]
    return Update(
        before=_vector(before @ problem.X) if problem.linear else None,
        after=_vector(after @ problem.X) if problem.linear else None,
        pull=_vector(pull) if problem.linear else None,
        adds_points=bool(added),
        shown=tuple(
            Coefficient(
                i=int(i),
                times=added.count(i),
                label=int(problem.y[i]),
                old=float(before[i]) + 0.0,
                new=float(after[i]) + 0.0,
            )
            for i in indices
        ),
    )


def _vector(values: np.ndarray) -> Vector:
    return tuple((values + 0.0).tolist())


def of_bias(letters: str, left: str, factor: str, old: float, new: float, decay: float) -> Formula:
    """Return the formula of the update of b: ``left factor old + change = new``.

    ``letters`` is the formula in letters. ``left`` is the left side of the formula with numbers,
    such as ``b_{3} =``. ``factor`` is LaTeX that ends with a multiplication sign, and ``decay`` is
    the value of this factor, so that ``change = new - decay old``. If b does not shrink,
    ``factor`` is empty and ``decay`` is 1.
    """
    start = rf"{factor}{bracketed(old)}" if factor else number(old)
    change = new - decay * old
    return Formula(letters, rf"{left} {start} + {bracketed(change)} = {number(new)}")


@dataclass(frozen=True)
class Mean:
    """The mean of all iterates, before and after a step.

    Attributes
    ----------
    before, last, after : tuple of float
        The mean before the step, the iterate that the step made, and the mean after the step. They
        contain the entries of w for the linear kernel, otherwise ``beta_i`` of one point only.
    i : int or None
        The index of the point whose beta_i is shown; None for the linear kernel.
    bias_before, bias_last, bias : float or None
        b in the mean before the step, in the iterate that the step made, and in the mean after the
        step; None without a bias.
    """

    before: tuple[float, ...]
    last: tuple[float, ...]
    after: tuple[float, ...]
    i: int | None
    bias_before: float | None
    bias_last: float | None
    bias: float | None

    def formulas(self, t: int) -> tuple[Formula, ...]:
        """Return the formulas of the mean's update in step t: its iterate has weight 1/t."""
        if self.i is None:
            after = vector(self.after)
            numbers = _mean_line(r"\bar{w}", t, vector(self.before), vector(self.last), after)
            step = Formula(_mean_line(r"\bar{w}", "t", r"\bar{w}", "w_{t+1}"), numbers)
        else:
            name, (before,), (last,), (after,) = r"\bar{\beta}", self.before, self.last, self.after
            subject = rf"{name}_{{{self.i + 1}}}"
            numbers = _mean_line(subject, t, _factor(before), _factor(last), number(after))
            step = Formula(_mean_line(rf"{name}_i", "t", rf"{name}_i", r"\beta_i"), numbers)
        if self.bias is None or self.bias_before is None or self.bias_last is None:
            return (step,)
        before, last = _factor(self.bias_before), _factor(self.bias_last)
        numbers = _mean_line(r"\bar{b}", t, before, last, number(self.bias))
        return step, Formula(_mean_line(r"\bar{b}", "t", r"\bar{b}", "b_{t+1}"), numbers)


def _factor(value: float) -> str:
    return r"\cdot " + bracketed(value)


def _mean_line(name: str, t: object, mean: str, last: str, after: str = "") -> str:
    """Return ``name <- (1 - 1/t) mean + 1/t last``, with `` = after`` unless that is empty."""
    end = f" = {after}" if after else ""
    weight = rf"\frac{{1}}{{{t}}}"
    return rf"{name} \leftarrow \left(1 - {weight}\right) {mean} + {weight} {last}{end}"


def weight_values(
    problem: Problem, before: np.ndarray, after: np.ndarray, points: Sequence[int], visited: int
) -> dict[str, Any]:
    """Return the values of a step that adds ``points`` to w, which formulas show.

    For the linear kernel these are ``w_before``, ``w``, and ``pull``, the sum of ``y_i x_i`` over
    the points. For other kernels ``coefficients`` has a dict for each of the points, or for the
    point ``visited`` if there are none: the index ``i``, ``beta_i`` as ``old`` and ``new``, and in
    ``added``, as LaTeX, the sign and how many times ``y_i x_i`` is added. The others are None.

    ``before`` and ``after`` are beta before and after the step, shape (n,). A point may occur in
    ``points`` more than once.
    """
    values: dict[str, Any] = dict.fromkeys(("w_before", "w", "pull", "coefficients"))
    if problem.linear:
        values["w_before"], values["w"] = before @ problem.X, after @ problem.X
        if len(points):
            values["pull"] = problem.y[points] @ problem.X[points]
        return {
            name: None if w is None else tuple((w + 0.0).tolist()) for name, w in values.items()
        }
    values["coefficients"] = [
        {
            "i": Index(i),
            "old": float(before[i]) + 0.0,
            "new": float(after[i]) + 0.0,
            "added": _added(int(problem.y[i]), points.count(i)),
        }
        for i in dict.fromkeys(points or [visited])
    ]
    return values


def _added(label: int, times: int) -> str | None:
    sign = "+" if label > 0 else "-"
    return None if not times else sign if times == 1 else rf"{sign} {times} \cdot"
