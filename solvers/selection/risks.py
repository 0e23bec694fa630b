"""Risks: the mean loss of a decision function on some points, usually not the training points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput, short_repr
from solvers.problem.losses import misclassified
from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.problem.regression import Regression

# ``loss(decision, y, epsilon)`` returns the loss of each point; all arrays have shape (m,).
Loss = Callable[[np.ndarray, np.ndarray, float], np.ndarray]


@dataclass(frozen=True)
class Risk:
    """A kind of risk.

    Attributes
    ----------
    name, label, help : str
        The name in commands, the name in the window, and a phrase that defines the risk.
    task : str
        The task for which the risk is made: "classification" or "regression".
    loss : callable
        The function of each point's loss; see :data:`Loss`.
    """

    name: str
    label: str
    help: str
    task: str
    loss: Loss

    def mean_loss(self, problem: AnyProblem, rows: np.ndarray, decision: np.ndarray) -> float:
        """Return the mean loss of decision values, shape (m,), at m points of a problem.

        Of several classes, the decision values are indices of classes.
        """
        if isinstance(problem, ManyClassProblem):
            return float((decision != problem.y[rows]).mean())
        epsilon = problem.epsilon if isinstance(problem, Regression) else 0.0
        return float(self.loss(decision, problem.y[rows], epsilon).mean())


def _zero_one(decision: np.ndarray, y: np.ndarray, epsilon: float) -> np.ndarray:
    return misclassified(y, decision).astype(np.float64)


def _hinge(decision: np.ndarray, y: np.ndarray, epsilon: float) -> np.ndarray:
    return np.maximum(0.0, 1.0 - y * decision)


def _absolute(decision: np.ndarray, y: np.ndarray, epsilon: float) -> np.ndarray:
    return np.abs(y - decision)


def _squared(decision: np.ndarray, y: np.ndarray, epsilon: float) -> np.ndarray:
    return (y - decision) ** 2


def _insensitive(decision: np.ndarray, y: np.ndarray, epsilon: float) -> np.ndarray:
    return np.maximum(0.0, np.abs(y - decision) - epsilon)


# The first risk of each task is the default.
RISKS = {
    risk.name: risk
    for risk in (
        Risk(
            "zero-one",
            "0-1",
            "share of wrong predictions; f >= 0 predicts +1",
            "classification",
            _zero_one,
        ),
        Risk("hinge", "hinge", "mean of max(0, 1 - y f)", "classification", _hinge),
        Risk("absolute", "absolute", "mean of |y - f|", "regression", _absolute),
        Risk("squared", "squared", "mean of (y - f)^2", "regression", _squared),
        Risk(
            "epsilon",
            "ε-insensitive",
            "mean of max(0, |y - f| - epsilon)",
            "regression",
            _insensitive,
        ),
    )
}


def risk_named(name: str | None, task: str) -> Risk:
    """Return the risk of a name, or the default risk of the task if the name is None.

    Raises
    ------
    BadInput
        If there is no risk of this name, or it is for another task.
    """
    fitting = [risk for risk in RISKS.values() if risk.task == task]
    if name is None:
        return fitting[0]
    if name not in RISKS:
        raise BadInput(f"The risk must be one of {', '.join(RISKS)}: got {short_repr(name)}.")
    if RISKS[name].task != task:
        names = " or ".join(risk.name for risk in fitting)
        raise BadInput(f"The risk {name} is for {RISKS[name].task}; for {task} it is {names}.")
    return RISKS[name]


def risk_for(problem: AnyProblem, name: str | None) -> Risk:
    """Return the risk of a name for a problem; see :func:`risk_named`.

    Raises
    ------
    BadInput
        Also if there are several classes, and the risk is that of one machine.
    """
    risk = risk_named(name, problem.task)
    if isinstance(problem, ManyClassProblem) and risk is not RISKS["zero-one"]:
        raise BadInput(
            f"The risk {risk.name} is for two classes; for {len(problem.names)} it is zero-one."
        )
    return risk
