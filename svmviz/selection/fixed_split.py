"""The split that the user has made, as a split of a problem: training against validation part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from solvers import BadInput, Problem
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES
from solvers.selection.search import Result, Search
from solvers.selection.splits import Split
from svmviz.document.document import Document
from svmviz.selection.plan import VALIDATION, Plan


def fixed_split(document: Document) -> tuple[Problem, Split]:
    """Return a problem of the training and the validation points, and its split into these parts.

    Both are in the solver units of the training points, as the errors in the window are.

    Raises
    ------
    BadInput
        If there are no validation points.
    """
    problem, held_out = document.problem(), document.held_out
    m = 0 if held_out is None else len(held_out.validation)
    if held_out is None or document.held_points is None or not m:
        raise BadInput("There are no validation points: hold some out first (panel Split).")
    data = held_out.validation
    y = data.points[:, 1] if document.is_regression else data.labels.astype(np.float64)
    both = replace(
        problem,
        X=np.concatenate([problem.X, document.held_points[:m]]),
        y=np.concatenate([problem.y, y]),
    )
    n = problem.n
    no_rows = np.zeros(0, dtype=np.int64)
    return both, Split(np.arange(n), no_rows, validation=np.arange(n, n + m))


def plan_results(document: Document, plan: Plan, model: Model, memory: Memory) -> Iterator[Result]:
    """Return an iterator over the results of a plan for one model, as soon as each is computed.

    Raises
    ------
    BadInput
        If the points cannot be divided, or the model cannot be trained.
    """
    risk = plan.risk or None
    if plan.procedure == VALIDATION:
        problem, split = fixed_split(document)
        store = memory.store(problem)
        return Search(problem, model, risk, store=store).validate([split])
    problem = document.problem()
    return PROCEDURES[plan.procedure](
        problem, model, plan.seed, risk=risk, store=memory.store(problem), **plan.options
    )
