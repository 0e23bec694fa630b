"""One fit: a model trained on some rows of a problem, and tested on others.

A fit is a function of what it is given alone, so it can run in any thread, process or machine, and
can be stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers.problem.certificate import FREE, Certificate
from solvers.problem.problem import Problem
from solvers.run.method import Reason
from solvers.run.run import Run
from solvers.selection.models import Model
from solvers.selection.risks import RISKS
from solvers.solving import solve


class Order(NamedTuple):
    """What to fit and where to test it.

    Attributes
    ----------
    model : int
        Index of the model.
    train, test : int arrays
        Rows.
    guess : array, shape (len(train),), optional
        A warm start.
    """

    model: int
    train: np.ndarray
    test: np.ndarray
    guess: np.ndarray | None = None


class Material(NamedTuple):
    """What all fits of a search share: problem, models, and the name of the risk."""

    problem: Problem
    models: list[Model]
    risk: str


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of a fit.

    Attributes
    ----------
    risk, training_risk : float
        On the rows tested, and on those trained on.
    decision : array, shape (len(test),)
        f at the rows tested.
    support : int
        Number of support vectors.
    reason : str
        Why the run stopped, a value of :class:`solvers.run.method.Reason`.
    """

    risk: float
    training_risk: float
    decision: np.ndarray
    support: int
    reason: str


@dataclass(frozen=True, eq=False)
class WholeFit(Fit):
    """A fit on all rows, from which leave-one-out begins.

    Attributes
    ----------
    beta, slack : arrays, shape (n,)
        Coefficients and slacks.
    is_unique : bool
        Whether this f is the optimum, and the only one.
    """

    beta: np.ndarray
    slack: np.ndarray
    is_unique: bool

    @property
    def unchanged(self) -> np.ndarray:
        """Return whether the same f is the optimum without the point, shape (n,).

        If alpha = 0, the other coefficients satisfy the same optimality conditions without it.
        """
        return self.is_unique & (self.beta == 0.0)


def fit(material: Material, order: Order) -> Fit:
    """Train a model on some rows, and test it on others."""
    problem, model = material.problem, material.models[order.model]
    with np.errstate(all="ignore"):
        run = solve(model.on(problem, order.train), model.method, order.guess)
        both = np.concatenate([order.test, order.train])
        decision = run.expansion(problem.X[both])
    return Fit(*_measured(material, order, run, decision))


def fit_whole(material: Material, order: Order) -> WholeFit:
    """Train a model on all rows, and say which points could be left out without a change."""
    problem, model = material.problem, material.models[order.model]
    with np.errstate(all="ignore"):
        run = solve(model.on(problem), model.method, order.guess)
        certificate = run.certificate
        decision = np.concatenate([certificate.decision, certificate.decision])
    measured = _measured(material, order, run, decision)
    beta = run.expansion.beta
    return WholeFit(*measured, beta, certificate.slack, _is_unique(run, certificate))


def _measured(
    material: Material, order: Order, run: Run, decision: np.ndarray
) -> tuple[float, float, np.ndarray, int, str]:
    """Return the members of a fit, from f at the rows tested and then at those trained on."""
    assert run.stop is not None
    problem, model = material.problem, material.models[order.model]
    # The loss may depend on an epsilon of the model.
    problem = model.on(problem) if "epsilon" in model.changes else problem
    risk, m = RISKS[material.risk], len(order.test)
    return (
        risk.of(problem, order.test, decision[:m]),
        risk.of(problem, order.train, decision[m:]),
        decision[:m],
        len(run.expansion.support),
        run.stop.reason.value,
    )


def _is_unique(run: Run, certificate: Certificate) -> bool:
    """Return whether a run found the optimum, and the only f that is one.

    An indefinite kernel may have several, and some methods end elsewhere. A free bias is unique if
    some support vector is free.
    """
    method, problem = run.method, run.problem
    return (
        run.reason is Reason.CONVERGED
        and "converges" in method.guarantees
        and not method.aim
        and run.certified_problem is problem
        and problem.kernel.mercer
        and (problem.bias != "free" or certificate.count(FREE) > 0)
    )
