"""A procedure of model selection as a job for the background."""

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
    """Return the job of a procedure.

    Parameters
    ----------
    procedure : str
        A key of :data:`solvers.selection.procedures.PROCEDURES`.
    problem : Problem
    models : sequence of Model
    seed : int
    risk : str, optional
        The first of the task if none is given.
    **options
        Those that the procedure has, such as ``folds``.
    """
    several = list(models)

    def begin(memory: Memory) -> Iterator[Result]:
        how = {"risk": risk, "store": memory.store(problem), **options}
        return PROCEDURES[procedure](problem, several, seed, **how)

    folds = options.get("folds", 5)
    return Job(begin, result_count(procedure, problem.n, len(several), folds))
