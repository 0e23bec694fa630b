"""Glide: the picture moves from one step to the next within a fifth of a second.

A step glides while playing slowly, or after the user goes one step forwards. Then the eye can
follow the boundary, the band and the bars, which move from the previous step to the new step.
Numbers change at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvers import Run
from svmviz.frames.clocks import Clock
from svmviz.playback.player import GLIDE, Player


def glide_shares(
    player: Player, clock: Clock, runs: Sequence[Run], steps: Sequence[int] | None
) -> tuple[float, ...]:
    """Return how far each lane has moved from the previous step to its step, from 0 to 1.

    A lane that does not glide has moved by 1. The tuple is empty if no lane glides, or if the
    newest step of each lane is shown (``steps`` is None).
    """
    if steps is None or not player.may_glide:
        return ()
    pairs = zip(runs, steps, strict=True)
    shares = tuple(glide_share(player, clock, run, step) for run, step in pairs)
    return shares if min(shares, default=1.0) < 1.0 else ()


def glide_share(player: Player, clock: Clock, run: Run, step: int) -> float:
    """Return how far the picture has moved from the previous step to ``step``, from 0 to 1.

    It is 1 if the step does not glide. While playing, a step glides only if it is shown for at
    least the time of a glide, so that glides delay no step.

    Parameters
    ----------
    player : Player
    clock : Clock
        The clock of the player's position.
    run : Run
    step : int
        The step of the run that is shown.
    """
    if not player.may_glide or not 0 < step <= run.steps:
        return 1.0
    reading = clock.reading(run, step)
    is_slow = player.is_single_step or _is_slow(player, clock, run, step)
    if reading <= player.origin or not is_slow:
        return 1.0
    return ease((player.since + max(player.position - reading, 0.0) / player.speed) / GLIDE)


def ease(time: float) -> float:
    """Return how far the picture has moved, from 0 to 1, after ``time`` in units of GLIDE.

    It is ``3 t**2 - 2 t**3`` for t from 0 to 1, so the picture starts and stops slowly.
    """
    time = min(time, 1.0)
    return time * time * (3.0 - 2.0 * time)


def _is_slow(player: Player, clock: Clock, run: Run, step: int) -> bool:
    """Return whether a step is shown for at least the time of a glide.

    A step is shown until the player comes to the reading of the next step. No step follows the last
    step of a run, so the last step counts as slow if the step before it is slow.
    """
    start = step if step < run.steps else step - 1
    duration = clock.reading(run, start + 1) - clock.reading(run, start)
    return duration >= GLIDE * player.speed
