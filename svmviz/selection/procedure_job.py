"""Running a procedure of model selection, such as k-fold cross-validation, in the background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solvers import Problem
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.procedures import PROCEDURES, result_count
from solvers.selection.search import Result
from svmviz.selection.background_search import Job


def procedure_job(
    procedure: str,
    problem: Problem,
    models: Sequence[Model],
    seed: int = 0,
    risk: str | None = None,
    **options: Any,
) -> Job:
    """Return the background job that yields the results of a procedure.

    Parameters
    ----------
    procedure : str
        A key of :data:`solvers.selection.procedures.PROCEDURES`.
    problem : Problem
        The problem whose points the procedure splits.
    models : sequence of Model
        The models whose risks are estimated.
    seed : int
        Seed of the splits.
    risk : str, optional
        A key of :data:`solvers.selection.risks.RISKS`; by default the first risk of the task.
    **options
        Other arguments of the procedure, such as ``folds``.
    """
    models = list(models)

    def begin(memory: Memory) -> Iterator[Result]:
        arguments = {"risk": risk, "store": memory.store(problem), **options}
        return PROCEDURES[procedure](problem, models, seed, **arguments)

    folds = options.get("folds", 5)
    return Job(begin, result_count(procedure, problem.n, len(models), folds))
