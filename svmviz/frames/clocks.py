"""By what the lanes of a race are compared: steps, kernel values, or seconds.

A clock turns the step of a run into a reading, a whole number that never falls, and back. One
reading moves all lanes, so each shows what it had when the clock stood there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvers import Run

MICRO = 1_000_000


@dataclass(frozen=True)
class Clock:
    """A way of reading how far a run has come.

    Attributes
    ----------
    name, label : str
    unit, short : str
        What the readings count, and the same where there is little room.
    reading : callable(Run, step) -> int
        Where the clock stood when a step was done; 0 at step 0.
    step : callable(Run, reading) -> int
        The last step that was done at a reading.
    """

    name: str
    label: str
    unit: str
    short: str
    reading: Callable[[Run, int], int]
    step: Callable[[Run, int], int]

    @property
    def title(self) -> str:
        """What a reading is: "Step", "Kernel values"."""
        return "Step" if self is STEPS else self.label

    @property
    def suffix(self) -> str:
        """What follows a reading whose title does not say what is counted."""
        return "" if self is STEPS else f" {self.unit}"

    def tell(self, reading: int) -> str:
        """A reading in words: "Step 231", "3,200 kernel values"."""
        return f"Step {reading:,}" if self is STEPS else f"{reading:,}{self.suffix}"

    def length(self, runs: Sequence[Run]) -> int:
        """Where the clock stood when the last of the runs got as far as it is; 0 without runs."""
        return max((self.reading(run, run.steps) for run in runs), default=0)

    def steps(self, runs: Sequence[Run], reading: int) -> tuple[int, ...]:
        """One step a lane."""
        return tuple(min(self.step(run, reading), run.steps) for run in runs)


def _step_itself(_run: Run, step: int) -> int:
    return step


def _evaluations_at(run: Run, step: int) -> int:
    return run.trace.evaluations_at_step(step)


def _step_at_evaluations(run: Run, evaluations: int) -> int:
    return _last(run, evaluations, _evaluations_at)


def _microseconds_at(run: Run, step: int) -> int:
    return int(MICRO * run.trace.seconds_at_step(step))


def _step_at_microseconds(run: Run, microseconds: int) -> int:
    return _last(run, microseconds, _microseconds_at)


def _last(run: Run, reading: int, read: Callable[[Run, int], int]) -> int:
    """The last step whose reading is not above ``reading``: readings never fall, so by halves."""
    low, high = 0, run.steps
    while low < high:
        middle = (low + high + 1) // 2
        if read(run, middle) <= reading:
            low = middle
        else:
            high = middle - 1
    return low


STEPS = Clock("steps", "Steps", "steps", "steps", _step_itself, _step_itself)
EVALUATIONS = Clock(
    "evaluations", "Kernel values", "kernel values", "values", _evaluations_at, _step_at_evaluations
)
SECONDS = Clock("seconds", "Solving time", "µs", "µs", _microseconds_at, _step_at_microseconds)
CLOCKS = {clock.name: clock for clock in (STEPS, EVALUATIONS, SECONDS)}
