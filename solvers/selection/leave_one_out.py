"""Leave-one-out of one model, without solving what need not be solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.selection.bounds import leave_one_out_bounds
from solvers.selection.fitting import Fit, Order, WholeFit, fit, fit_whole
from solvers.selection.search import TEST, TRAINING, Result, Results, Search
from solvers.selection.splits import Split


def leave_out_each(search: Search, model: int, splits: Sequence[Split]) -> Results:
    """Fit a model on all points; yield that, then a result for each point left out.

    Points that change nothing come first: f at them is that of the whole. The others start from
    the solution on all points, which takes a third of the time of a start from zero.
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
    orders = [
        Order(model, splits[i].train, splits[i].test, whole.beta[splits[i].train]) for i in rest
    ]
    for index, found, solved in search.run(fit, orders):
        i = rest[index]
        yield Result(model, i, splits[i], TEST, found, solved=solved)


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
