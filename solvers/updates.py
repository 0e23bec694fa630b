"""How a step moves w or beta, for events: ``w + rate sum_i y_i x_i`` with its numbers.

For the linear kernel w is a vector that can be written down; for the others a step is told by the
coefficient ``beta_i`` of one point that takes part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.formulas import Formula, bracketed, number, vector
from solvers.problem import Problem

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Update:
    """What some points did to w, and to the coefficient of the first of them.

    Attributes
    ----------
    before, after, pull : tuple of d floats, or None
        w before and after, and ``sum_i y_i x_i`` over the points; linear kernel only.
    i, times, label : int
        A point, how often it is among those that pull, and its ``y_i``.
    old, new : float
        ``beta_i`` before and after.
    """

    before: Vector | None
    after: Vector | None
    pull: Vector | None
    i: int
    times: int
    label: int
    old: float
    new: float

    def of_w(self, left: str, factor: str, rate: str) -> str | None:
        """``left = factor w + rate pull = w``, with numbers; None for a curved kernel.

        ``factor`` and ``rate`` are LaTeX, or empty for 1; nothing is added where nobody pulls.
        """
        if self.before is None or self.after is None or self.pull is None:
            return None
        added = rf" + {rate} {vector(self.pull)}" if self.times else ""
        return rf"{left} {factor} {vector(self.before)}{added} = {vector(self.after)}"

    def of_beta(self, letters: str, factor: str, rate: str) -> Formula:
        """The coefficient of the point; ``factor`` ends with its sign of multiplication, if any."""
        who = rf"\beta_{{{self.i + 1}}}"
        times = f"{self.times} " + r"\cdot " if self.times > 1 else ""
        change = rf" {'+' if self.label > 0 else '-'} {times}{rate}" if self.times else ""
        old = bracketed(self.old) if factor else number(self.old)
        return Formula(letters, rf"{who} \leftarrow {factor}{old}{change} = {number(self.new)}")


def update_of(
    problem: Problem, before: np.ndarray, after: np.ndarray, points: Sequence[int], seen: int
) -> Update:
    """The update between two beta (n,); ``seen`` is told of where ``points``, who pull, are none.

    A point may occur in ``points`` more than once.
    """
    i = points[0] if len(points) else seen
    pulled = list(points)
    pull = problem.y[pulled] @ problem.X[pulled] if pulled else np.zeros(problem.X.shape[1])
    return Update(
        before=_vector(before @ problem.X) if problem.linear else None,
        after=_vector(after @ problem.X) if problem.linear else None,
        pull=_vector(pull) if problem.linear else None,
        i=int(i),
        times=pulled.count(i),
        label=int(problem.y[i]),
        old=float(before[i]) + 0.0,
        new=float(after[i]) + 0.0,
    )


def _vector(values: np.ndarray) -> Vector:
    return tuple((values + 0.0).tolist())
