"""Clocks by which the lanes of a race are compared: steps, kernel values, or seconds.

A clock converts steps of a run to *readings* and back. A reading is an integer, such as the number
of kernel values computed so far, which does not decrease from step to step. All lanes of a race are
shown at the same reading.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from solvers import Reason, Run

MICROSECONDS_PER_SECOND = 1_000_000


@dataclass(frozen=True)
class Clock:
    """A measure of the progress of a run.

    Attributes
    ----------
    name, label : str
        The name in files and in the code, and the name on screen.
    unit, short : str
        The unit of a reading, in full and abbreviated.
    reading : callable(Run, step) -> int
        Returns the reading after a step, which is 0 for step 0.
    """

    name: str
    label: str
    unit: str
    short: str
    reading: Callable[[Run, int], int]

    @property
    def title(self) -> str:
        """Name of a reading: "Step", "Kernel values"."""
        return "Step" if self is STEPS else self.label

    @property
    def suffix(self) -> str:
        """Unit after a reading; empty for steps."""
        return "" if self is STEPS else f" {self.unit}"

    def in_words(self, reading: int) -> str:
        """Return a reading in words: "Step 231", "3,200 kernel values"."""
        return f"Step {reading:,}" if self is STEPS else f"{reading:,}{self.suffix}"

    def with_unit(self, reading: int) -> str:
        """Return a reading as a number with its unit: "45 steps", "1 kernel value", "46 µs"."""
        is_singular = reading == 1 and self.unit[-2:] != "µs"
        return f"{reading:,} {self.unit.removesuffix('s') if is_singular else self.unit}"

    def length(self, runs: Sequence[Run]) -> int:
        """Return the largest reading of the runs at their last steps; 0 without runs."""
        return max((self.reading(run, run.steps) for run in runs), default=0)

    def first_arrival(self, runs: Sequence[Run]) -> int:
        """Return the earliest reading at which a run arrives, at least 1.

        All runs must be finished. A run arrives when its method meets its tolerance. If no run
        arrives, return the first reading at which a run ends.
        """
        arrived = [run for run in runs if run.reason is Reason.CONVERGED] or runs
        return max(1, min(self.reading(run, run.steps) for run in arrived))

    def reading_at(self, runs: Sequence[Run], lane: int, step: int | None) -> int:
        """Return the reading at a step of a lane.

        If the step is None, return the largest reading of all runs. If it is after the last step of
        the lane, return the largest reading too, but on the clock STEPS return the step itself.
        """
        run = runs[min(lane, len(runs) - 1)]
        if step is None or (step > run.steps and self is not STEPS):
            return self.length(runs)
        return self.reading(run, step)

    def steps(self, runs: Sequence[Run], reading: int) -> tuple[int, ...]:
        """Return the step of each lane at a reading; the last step of a lane that ended before."""
        return tuple(self.step(run, reading) for run in runs)

    def step(self, run: Run, reading: int) -> int:
        """Return the last step of a run whose reading is at most ``reading``."""
        steps, reading_at = range(run.steps + 1), partial(self.reading, run)
        return bisect_right(steps, reading, lo=1, key=reading_at) - 1


def _step_itself(_run: Run, step: int) -> int:
    return step


def _evaluations_at(run: Run, step: int) -> int:
    return run.trace.evaluations_at_step(step)


def _microseconds_at(run: Run, step: int) -> int:
    return int(MICROSECONDS_PER_SECOND * run.trace.seconds_at_step(step))


STEPS = Clock("steps", "Steps", "steps", "steps", _step_itself)
EVALUATIONS = Clock("evaluations", "Kernel values", "kernel values", "values", _evaluations_at)
SECONDS = Clock("seconds", "Solving time", "µs", "µs", _microseconds_at)
CLOCKS = {clock.name: clock for clock in (STEPS, EVALUATIONS, SECONDS)}
