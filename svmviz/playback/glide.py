"""Glide: the picture moves from one step to the next within a fifth of a second.

A step glides while playing slowly, or after the user goes one step forwards. Then the eye can
follow the boundary, the band and the bars, which move from the step before to the new step. The
numbers jump.
"""

from __future__ import annotations

from solvers import Run
from svmviz.frames.clocks import Clock
from svmviz.playback.player import GLIDE, Player


def glide_share(player: Player, clock: Clock, run: Run, step: int) -> float:
    """Return the fraction of the way from the step before to ``step`` that the picture has moved.

    It is 1 if the step does not glide. While playing, a step glides only if it is shown for at
    least the time that the glide takes. So glides delay no step.

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
    slow = player.is_single_step or _is_slow(player, clock, run, step)
    if reached <= player.origin or not slow:
        return 1.0
    return eased((player.since + max(player.position - reached, 0.0) / player.speed) / GLIDE)


def eased(passed: float) -> float:
    """Return the fraction of the way after a fraction of the time.

    The picture starts and stops slowly, as the polynomial 3 t² − 2 t³ does.
    """
    passed = min(passed, 1.0)
    return passed * passed * (3.0 - 2.0 * passed)


def _is_slow(player: Player, clock: Clock, run: Run, step: int) -> bool:
    """Return whether a step is shown for at least the time of a glide.

    The last step is shown for ever, so it is treated like the step before.
    """
    first = step if step < run.steps else step - 1
    readings = clock.reading(run, first + 1) - clock.reading(run, first)
    return readings >= GLIDE * player.speed
