"""Glide: between two steps the picture moves over a fifth of a second, so that the eye can follow.

A step glides if the player comes to it slowly: while playing, or by one step of the user. Numbers
change at the step itself. Boundary, band and bars move from the step before to this one.
"""

from __future__ import annotations

from solvers import Run
from svmviz.frames.clocks import Clock
from svmviz.playback.player import GLIDE, Player


def glide_share(player: Player, clock: Clock, run: Run, step: int) -> float:
    """Return how far the picture of a run has moved from the step before to ``step``, 0 to 1.

    While playing, a step glides only if it is shown for at least the time that the glide takes. So
    glides delay no step.

    Parameters
    ----------
    player : Player
    clock : Clock
        The clock of the player's position.
    run : Run
    step : int
        The step shown of the run.
    """
    if not player.may_glide or not 0 < step <= run.steps:
        return 1.0
    reached = clock.reading(run, step)
    if reached <= player.origin or not (player.alone or _is_slow(player, clock, run, step)):
        return 1.0
    return eased((player.since + max(player.position - reached, 0.0) / player.speed) / GLIDE)


def eased(passed: float) -> float:
    """Return how far the picture has moved after a fraction of the time.

    A smooth step: the picture starts and stops slowly.
    """
    passed = min(passed, 1.0)
    return passed * passed * (3.0 - 2.0 * passed)


def _is_slow(player: Player, clock: Clock, run: Run, step: int) -> bool:
    """Return whether a step is shown for long enough.

    The last one is judged by the step before it.
    """
    first = step if step < run.steps else step - 1
    readings = clock.reading(run, first + 1) - clock.reading(run, first)
    return readings >= GLIDE * player.speed
