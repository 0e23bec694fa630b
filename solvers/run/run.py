"""The loop that runs every method: start, take steps, stop with a reason.

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
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.problem.certificate import Certificate, certify
from solvers.problem.expansion import Expansion, rounding_of_sums
from solvers.problem.problem import Problem
from solvers.run.cursor import Cursor, Snapshot
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.trace import StartOnly, Trace, copy_state

# A run stops when its trace takes more memory than this, in bytes.
TRACE_BYTES = 400_000_000
# A run that took less than SHORT_RUN seconds may be repeated REPEATS times, and the shortest of the
# times is recorded; see the parameter `repeat_short` of Run.
SHORT_RUN, REPEATS = 0.02, 5
# The assumed speed of a method before its first steps were timed: points examined per second.
FIRST_PACE = 2e7
# A run may converge although its tolerance is below the bound on the rounding error of f, if this
# bound is at most this number, in units of f. The bound is wide, and so small an error is not seen.
MAX_UNSEEN_ERROR = 1e-6
# Points per class, and maximum steps, of the small run that loads all compiled code; see warm_up.
WARM_UP_POINTS, WARM_UP_STEPS = 8, 256
# Combinations whose compiled code this process has loaded: method, settings, kernel, bias, and
# whether the margin is hard.
_loaded_kinds: set[tuple[Any, ...]] = set()
_run_numbers = itertools.count(1)
# The group of entry points of packages that show a run in a notebook. Each is callable(Run), and
# returns HTML, or None if it cannot show the run.
PAGES = "solvers.pages"


class Run:
    """One method that solves one problem, step by step.

    Parameters
    ----------
    problem : Problem
    method : Method
    guess : array, shape (n,), optional
        Coefficients beta to start from, for example of a similar problem; they are made feasible.
    record : bool
        Whether to record the steps. Without a recording a run takes less time and memory; a step is
        replayed from the start of the run, which takes as long as the run did.
    repeat_short : bool
        Whether to repeat a run of less than ``SHORT_RUN`` seconds and keep the shortest time. The
        time of a single short run varies by a factor of ten with the load of the machine.
    cache_bytes : int
        Maximum size of the cache of kernel rows; it has room for two rows in any case.

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
        record: bool = True,
        repeat_short: bool = False,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        method.accept(problem)
        if guess is not None and not _is_finite(guess, problem.n):
            raise BadInput(f"The guess must be {problem.n} finite numbers, one per point.")
        # Different for all runs of this process.
        self.number = next(_run_numbers)
        # Whether the run starts from a guess.
        self.warm = guess is not None
        self.problem = problem
        self.method = method
        kind, size = (Trace if record else StartOnly), method.segment_size(problem)
        self.trace = kind(method.event_dtype, size, method.keeps_events)
        self.stop: Stop | None = None
        self._state = method.start(problem, guess)
        # Certificates are computed for this problem; it may differ from `problem`.
        self.certified_problem = method.certified_problem(problem, self._state)
        self._work: Any = None
        self._is_ready = False
        self._cache_bytes = cache_bytes
        self._repeat_short = repeat_short
        # Estimated steps per second. The first estimate assumes that a step examines every point.
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
        """Return whether the steps are compiled, by :meth:`prepare` or by the first advance."""
        return self._is_ready

    @property
    def seconds(self) -> float:
        """Return the solving time in seconds, without compiling."""
        return self.trace.seconds

    def advance(self, seconds: float = 0.005, steps: int | None = None) -> bool:
        """Take steps for about ``seconds``, and at most ``steps`` steps.

        Return whether the run continues.
        """
        self.prepare()
        deadline = time.perf_counter() + seconds
        remaining = steps if steps is not None else 1 << 62
        while self.stop is None and remaining > 0:
            max_count = min(remaining, self._pace * seconds)
            remaining -= self._advance_once(max(1, int(min(max_count, self.trace.size))))
            if time.perf_counter() >= deadline:
                break
        return self.stop is None

    def _advance_once(self, max_count: int) -> int:
        """Take up to ``max_count`` steps within one segment and publish them.

        Return the number of steps taken, or 1 if the run stopped before a step.
        """
        limit = self.method.max_steps - self.steps
        segment, start = self.trace.writable_segment(self._state)
        count = min(max_count, len(segment.marks) - start, limit)
        events = (
            segment.events[start : start + count] if self.method.keeps_events else segment.events
        )
        start_time = time.perf_counter()
        n_taken, code = self.method.advance(
            self.problem, self._state, self._work, events, segment.marks[start : start + count]
        )
        elapsed = time.perf_counter() - start_time
        self.trace.publish(n_taken, elapsed, self.method.evaluations(self._state))
        if n_taken:
            self._pace += 0.5 * (n_taken / max(elapsed, 1e-7) - self._pace)
        stop = None
        if code:
            stop = self._check_stop(self.method.stop(code, self.problem, self._state))
        elif n_taken == limit:
            sentence = f"Stopped at the limit of {self.method.max_steps:,} steps."
            advice = self.method.advice(self.problem)
            stop = Stop(Reason.STEP_LIMIT, f"{sentence} {advice}".rstrip())
        elif self.trace.bytes > TRACE_BYTES:
            stop = Stop(
                Reason.MEMORY_LIMIT,
                f"Stopped after {self.steps:,} steps: the recording is full"
                f" ({TRACE_BYTES // 10**6} MB).",
            )
        if stop is not None:
            if self._repeat_short:
                self._repeat()
            # Set after the repetition, because the times of a finished run must not change.
            self.stop = stop
            # Working memory may be larger than all else, and many finished runs may be kept.
            self._work = None
            # If the last step has filled its segment, add a keyframe after it.
            self.trace.writable_segment(self._state)
        return max(n_taken, 1)

    def _repeat(self) -> None:
        """Repeat a short run from its start, and scale its recorded times to the shortest time."""
        if self.steps == 0 or self.trace.seconds >= SHORT_RUN:
            return
        best = min(self._measure_again() for _ in range(REPEATS))
        self.trace.scale_seconds(min(1.0, best / max(self.trace.seconds, 1e-9)))

    def _measure_again(self) -> float:
        """Take all steps again, with new working memory; return their time in seconds."""
        state = copy_state(self.trace.segment(0).state)
        work = self.method.workspace(self.problem, self._cache_bytes)
        size = self.trace.size if self.method.keeps_events else 1
        events = np.zeros(size, dtype=self.method.event_dtype)
        marks = np.zeros(self.trace.size, dtype=np.uint8)
        remaining, elapsed, code = self.steps, 0.0, 0
        while remaining > 0 and not code:
            count = min(remaining, len(marks))
            start_time = time.perf_counter()
            n_taken, code = self.method.advance(
                self.problem, state, work, events[:count], marks[:count]
            )
            elapsed += time.perf_counter() - start_time
            remaining -= n_taken
        return elapsed

    def _check_stop(self, stop: Stop) -> Stop:
        """Return ``stop``, or a stop with STALLED if the run has not really converged.

        A method updates f at each step, and the updated f decides when to stop. The rounding error
        of the updated f is at most :meth:`Method.rounding`. If this bound exceeds the tolerance, f
        is computed from scratch, and the run has converged only if the new f meets the tolerance.
        If not, the run has stalled, and the sentence names rounding as the cause. LIBSVM has kernel
        values in single precision and makes no such check. At a tolerance of 1e-6 its solution can
        violate KKT by some hundredths in units of f, with f = ±1 at the margins.

        A run of the hulls has also stalled if the new f may itself be wrong by more than the
        tolerance and ``MAX_UNSEEN_ERROR``. If p and q are near each other and far from the origin,
        f is a small difference of large numbers. One of 1,205 runs of MDM on reduced hulls with
        polynomial kernels had converged with a computed KKT violation of 0, at a tolerance of 3e-9.
        In exact arithmetic the violation was 9e-5.
        """
        method, problem, tol = self.method, self.problem, self.method.kkt_tolerance
        if stop.reason is Reason.CONVERGED and "separates" in method.guarantees:
            return self._check_separation(stop)
        if stop.reason is not Reason.CONVERGED or method.aim or tol is None:
            return stop
        if not (problem.kernel.mercer or method.uses_penalty):
            # This is a run of the hulls, the only method that neither uses C nor has an `aim`, with
            # a kernel that may be indefinite. Then f from scratch may miss the tolerance even
            # without rounding errors: MDM and Wolfe's method test the tolerance in the scale of the
            # final distance of the hulls, but f has the scale of the distance computed before the
            # first step. The pairwise sweep converges only by values computed from scratch, so it
            # needs no check.
            return stop
        # The bound on the rounding error assumes that the largest entry of K is on its diagonal,
        # which holds only for positive semi-definite matrices.
        if problem.kernel.mercer and method.rounding(problem, self._state) <= tol:
            return stop
        expansion = problem.expansion(*self._expand())
        kkt = certify(self.certified_problem, expansion).kkt
        if kkt <= tol:
            error = 0.0 if method.uses_penalty else rounding_of_sums(expansion)
            if error <= max(tol, MAX_UNSEEN_ERROR):
                return stop
            return Stop(
                Reason.STALLED,
                f"Stopped after {counted(self.steps, 'step')}: f met the tolerance, but its"
                f" rounding error may be {error:.2g}, so the tolerance {tol:g} is out of reach.",
            )
        return Stop(
            Reason.STALLED,
            f"Stopped after {counted(self.steps, 'step')}: the method's own f met the"
            f" tolerance, but f computed from scratch violates KKT by {kkt:.2g}; the difference is"
            f" rounding, so the tolerance {tol:g} is out of reach.",
        )

    def _check_separation(self, stop: Stop) -> Stop:
        """Return ``stop``, or one with STALLED if f from scratch does not separate the points."""
        problem = self.problem
        decision = certify(problem, problem.expansion(*self._expand())).decision
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
        """Allocate working memory, and load or compile the steps, before any step is timed."""
        if self._is_ready:
            return
        self._work = self.method.workspace(self.problem, self._cache_bytes)
        # Settings that are texts or switches select which compiled functions the method calls.
        settings = vars(self.method).values()
        choices = (value for value in settings if isinstance(value, str | bool))
        kind = (type(self.method), *choices, type(self.problem.kernel), self.problem.bias)
        if (*kind, self.problem.hard) not in _loaded_kinds:
            warm_up(self.problem, self.method, copy_state(self._state))
            _loaded_kinds.add((*kind, self.problem.hard))
        self._is_ready = True

    def cancel(self, sentence: str = "Stopped by the user.") -> None:
        """End the run between two calls of :meth:`advance`."""
        if self.stop is None:
            self.stop = Stop(Reason.CANCELLED, sentence)

    def live_beta(self) -> np.ndarray:
        """Return the current beta, shape (n,); only for the thread that advances the run."""
        return self._expand()[0]

    def _repr_html_(self) -> str | None:
        """Return the run as HTML for a notebook, from the entry point of the group of pages.

        None without such a package, or if its pages cannot show this run.
        """
        # Slow to import, and needed by notebooks only.
        from importlib.metadata import entry_points

        for entry in entry_points(group=PAGES):
            return entry.load()(self)
        return None

    def at(self, step: int) -> Snapshot:
        """Return the run after ``step`` steps, or after the last step if that is earlier.

        The result is the same as during the run, bit for bit.
        """
        return Cursor(self).seek(step)

    @property
    def expansion(self) -> Expansion:
        """Return the decision function after the last step."""
        if self.stop is None:
            return self.at(self.steps).expansion
        # The current state of a finished run is the state after its last step. A replay from the
        # last keyframe would give the same bits; in a run of few segments, it would take a large
        # part of the time of the run.
        return self.problem.expansion(*self._expand())

    @property
    def certificate(self) -> Certificate:
        """Return the certificate of the iterate after the last step."""
        return certify(self.certified_problem, self.expansion)


def _is_finite(guess: np.ndarray, n: int) -> bool:
    guess = np.asarray(guess)
    return guess.shape == (n,) and bool(np.isfinite(guess).all())


def warm_up(problem: Problem, method: Method, state: Any) -> None:
    """Load all compiled code of a method, or compile it if it is not on disk.

    A call for 0 steps loads the function that takes the steps. Other functions are loaded only when
    they are needed, such as the one that computes f again at the optimum. So a small run follows:
    at most ``WARM_UP_STEPS`` steps on the first few points of each class. In a regression the
    points above the median of y, and all other points, take the place of the classes.
    """
    work = method.workspace(problem, cache_bytes=0)
    events = np.zeros(1, dtype=method.event_dtype)
    method.advance(problem, state, work, events[:0], np.zeros(0, dtype=np.uint8))
    is_high = problem.y > np.median(problem.y) if problem.task == "regression" else problem.y > 0
    indices = np.sort(
        np.r_[np.flatnonzero(is_high)[:WARM_UP_POINTS], np.flatnonzero(~is_high)[:WARM_UP_POINTS]]
    )
    small_problem = dataclasses.replace(
        problem, X=problem.X[indices], y=problem.y[indices], weights=problem.weights_of(indices)
    )
    try:
        method.accept(small_problem)
    except BadInput:
        return
    state = method.start(small_problem)
    work = method.workspace(small_problem, cache_bytes=CACHE_BYTES)
    events = np.zeros(WARM_UP_STEPS, dtype=method.event_dtype)
    method.advance(small_problem, state, work, events, np.zeros(WARM_UP_STEPS, dtype=np.uint8))
