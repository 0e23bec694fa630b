"""Loss functions, and the two parts of the primal: the regulariser and the sum of losses.

The primal of a classification is ``P = 1/2 ||w||^2 + C sum_i hinge(y_i f(x_i))``, that of a
regression ``P = 1/2 ||w||^2 + C sum_i V_eps(y_i - f(x_i))``. The other losses are for comparison.
One of them gives the fraction of errors, which is the actual aim, but is too hard to minimise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.problem.certificate import MIN_MARGIN
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
    slopes : callable(array, float) -> array, or None
        Returns the slopes just left and just right of numbers (m,), shape (2, m), given epsilon.
        The lines of all slopes between these two support the loss: they touch it, and lie nowhere
        above it. None for a loss that is not convex.
    kinks : callable(float) -> tuple of float
        Returns where the slope jumps, given epsilon.
    no_best : str
        Why the panel shows no smallest value of regulariser and losses, in a sentence; empty if it
        shows one.
    """

    name: str
    label: str
    formula: str
    values: Callable[[np.ndarray, float], np.ndarray]
    slopes: Callable[[np.ndarray, float], np.ndarray] | None
    kinks: Callable[[float], tuple[float, ...]]
    no_best: str = ""


def _table(*losses: Loss) -> dict[str, Loss]:
    return {loss.name: loss for loss in losses}


def _smooth(slopes: np.ndarray) -> np.ndarray:
    return np.array([slopes, slopes])


def misclassified(y: np.ndarray, decision: np.ndarray) -> np.ndarray:
    """Return which points are errors, bool, shape (n,), given y and ``f(x_i)``, each of shape (n,).

    ``f(x) >= 0`` predicts the class +1, and ``f(x) < 0`` the class -1. So a point with ``f(x) = 0``
    is an error only if its class is -1. A point where f has no value is an error.
    """
    return np.where(y > 0.0, ~(decision >= 0.0), ~(decision < 0.0))


LOSSES = _table(
    Loss(
        "hinge", "Hinge", "max(0, 1 − z)",
        lambda z, _: np.maximum(0.0, 1.0 - z),
        lambda z, _: -np.array([z <= 1.0, z < 1.0], dtype=np.float64),
        lambda _: (1.0,),
    ),
    Loss(
        "zero-one", "0-1", "1 if z < 0, or if z = 0 and y = −1; else 0",
        lambda z, _: (z < 0.0).astype(np.float64),
        None,
        lambda _: (0.0,),
        "No best: with w and b halved, the errors stay.",
    ),
    Loss(
        "squared-hinge", "Squared", "max(0, 1 − z)²",
        lambda z, _: np.maximum(0.0, 1.0 - z) ** 2,
        lambda z, _: _smooth(-2.0 * np.maximum(0.0, 1.0 - z)),
        lambda _: (),
    ),
    # Not divided by log 2, which would make it 1 at z = 0, so that C has its usual meaning.
    Loss(
        "logistic", "Logistic", "log(1 + exp(−z))",
        lambda z, _: np.logaddexp(0.0, -z),
        lambda z, _: _smooth(-np.exp(-np.logaddexp(0.0, z))),
        lambda _: (),
    ),
)  # fmt: skip
REGRESSION_LOSSES = _table(
    Loss(
        "tube", "Tube", "max(0, |r| − ε)",
        lambda r, epsilon: np.maximum(0.0, np.abs(r) - epsilon),
        lambda r, epsilon: np.array(
            [(r > epsilon) * 1.0 - (r <= -epsilon), (r >= epsilon) * 1.0 - (r < -epsilon)]
        ),
        lambda epsilon: (-epsilon, epsilon),
    ),
    Loss(
        "absolute", "Absolute", "|r|",
        lambda r, _: np.abs(r),
        lambda r, _: np.array([(r > 0.0) * 1.0 - (r <= 0.0), (r >= 0.0) * 1.0 - (r < 0.0)]),
        lambda _: (0.0,),
        "No best is shown: it is that of the tube with ε = 0.",
    ),
    Loss(
        "squared", "Squared", "r²",
        lambda r, _: r**2,
        lambda r, _: _smooth(2.0 * r),
        lambda _: (),
    ),
)  # fmt: skip


def losses_for(task: str) -> dict[str, Loss]:
    """Return the losses of a task; the first is the one that its primal contains."""
    return REGRESSION_LOSSES if task == "regression" else LOSSES


def arguments(problem: Problem, decision: np.ndarray) -> np.ndarray:
    """Return what the loss of each point is a function of, shape (n,).

    It is ``z = y f(x)`` in a classification, and ``r = y - f(x)`` in a regression.
    """
    if problem.task == "regression":
        return problem.y - decision
    return problem.y * decision


def point_losses(problem: Problem, decision: np.ndarray, loss: Loss) -> np.ndarray:
    """Return the loss of each point, shape (n,), given ``f(x_i)``, shape (n,)."""
    if loss.name == "zero-one":
        # At z = 0 this loss depends on the class.
        return misclassified(problem.y, decision).astype(np.float64)
    return loss.values(arguments(problem, decision), getattr(problem, "epsilon", 0.0))


@dataclass(frozen=True)
class Objective:
    """The primal in two parts.

    Attributes
    ----------
    regulariser : float
        ``1/2 ||w||^2``, or ``1/2 ||(w, b)||^2`` if the bias is regularised.
    slack : float
        ``sum_i s_i xi_i``, the sum of the losses, with the weights of the points.
    C : float
        Infinite for the hard margin.
    """

    regulariser: float
    slack: float
    C: float

    @property
    def penalty(self) -> float:
        """``C sum_i s_i xi_i``; for the hard margin 0 without slack, and infinite otherwise."""
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
    return Objective(0.5 * squared_norm, problem.weighted_sum(slack), problem.C)


def objective_of(problem: Problem, decision: np.ndarray, norm: float, loss: Loss) -> Objective:
    """Return regulariser and sum of losses of a decision function.

    With the loss that belongs to the task, they add up to the primal ``P``. With a hard margin,
    ``(w, b)`` is first scaled such that ``min_i y_i f(x_i) = 1``, if that minimum is positive.

    Parameters
    ----------
    problem : Problem
    decision : array, shape (n,)
        ``f(x_i)``.
    norm : float
        ``||w||``; with a regularised bias ``||(w, b)||``.
    loss : Loss
    """
    if problem.hard:
        smallest = float((problem.y * decision).min())
        if smallest > MIN_MARGIN:
            decision, norm = decision / smallest, norm / smallest
            # Otherwise rounding could leave some slack, and P would be infinite.
            decision = np.where(problem.y * decision < 1.0, problem.y, decision)
    total = problem.weighted_sum(point_losses(problem, decision, loss))
    return Objective(0.5 * norm * norm, total, problem.C)
