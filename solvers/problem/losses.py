"""Loss functions, and the two parts of the primal: the regulariser and the sum of losses.

The primal of a classification is ``P = 1/2 ||w||^2 + C sum_i hinge(y_i f(x_i))``, that of a
regression ``P = 1/2 ||w||^2 + C sum_i V_eps(y_i - f(x_i))``. The other losses are there to be
compared with: the fraction of errors is what one would like to minimise, and cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.problem.problem import Problem


@dataclass(frozen=True)
class Loss:
    """A loss as a function of one number per point.

    Attributes
    ----------
    name, label : str
        Key in LOSSES or REGRESSION_LOSSES, and name on screen.
    formula : str
        In letters: z is ``y f(x)``, r is ``y - f(x)``.
    values : callable(array, float) -> array
        Returns the losses, shape (m,), of numbers (m,), given epsilon.
    """

    name: str
    label: str
    formula: str
    values: Callable[[np.ndarray, float], np.ndarray]


def _table(*losses: Loss) -> dict[str, Loss]:
    return {loss.name: loss for loss in losses}


LOSSES = _table(
    Loss("hinge", "Hinge", "max(0, 1 − z)", lambda z, _: np.maximum(0.0, 1.0 - z)),
    Loss("zero-one", "0-1", "1 if z < 0, else 0", lambda z, _: (z < 0.0).astype(np.float64)),
    Loss(
        "squared-hinge", "Squared hinge", "max(0, 1 − z)²",
        lambda z, _: np.maximum(0.0, 1.0 - z) ** 2,
    ),
)  # fmt: skip
REGRESSION_LOSSES = _table(
    Loss(
        "tube", "Tube", "max(0, |r| − ε)",
        lambda r, epsilon: np.maximum(0.0, np.abs(r) - epsilon),
    ),
    Loss("absolute", "Absolute", "|r|", lambda r, _: np.abs(r)),
    Loss("squared", "Squared", "r²", lambda r, _: r**2),
)  # fmt: skip


@dataclass(frozen=True)
class Objective:
    """The primal in two parts.

    Attributes
    ----------
    regulariser : float
        ``1/2 ||w||^2``, or ``1/2 ||(w, b)||^2`` if the bias is regularised.
    slack : float
        ``sum_i xi_i``.
    C : float
        Infinite for the hard margin.
    """

    regulariser: float
    slack: float
    C: float

    @property
    def penalty(self) -> float:
        """``C sum_i xi_i``; for the hard margin 0 without slack, and infinite otherwise."""
        return 0.0 if self.slack == 0.0 else self.C * self.slack

    @property
    def primal(self) -> float:
        """``P``."""
        return self.regulariser + self.penalty


def objective_of_line(problem: Problem, w: np.ndarray, b: float) -> Objective:
    """Return the primal of ``f(x) = <w, x> + b`` in its two parts.

    Parameters
    ----------
    problem : Problem
        Its kernel does not matter.
    w : array, shape (d,)
    b : float
    """
    squared_norm = float(np.dot(w, w)) + (b * b if problem.bias == "augmented" else 0.0)
    f = problem.X @ w + b
    slack = problem.max_per_point(
        np.maximum(0.0, problem.sign * (problem.target - problem.to_variables(f)))
    )
    return Objective(0.5 * squared_norm, float(slack.sum()), problem.C)
