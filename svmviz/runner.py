"""The background thread in which every solver runs.

It builds the runs it is asked for, advances them in chunks of a few milliseconds (compiled, without
the interpreter lock) and looks between chunks whether something newer is wanted. It knows nothing
of widgets; what it has to say it says through two plain callbacks, once a job, never once a step.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers import BadInput, Run
from svmviz.document import Document

CHUNK = 0.004
NICE = 10
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Job:
    """Solve a document: one run for each of its methods.

    Attributes
    ----------
    number : int
        Grows; an answer to an old job is thrown away by whoever asked.
    document : Document
    warm : tuple of Run
        Runs to take a starting guess from, lane by lane; empty for a cold start.
    """

    number: int
    document: Document
    warm: tuple[Run, ...] = ()


class Runner:
    """One thread, one job at a time, the newest.

    Parameters
    ----------
    started : callable(Job, tuple of Run)
        The runs exist and begin to record; called in the thread.
    failed : callable(Job, str)
        Nothing can be solved, and why; called in the thread.
    """

    def __init__(
        self,
        started: Callable[[Job, tuple[Run, ...]], None],
        failed: Callable[[Job, str], None],
    ) -> None:
        self._started = started
        self._failed = failed
        self._wake = threading.Condition()
        self._next: Job | None = None
        self._cancel = False
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="svmviz-runner", daemon=True)
        self._thread.start()

    def solve(self, job: Job) -> None:
        """Replace whatever is being solved by a job."""
        with self._wake:
            self._next = job
            self._wake.notify()

    def cancel(self) -> None:
        """End the runs of the current job where they are; what is recorded stays."""
        with self._wake:
            self._cancel = True
            self._wake.notify()

    def close(self) -> None:
        """End the thread and wait for it."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout=10.0)

    def _work(self) -> None:
        _give_way()
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._next is not None or self._closing)
                if self._closing:
                    return
                job, self._next = self._next, None
                self._cancel = False
            assert job is not None
            try:
                self._solve(job)
            except BadInput as error:
                self._failed(job, str(error))
            except Exception as error:
                log.exception("The solver failed")
                reason = str(error).partition("\n")[0]
                self._failed(job, f"The solver failed: {reason} (the log has the details).")

    def _solve(self, job: Job) -> None:
        problem = job.document.problem()
        runs = tuple(
            Run(problem, method, _guess(job, lane, problem.n))
            for lane, method in enumerate(job.document.methods)
        )
        if self._closed_meanwhile():
            return
        self._started(job, runs)
        working = True
        while working and not self._interrupted(runs):
            # Every lane gets its turn (``any`` would stop at the first), so that a race is fair.
            working = sum(run.advance(CHUNK) for run in runs if not run.finished) > 0

    def _closed_meanwhile(self) -> bool:
        """Whether nobody listens any more: making runs may have to compile, which takes seconds."""
        with self._wake:
            return self._closing

    def _interrupted(self, runs: tuple[Run, ...]) -> bool:
        with self._wake:
            cancel, stop = self._cancel, self._next is not None or self._closing
        if cancel:
            for run in runs:
                run.cancel(f"Stopped by hand after {run.steps:,} steps.")
        return cancel or stop


def _give_way() -> None:
    """Let the threads that make pictures go first where cores are few.

    On Linux every thread has a priority of its own; elsewhere it would be that of the process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _guess(job: Job, lane: int, n: int) -> np.ndarray | None:
    """Where an earlier run stands, cut or filled with zeros to n points."""
    if lane >= len(job.warm):
        return None
    beta = job.warm[lane].live_beta()
    guess = np.zeros(n)
    guess[: min(n, len(beta))] = beta[:n]
    return guess
