"""Sampling of objective curves in the frame thread, while the thread computes no frame.

Samples are taken in *turns* of a few milliseconds. Between two turns the sampler asks the window,
and waits until its event loop answers. The reason is that the two share the interpreter lock: if
samples were taken while the window paints or opens a dialog, that would take up to twice as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from solvers import Run
from svmviz.frames.objective_curves import Curve, CurveMaker

# Time between two updates of a growing curve, s.
CURVE_INTERVAL = 0.12
# While frames are requested without a pause, each sample delays a frame. So then the minimum time
# between two samples grows by PAUSE_PER_SAMPLE with each sample, up to MAX_PAUSE; both in s.
PAUSE_PER_SAMPLE, MAX_PAUSE = 0.05, 1.0
# Duration of a turn, and the time after which the next turn begins without an answer, s.
TURN, MAX_TURN_WAIT = 0.008, 0.1


class CurveSampler:
    """Samples the objective curves of the runs that frames show.

    Parameters
    ----------
    curves_changed : callable(tuple of Curve)
        Called with the curves when they have changed.
    turn_ended : callable()
        Called when a turn has ended. :meth:`give_turn` is the answer.
    """

    def __init__(
        self,
        curves_changed: Callable[[tuple[Curve, ...]], None],
        turn_ended: Callable[[], None],
    ) -> None:
        self._curves_changed = curves_changed
        self._turn_ended = turn_ended
        self._makers: tuple[CurveMaker, ...] = ()
        self._is_sampling = False
        # ``_announced`` is the number of samples plus the number of complete curves at the last
        # call of ``curves_changed``, and ``_announced_at`` is the time of that call.
        # ``_sampled_at`` is the time of the last sample. Both times are in s, on the monotonic
        # clock.
        self._announced, self._announced_at, self._sampled_at = 0, 0.0, 0.0
        # Whether there is a turn, and when the last one began, s.
        self._has_turn, self._turn_began_at = True, 0.0

    def follow(self, runs: tuple[Run, ...]) -> bool:
        """Start the curves of these runs; return False if they are the runs of the last call."""
        if tuple(maker.run.number for maker in self._makers) == tuple(run.number for run in runs):
            return False
        self._makers = tuple(CurveMaker(run) for run in runs)
        self._is_sampling, self._announced = True, 0
        return True

    def wait(self) -> float | None:
        """Return the time to wait for a request before the next sample, s; None for no limit."""
        if self._is_sampling:
            waited = time.monotonic() - self._sampled_at
            return 0.0 if self._has_turn else max(MAX_TURN_WAIT - waited, 0.0)
        # A run that grows needs further samples from time to time.
        unfinished = any(not maker.complete for maker in self._makers)
        return CURVE_INTERVAL if unfinished else None

    def give_turn(self) -> None:
        """Begin the next turn. This may be called in any thread."""
        self._has_turn, self._turn_began_at = True, time.monotonic()

    def sample(self) -> None:
        """Add a sample to each curve that needs one, and call ``curves_changed`` if that is due.

        It is due if the curves have changed, and either no curve needs a further sample now or the
        last call was more than CURVE_INTERVAL ago. If there is no turn, one begins.
        """
        if not self._has_turn:
            self.give_turn()
        self._is_sampling = sum(maker.sample() for maker in self._makers) > 0
        now = self._sampled_at = time.monotonic()
        if now - self._turn_began_at > TURN:
            self._has_turn = False
            self._turn_ended()
        # A curve that becomes complete has changed, though it has no new sample.
        state = sum(maker.sample_count + maker.complete for maker in self._makers)
        is_due = not self._is_sampling or now - self._announced_at > CURVE_INTERVAL
        if state != self._announced and is_due:
            self._announced, self._announced_at = state, now
            self._curves_changed(tuple(maker.curve() for maker in self._makers))

    def resume(self) -> None:
        """Allow a sample after a frame, unless the last sample is more recent than a pause.

        This method takes no sample. If it allows one, :meth:`wait` returns 0, and then the frame
        thread takes the sample. So curves also grow while frames are requested without a pause.
        """
        count = sum(maker.sample_count for maker in self._makers)
        pause = min(PAUSE_PER_SAMPLE * count, MAX_PAUSE)
        self._is_sampling = time.monotonic() - self._sampled_at > pause

    def pause(self) -> None:
        """Stop sampling until the next frame or interval, because making a frame failed."""
        self._is_sampling = False
