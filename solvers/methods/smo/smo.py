"""Sequential minimal optimisation: the dual, two variables at a time.

Problem, in signed variables ``beta_i = y_i alpha_i``, for classification and regression::

    max  sum_i target_i beta_i - 1/2 beta' K beta
    s.t. lower <= beta <= upper,  sum_i beta_i = 0

``target`` is y in a classification. In a regression each point has two variables: alpha*, with the
target ``y - epsilon``, and alpha, with the target ``y + epsilon``. Let
``F_i = target_i - sum_j beta_j K_ij``. The set *up* contains the variables that may rise, so
``beta_i < upper_i``; the set *low* contains those that may fall, so ``beta_j > lower_j``. At the
optimum the bias is at least ``F_i`` for every i in up, and at most ``F_j`` for every j in low. So
``m``, the maximum of F over up, is then at most ``M``, the minimum of F over low.

A step takes an i in up and a j in low with ``F_i > F_j``, and moves to
``beta_i + t, beta_j - t`` with ``t > 0``. As a function of t the dual is a parabola. The step ends
at the top of the parabola, or at the edge of the box if that comes first.

The words of a step and the pseudo-code compare errors, ``E_k = f(x_k) - target_k = b - F_k``, as
most papers do: i has the smallest E of the variables that may rise, and the largest E of those that
may fall belongs to M.

Sources: Platt 1998 (the idea); Keerthi, Shevade, Bhattacharyya and Murthy 2001 (the maximal
violating pair and the stop); Fan, Chen and Lin 2005 (the second-order choice of j).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.hard_margin import (
    COINCIDENT_END,
    INSEPARABLE_END,
    NO_HARD_MARGIN,
    OPTIMAL_END,
    UNBOUNDED_END,
    decide_separability,
    has_coincident_classes,
    next_check,
    stop_from,
)
from solvers.methods.linear_advice import linear_advice
from solvers.methods.smo.active_set import SHRINK_INTERVAL, Work, store_extremes
from solvers.methods.smo.choice import (
    MAX_IDLE_SWEEPS,
    MIN_MOVE,
    SWEEPING,
    ErrorParams,
    SweepParams,
    advance_by_errors,
    advance_by_sweeps,
    violations,
)
from solvers.methods.smo.steps import (
    CHECK_DUE,
    COINCIDENT,
    EVENT,
    GAVE_UP,
    INDEFINITE_OPTIMUM,
    INDEFINITE_RAY,
    INSEPARABLE,
    NO_MOVE_IN_PASS,
    OPTIMAL,
    SCALARS,
    STALLED,
    UNBOUNDED,
    Points,
    State,
)
from solvers.methods.smo.values import pair_values
from solvers.methods.smo.words import PAIR_STEP, SWEEP_STEP, code_of
from solvers.problem.certificate import feasible_start
from solvers.problem.kkt import is_free
from solvers.problem.problem import Problem
from solvers.rounding import EPS
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.method import NEVER, Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.run.trace import copy_state
from solvers.settings import random_seed, setting, step_limit, tolerance

# Minimum number of points for shrinking. At 5,000 points in the plane and C = 30 or 100, linear
# runs with shrinking take as many steps as LIBSVM's, and a step takes a third to a sixth of the
# time. With fewer points than this, shrinking saves no time. Without it, the violation of all
# points is known at every step, and an exported page that solves by itself takes the same steps.
SHRINK_FROM = 500
# With a hard margin and n points, separability is first tested after ``FIRST_MARGIN_CHECK + 2 n``
# steps.
FIRST_MARGIN_CHECK = 100
# See `found_indefinite`.
INDEFINITE_CODES = {OPTIMAL: INDEFINITE_OPTIMUM, UNBOUNDED: INDEFINITE_RAY}
# For each code with which a run ends, the reason and the template of the sentence. The working-set
# method uses the same codes and sentences.
STOPS = {
    OPTIMAL: OPTIMAL_END,
    INDEFINITE_OPTIMUM: (
        Reason.CONVERGED,
        "Converged {taken}: all points meet KKT to {tol:g}; but the kernel is not positive"
        " semi-definite here, so a better optimum may exist.",
    ),
    STALLED: (
        Reason.STALLED,
        "Stopped {taken}: the worst pair violates by {violation:.2g} and moves by less than"
        " {least}, so the tolerance {tol:g} is out of reach.",
    ),
    GAVE_UP: (
        Reason.STALLED,
        "Stopped {taken}: in "
        + f"{MAX_IDLE_SWEEPS} sweeps no pair moved, though point "
        + "{worst} violates its KKT condition by {broken:.2g}; with random partners a run need not"
        " reach an optimum.",
    ),
    UNBOUNDED: UNBOUNDED_END,
    INDEFINITE_RAY: (
        Reason.STALLED,
        "Stopped {taken}: the kernel is not positive semi-definite here, and α grows without"
        " bound, " + NO_HARD_MARGIN,
    ),
    COINCIDENT: COINCIDENT_END,
    INSEPARABLE: INSEPARABLE_END,
}


@dataclass(frozen=True)
class SMO(Method):
    """Sequential minimal optimisation, with four choices of the pair."""

    name: ClassVar[str] = "smo"
    label: ClassVar[str] = "SMO"
    source: ClassVar[str] = "Platt 1998; Keerthi et al. 2001; Fan, Chen and Lin 2005"
    help: ClassVar[str] = (
        "Sequential minimal optimisation: moves the weights α of two points at a time, so that "
        "Σ αy stays 0; stops when no pair can improve the dual D noticeably."
    )
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    takes_weights: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]] = ("box", "equality", "dual-rises", "converges")
    tol_measures: ClassVar[str] = "kkt"
    event_dtype: ClassVar[np.dtype] = EVENT
    compares_errors: ClassVar[bool] = True

    pair: str = setting(
        "second-order",
        "Choice of the pair",
        "E = f(x) − y is the error at a point.\n"
        "Second order: the smallest E of the αy that may rise, with the partner that promises "
        "the largest rise of D.\n"
        "Maximal violation: that point, with the largest E of the αy that may fall.\n"
        "Platt 1998: his two loops and second choices, as printed.\n"
        "Random partner: a violating point and any other, as in many courses; nothing guarantees "
        "convergence.",
        choices=(
            ("second-order", "second order"),
            ("maximal-violation", "maximal violation"),
            ("platt", "Platt 1998"),
            ("random", "random partner"),
        ),
    )
    tol: float = tolerance(
        "Stop when the largest E = f(x) − y of the αy that may fall exceeds the smallest E of the "
        "αy that may rise by less than this. αy may rise or fall where 0 ≤ α ≤ C leaves room."
    )
    max_steps: int = step_limit(
        2_000_000, "Stop after this many pairs, converged or not.", high=1e7
    )

    shrinking: bool = setting(
        True,
        "Shrinking",
        "Saves time: leave out points at α = 0 or C that no violating pair can contain now, and "
        f"check them again before the end; from {SHRINK_FROM} points on. Violations are then those "
        "of the remaining points, the active set. Platt's choice and the random choice never "
        "shrink.",
    )
    seed: int = random_seed(
        "Determines the random starts of Platt's choice and the random partners; the same seed "
        "gives the same steps."
    )
    # The number of points from which on ``shrinking`` has an effect. Forms do not show it.
    shrink_from: int = SHRINK_FROM
    # Whether to break ties and round as LIBSVM does, so that the steps are LIBSVM's. Forms do not
    # show this setting.
    as_libsvm: bool = False

    def __post_init__(self) -> None:
        """Remove the guarantee of convergence if partners are random."""
        super().__post_init__()
        if self.pair == "random":
            object.__setattr__(self, "guarantees", ("box", "equality", "dual-rises"))

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the first state: beta is 0, or what ``feasible_start`` makes of the guess."""
        beta, F = feasible_start(problem, guess)
        is_large = problem.n >= self.shrink_from
        shrinks = self.shrinking and is_large and not self._sweeps
        active_length = problem.n_variables if shrinks else 0
        active, reference = np.ones(active_length, dtype=np.uint8), np.zeros(active_length)
        state = State(beta, F, new_record(SCALARS), active, reference)
        scalars = state.scalars
        next_shrink = min(problem.n_variables, SHRINK_INTERVAL) if shrinks else NEVER
        next_margin_check = FIRST_MARGIN_CHECK + 2 * problem.n if problem.hard else NEVER
        scalars["next_shrink"][0], scalars["next_margin_check"][0] = next_shrink, next_margin_check
        scalars["next_check"][0] = min(next_shrink, next_margin_check)
        if problem.hard and has_coincident_classes(problem):
            scalars["stop_code"][0] = COINCIDENT
        store_extremes(problem.dual_form, state)
        return state

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        return Work(problem, cache_bytes, self.as_libsvm)

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        total_steps = 0
        while True:
            if code := int(state.scalars["stop_code"][0]):
                return total_steps, code
            points = work.load(state)
            next_steps = slice(total_steps, total_steps + work.steps_before_cache(state))
            steps, code = self._take_steps(points, problem, events[next_steps], marks[next_steps])
            work.store(state)
            total_steps += steps
            while code == NO_MOVE_IN_PASS:
                steps, code = self._recheck(state, work, events[total_steps:], marks[total_steps:])
                total_steps += steps
            if code != CHECK_DUE:
                return total_steps, code
            self._check(state, work)
            if self._is_optimal(state):
                return total_steps, OPTIMAL

    def _recheck(self, state: State, work: Work, events: Any, marks: Any) -> tuple[int, int]:
        """Recompute F after a sweep without a move; take more steps if beta is not optimal.

        Return the number of steps and a code. If no step was taken, the state is unchanged: it
        keeps the F from before the recomputation.
        """
        recomputed = copy_state(state)
        recomputed.F[:], _ = work.recompute_F(state)
        dual_form, b = work.problem.dual_form, recomputed.scalars["b"][0]
        store_extremes(dual_form, recomputed)
        if violations(dual_form, recomputed.beta, recomputed.F, b).max() <= self.tol:
            return 0, OPTIMAL
        steps, code = self._take_steps(work.load(recomputed), work.problem, events, marks)
        work.store(recomputed)
        if steps == 0:
            return 0, STALLED if code == NO_MOVE_IN_PASS else code
        for old, new in zip(state, recomputed, strict=True):
            old[:] = new
        return steps, code

    def _take_steps(
        self, points: Points, problem: Problem, events: Any, marks: Any
    ) -> tuple[int, int]:
        """Take steps with compiled code; return their number, and the code with which they end.

        They end when the run ends, when ``marks`` is full, when :meth:`_check` is due, or after a
        sweep without a move (NO_MOVE_IN_PASS).
        """
        if self._sweeps:
            twins = problem.n if problem.n_variables > problem.n else 0
            params = SweepParams(self.pair == "platt", self.tol, self.seed, twins)
            return advance_by_sweeps(points, params, events, marks)
        second_order, n = self.pair == "second-order", problem.n_variables
        params = ErrorParams(second_order, self.as_libsvm, self.tol, n)
        return advance_by_errors(points, params, events, marks)

    @property
    def _sweeps(self) -> bool:
        """Whether the choice sweeps over the points, and compares each F with a threshold b."""
        return self.pair in SWEEPING

    def _check(self, state: State, work: Work) -> None:
        """Verify the optimum if ``m - M < tol``; shrink or test separability if that is due."""
        scalars = state.scalars
        if self._is_optimal(state):
            work.check_optimum(state, self.tol)
        violates = scalars["m"][0] - scalars["M"][0] >= self.tol
        if violates and scalars["steps"][0] >= scalars["next_shrink"][0]:
            work.shrink(state)
        if scalars["steps"][0] >= scalars["next_margin_check"][0]:
            check_separability(work.problem, state)
        scalars["next_check"][0] = min(scalars["next_shrink"][0], scalars["next_margin_check"][0])

    def _is_optimal(self, state: State) -> bool:
        """Return whether the run ends because ``m - M < tol``.

        Return False for choices with a threshold, because :meth:`_recheck` ends their runs, and
        False if the state has a stop code.
        """
        scalars = state.scalars
        is_below_tol = float(scalars["m"][0] - scalars["M"][0]) < self.tol
        return is_below_tol and not (self._sweeps or scalars["stop_code"][0])

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        scalars = state.scalars
        code = found_indefinite(code, bool(scalars["indefinite"][0]), problem)
        words = {
            "tol": self.tol,
            "violation": scalars["m"][0] - scalars["M"][0],
            "least": f"{MIN_MOVE:g} of its α" if self._sweeps else "rounding",
            "distance": scalars["hull_distance"][0],
        }
        if code == GAVE_UP:
            violation = violations(problem.dual_form, state.beta, state.F, scalars["b"][0])
            worst = int(violation.argmax())
            words |= {"worst": problem.point_of(worst) + 1, "broken": violation[worst]}
        taken = counted(int(scalars["steps"][0]), "step")
        return stop_from(STOPS, code, problem, taken, **words)

    def advice(self, problem: Problem) -> str:
        return linear_advice(problem)

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return beta and b.

        For choices with a threshold, b is the threshold. For the other choices, b is the mean of F
        over the free variables (strictly between their bounds), or ``(m + M) / 2`` if none is free.
        """
        beta, scalars = state.beta, state.scalars
        free = is_free(problem, beta)
        if self._sweeps:
            b = scalars["b"][0]
        elif free.any():
            b = state.F[free].mean()
        else:
            b = 0.5 * (scalars["m"][0] + scalars["M"][0])
        return problem.sum_per_point(beta).copy(), float(b)

    def rounding(self, problem: Problem, state: Any) -> float:
        if self._sweeps:
            return super().rounding(problem, state)
        return float(state.scalars["F_error"][0])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        biases = (self.expand(problem, before)[1], self.expand(problem, after)[1])
        active, set_name = None, ""
        if len(before.active) and not before.active.all():
            active, set_name = np.flatnonzero(before.active), "the active set"
        values = pair_values(problem, before, after, record, self.pair, biases, active, set_name)
        template = SWEEP_STEP if self._sweeps else PAIR_STEP
        return template.fill(values, values["pair_points"], self.pseudo_code(problem))

    @property
    def moves_pairs(self) -> bool:
        return True

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return code_of(self.pair, problem.task)


def found_indefinite(code: int, is_indefinite: bool, problem: Problem) -> int:
    """Return the code of the end of a run that found K not positive semi-definite.

    It found ``K_ii + K_jj - 2 K_ij < 0``, or ``beta' K beta < 0``. But if the dual is concave up to
    rounding, this was rounding error, and the code is not changed.
    """
    if is_indefinite and code in INDEFINITE_CODES and not problem.is_concave:
        return INDEFINITE_CODES[code]
    return code


def check_separability(problem: Problem, state: Any) -> None:
    """Test separability; write the step of the next test into the state, and perhaps a stop code.

    The stop code is INSEPARABLE if the classes are not separable, and UNBOUNDED if the dual is
    found to be unbounded. ``state`` may also be that of the working-set method, which has the same
    scalars.
    """
    scalars = state.scalars
    separation = decide_separability(problem, problem.target - state.F)
    if separation is not None and separation.separable is False:
        scalars["stop_code"][0] = INSEPARABLE
        scalars["hull_distance"][0] = separation.distance
    elif is_unbounded(problem, state):
        scalars["stop_code"][0], scalars["indefinite"][0] = UNBOUNDED, 1
    scalars["next_margin_check"][0] = next_check(separation, int(scalars["steps"][0]))


def is_unbounded(problem: Problem, state: Any) -> bool:
    """Return whether ``beta' K beta < 0``, beyond rounding error; the dual is then unbounded."""
    beta = state.beta
    squared_norm = float(beta @ (problem.dual_form.target - state.F))
    # For a positive semi-definite K the absolute values of the terms of beta' K beta sum to at most
    # extent^2, by the inequality of Cauchy and Schwarz. So the rounding error is a small multiple
    # of EPS * extent^2.
    extent = float(np.abs(beta) @ np.sqrt(np.abs(problem.dual_form.diagonal)))
    return squared_norm < -EPS * 100 * extent * extent
