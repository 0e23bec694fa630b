"""Primal, dual and gap over the steps of a run, sampled as finely as a screen can show.

The values are those of certificates, computed from ``(beta, b)`` of replayed steps. A short run is
sampled at every step. A long run is sampled at a limited number of steps, coarsely at first and
then more finely. When the run has grown, steps are chosen again for its new length. If there is an
earlier sample near a chosen step, it replaces a sample at that step, and other earlier samples are
dropped. So the curve keeps its shape, and the number of samples stays limited.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers import Cursor, Run, certify
from solvers.problem.expansion import freeze

# Number of evenly spaced samples of a long run: more than a chart can show.
SAMPLES = 257
# Number of further samples, most of them at the first steps.
FIRST_SAMPLES = 65


@dataclass(frozen=True, eq=False)
class ObjectiveCurve:
    """Objective values over steps. All arrays have shape (m,).

    Attributes
    ----------
    run : int
        Number of the run.
    steps : float64 array
        The sampled steps, ascending.
    primal, dual : float64 arrays
        Objective values at these steps.
    best_dual : float64 array
        Lower bound on the optimum: the largest dual value of all samples up to each step.
    largest_alpha : float
        The largest alpha of all samples.
    repaired : bool
        Whether alpha was infeasible at some sample. There the dual is that of a feasible alpha
        near it.
    complete : bool
        Whether no more samples will come.
    """

    run: int
    steps: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    best_dual: np.ndarray
    largest_alpha: float
    repaired: bool
    complete: bool

    @property
    def gap(self) -> np.ndarray:
        """Primal minus the best dual value up to each step, shape (m,)."""
        return self.primal - self.best_dual


class Sample(NamedTuple):
    """Values of a sampled step.

    Attributes
    ----------
    primal, dual : float
        Objective values of the certificate.
    bound : float
        Lower bound on the optimum: the dual value, or a larger dual value of an earlier sample,
        which may have been dropped.
    """

    primal: float
    dual: float
    bound: float


class CurveMaker:
    """Sampler of the curve of one run; each call of ``sample`` computes at most one certificate."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._cursor = Cursor(run)
        # The samples by step.
        self._samples_by_step: dict[int, Sample] = {}
        # The steps still to be sampled, and the length of the run for which they were chosen.
        self._plan: Iterator[int] = iter(())
        self._planned_length = -1
        self._sample_count = 0
        self._largest_alpha = 0.0
        self._repaired = False
        self._complete = False
        self._cached: tuple[int, ObjectiveCurve] | None = None

    def sample(self) -> bool:
        """Certify one more step; return False if there is nothing to do for now."""
        if self._complete:
            return False
        finished, length = self.run.finished, self.run.steps
        # Choose steps again when the run has grown by 30 %, and when it has ended.
        if length > 1.3 * self._planned_length or (finished and length != self._planned_length):
            self._renew(length)
        for step in self._plan:
            if step not in self._samples_by_step:
                self._certify(step)
                return True
        self._complete = finished and length == self._planned_length
        return False

    def _renew(self, length: int) -> None:
        """Choose new steps up to ``length``; keep the samples near them, and drop all others."""
        self._planned_length = length
        chosen = _chosen_steps(length)
        sampled = np.array(sorted(self._samples_by_step), dtype=np.int64)
        replacements, replaced = _replacements(chosen, sampled)
        self._keep_only(replacements)
        # No other step replaces the first or the last chosen step, so both are always sampled.
        self._plan = (step for step in _from_coarse_to_fine(chosen) if step not in replaced)

    def _keep_only(self, steps: set[int]) -> None:
        """Drop all samples except those at ``steps`` and the sample of the last step.

        If a dropped sample has a larger bound than later samples, these get that bound.
        """
        samples, bound = {}, -math.inf
        last = max(self._samples_by_step, default=0)
        for step, sample in sorted(self._samples_by_step.items()):
            bound = max(bound, sample.bound)
            if step in steps or step == last:
                samples[step] = sample._replace(bound=bound)
        self._samples_by_step = samples

    def _certify(self, step: int) -> None:
        certificate = certify(
            self.run.certified_problem, self._cursor.seek(step, with_event=False).expansion
        )
        self._samples_by_step[step] = Sample(certificate.primal, certificate.dual, certificate.dual)
        self._sample_count += 1
        largest = float(certificate.alpha.max(initial=0.0))
        self._largest_alpha = max(self._largest_alpha, largest)
        self._repaired |= certificate.repaired

    @property
    def complete(self) -> bool:
        """Whether the run has ended and all its samples are computed."""
        return self._complete

    @property
    def sample_count(self) -> int:
        """Number of steps certified so far, including those that were dropped."""
        return self._sample_count

    def curve(self) -> ObjectiveCurve:
        """Return the curve of all samples so far; the same object until it changes."""
        # ``state`` changes with each sample, and when the curve becomes complete.
        state = 2 * self._sample_count + self._complete
        if self._cached is None or self._cached[0] != state:
            self._cached = state, self._make()
        return self._cached[1]

    def _make(self) -> ObjectiveCurve:
        steps = np.array(sorted(self._samples_by_step), dtype=np.float64)
        values = np.array([self._samples_by_step[int(step)] for step in steps]).reshape(-1, 3)
        return ObjectiveCurve(
            run=self.run.number,
            steps=freeze(steps),
            primal=freeze(values[:, 0].copy()),
            dual=freeze(values[:, 1].copy()),
            best_dual=freeze(np.maximum.accumulate(values[:, 2])),
            largest_alpha=self._largest_alpha,
            repaired=self._repaired,
            complete=self._complete,
        )


def _chosen_steps(length: int) -> np.ndarray:
    """Return steps from 0 to ``length``, at most ``SAMPLES + FIRST_SAMPLES``, ascending."""
    count = min(length + 1, SAMPLES)
    # Evenly spaced steps for a linear axis, and many of the first steps for a logarithmic axis.
    evenly, first = np.linspace(0, length, count), np.geomspace(1, max(length, 1), FIRST_SAMPLES)
    chosen = np.unique(np.rint(np.concatenate([evenly, first])).astype(np.int64))
    return chosen[chosen <= length]


def _replacements(chosen: np.ndarray, sampled: np.ndarray) -> tuple[set[int], set[int]]:
    """Return the sampled steps that replace chosen steps, and the chosen steps that they replace.

    A sampled step can replace only the chosen step nearest to it. If several can replace the same
    chosen step, the nearest of them does. The first and the last chosen step are replaced only by
    themselves.

    Parameters
    ----------
    chosen, sampled : int arrays
        Steps, ascending.
    """
    nearest = np.searchsorted((chosen[1:] + chosen[:-1]) / 2, sampled)
    distance = np.abs(sampled - chosen[nearest])
    # Sorted by chosen step, and then by distance.
    order = np.lexsort((distance, nearest))
    indices, firsts = np.unique(nearest[order], return_index=True)
    is_equal = distance[order][firsts] == 0
    is_inside = (indices > 0) & (indices < len(chosen) - 1)
    replaced = chosen[indices[is_equal | is_inside]]
    return set(sampled[order][firsts].tolist()), set(replaced.tolist())


def _from_coarse_to_fine(chosen: np.ndarray) -> list[int]:
    """Return the steps in another order: the first, the last, then ever more steps between them."""
    steps: list[int] = []
    stride = 1 << max(0, int(len(chosen) - 1).bit_length())
    while stride >= 1:
        steps.extend(chosen[::stride].tolist())
        steps.append(int(chosen[-1]))
        stride //= 2
    return list(dict.fromkeys(steps))


# Time between two updates of a growing curve, s.
CURVE_INTERVAL = 0.12
# While frames are requested without a pause, each sample delays a frame. So then the minimum time
# between two samples grows by PAUSE_PER_SAMPLE with each sample, up to MAX_PAUSE; both in s.
PAUSE_PER_SAMPLE, MAX_PAUSE = 0.05, 1.0
# Duration of a turn, and the time after which the next turn begins without an answer, s.
TURN, MAX_TURN_WAIT = 0.008, 0.1


class CurveSampler:
    """Sampler of the objective curves of the runs that frames show, while no frame is computed.

    Samples are taken in *turns* of a few milliseconds. Between two turns the sampler asks the
    window, and waits until its event loop answers. The reason is that the two share the interpreter
    lock: if samples were taken while the window paints or opens a dialog, that would take up to
    twice as long.

    Parameters
    ----------
    curves_changed : callable(tuple of Curve)
        Called with the curves when they have changed.
    turn_ended : callable()
        Called when a turn has ended. :meth:`give_turn` is the answer.
    """

    def __init__(
        self,
        curves_changed: Callable[[tuple[ObjectiveCurve, ...]], None],
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
