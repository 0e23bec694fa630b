"""Leave-one-out of one model; no fit is computed if leaving out the point does not change f."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.selection.bounds import leave_one_out_bounds
from solvers.selection.fitting import Fit, FitRequest, WholeFit, fit, fit_whole
from solvers.selection.search import TEST, TRAINING, Result, Results, Search
from solvers.selection.splits import Split

# With at least this number of points, fits start from the solution on all points. Such a warm start
# costs one kernel row per support vector, to compute F.
#
# Measured on two moons, with SMO and the working-set method: warm starts are 0.7 to 1.2 times as
# fast as cold starts with 300 points, 0.7 to 1.6 times with 1,000 points, and 0.9 to 2.9 times with
# 2,500 points. The longest runs gain most. In k-fold validation they gain nothing (0.7 to 1.2
# times, with 5 and 10 folds).
WARM_FROM = 1000


def leave_out_each(search: Search, model: int, splits: Sequence[Split]) -> Results:
    """Fit a model on all points; yield this result, then one result for each point left out.

    The results of points that can be left out without changing f come first, since they need no
    fit.
    """
    problem = search.models[model].on(search.problem)
    every = np.arange(problem.n)
    [(_, whole, solved)] = search.run(fit_whole, [FitRequest(model, every, every)])
    bounds = None
    if search.risk.name == "zero-one" and whole.is_unique:
        bounds = leave_one_out_bounds(problem, whole.beta, whole.slack)
    yield Result(model, 0, Split(every, every), TRAINING, whole, solved=solved, bounds=bounds)
    for i in np.flatnonzero(whole.unchanged).tolist():
        left_out = _as_left_out(search, whole, splits[i])
        yield Result(model, i, splits[i], TEST, left_out, solved=False)
    changing = np.flatnonzero(~whole.unchanged).tolist()
    requests = [
        FitRequest(model, splits[i].train, splits[i].test, _guess(whole, splits[i]))
        for i in changing
    ]
    for index, found, solved in search.run(fit, requests):
        i = changing[index]
        yield Result(model, i, splits[i], TEST, found, solved=solved)


def _guess(whole: WholeFit, split: Split) -> np.ndarray | None:
    """Return the beta to start from: that of the fit on all points, or None to start from zeros."""
    return whole.beta[split.train] if len(whole.beta) >= WARM_FROM else None


def _as_left_out(search: Search, whole: WholeFit, split: Split) -> Fit:
    """Return the fit without one point, from the fit on all points; f must be the same in both."""
    n = len(whole.decision)
    risk = search.risk.of(search.problem, split.test, whole.decision[split.test])
    return Fit(
        risk,
        (whole.training_risk * n - risk) / (n - 1),
        whole.decision[split.test],
        whole.support,
        whole.reason,
    )
