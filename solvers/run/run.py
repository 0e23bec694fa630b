"""The only loop: start, advance, stop with a reason.

A run has a trace, the recording of its steps, and the current state of its method. ``solve`` or a
background thread of the window calls :meth:`Run.advance` repeatedly, for a few milliseconds each
time. A :class:`solvers.run.cursor.Cursor` replays any recorded step.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from typing import Any

import numpy as np

from solvers.errors import BadInput
from solvers.problem.certificate import Certificate, certify
from solvers.problem.expansion import Expansion, freeze
from solvers.problem.problem import Problem
from solvers.run.cursor import Cursor, Snapshot
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.trace import Trace, copy_state

# A run ends when its trace has more than this size, in bytes.
TRACE_BYTES = 400_000_000
# A run shorter than SHORT_RUN seconds may be repeated REPEATS times, to measure its time again.
SHORT_RUN, REPEATS = 0.02, 5
# The assumed speed before any step was timed: points examined per second.
FIRST_PACE = 2e7
# Points per class, and maximum steps, of the small run that loads all compiled code.
WARM_UP_POINTS, WARM_UP_STEPS = 8, 256
# Kinds of problem and method whose compiled code is loaded in this process.
_warm: set[tuple[Any, ...]] = set()
_numbers = itertools.count(1)


class Run:
    """One method that solves one problem, step by step.

    Parameters
    ----------
    problem : Problem
    method : Method
    guess : array, shape (n,), optional
        Coefficients beta to start from, for example of a similar problem; they are made feasible.
    repeat_short : bool
        Whether to repeat a run of less than ``SHORT_RUN`` seconds and keep the shortest time. With
        the load of the machine, the time of one short run varies by a factor of ten.

    Raises
    ------
    BadInput
        If the method cannot solve the problem, or the guess is not n finite numbers.
    """

    def __init__(
        self,
        problem: Problem,
        method: Method,
        guess: np.ndarray | None = None,
        *,
        repeat_short: bool = False,
    ) -> None:
        method.accept(problem)
        if guess is not None and not _is_finite(guess, problem.n):
            raise BadInput(f"The guess must be {problem.n} finite numbers, one per point.")
        self.number = next(_numbers)
        self.warm = guess is not None
        self.problem = problem
        self.method = method
        self.trace = Trace(method.event_dtype, method.segment_size(problem), method.keeps_events)
        self.stop: Stop | None = None
        self._state = method.start(problem, guess)
        # Certificates are computed for the problem that the method solves; see Method.
        self.certified_problem = method.certified_problem(problem, self._state)
        self._work: Any = None
        self._is_ready = False
        self._repeat_short = repeat_short
        # Estimated steps per second; the first estimate is for steps that examine every point.
        self._pace = FIRST_PACE / problem.n_variables
        self.trace.writable_segment(self._state)

    @property
    def steps(self) -> int:
        """Return the number of recorded steps."""
        return self.trace.length

    @property
    def finished(self) -> bool:
        """Return whether the run has stopped."""
        return self.stop is not None

    @property
    def reason(self) -> Reason | None:
        """Return why the run stopped, or None while it continues."""
        return self.stop.reason if self.stop else None

    @property
    def is_ready(self) -> bool:
        """Return whether :meth:`prepare` has compiled the steps; :meth:`advance` calls it first."""
        return self._is_ready

    @property
    def seconds(self) -> float:
        """Return the time of solving, s, without compiling."""
        return self.trace.seconds

    def advance(self, seconds: float = 0.005, steps: int | None = None) -> bool:
        """Take steps for about ``seconds``, at most ``steps``; return whether the run continues."""
        self.prepare()
        deadline = time.perf_counter() + seconds
        left = steps if steps is not None else 1 << 62
        while self.stop is None and left > 0:
            most = min(left, self._pace * seconds)
            left -= self._advance_once(max(1, int(min(most, self.trace.size))))
            if time.perf_counter() >= deadline:
                break
        return self.stop is None

    def _advance_once(self, most: int) -> int:
        """Take up to ``most`` steps within one segment and publish them; return how many."""
        limit = self.method.max_steps - self.steps
        segment, start = self.trace.writable_segment(self._state)
        count = min(most, len(segment.marks) - start, limit)
        events = (
            segment.events[start : start + count] if self.method.keeps_events else segment.events
        )
        began = time.perf_counter()
        taken, code = self.method.advance(
            self.problem, self._state, self._work, events, segment.marks[start : start + count]
        )
        spent = time.perf_counter() - began
        self.trace.publish(taken, spent, self.method.evaluations(self._state))
        if taken:
            self._pace += 0.5 * (taken / max(spent, 1e-7) - self._pace)
        stop = None
        if code:
            stop = self._checked(self.method.stop(code, self.problem, self._state))
        elif taken == limit:
            stop = Stop(
                Reason.STEP_LIMIT,
                f"Stopped at the limit of {self.method.max_steps:,} steps.",
            )
        elif self.trace.bytes > TRACE_BYTES:
            stop = Stop(
                Reason.MEMORY_LIMIT,
                f"Stopped after {self.steps:,} steps: the recording is full"
                f" ({TRACE_BYTES // 10**6} MB).",
            )
        if stop is not None:
            if self._repeat_short:
                self._repeat()
            # Set last, since readers take the times of a finished run as final.
            self.stop = stop
            # If the last step has filled its segment, add a keyframe after it.
            self.trace.writable_segment(self._state)
        return max(taken, 1)

    def _repeat(self) -> None:
        """Repeat a short run from its start, and scale its times to the shortest time."""
        if self.steps == 0 or self.trace.seconds >= SHORT_RUN:
            return
        best = min(self._seconds_again() for _ in range(REPEATS))
        self.trace.scale_seconds(min(1.0, best / max(self.trace.seconds, 1e-9)))

    def _seconds_again(self) -> float:
        """Take all steps again with new working memory; return the time they took, in seconds."""
        state = copy_state(self.trace.segment(0).state)
        work = self.method.workspace(self.problem, large_cache=True)
        size = self.trace.size if self.method.keeps_events else 1
        events = np.zeros(size, dtype=self.method.event_dtype)
        marks = np.zeros(self.trace.size, dtype=np.uint8)
        left, spent, code = self.steps, 0.0, 0
        while left > 0 and not code:
            count = min(left, len(marks))
            began = time.perf_counter()
            taken, code = self.method.advance(
                self.problem, state, work, events[:count], marks[:count]
            )
            spent += time.perf_counter() - began
            left -= taken
        return spent

    def _checked(self, stop: Stop) -> Stop:
        """Return ``stop``, or another end if a converged run fails the check of its f.

        A method updates f at each step, and stops by this updated f. The rounding error of this f
        may exceed the tolerance; :meth:`Method.rounding` bounds the error. If it may, f is computed
        from scratch, and the run has converged only if this second f meets the tolerance. Otherwise
        the run has stalled, and the sentence names rounding as the cause. LIBSVM has kernel values
        in single precision and makes no such check: at a tolerance of 1e-6 its solution can violate
        KKT by some percent.
        """
        method, problem, tol = self.method, self.problem, self.method.kkt_tolerance
        if stop.reason is Reason.CONVERGED and "separates" in method.guarantees:
            return self._checked_separation(stop)
        if stop.reason is not Reason.CONVERGED or method.aim or tol is None:
            return stop
        if not (problem.kernel.mercer or method.uses_penalty):
            # For hull distances no bound on the rounding error in units of f is known.
            return stop
        # The bound on the rounding error holds if the diagonal of K bounds all of its entries. For
        # an indefinite matrix it does not.
        if problem.kernel.mercer and method.rounding(problem, self._state) <= tol:
            return stop
        kkt = certify(
            self.certified_problem, Expansion(problem.kernel, problem.X, *self._expand())
        ).kkt
        if kkt <= tol:
            return stop
        return Stop(
            Reason.STALLED,
            f"Stopped after {counted(self.steps, 'step')}: the method's own f met the"
            f" tolerance, but f computed from scratch violates KKT by {kkt:.2g}; the difference is"
            f" rounding, so the tolerance {tol:g} is out of reach.",
        )

    def _checked_separation(self, stop: Stop) -> Stop:
        """Return ``stop``, or another end if f computed from scratch does not separate."""
        problem = self.problem
        decision = certify(problem, Expansion(problem.kernel, problem.X, *self._expand())).decision
        if self.method.is_correct(problem, decision).all():
            return stop
        margins = problem.y * decision
        worst = int(margins.argmin())
        return Stop(
            Reason.STALLED,
            f"Stopped after {counted(self.steps, 'step')}: by its own f, this method"
            f" separates the points, but f computed from scratch has y·f = {margins[worst]:.2g} at"
            f" point {worst + 1}; the difference is rounding.",
        )

    def _expand(self) -> tuple[np.ndarray, float]:
        return self.method.expand(self.problem, self._state)

    def prepare(self) -> None:
        """Allocate working memory and compile the steps, before any step is timed."""
        if self._is_ready:
            return
        self._work = self.method.workspace(self.problem, large_cache=True)
        # Settings that are texts or switches select among the compiled functions.
        settings = vars(self.method).values()
        choices = (value for value in settings if isinstance(value, str | bool))
        kind = (type(self.method), *choices, type(self.problem.kernel), self.problem.bias)
        if (*kind, self.problem.hard) not in _warm:
            warm_up(self.problem, self.method, copy_state(self._state))
            _warm.add((*kind, self.problem.hard))
        self._is_ready = True

    def cancel(self, sentence: str = "Stopped by the user.") -> None:
        """End the run between two calls of :meth:`advance`."""
        if self.stop is None:
            self.stop = Stop(Reason.CANCELLED, sentence)

    def live_beta(self) -> np.ndarray:
        """Return the current beta, shape (n,); only for the thread that advances the run."""
        return self._expand()[0]

    def at(self, step: int) -> Snapshot:
        """Return the run after ``step`` steps, bit for bit; past the end, after the last step."""
        return Cursor(self).seek(step)

    @property
    def expansion(self) -> Expansion:
        """The decision function at the end."""
        if self.stop is None:
            return self.at(self.steps).expansion
        # The state of a finished run is that of its last step. A replay would give the same bits,
        # and could take half as long as the run.
        beta, bias = self._expand()
        return Expansion(self.problem.kernel, self.problem.X, freeze(beta), bias)

    @property
    def certificate(self) -> Certificate:
        """Return the certificate of the end."""
        return certify(self.certified_problem, self.expansion)


def _is_finite(guess: np.ndarray, n: int) -> bool:
    guess = np.asarray(guess)
    return guess.shape == (n,) and bool(np.isfinite(guess).all())


def warm_up(problem: Problem, method: Method, state: Any) -> None:
    """Compile the step of a method by a call for no steps, and the other code by a small run.

    The small run has the first few points of each class, and takes at most a few hundred steps.
    """
    work = method.workspace(problem, large_cache=False)
    nothing = np.zeros(1, dtype=method.event_dtype)
    method.advance(problem, state, work, nothing[:0], np.zeros(0, dtype=np.uint8))
    high = problem.y > np.median(problem.y) if problem.task == "regression" else problem.y > 0
    few = np.sort(
        np.r_[np.flatnonzero(high)[:WARM_UP_POINTS], np.flatnonzero(~high)[:WARM_UP_POINTS]]
    )
    small = dataclasses.replace(problem, X=problem.X[few], y=problem.y[few])
    try:
        method.accept(small)
    except BadInput:
        return
    state = method.start(small)
    work = method.workspace(small, large_cache=True)
    events = np.zeros(WARM_UP_STEPS, dtype=method.event_dtype)
    method.advance(small, state, work, events, np.zeros(WARM_UP_STEPS, dtype=np.uint8))
