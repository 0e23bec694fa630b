"""How a step moves w or beta, for events: ``w + rate sum_i y_i x_i`` with its numbers.

For the linear kernel w is a vector that can be written down; for the others a step is told by the
coefficient ``beta_i`` of one point that takes part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, bracketed, number, vector

Vector = tuple[float, ...]


# Of how many coefficients a line tells.
MOST_TOLD = 3


@dataclass(frozen=True)
class Coefficient:
    """One ``beta_i`` before and after a step.

    Attributes
    ----------
    i, times, label : int
        A point, how often it is among those that pull, and its ``y_i``.
    old, new : float
        ``beta_i`` before and after.
    """

    i: int
    times: int
    label: int
    old: float
    new: float

    def line(self, factor: str, rate: str) -> str:
        """``beta_i <- factor old + times rate = new``, with numbers."""
        times = f"{self.times} " + r"\cdot " if self.times > 1 else ""
        change = rf" {'+' if self.label > 0 else '-'} {times}{rate}" if self.times else ""
        old = bracketed(self.old) if factor else number(self.old)
        return rf"\beta_{{{self.i + 1}}} \leftarrow {factor}{old}{change} = {number(self.new)}"


@dataclass(frozen=True)
class Update:
    """What some points did to w, and to the coefficients of the first of them.

    Attributes
    ----------
    before, after, pull : tuple of d floats, or None
        w before and after, and ``sum_i y_i x_i`` over the points; linear kernel only.
    pulled : bool
        Whether any point pulls.
    told : tuple of Coefficient
        The first few of those who pull; one of the others where nobody does.
    """

    before: Vector | None
    after: Vector | None
    pull: Vector | None
    pulled: bool
    told: tuple[Coefficient, ...]

    def of_w(self, left: str, factor: str, rate: str) -> str | None:
        """``left = factor w + rate pull = w``, with numbers; None for a curved kernel.

        ``factor`` and ``rate`` are LaTeX, or empty for 1; nothing is added where nobody pulls.
        """
        if self.before is None or self.after is None or self.pull is None:
            return None
        added = rf" + {rate} {vector(self.pull)}" if self.pulled else ""
        return rf"{left} {factor} {vector(self.before)}{added} = {vector(self.after)}"

    def of_beta(self, letters: str, factor: str, rate: str) -> Formula:
        """The coefficients; ``factor`` ends with its sign of multiplication, if any."""
        return Formula(letters, r", \quad ".join(one.line(factor, rate) for one in self.told))


def update_of(
    problem: Problem, before: np.ndarray, after: np.ndarray, points: Sequence[int], seen: int
) -> Update:
    """The update between two beta (n,); ``seen`` is told of where ``points``, who pull, are none.

    A point may occur in ``points`` more than once.
    """
    pulled = list(points)
    pull = problem.y[pulled] @ problem.X[pulled] if pulled else np.zeros(problem.X.shape[1])
    told = tuple(dict.fromkeys(pulled or [seen]))[:MOST_TOLD]
    return Update(
        before=_vector(before @ problem.X) if problem.linear else None,
        after=_vector(after @ problem.X) if problem.linear else None,
        pull=_vector(pull) if problem.linear else None,
        pulled=bool(pulled),
        told=tuple(
            Coefficient(
                i=int(i),
                times=pulled.count(i),
                label=int(problem.y[i]),
                old=float(before[i]) + 0.0,
                new=float(after[i]) + 0.0,
            )
            for i in told
        ),
    )


def _vector(values: np.ndarray) -> Vector:
    return tuple((values + 0.0).tolist())


def of_bias(letters: str, left: str, factor: str, old: float, new: float, shrunk: float) -> Formula:
    """The step of b: ``left = factor old + change = new``.

    ``factor`` is LaTeX that ends with its sign of multiplication, and ``shrunk`` its value; b
    shrinks where it is regularised, and else they are empty and 1.
    """
    start = rf"{factor}{bracketed(old)}" if factor else number(old)
    change = new - shrunk * old
    return Formula(letters, rf"{left} {start} + {bracketed(change)} = {number(new)}")


@dataclass(frozen=True)
class Mean:
    """The mean of all iterates, before and after one more.

    Attributes
    ----------
    before, last, after : tuple of float
        The mean, the iterate that is taken in, and the mean then: w of the linear kernel, else the
        ``beta_i`` of one point.
    i : int or None
        That point.
    bias_before, bias_last, bias : float or None
        The same of b; None where there is none.
    """

    before: tuple[float, ...]
    last: tuple[float, ...]
    after: tuple[float, ...]
    i: int | None
    bias_before: float | None
    bias_last: float | None
    bias: float | None

    def formulas(self, t: int) -> tuple[Formula, ...]:
        """What is shown, in which the iterate of step t counts for one of t."""
        if self.i is None:
            after = vector(self.after)
            told = _mean_line(r"\bar{w}", t, vector(self.before), vector(self.last), after)
            step = Formula(_mean_line(r"\bar{w}", "t", r"\bar{w}", "w_{t+1}"), told)
        else:
            name, (before,), (last,), (after,) = r"\bar{\beta}", self.before, self.last, self.after
            who = rf"{name}_{{{self.i + 1}}}"
            told = _mean_line(who, t, _factor(before), _factor(last), number(after))
            step = Formula(_mean_line(rf"{name}_i", "t", rf"{name}_i", r"\beta_i"), told)
        if self.bias is None or self.bias_before is None or self.bias_last is None:
            return (step,)
        before, last = _factor(self.bias_before), _factor(self.bias_last)
        told = _mean_line(r"\bar{b}", t, before, last, number(self.bias))
        return step, Formula(_mean_line(r"\bar{b}", "t", r"\bar{b}", "b_{t+1}"), told)


def _factor(value: float) -> str:
    return r"\cdot " + bracketed(value)


def _mean_line(name: str, t: object, mean: str, last: str, after: str = "") -> str:
    """``name <- (1 - 1/t) mean + 1/t last``, and what that is."""
    end = f" = {after}" if after else ""
    share = rf"\frac{{1}}{{{t}}}"
    return rf"{name} \leftarrow \left(1 - {share}\right) {mean} + {share} {last}{end}"
