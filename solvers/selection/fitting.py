"""One fit: a model trained on some rows of a problem, and tested on others.

A fit depends on its arguments alone. So it can be computed in any thread, in any process and on any
machine, and its result can be stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers.problem.certificate import FREE, Certificate
from solvers.problem.many_classes import AnyProblem, ManyClassProblem
from solvers.run.method import Method, Reason
from solvers.run.run import Run
from solvers.selection.models import Model, problems_of
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

    problem: AnyProblem
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
        f at the test points; of several classes, the index of the class that is decided for.
    support : int
        Number of support vectors.
    reason : str
        Why the run stopped, a value of :class:`solvers.run.method.Reason`; of several machines,
        that of the first which has not converged.
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
        Coefficients and slacks; of several machines, the sums of their absolute values.
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


@dataclass(frozen=True, eq=False)
class Trained:
    """A problem at the end of its run, or of the runs of its machines.

    Attributes
    ----------
    problem : Problem or ManyClassProblem
    runs : list of (int array, Run)
        The rows of the points of each run, and the run; several classes have one per machine.
    """

    problem: AnyProblem
    runs: list[tuple[np.ndarray, Run]]

    def decision(self, points: np.ndarray) -> np.ndarray:
        """Return f at points, shape (m,); of several classes, the index of the class."""
        values = [run.expansion(points) for _, run in self.runs]
        if isinstance(self.problem, ManyClassProblem):
            return self.problem.decide(values).astype(np.float64)
        return values[0]

    def summed(self, values: Sequence[np.ndarray]) -> np.ndarray:
        """Return for each point the sum of its values in the runs that see it, shape (n,)."""
        total = np.zeros(self.problem.n)
        for (rows, _), of_run in zip(self.runs, values, strict=True):
            total[rows] += of_run
        return total

    @property
    def support(self) -> int:
        """Number of points that are a support vector of a run."""
        return len(
            np.unique(np.concatenate([rows[run.expansion.support] for rows, run in self.runs]))
        )

    @property
    def reason(self) -> str:
        """Why the first run stopped that has not converged; of the first run if all have."""
        reasons = [run.reason for _, run in self.runs]
        first = next((reason for reason in reasons if reason is not Reason.CONVERGED), reasons[0])
        assert first is not None
        return first.value


def _train(problem: AnyProblem, method: Method, guess: np.ndarray | None) -> Trained:
    """Solve a problem, or the problems of all machines, which start from zeros."""
    guess = None if isinstance(problem, ManyClassProblem) else guess
    return Trained(
        problem,
        [(rows, solve(one, method, guess, record=False)) for rows, one in problems_of(problem)],
    )


def fit(context: FitContext, request: FitRequest) -> Fit:
    """Train a model on some rows, and test it on others."""
    problem, model = context.problem, context.models[request.model]
    with np.errstate(all="ignore"):
        trained = _train(model.on(problem, request.train), model.method, request.guess)
        rows = np.concatenate([request.test, request.train])
        decision = trained.decision(model.points(problem)[rows])
    return Fit(*_measure_fit(context, request, trained, decision))


def fit_whole(context: FitContext, request: FitRequest) -> WholeFit:
    """Train a model on all rows; find the points that can be left out without changing f."""
    problem, model = context.problem, context.models[request.model]
    with np.errstate(all="ignore"):
        trained = _train(model.on(problem), model.method, request.guess)
        runs = [run for _, run in trained.runs]
        certificates = [run.certificate for run in runs]
        is_unique = all(map(_is_unique, runs, certificates))
        beta, slack = runs[0].expansion.beta, certificates[0].slack
        decision = certificates[0].decision
        if isinstance(problem, ManyClassProblem):
            beta = trained.summed([abs(run.expansion.beta) for run in runs])
            slack = trained.summed([certificate.slack for certificate in certificates])
            decision = trained.decision(model.points(problem))
    # The test rows and the training rows are both all rows.
    measured = _measure_fit(context, request, trained, np.concatenate([decision, decision]))
    return WholeFit(*measured, beta, slack, is_unique)


def _measure_fit(
    context: FitContext, request: FitRequest, trained: Trained, decision: np.ndarray
) -> tuple[float, float, np.ndarray, int, str]:
    """Return the fields of a :class:`Fit`.

    ``decision`` contains f at the test rows, then f at the training rows.
    """
    problem, model = context.problem, context.models[request.model]
    # The loss may depend on an epsilon of the model.
    problem = model.on(problem) if "epsilon" in model.changes else problem
    risk, m = RISKS[context.risk], len(request.test)
    return (
        risk.mean_loss(problem, request.test, decision[:m]),
        risk.mean_loss(problem, request.train, decision[m:]),
        decision[:m],
        trained.support,
        trained.reason,
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
