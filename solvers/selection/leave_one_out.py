"""Leave-one-out of one model, without solving what need not be solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.selection.bounds import leave_one_out_bounds
from solvers.selection.fitting import Fit, Order, WholeFit, fit, fit_whole
from solvers.selection.search import TEST, TRAINING, Result, Results, Search
from solvers.selection.splits import Split

# Number of points from which the solution on all points is where the others start. What it costs
# is F at the start, a kernel row per support vector. Two moons, SMO and working set, cold against
# warm: 0.7 to 1.2 times as fast with 300 points, 0.7 to 1.6 with 1,000, 0.9 to 2.9 with 2,500, and
# it is the longest runs that gain. Folds gain nothing (0.7 to 1.2 times, with 5 and 10 folds).
WARM_FROM = 1000


def leave_out_each(search: Search, model: int, splits: Sequence[Split]) -> Results:
    """Fit a model on all points; yield that, then a result for each point left out.

    Points that change nothing come first: f at them is that of the whole.
    """
    problem = search.models[model].on(search.problem)
    every = np.arange(problem.n)
    [(_, whole, solved)] = search.run(fit_whole, [Order(model, every, every)])
    bounds = None
    if search.risk.name == "zero-one" and whole.is_unique:
        bounds = leave_one_out_bounds(problem, whole.beta, whole.slack)
    yield Result(model, 0, Split(every, every), TRAINING, whole, solved=solved, bounds=bounds)
    for i in np.flatnonzero(whole.unchanged).tolist():
        left_out = _as_left_out(search, whole, splits[i])
        yield Result(model, i, splits[i], TEST, left_out, solved=False)
    rest = np.flatnonzero(~whole.unchanged).tolist()
    orders = [Order(model, splits[i].train, splits[i].test, _guess(whole, splits[i])) for i in rest]
    for index, found, solved in search.run(fit, orders):
        i = rest[index]
        yield Result(model, i, splits[i], TEST, found, solved=solved)


def _guess(whole: WholeFit, split: Split) -> np.ndarray | None:
    """Return the beta to start from: that of all points, or None for zeros."""
    return whole.beta[split.train] if len(whole.beta) >= WARM_FROM else None


def _as_left_out(search: Search, whole: WholeFit, split: Split) -> Fit:
    """Return the fit without a point that changes nothing, from the fit on all."""
    n = len(whole.decision)
    risk = search.risk.of(search.problem, split.test, whole.decision[split.test])
    return Fit(
        risk,
        (whole.training_risk * n - risk) / (n - 1),
        whole.decision[split.test],
        whole.support,
        whole.reason,
    )
