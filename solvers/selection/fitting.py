"""One fit: a model trained on some rows of a problem, and tested on others.

A fit depends on its arguments alone. So it can be computed in any thread, in any process and on any
machine, and its result can be stored.
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


class FitRequest(NamedTuple):
    """One fit to compute: a model, rows to train on and rows to test on.

    Attributes
    ----------
    model : int
        Index of the model in the list of :class:`FitContext`.
    train, test : int arrays
        Indices of the points to train on, and of those to test on.
    guess : array, shape (len(train),), optional
        The beta from which the method starts; by default zeros.
    """

    model: int
    train: np.ndarray
    test: np.ndarray
    guess: np.ndarray | None = None


class FitContext(NamedTuple):
    """The data that all fits of a search share: problem, models, and the name of the risk."""

    problem: Problem
    models: list[Model]
    risk: str


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of a fit.

    Attributes
    ----------
    risk, training_risk : float
        Risk on the test rows, and on the training rows.
    decision : array, shape (len(test),)
        f at the test points.
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
    """A fit on all rows, which is the first fit of leave-one-out.

    Attributes
    ----------
    beta, slack : arrays, shape (n,)
        Coefficients and slacks.
    is_unique : bool
        Whether f is the only optimum.
    """

    beta: np.ndarray
    slack: np.ndarray
    is_unique: bool

    @property
    def unchanged(self) -> np.ndarray:
        """Return for each point whether f remains the optimum without the point, bool, shape (n,).

        If alpha of a point is 0, the other coefficients satisfy the optimality conditions of the
        problem without this point. If f is not the only optimum, a fit may end at another one.
        """
        return self.is_unique & (self.beta == 0.0)


def fit(context: FitContext, request: FitRequest) -> Fit:
    """Train a model on some rows, and test it on others."""
    problem, model = context.problem, context.models[request.model]
    with np.errstate(all="ignore"):
        run = solve(model.on(problem, request.train), model.method, request.guess, record=False)
        rows = np.concatenate([request.test, request.train])
        decision = run.expansion(model.points(problem)[rows])
    return Fit(*_measure_fit(context, request, run, decision))


def fit_whole(context: FitContext, request: FitRequest) -> WholeFit:
    """Train a model on all rows; find the points that can be left out without changing f."""
    problem, model = context.problem, context.models[request.model]
    with np.errstate(all="ignore"):
        run = solve(model.on(problem), model.method, request.guess, record=False)
        certificate = run.certificate
        # The test rows and the training rows are both all rows.
        decision = np.concatenate([certificate.decision, certificate.decision])
    measured = _measure_fit(context, request, run, decision)
    beta = run.expansion.beta
    return WholeFit(*measured, beta, certificate.slack, _is_unique(run, certificate))


def _measure_fit(
    context: FitContext, request: FitRequest, run: Run, decision: np.ndarray
) -> tuple[float, float, np.ndarray, int, str]:
    """Return the fields of a :class:`Fit`.

    ``decision`` contains f at the test rows, then f at the training rows.
    """
    assert run.stop is not None
    problem, model = context.problem, context.models[request.model]
    # The loss may depend on an epsilon of the model.
    problem = model.on(problem) if "epsilon" in model.changes else problem
    risk, m = RISKS[context.risk], len(request.test)
    return (
        risk.mean_loss(problem, request.test, decision[:m]),
        risk.mean_loss(problem, request.train, decision[m:]),
        decision[:m],
        len(run.expansion.support),
        run.stop.reason.value,
    )


def _is_unique(run: Run, certificate: Certificate) -> bool:
    """Return whether f of a run is the only optimum.

    With an indefinite kernel there may be several optima. A method with an ``aim`` or with another
    ``certified_problem`` does not end at an optimum of the problem. With a free bias, there is only
    one optimal bias if some support vector has ``0 < alpha < C``.
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
