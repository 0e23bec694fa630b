"""Working sets (chunking): solve on a few points, test all others, choose the next few points.

The problem is the same as in :mod:`solvers.methods.smo.smo`: ``max sum target_i beta_i - 1/2 beta'
K beta`` over the box with ``sum beta = 0``. A *round* has three parts. First it chooses a set of
points. Then it maximises the dual over the variables of the set, by pair steps and Newton steps,
while all other variables are fixed. At last it updates ``F = target - K beta`` of all points and
tests which of them still violate optimality. The choice, every pair or Newton step, and the test
are steps of the run.

The Gram matrix of the set is small and dense, so pair steps are cheap, and one Newton step on the
free variables replaces thousands of pair steps.

This method is 14 times as fast as LIBSVM, in the geometric mean of 315 problems (``bench/run.py
solvers --cpu``, processor time on a busy machine). For n = 50, 200, 1,000, 5,000 and 20,000 it is
13, 11, 9, 17 and 22 times as fast. At worst it is 2.6 times as fast: on iris and penguins, with an
RBF kernel that is narrow compared with the distances of the points.

With more features (``bench/run.py features --full``: C from 0.1 to 100, RBF and cubic kernel, up to
20,000 points, up to 5,000 from d = 400 on) it is 5.9, 3.9, 2.9, 2.3, 2.5, 2.1 and 2.5 times as fast
as LIBSVM at d = 5, 13, 30, 64, 100, 400 and 784, if both have 2 GB for kernel rows. At worst it is
1.2 times as fast. oneDAL is slower up to d = 100; at d = 400 and 784 it is 1.2 and 1.8 times as
fast as this method. It multiplies matrices, so its kernel values depend on which of them are
computed together. For the linear kernel from d = 100 on, the interior point is 1 to 48 times as
fast as LIBSVM.

100,000 points in the plane, of which 20,515 are support vectors of an RBF kernel, take 4 s. Each
row of a support vector is needed at least once, which alone takes 2 s. Shrinking would not help: at
the end, all these rows would be needed to update F of the shrunk points. At most it would save the
rows that are needed more than once, 15,000 of 36,000.

Sources: Osuna, Freund and Girosi 1997 (the decomposition, and the choice "osuna"); Joachims 1999
(sets of fixed size); Fan, Chen and Lin 2005 (the pairs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.hard_margin import has_coincident_classes, stop_from
from solvers.kernels.items.given import Given
from solvers.methods.linear_advice import linear_advice
from solvers.methods.smo.smo import STOPS, check_separability, found_indefinite
from solvers.methods.smo.steps import COINCIDENT, MOVED
from solvers.methods.working_set.choice import choose, mark_as_osuna, mark_worst
from solvers.methods.working_set.inner import inner_steps
from solvers.methods.working_set.newton import newton_step
from solvers.methods.working_set.state import (
    EVENT,
    FAST,
    MAX_SET,
    OSUNA,
    WORST,
    Params,
    Parts,
    State,
    Work,
    make_state,
    make_work,
)
from solvers.methods.working_set.steps import advance, end_round
from solvers.methods.working_set.words import code_of, describe
from solvers.problem.certificate import feasible_start
from solvers.problem.kkt import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.method import NEVER, Method, Stop, counted
from solvers.settings import random_seed, setting, step_limit, tolerance

# Up to MAX_WHOLE points, the first set contains all of them. With at least MANY_FEATURES features
# it does so up to MAX_SET points: a row of the set's Gram matrix then takes much longer than a step
# on it, and each row is computed only once. For 1,000 to 3,000 points with 100 to 784 features, a
# run takes 0.4 to 0.7 times as long as with small sets; with 64 it can take twice as long.
MAX_WHOLE, MANY_FEATURES = 256, 100
CHOICES = {"fast": FAST, "worst": WORST, "osuna": OSUNA}


@dataclass(frozen=True)
class WorkingSet(Method):
    """Rounds of pairs and Newton steps on a small set of points."""

    name: ClassVar[str] = "working-set"
    label: ClassVar[str] = "Working set"
    source: ClassVar[str] = "Osuna, Freund and Girosi 1997; Joachims 1999"
    help: ClassVar[str] = (
        "Solves the problem on a set of a few points, tests all others, and chooses the next set. "
        "On a set it moves pairs and takes Newton steps."
    )
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    takes_weights: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]] = ("box", "equality", "dual-rises", "converges")
    tol_measures: ClassVar[str] = "kkt"
    event_dtype: ClassVar[np.dtype] = EVENT
    compares_errors: ClassVar[bool] = True

    choice: str = setting(
        "fast",
        "Choice of the set",
        "Random violators: points drawn at random from those that violate optimality, and free "
        "points (0 < α < C) of the last set. Worst violators: the points that violate most. Osuna: "
        "all violators join the set, and points with α = 0 leave it.",
        choices=(
            ("fast", "random violators"),
            ("worst", "worst violators"),
            ("osuna", "Osuna, as printed"),
        ),
    )
    size: int = setting(
        0,
        "Points in the set",
        "Number of points per round. 0 chooses it by the number n of all points: n itself up to "
        f"{MAX_WHOLE}, or up to {MAX_SET} if they have {MANY_FEATURES} features and more; "
        "otherwise 128 to 512. With Osuna's choice, the number in the first round.",
        low=0,
        high=512,
        zero="by n",
        hard_low=0,
        hard_high=MAX_SET,
    )
    newton: bool = setting(
        True,
        "Newton steps",
        "After some pair steps, move all free variables of the set at once, until one reaches a "
        "bound. If very many are free, a step moves only some of them.",
    )
    tol: float = tolerance(
        "Stop when the largest E = f(x) − y of the αy that may fall exceeds the smallest E of the "
        "αy that may rise by less than this. αy may rise or fall where 0 ≤ α ≤ C leaves room."
    )
    max_steps: int = step_limit(
        2_000_000, "Stop after this many steps, converged or not.", high=1e7
    )
    seed: int = random_seed("The same seed draws the same violators.")

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the first state: beta is 0, or what ``feasible_start`` makes of the guess."""
        beta, F = feasible_start(problem, guess)
        state = make_state(beta, F, *self._sizes(problem))
        scalars = state.scalars
        if problem.hard and has_coincident_classes(problem):
            scalars["stop_code"][0] = COINCIDENT
        # With a hard margin, separability is tested after the first round.
        scalars["next_margin_check"][0] = 0 if problem.hard else NEVER
        return state

    def _sizes(self, problem: Problem) -> tuple[int, int]:
        """Return the number of points in the first set, and the maximum number in any set."""
        n, size = problem.n_variables, max(2, self.size)
        if self.size == 0:
            has_many = problem.X.shape[1] >= MANY_FEATURES and not isinstance(problem.kernel, Given)
            max_whole = MAX_SET if has_many else MAX_WHOLE
            size = n if n <= max_whole else 128 if n <= 2000 else 256 if n <= 10_000 else 512
        if self.choice == "osuna":
            return min(n, size), min(n, MAX_SET)
        max_size = (
            size if self.choice == "worst" or self.size > 0 else max(size, min(4 * size, 1024))
        )
        return min(n, size), min(n, max_size)

    def segment_size(self, problem: Problem) -> int:
        # A keyframe has about 8 (2 n + 4 q) bytes, where q is the maximum size of a set. The
        # records of `steps` steps take as much memory as the keyframe of their segment.
        n = problem.n_variables
        steps = 8 * (2 * n + 4 * self._sizes(problem)[1]) // EVENT.itemsize
        return max(512, min(steps, 2048), n // 4)

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        parts = Parts(
            choose=choose.address,
            inner_steps=inner_steps.address,
            newton_step=newton_step.address if self.newton else 0,
            end_round=end_round.address,
            mark_worst=mark_worst.address if self.choice == "worst" else 0,
            # Set by `make_work` if the kernel has few features.
            subtract_polynomial=0,
        )
        return make_work(problem, *self._sizes(problem), parts, cache_bytes)

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        params = Params(
            CHOICES[self.choice],
            # With a hard margin alpha has no upper bound, and a Newton step may be so long that
            # rounding error violates sum beta = 0.
            self.newton and not problem.hard,
            self.tol,
            self.seed,
            problem.kernel.mercer,
            problem.hard,
        )
        if self.choice != "osuna" and not problem.hard:
            return advance(problem.dual_form, params, state, work, events, marks)
        total_steps, scalars, current = 0, state.scalars, state.round
        while scalars["stop_code"][0] == MOVED and total_steps < len(marks):
            if not current["is_open"][0]:
                self._mark(problem, state, work.member)
            steps, code = advance(
                problem.dual_form, params, state, work, events[total_steps:], marks[total_steps:]
            )
            total_steps += steps
            is_between_rounds = not current["is_open"][0] and code == MOVED
            if is_between_rounds and scalars["steps"][0] >= scalars["next_margin_check"][0]:
                check_separability(problem, state)
            if steps == 0:
                break
        return total_steps, int(scalars["stop_code"][0])

    def _mark(self, problem: Problem, state: State, member: np.ndarray) -> None:
        """If the choice is Osuna's, mark the next set, unless all points fit into it."""
        if self.choice == "osuna" and problem.n_variables > state.round["next_size"][0]:
            mark_as_osuna(problem.dual_form, state, member, self.tol)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        scalars, current = state.scalars, state.round
        code = found_indefinite(code, bool(scalars["indefinite"][0]), problem)
        steps, rounds = int(scalars["steps"][0]), int(current["number"][0])
        return stop_from(
            STOPS,
            code,
            problem,
            f"{counted(steps, 'step')} in {counted(rounds, 'round')}",
            tol=self.tol,
            violation=float(current["m"][0] - current["M"][0]),
            least="rounding",
            distance=scalars["hull_distance"][0],
        )

    def advice(self, problem: Problem) -> str:
        return linear_advice(problem)

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return beta and b.

        b is the mean of F over the free variables (strictly between their bounds). If no variable
        is free, b is ``(m + M) / 2``, where m is the largest F of the variables that may rise, and
        M is the smallest F of those that may fall. Between rounds these are variables of the
        whole problem. During a round F is up to date for the set only, so b is computed from the
        variables of the set.
        """
        beta, F, current = state.beta, state.F, state.round
        rising, falling = may_rise(problem, beta), may_fall(problem, beta)
        if current["is_open"][0]:
            members = state.points[: current["size"][0]]
            F, rising, falling = state.local_F[: len(members)], rising[members], falling[members]
        free = rising & falling
        if free.any():
            return problem.sum_per_point(beta).copy(), float(F[free].mean())
        m = F[rising].max(initial=-np.inf)
        M = F[falling].min(initial=np.inf)
        return problem.sum_per_point(beta).copy(), float(0.5 * (m + M))

    def rounding(self, problem: Problem, state: Any) -> float:
        return float(state.round["F_error"][0])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        biases = (self.expand(problem, before)[1], self.expand(problem, after)[1])
        code = self.pseudo_code(problem)
        return describe(problem, before, after, record, self.choice, biases, code)

    @property
    def moves_pairs(self) -> bool:
        return True

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return code_of(self.choice, problem.task)
