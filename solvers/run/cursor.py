"""Replay of any step of a run, from the keyframe before it.

A keyframe is a stored state (see :mod:`solvers.run.trace`). A replay copies the keyframe and takes
the steps after it again. A cursor has a state of its own, so it may read a run while another thread
advances the run.

The records of SMO contain the new beta of the pair i, j, so its replay could assign these values
instead of taking the steps again. That would need further code for each method, and would not
restore the other arrays of the state, such as ``F = target - K beta``. A replay of SMO takes one or
two milliseconds at n = 1,000. Its records (i, j, their new beta, and m and M, whose difference is
the KKT violation) are used for the text that describes a step to the user. A test compares them
with the replay.

``bench/run.py seeks`` measures seeks to random steps, for every method and setting. At n = 1,000 a
seek takes up to 8 ms of processor time, and 16 ms if all values that a window draws are computed
too. A seek of sub-gradient descent with an RBF kernel can take 20 ms: every point has a weight, and
points enter and leave the margin at each step, so kernel rows must be added and subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.run.event import Event, marked_points
from solvers.run.method import Method
from solvers.run.trace import Trace, copy_state

# Maximum size of the kernel rows that a cursor keeps between seeks, in bytes. The matrix of
# n = 1,000 points is smaller, so none of its rows is computed twice.
REPLAY_BYTES = 16_000_000


class RecordedRun(Protocol):
    """A run as a cursor reads it: its problem, its method and its recorded steps."""

    @property
    def problem(self) -> Problem:
        """The problem."""
        ...

    @property
    def method(self) -> Method:
        """The method, which a replay calls to take the steps again."""
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
        The decision function after these steps.
    event : Event or None
        What the last of these steps did; None at the start, or if no event was asked for.
    evaluations : int
        Kernel evaluations so far.
    """

    step: int
    expansion: Expansion
    event: Event | None
    evaluations: int


class Cursor:
    """A reader of one run, with a state of its own. Each thread needs its own cursor.

    A seek to the current step, or to a later step of the same segment, continues from the current
    step. Any other seek starts from the keyframe of the segment of the step sought.
    """

    def __init__(self, run: RecordedRun) -> None:
        self.run = run
        self._step = -1
        self._state: Any = None
        self._work: Any = None
        self._events = np.zeros(run.trace.size, dtype=run.method.event_dtype)
        # ``Method.advance`` writes the marks of each step (see trace.py); a replay ignores them.
        self._unused_marks = np.zeros(run.trace.size, dtype=np.uint8)

    def seek(self, step: int, with_event: bool = True) -> Snapshot:
        """Return the run after ``step`` steps, or after the last recorded step if that is earlier.

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
            self._move_to(step)
        else:
            self._move_to(step - 1)
            before = copy_state(self._state)
            record = self._take_recorded_step()
            event = method.describe(problem, before, self._state, record)
        beta, bias = method.expand(problem, self._state)
        if event is not None:
            change = beta - method.expand(problem, before)[0]
            event = replace(event, marked=marked_points(event.touched, change))
        expansion = problem.expansion(beta, bias)
        return Snapshot(step, expansion, event, method.evaluations(self._state))

    def state(self, step: int) -> Any:
        """Return a copy of the raw state after ``step`` steps."""
        self._move_to(max(0, min(step, self.run.trace.length)))
        return copy_state(self._state)

    def _move_to(self, step: int) -> None:
        """Change the cursor's state to the state of the run after ``step`` steps."""
        segment = self.run.trace.segment_of(step)
        if not segment.first <= self._step <= step:
            self._state = copy_state(segment.state)
            self._step = segment.first
        while self._step < step:
            self._take_steps(min(step - self._step, len(self._unused_marks)))

    def _take_recorded_step(self) -> Any:
        """Take one step, and return its record.

        If the state after the step is a keyframe and records are kept, the state and the record are
        copied instead of computed. This saves time: an iteration of the interior-point method takes
        tens of milliseconds.
        """
        trace, step = self.run.trace, self._step + 1
        if self.run.method.keeps_events and trace.has_keyframe(step):
            self._move_to(step)
            return trace.event(step)
        self._take_steps(1)
        return self._events[0]

    def _take_steps(self, count: int) -> None:
        """Take ``count`` steps; their records are written into ``_events``."""
        if self._work is None:
            self._work = self.run.method.workspace(self.run.problem, REPLAY_BYTES)
        remaining, run = count, self.run
        while remaining > 0:
            # A method may take fewer steps per call if each step takes long.
            events = self._events[:remaining] if run.method.keeps_events else self._events[:1]
            n_taken, _ = run.method.advance(
                run.problem, self._state, self._work, events, self._unused_marks[:remaining]
            )
            if n_taken == 0:
                raise RuntimeError(f"The replay ended too early, at step {self._step}.")
            self._step += n_taken
            remaining -= n_taken
