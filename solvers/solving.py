"""``solve``: one call from a problem to its solution, with SMO as the default method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solvers.cancelling import check_cancelled
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.methods.smo.smo import SMO
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.run.run import Run


def solve(
    problem: Problem,
    method: Method | None = None,
    guess: np.ndarray | None = None,
    cancelled: Callable[[], bool] | None = None,
    record: bool = True,
    cache_bytes: int = CACHE_BYTES,
) -> Run:
    """Run a method to its end and return the run.

    Parameters
    ----------
    problem : Problem
    method : Method, optional
        SMO with its defaults if none is given.
    guess : array, shape (n,), optional
        Coefficients beta to start from.
    cancelled : callable, optional
        Called every few milliseconds. If it returns True, the run ends with the reason "cancelled",
        and ``solve`` returns the run with the steps taken so far.
    record : bool
        Whether to record the steps. Without a recording a run takes less time and memory; a step
        (``run.at``) is then replayed from the start, which takes as long as the run did.
    cache_bytes : int
        Maximum size of the cache of kernel rows; it has room for two rows in any case.

    Raises
    ------
    Cancelled
        If the condition of :func:`solvers.cancelling.cancel_when` becomes true. It is checked every
        few milliseconds. In contrast to ``cancelled``, no run is returned.
    """
    run = Run(problem, method or SMO(), guess, record=record, cache_bytes=cache_bytes)
    while run.advance():
        check_cancelled()
        if cancelled is not None and cancelled():
            run.cancel()
    return run
