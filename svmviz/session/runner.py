"""The background thread in which every solver runs.

The thread makes the runs of a job and advances them in chunks of a few milliseconds. The compiled
code of a chunk releases the interpreter lock. Between chunks the thread checks whether a newer job
has arrived. The thread uses no widget: it calls a callback when the runs of a job are ready or the
job has failed, and none per step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solvers import BadInput, Run
from solvers.cancelling import Cancelled, cancel_when, check_cancelled
from svmviz.base.background import Worker
from svmviz.base.words import failure
from svmviz.document.document import Document

# Duration of a chunk, s. A newer job waits at most about this long.
CHUNK = 0.004
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Job:
    """A document to be solved, with one run for each of its methods.

    Attributes
    ----------
    number : int
        Increases from job to job, so that the session can discard the runs of an old job.
    document : Document
    warm : tuple of Run
        The earlier runs, in the order of the methods. The last beta of each is the initial guess of
        the new run. Empty to start from zero.
    """

    number: int
    document: Document
    warm: tuple[Run, ...] = ()


class Runner(Worker):
    """The worker that solves the newest job; stopped runs keep the steps that they recorded.

    Parameters
    ----------
    started : callable(Job, tuple of Run)
        Called in the thread when the runs are ready to take their first step.
    failed : callable(Job, str)
        Called in the thread with the reason if nothing can be solved.
    """

    def __init__(
        self,
        started: Callable[[Job, tuple[Run, ...]], None],
        failed: Callable[[Job, str], None],
    ) -> None:
        super().__init__("svmviz-runner")
        self._started = started
        self._failed = failed

    def solve(self, job: Job) -> None:
        """Solve a job; the current one is stopped."""
        self.do(partial(self._try_to_solve, job))

    def _try_to_solve(self, job: Job) -> None:
        try:
            with cancel_when(self.is_unwanted):
                check_cancelled()
                self._solve(job)
        except Cancelled:
            # A newer job has arrived, or the user stopped this one before its first step.
            if self.is_cancelled:
                self._failed(job, "Stopped by the user before the first step.")
        except BadInput as error:
            self._failed(job, str(error))
        except Exception as error:
            log.exception("The solver failed")
            self._failed(job, failure("The solver failed", error))

    def _solve(self, job: Job) -> None:
        document = job.document
        problems, methods = document.problems(), document.methods
        # A race may compare solving times, so short runs are repeated to measure them. During a
        # drag (``job.warm``) the times are not needed.
        measures_time = len(methods) > 1 and not job.warm
        runs = tuple(
            Run(problem, method, _guess(job, lane, problem.n), repeat_short=measures_time)
            for lane, (problem, method) in enumerate(zip(problems, methods, strict=True))
        )
        # Compiling may take seconds. Meanwhile the earlier runs stay on screen, and the user may
        # close the session.
        for run in runs:
            run.prepare()
        if self.closed:
            return
        self._started(job, runs)
        has_advanced = True
        while has_advanced and not self._stop_if_unwanted(runs):
            # ``any`` would stop at the first run that advances, so the runs after it would wait.
            try:
                has_advanced = sum(run.advance(CHUNK) for run in runs if not run.finished) > 0
            except Cancelled:
                # Cancelled within a step. The steps before it are recorded.
                self._stop_if_unwanted(runs)
                return

    def _stop_if_unwanted(self, runs: tuple[Run, ...]) -> bool:
        """Record in the runs that the user cancelled them; return whether the job must end."""
        if not self.is_unwanted():
            return False
        if self.is_cancelled:
            for run in runs:
                run.cancel(f"Stopped by the user after {run.steps:,} steps.")
        return True


def _guess(job: Job, lane: int, n: int) -> np.ndarray | None:
    """Return the initial beta of a lane, shape (n,); None to start from zero.

    It is the last beta of the earlier run, cut or padded with zeros if n has changed.
    """
    if lane >= len(job.warm):
        return None
    beta = job.warm[lane].live_beta()
    guess = np.zeros(n)
    guess[: min(n, len(beta))] = beta[:n]
    return guess
