"""The position in the recorded runs, and the speed at which it moves. No window, no timer.

The player neither controls the solver nor waits for it: the position moves within the steps that
are recorded. One position, on one clock, applies to all lanes of a race. Speeds are in units of
this clock per second. By default, the clock counts steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import Run
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Range of the speeds that the user can set, in units of the clock per second.
MIN_SPEED = 0.5
MAX_SPEED = 100_000.0
# Without a race, the speed is fitted so that playing a run takes this time, s.
WHOLE_RUN = 25.0
# Minimum of the speed that is fitted to a run, steps per second. Short runs are played at this
# speed, so they take less time than WHOLE_RUN.
USUAL_SPEED = 8.0
# In a race, the speed is fitted so that the first lane meets its tolerance after this time, s.
FIRST_ARRIVAL = 12.0
# Smallest number of ticks in which a loop is played once; no whole number.
ROUND = 3.7
# Time in which the picture moves from one step to the next, while playing slowly or after a single
# step by the user, s.
GLIDE = 0.2


@dataclass
class Player:
    """The position in the recorded runs, and how it moves.

    Attributes
    ----------
    position : float
        The position in units of the clock. Its integer part is the *reading*: each lane shows the
        step that it had reached when the clock had this value.
    speed : float
        Units of the clock per second. If it is infinite, playing shows the newest step at every
        tick.
    playing : bool
    following : bool
        Whether the position stays at the end of the recording, also while the recording grows.
    glides : bool
        Whether steps glide (:mod:`svmviz.playback.glide`).
    origin : float
        The position at which the last movement began. Only steps after this position glide.
    since : float
        Time for which the position has rested since it last moved, s; 0 while playing, and infinite
        if no step may glide.
    is_single_step : bool
        Whether the last movement was a single step by the user.
    """

    position: float = 0.0
    speed: float = USUAL_SPEED
    playing: bool = False
    following: bool = True
    glides: bool = True
    origin: float = 0.0
    since: float = math.inf
    is_single_step: bool = False

    def tick(
        self, seconds: float, length: int, finished: bool, loop: tuple[int, int] | None = None
    ) -> None:
        """Move the position for the time that has passed since the last call.

        Parameters
        ----------
        seconds : float
            This time, s.
        length : int
            The largest reading that is recorded.
        finished : bool
            Whether the recording is complete, so that ``length`` no longer grows.
        loop : (int, int), optional
            First and last reading of a range that is played round and round.
        """
        if self.playing and loop is not None:
            self._tick_in(*loop, seconds, length, finished)
            return
        if self.following:
            self.position = float(length)
            return
        if not self.playing:
            self.since += seconds
            self.position = min(self.position, float(length))
            return
        target = math.inf if math.isinf(self.speed) else self.position + self.speed * seconds
        self.position = min(target, float(length))
        if finished and self.position >= length:
            self.playing = False

    def _tick_in(self, first: int, last: int, seconds: float, length: int, finished: bool) -> None:
        """Move within a range; its last reading is shown as long as every other one."""
        last = min(last, length) if finished else last
        count = last + 1 - first
        # At any speed, a round takes some ticks, which do not all show the same readings.
        target = self.position + min(self.speed * seconds, count / ROUND)
        if target >= last + 1:
            target = first + (target - first) % count
            self.origin = target
        self.position = target if finished else min(target, float(length))

    @property
    def reading(self) -> int:
        """The reading shown; it is the step shown if the clock counts steps."""
        return int(self.position)

    @property
    def shows_newest(self) -> bool:
        """Whether the newest recorded step is shown at every tick."""
        return self.following or (self.playing and math.isinf(self.speed))

    @property
    def may_glide(self) -> bool:
        """Whether the step shown may glide now."""
        return self.glides and self.since < GLIDE and not self.shows_newest

    def play(self, length: int, finished: bool, loop: tuple[int, int] | None = None) -> None:
        """Start moving. If the position is at the end of a finished recording, start again at 0.

        With a loop, start at its first reading, unless the position is within it.
        """
        self.following = False
        if loop is not None:
            if not loop[0] <= self.reading <= loop[1]:
                self.position = float(min(loop[0], length))
        elif finished and self.reading >= length:
            self.position = 0.0
        self.playing = True
        self.origin, self.since, self.is_single_step = self.position, 0.0, False

    def pause(self) -> None:
        """Stop at the current step."""
        self._stop()
        self.position = float(self.reading)

    def seek(self, reading: float, length: int) -> None:
        """Go to a reading of the clock, clipped to [0, ``length``], and stop there."""
        self._stop()
        self.position = float(min(max(0, int(reading)), length))

    def glide_from(self, position: float) -> None:
        """Let the current step glide from ``position``, after a single step by the user."""
        self.origin, self.since, self.is_single_step = position, 0.0, True

    def follow(self) -> None:
        """Go to the end of the recording, and stay at the end while the recording grows."""
        self._stop()
        self.following = True

    def _stop(self) -> None:
        self.playing = self.following = False
        self.since = math.inf


def next_support_change(run: Run, step: int) -> int | None:
    """Return the next step at which a point became, or ceased to be, a support vector, or None."""
    return run.trace.next_marked(step, SUPPORT_CHANGED)


def next_sweep(run: Run, step: int) -> int | None:
    """Return the next step that the method marks as the first of a sweep, or None."""
    return run.trace.next_marked(max(step, 1), SWEEP_STARTED)


def fitting_speed(steps: int) -> float:
    """Return the speed, steps per second, that plays a run in about ``WHOLE_RUN`` seconds.

    It is at least ``USUAL_SPEED`` and at most ``MAX_SPEED``.
    """
    return min(max(USUAL_SPEED, float(f"{steps / WHOLE_RUN:.1g}")), MAX_SPEED)


def race_speed(arrival: int) -> float:
    """Return the speed at which the first lane of a race arrives after ``FIRST_ARRIVAL`` seconds.

    A lane arrives when its method meets its tolerance.

    Parameters
    ----------
    arrival : int
        Reading of the clock at which the first lane arrives, at least 1.

    Returns
    -------
    float
        Readings per second.
    """
    return float(f"{arrival / FIRST_ARRIVAL:.2g}")
