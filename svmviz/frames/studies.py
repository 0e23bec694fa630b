"""Studies: further results about the lanes of a frame, computed in the frame thread.

A visible panel subscribes to a study. Then ``frame.studies`` of every frame has the result of the
study under the panel's name. So all panels show the same step, and no slow work runs in the GUI
thread. Studies of hidden panels are not computed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from solvers import Problem, Run
from solvers.cancelling import cancel_when
from svmviz.base.background import Worker
from svmviz.frames.frame import Frame

# Maximum time that a frame waits for a slow result, s. Most are computed within this time.
WAIT = 0.03
# The key before a slow result is asked for.
NO_KEY = object()
log = logging.getLogger(__name__)

# A study is called with a frame, whose ``studies`` are still empty, and with one run per lane. It
# returns an immutable result, or None. It is called only in the frame thread, so a study with a
# cache (a Gram matrix, a path through weight space) needs no lock.
Study = Callable[[Frame, tuple[Run, ...]], Any]
# A result may also be a tuple with one result per lane. If a result has an attribute ``unfinished``
# that is true, another frame is requested. Work of a study may take seconds, because code is
# compiled or because there are many points. So that it delays no frame, it is a `SlowResult`. Until
# it ends, the result is a `Pending`.


def is_unfinished(results: Mapping[str, Any]) -> bool:
    """Return whether the result of some study is not final yet."""
    studies = (r if isinstance(r, tuple) else (r,) for r in results.values())
    return any(getattr(result, "unfinished", False) for lanes in studies for result in lanes)


def with_studies(frame: Frame, runs: tuple[Run, ...], studies: Mapping[str, Study]) -> Frame:
    """Return the frame with the results of the studies.

    If a study raises, the error is logged, and the frame has no result of this study.
    """
    if not studies or not frame.lanes:
        return frame
    results = {}
    for name, study in studies.items():
        try:
            results[name] = study(frame, runs)
        except Exception:
            log.exception("The study for %s failed", name)
    return replace(frame, studies=MappingProxyType(results))


@dataclass(frozen=True)
class Pending:
    """Placeholder for a result that is still being computed.

    Attributes
    ----------
    words : str
        The text to show, which says what is being computed.
    unfinished : bool
        Always true, so that another frame is requested.
    """

    words: str
    unfinished: bool = True


class ProblemStudy:
    """The study of the problem of the lane in focus, which is the same at all steps.

    Parameters
    ----------
    study : callable(Problem) -> object
        Called once for each new problem.
    """

    def __init__(self, study: Callable[[Problem], Any]) -> None:
        self._study = study
        # The problem that was studied last, and the result.
        self._last: tuple[Problem, Any] | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> Any:
        if frame.lane is None:
            return None
        problem = frame.lane.problem
        if self._last is None or self._last[0] is not problem:
            self._last = problem, self._study(problem)
        return self._last[1]


class LaneStudies:
    """A study with one result per lane, made by one study if all lanes have one problem.

    Otherwise each lane has a study of its own, which is called with a frame of this lane alone.

    Parameters
    ----------
    make : callable() -> Study
        The study returns a tuple with one result per lane.
    """

    def __init__(self, make: Callable[[], Study]) -> None:
        self._make = make
        self._studies = [make()]

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> tuple[Any, ...]:
        if not frame.document.changes:
            return self._studies[0](frame, runs)
        while len(self._studies) < len(frame.lanes):
            self._studies.append(self._make())
        results: list[Any] = []
        for i, (lane, run) in enumerate(zip(frame.lanes, runs, strict=True)):
            alone = replace(frame, lanes=(lane,), focus=i)
            results.extend(self._studies[i](alone, (run,)))
        return tuple(results)


class SlowResult:
    """A result that a worker computes, and that a study asks for with each frame.

    Only the frame thread may call ``find``. If another result is asked for, a function that has
    begun is cancelled where it checks that (:mod:`solvers.cancelling`); compiled code cannot be
    interrupted. Its result is dropped.
    """

    def __init__(self) -> None:
        self._worker = Worker("svmviz-background")
        # The key of the result that is being computed, or that is stored.
        self._key: Hashable = NO_KEY
        self._result: Any = None

    def find(self, key: Hashable, work: Callable[[], Any], words: str, wait: float = WAIT) -> Any:
        """Return the result of ``work``, or a :class:`Pending` if it is not computed yet.

        Parameters
        ----------
        key : hashable
            Identifies the result, which is stored until another one is asked for.
        work : callable() -> object
            Computes the result in the background. If it raises, the error is logged and the result
            is None.
        words : str
            Text of the :class:`Pending`.
        wait : float
            Maximum time that the caller waits for the result, s.
        """
        if self._key != key:
            self._key = key
            self._worker.do(lambda: self._compute(work))
        if not self._worker.wait(wait):
            return Pending(words)
        return self._result

    def _compute(self, work: Callable[[], Any]) -> None:
        self._result = None
        with cancel_when(self._worker.is_unwanted):
            self._result = work()
