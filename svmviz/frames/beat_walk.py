"""Moving through a run by beats, forwards or backwards.

A *beat* is one part of the explanation of a step, such as the choice of a pair or its update.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class BeatPosition(NamedTuple):
    """A position in a run: a step, and a number of beats after it.

    Attributes
    ----------
    step : int
        The step whose state is shown.
    beats : int
        Number of beats after ``step``: the beat with this number of the next step is shown. If it
        is 0, the last beat of ``step`` is shown, because that beat has the state after ``step``.
    """

    step: int
    beats: int


def position_after(count: Callable[[int], int], length: int, step: int, beats: int) -> BeatPosition:
    """Return the position ``beats`` beats after a step; before the step if ``beats`` is negative.

    Parameters
    ----------
    count : callable(int) -> int
        Returns the number of beats of a step, at least 1.
    length : int
        Number of recorded steps. The position is at most at the last recorded step.
    step : int
        Beats are counted from the last beat of this step.
    beats : int
        Number of beats to move; negative to move backwards.
    """
    while beats < 0 < step:
        beats += count(step)
        step -= 1
    while beats > 0 and step < length:
        next_count = count(step + 1)
        if beats < next_count:
            return BeatPosition(step, beats)
        beats -= next_count
        step += 1
    return BeatPosition(step, 0)
