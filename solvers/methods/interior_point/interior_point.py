"""Interior point: solve the whole dual by Mehrotra's predictor-corrector method.

The problem is scaled, ``alpha = S a``, with the unit S chosen so that ``Q_ii`` is at most 1::

    min  1/2 a' Q a + q' a    s.t.  0 <= a <= u,  s' a = 0   (the equality if b is free)

Here ``s_i`` is the sign of variable i (y_i in classification), ``Q_ij = S s_i s_j K_ij``,
``q_i = -s_i target_i`` (-1 in classification) and ``u_i = C_i / S``. Each of the two bounds of a_i
has a *distance* (``a_i`` or ``u_i - a_i``) and a *multiplier*. Both stay positive. With a hard
margin there is only the bound 0. The optimality conditions are ::

    Q a + q + b s - multiplier_0 + multiplier_1 = 0,    s' a = 0,    distance * multiplier = 0

where multiplier_0 belongs to the bound 0 and multiplier_1 to the bound u. A step replaces the last
condition by ``distance * multiplier = sigma mu``, where mu is the current mean of the products. It
linearises the conditions and solves them twice. The first solution, the *predictor*, has sigma = 0.
It shows how far a step can go before a distance or multiplier reaches 0. This determines sigma and
a second-order term for the second solution, the *corrector*. Both solutions use the factorisation
of one matrix, ``Q + diag(D)`` with ``D = sum multiplier / distance`` over the bounds. On screen the
bounds are 0 and C, multiplier_0 and multiplier_1 are called u and v, and sigma is called omega; in
the code u has the upper bounds of a.

The multiplier of the equality is the bias b. All steps but the last stay strictly inside the box.
The last step sets each variable that is close to a bound to exactly this bound (see
:mod:`solvers.methods.interior_point.steps`); this determines the support vectors.

Sources: Mehrotra 1992; Wright 1997, chapter 10; Fine and Scheinberg 2001 (low rank).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.hard_margin import INSEPARABLE_END, OPTIMAL_END, UNBOUNDED_END, stop_from
from solvers.kernels.gram_factor import MAX_DENSE, Centered, LowRank
from solvers.methods.interior_point.steps import (
    EVENT,
    INDEFINITE,
    INSEPARABLE,
    MAX_SUM,
    OPTIMAL,
    RUNNING,
    SCALARS,
    STALLED,
    UNBOUNDED,
    State,
    Work,
    gram_matrix_of,
    primal_and_gap,
    step,
)
from solvers.methods.interior_point.words import CODE, LAST_STEP, STEP, iteration_values
from solvers.problem.problem import Problem
from solvers.rounding import NOISE
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.settings import step_limit, tolerance

# A kernel value below this number does not make S larger: S is at most the inverse of this number.
# So alpha = S a is finite, since the sum of a is at most MAX_SUM.
MIN_KERNEL_VALUE = 1e-150
STOPS = {
    OPTIMAL: OPTIMAL_END,
    STALLED: (
        Reason.STALLED,
        "Stopped {taken}: rounding error spoils the next step, at a gap of {gap:.2g}, so the"
        " tolerance {tol:g} is out of reach.",
    ),
    INDEFINITE: (
        Reason.STALLED,
        "Stopped {taken}: this kernel is not positive semi-definite on these points, and the dual"
        " is not concave, so the interior point has no path to follow; try SMO.",
    ),
    INSEPARABLE: INSEPARABLE_END,
    UNBOUNDED: UNBOUNDED_END,
}


@dataclass(frozen=True)
class InteriorPoint(Method):
    """The dual as one quadratic program, by a primal-dual interior point."""

    name: ClassVar[str] = "interior-point"
    label: ClassVar[str] = "Interior point"
    source: ClassVar[str] = "Mehrotra 1992; Wright 1997; Fine and Scheinberg 2001"
    help: ClassVar[str] = (
        "Moves all dual variables α at once, through the inside of the box 0 ≤ α ≤ C: usually 4 to "
        "25 steps, each the solution of a linear system."
    )
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    biases: ClassVar[tuple[str, ...]] = ("free", "none", "augmented")
    takes_weights: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]] = ("box", "equality", "strictly-inside", "converges")
    tol_measures: ClassVar[str] = "kkt"
    event_dtype: ClassVar[np.dtype] = EVENT

    tol: float = tolerance(
        "Stop when no point violates its KKT condition by more than this, in units of f.",
        default=1e-6,
        low=1e-10,
    )
    max_steps: int = step_limit(
        200, "Stop after this many steps, converged or not.", low=10, high=1000, hard_high=1e6
    )

    def accept(self, problem: Problem) -> None:
        super().accept(problem)
        if problem.n_variables > MAX_DENSE:
            # Raises BadInput if the Gram matrix is too large.
            gram_matrix_of(problem)

    def segment_size(self, problem: Problem) -> int:
        """Return 1: every state is a keyframe, since an iteration costs a factorisation."""
        return 1

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the middle of the box.

        A guess is ignored. It is usually close to a solution, so some of its variables are near
        their bounds, and steps from there are short.
        """
        work = self.workspace(problem, cache_bytes=0)
        a = _middle(work)
        excess = work.excess(a, 0.0)
        if problem.hard:
            distance, multiplier = a[None, :], np.maximum(excess, 1.0)[None, :]
        else:
            distance = np.stack([a, work.u - a])
            # By the optimality conditions, the difference of the two multipliers is the excess.
            # Their sum is chosen so that all products with the distances are about equal.
            multiplier_sum = np.sqrt(excess**2 + 4.0 * np.maximum(1.0, np.abs(excess)).mean() ** 2)
            multiplier = 0.5 * np.stack([multiplier_sum + excess, multiplier_sum - excess])
        scalars = new_record(SCALARS)
        scalars["evaluations"] = work.K.evaluations
        scalars["gap"] = work.S * primal_and_gap(work, a, 0.0)[1]
        return State(distance, multiplier, scalars)

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        K, dual_form = gram_matrix_of(problem), problem.dual_form
        s = problem.sign
        # In a positive semi-definite matrix the largest entry is on the diagonal.
        entries = K.diagonal if problem.kernel.mercer or isinstance(K, LowRank) else K.Q
        S = 1.0 / max(1.0 / problem.bounds.max(), float(np.abs(entries).max()), MIN_KERNEL_VALUE)
        distance_slope = np.array([[1.0]] if problem.hard else [[1.0], [-1.0]])
        free = problem.bias == "free"
        return Work(
            problem,
            K,
            S,
            problem.bounds / S,
            s,
            -s * dual_form.target,
            distance_slope,
            free,
            self.tol,
        )

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        for k in range(len(marks)):
            if state.scalars["is_done"][0]:
                return k, OPTIMAL
            with np.errstate(all="ignore"):
                code = step(work, state, events[k], marks[k : k + 1])
            if code:
                return k, code
        return len(marks), OPTIMAL if state.scalars["is_done"][0] else RUNNING

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        scalars = state.scalars[0]
        taken = counted(int(scalars["steps"]), "step")
        return stop_from(STOPS, code, problem, taken, tol=self.tol, gap=scalars["gap"])

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        work = self.workspace(problem, cache_bytes=0)
        beta = work.beta(state.distance)
        free_bias = float(state.scalars["bias"][0])
        if isinstance(work.K, Centered):
            free_bias -= float(work.K.means @ problem.variables_of(beta))
        bias = {"free": free_bias, "none": 0.0, "augmented": float(beta.sum())}
        return beta, bias[problem.bias]

    def rounding(self, problem: Problem, state: Any) -> float:
        # The bound uses the sum of all alpha and not of |beta|, since in a regression the two
        # alphas of a point may nearly cancel in beta.
        work = self.workspace(problem, cache_bytes=0)
        largest = float(np.abs(work.K.diagonal).max())
        size = float(np.abs(problem.target).max()) + largest * work.S * float(
            state.distance[0].sum()
        )
        return NOISE * size

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        expansions = tuple(self.expand(problem, state) for state in (before, after))
        unit = self.workspace(problem, cache_bytes=0).S
        values = iteration_values(problem, unit, (before, after), expansions, record)
        template = LAST_STEP if values["is_last"] else STEP
        return template.fill(values, values["points"], CODE)

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return CODE


def _middle(work: Work) -> np.ndarray:
    """Return the middle of the box, ``a = u / 2``.

    With a free bias the entries of the class with the larger sum are multiplied by a factor, so
    that ``s' a = 0``. With a hard margin the box has no upper bound, and no middle. Then 1 takes
    the place of ``u / 2``, and all entries are multiplied by the common factor for which the dual
    is highest.
    """
    positive = work.s > 0
    direction = np.ones(len(work.s))
    if work.free:
        totals = [
            work.problem.weighted_sum(np.where(side, 1.0, 0.0)) for side in (positive, ~positive)
        ]
        direction = np.where(positive, *(min(totals) / total for total in totals))
    if not work.problem.hard:
        return direction * 0.5 * work.u
    curvature, slope = float(direction @ work.times(direction)), -float(work.q @ direction)
    # If the sum of a exceeds MAX_SUM, the first step stops with the code UNBOUNDED.
    return direction * (min(slope / curvature, MAX_SUM) if curvature > 0 else 1.0)
