"""Walking through a run by beats, the parts of its steps, forwards or backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class BeatPosition(NamedTuple):
    """A place in a run: a step, and how many beats of the next step are shown.

    Attributes
    ----------
    step : int
    beats : int
        0 if the step itself is shown, which is what its last beat shows.
    """

    step: int
    beats: int


def position_after(count: Callable[[int], int], length: int, step: int, beats: int) -> BeatPosition:
    """Return the place that is ``beats`` beats after a step, or before it if they are negative.

    Parameters
    ----------
    count : callable(int) -> int
        Number of beats of a step, at least 1.
    length : int
        Number of recorded steps; the place is not beyond them.
    step, beats : int
    """
    while beats < 0 < step:
        beats += count(step)
        step -= 1
    while beats > 0 and step < length:
        own = count(step + 1)
        if beats < own:
            return BeatPosition(step, beats)
        beats -= own
        step += 1
    return BeatPosition(step, 0)
