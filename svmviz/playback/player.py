"""The position in the recording and its speed, without window or timer.

The solver records, and the player reads up to the recorded length: it neither controls the solver
nor waits for it. One position, on one clock, moves all lanes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import Run
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED

# Range of speeds, steps per second.
MIN_SPEED = 0.5
MAX_SPEED = 100_000.0
# Time in which a whole run is played at the fitted speed, s; short runs have the usual speed.
WHOLE_RUN = 25.0
USUAL_SPEED = 8.0
# Time after which the first lane of a race arrives, s.
FIRST_ARRIVAL = 12.0
# Time in which the picture moves from one step to the next while playing slowly, s.
GLIDE = 0.2


@dataclass
class Player:
    """Position, speed and state of playing.

    Attributes
    ----------
    position : float
        In units of the clock, which are steps by default; the reading shown is its floor.
    speed : float
        Units of the clock per second; if infinite, every tick shows the newest step.
    playing : bool
    following : bool
        Whether the view stays at the end while the recording grows.
    glides : bool
        Whether the picture glides from step to step; see :mod:`svmviz.playback.glide`.
    origin : float
        The position at which the movement began: steps after it may glide.
    since : float
        Time since it moved last, s; infinite if nothing glides.
    alone : bool
        Whether the last movement was a single step by the user.
    """

    position: float = 0.0
    speed: float = USUAL_SPEED
    playing: bool = False
    following: bool = True
    glides: bool = True
    origin: float = 0.0
    since: float = math.inf
    alone: bool = False

    def tick(self, seconds: float, length: int, finished: bool) -> None:
        """Move by the time passed; ``length`` steps are recorded, and all of them if finished."""
        if self.following:
            self.position = float(length)
            return
        if not self.playing:
            self.since += seconds
            self.position = min(self.position, float(length))
            return
        ahead = math.inf if math.isinf(self.speed) else self.position + self.speed * seconds
        self.position = min(ahead, float(length))
        if finished and self.position >= length:
            self.playing = False

    @property
    def reading(self) -> int:
        """Reading of the clock; the step shown, if the clock counts steps."""
        return int(self.position)

    @property
    def shows_newest(self) -> bool:
        """Whether the newest step is shown, whatever its number."""
        return self.following or (self.playing and math.isinf(self.speed))

    @property
    def may_glide(self) -> bool:
        """Whether the picture may be gliding from one step to the next."""
        return self.glides and self.since < GLIDE and not self.shows_newest

    def play(self, length: int, finished: bool) -> None:
        """Start moving; from the end of a finished run, from the beginning."""
        self.following = False
        if finished and self.reading >= length:
            self.position = 0.0
        self.playing = True
        self.origin, self.since, self.alone = self.position, 0.0, False

    def pause(self) -> None:
        """Stop at the current step."""
        self._stop()
        self.position = float(self.reading)

    def seek(self, step: float, length: int) -> None:
        """Stop at a step, clipped to the recorded ones."""
        self._stop()
        self.position = float(min(max(0, int(step)), length))

    def move(self, steps: int, length: int) -> None:
        """Stop some steps further, or back."""
        self.seek(self.reading + steps, length)

    def glide_from(self, position: float) -> None:
        """Let the current step glide from ``position``, after a single step by the user."""
        self.origin, self.since, self.alone = position, 0.0, True

    def follow(self) -> None:
        """Stay at the end while the recording grows."""
        self._stop()
        self.following = True

    def _stop(self) -> None:
        self.playing = self.following = False
        self.since = math.inf


def next_support_change(run: Run, step: int) -> int | None:
    """Return the next step in which a point became, or ceased to be, a support vector."""
    return run.trace.next_marked(step, SUPPORT_CHANGED)


def next_sweep(run: Run, step: int) -> int | None:
    """Return the next step that the method marks as the first of a sweep."""
    return run.trace.next_marked(max(step, 1), SWEEP_STARTED)


def fitting_speed(steps: int) -> float:
    """Return the steps per second that play a run in 20 to 30 s, at least the usual speed."""
    return min(max(USUAL_SPEED, float(f"{steps / WHOLE_RUN:.1g}")), MAX_SPEED)


def race_speed(arrival: int) -> float:
    """Return the readings per second at which the first lane of a race needs ``FIRST_ARRIVAL``.

    Parameters
    ----------
    arrival : int
        Reading of the clock at which that lane arrives, at least 1.
    """
    return float(f"{arrival / FIRST_ARRIVAL:.2g}")
