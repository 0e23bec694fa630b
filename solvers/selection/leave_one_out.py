"""Leave-one-out of one model, without fits for points that can be left out without changing f."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.problem.many_classes import AnyProblem
from solvers.problem.problem import Problem
from solvers.selection.bounds import leave_one_out_bounds
from solvers.selection.fitting import Fit, FitRequest, WholeFit, fit, fit_whole
from solvers.selection.risks import Risk
from solvers.selection.search import TEST, TRAINING, Result, Results, Search
from solvers.selection.splits import Split

# Minimum number of points for warm starts: fits that start from the solution on all points. A cold
# start begins with zeros. A warm start costs one kernel row per support vector, to compute F, the
# gradient of the dual.
#
# Measured on two moons, with SMO and the working-set method: warm starts are 0.7 to 1.2 times as
# fast as cold starts with 300 points, 0.7 to 1.6 times with 1,000 points, and 0.9 to 2.9 times with
# 2,500 points. The longest runs gain most. In k-fold validation they gain nothing (0.7 to 1.2
# times, with 5 and 10 folds).
MIN_WARM_POINTS = 1000


def leave_out_each(search: Search, model: int, splits: Sequence[Split]) -> Results:
    """Fit a model on all points; yield this result, then one result for each point left out.

    The results of points that can be left out without changing f come first, since they need no
    fit.
    """
    problem = search.models[model].on(search.problem)
    all_rows = np.arange(problem.n)
    [(_, whole_fit, solved)] = search.run(fit_whole, [FitRequest(model, all_rows, all_rows)])
    bounds = None
    # The bounds are those of one machine.
    is_binary = isinstance(problem, Problem)
    if is_binary and search.risk.name == "zero-one" and whole_fit.is_unique:
        bounds = leave_one_out_bounds(problem, whole_fit.beta, whole_fit.slack)
    yield Result(
        model, 0, Split(all_rows, all_rows), TRAINING, whole_fit, solved=solved, bounds=bounds
    )
    for i in np.flatnonzero(whole_fit.unchanged).tolist():
        left_out_fit = _as_left_out(search.risk, problem, whole_fit, splits[i])
        yield Result(model, i, splits[i], TEST, left_out_fit, solved=False)
    changing_points = np.flatnonzero(~whole_fit.unchanged).tolist()
    requests = [
        FitRequest(model, splits[i].train, splits[i].test, _guess(whole_fit, splits[i]))
        for i in changing_points
    ]
    for index, left_out_fit, solved in search.run(fit, requests):
        i = changing_points[index]
        yield Result(model, i, splits[i], TEST, left_out_fit, solved=solved)


def _guess(whole_fit: WholeFit, split: Split) -> np.ndarray | None:
    """Return the beta from which a fit starts: that of the fit on all points, or None for zeros.

    Return None if there are fewer than ``MIN_WARM_POINTS`` points.
    """
    return whole_fit.beta[split.train] if len(whole_fit.beta) >= MIN_WARM_POINTS else None


def _as_left_out(risk: Risk, problem: AnyProblem, whole_fit: WholeFit, split: Split) -> Fit:
    """Derive the fit without one point from the fit on all points; both must have the same f.

    ``problem`` has the parameters of the model, since the loss may depend on epsilon.
    """
    n = len(whole_fit.decision)
    loss = risk.mean_loss(problem, split.test, whole_fit.decision[split.test])
    return Fit(
        loss,
        (whole_fit.training_risk * n - loss) / (n - 1),
        whole_fit.decision[split.test],
        whole_fit.support,
        whole_fit.reason,
    )
