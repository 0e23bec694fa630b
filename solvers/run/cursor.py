"""Replay of any step of a run, from the keyframe before it.

A keyframe is a stored state (see :mod:`solvers.run.trace`). A replay copies the keyframe and takes
the steps after it again. A cursor has a state of its own, so it may read a run while another thread
advances the run.

For SMO a replay could assign the recorded values of alpha instead. That would need further code for
each method, and would not restore the rest of the state, such as ``F = target - K beta``. A replay
of SMO takes one or two milliseconds at n = 1,000. The records of its steps (i, j, new values, m, M)
are used for the text that describes a step to the user. A test compares them with the replay.

``bench/run.py seeks`` measures seeks to random steps, for every method and setting. At n = 1,000 a
seek takes up to 8 ms of processor time; with all values that a window draws, it takes 16 ms.
Sub-gradient descent with an RBF kernel can take 20 ms. There every point has a weight, and points
enter and leave the margin at each step, so kernel rows must be added and subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from solvers.problem.expansion import Expansion, freeze
from solvers.problem.problem import Problem
from solvers.run.method import Event, Method, marked_points
from solvers.run.trace import Trace, copy_state

# A cursor keeps the kernel rows between seeks if the kernel matrix has at most this size, in bytes.
# The matrix of n = 1,000 points is smaller, so none of its rows is computed twice.
REPLAY_BYTES = 16_000_000


class Recorded(Protocol):
    """A recorded run, as a cursor reads it."""

    @property
    def problem(self) -> Problem:
        """The problem."""
        ...

    @property
    def method(self) -> Method:
        """The method, which takes the steps again."""
        ...

    @property
    def trace(self) -> Trace:
        """The recorded steps."""
        ...


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A run at one step, reconstructed by replay.

    Attributes
    ----------
    step : int
        Steps taken; 0 is the start.
    expansion : Expansion
    event : Event or None
        The last step; None at the start.
    evaluations : int
        Kernel evaluations so far.
    """

    step: int
    expansion: Expansion
    event: Event | None
    evaluations: int


class Cursor:
    """A reader of one run with a state of its own; use one in each thread.

    A seek forwards within a segment continues from the current step.
    """

    def __init__(self, run: Recorded) -> None:
        self.run = run
        self._step = -1
        self._state: Any = None
        self._work: Any = None
        self._events = np.zeros(run.trace.size, dtype=run.method.event_dtype)
        # ``advance`` writes the marks of each step (SUPPORT_CHANGED ...); a replay ignores them.
        self._unused_marks = np.zeros(run.trace.size, dtype=np.uint8)

    def seek(self, step: int, with_event: bool = True) -> Snapshot:
        """Return the run after ``step`` steps, clipped to the recorded ones.

        Parameters
        ----------
        step : int
        with_event : bool
            Whether the snapshot has the event of its last step. False is faster, since an event
            needs a copy of the state before that step.
        """
        run, method, problem = self.run, self.run.method, self.run.problem
        step = max(0, min(step, run.trace.length))
        event = before = None
        if step == 0 or not with_event:
            self._go(step)
        else:
            self._go(step - 1)
            before = copy_state(self._state)
            record = self._step_once()
            event = method.describe(problem, before, self._state, record)
            event = replace(event, beats=method.beats(problem, before, self._state, event))
        beta, bias = method.expand(problem, self._state)
        if event is not None:
            change = beta - method.expand(problem, before)[0]
            event = replace(event, marked=marked_points(event.touched, change))
        expansion = Expansion(problem.kernel, problem.X, freeze(beta), bias)
        return Snapshot(step, expansion, event, method.evaluations(self._state))

    def state(self, step: int) -> Any:
        """Return a copy of the raw state after ``step`` steps."""
        self._go(max(0, min(step, self.run.trace.length)))
        return copy_state(self._state)

    def _go(self, step: int) -> None:
        segment = self.run.trace.segment_of(step)
        if not segment.first <= self._step <= step:
            self._state = copy_state(segment.state)
            self._step = segment.first
        while self._step < step:
            self._take(min(step - self._step, len(self._unused_marks)))

    def _step_once(self) -> Any:
        """Take one step, and return its record.

        If the step ends at a keyframe, the state is copied from there, which saves time: an
        iteration of the interior-point method takes tens of milliseconds.
        """
        trace, step = self.run.trace, self._step + 1
        if self.run.method.keeps_events and trace.has_keyframe(step):
            self._go(step)
            return trace.event(step)
        self._take(1)
        return self._events[0]

    def _take(self, count: int) -> None:
        if self._work is None:
            problem = self.run.problem
            large_cache = 8 * problem.n_variables**2 <= REPLAY_BYTES
            self._work = self.run.method.workspace(problem, large_cache)
        left, run = count, self.run
        while left > 0:
            # A method may return early if its steps take long.
            events = self._events[:left] if run.method.keeps_events else self._events[:1]
            taken, _ = run.method.advance(
                run.problem, self._state, self._work, events, self._unused_marks[:left]
            )
            if taken == 0:
                raise RuntimeError(f"The replay ended too early, at step {self._step}.")
            self._step += taken
            left -= taken
