"""The active set: the points that the steps of SMO examine and move.

F, m and M are those of :mod:`solvers.methods.smo.smo`: m is the largest F of the points whose beta
may rise, and M is the smallest F of the points whose beta may fall.

*Shrinking* deactivates a point at a bound if no violating pair can contain this point now. That is
so if ``F_k < M`` and beta_k may only rise, or if ``F_k > m`` and beta_k may only fall (Joachims
1999; Chang and Lin 2011). Deactivated points are also called *shrunk* points. Once the active
points are optimal, all points are activated again. F of the shrunk points is then updated by
``F_k -= sum_i (beta_i - reference_i) K_ik``, where ``reference`` is beta at the time of shrinking.
The update needs kernel row i only if beta_i has changed since that time.

After each reactivation because the active points are optimal, the wait before the next attempt to
shrink doubles, since frequent reactivation costs more than shrinking saves. An attempt to shrink
also begins by activating all points. If some of them were shrunk points, the next attempt follows
when the number of steps of the run has doubled.

The active set changes between two steps. The recorded state between them has the new active set.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.simd import padded
from solvers.kernels.kernel_rows import Rows, make_rows
from solvers.kernels.programs import LINEAR, SINGLE, Program
from solvers.methods.smo.steps import SCALARS, Points, State, subtract
from solvers.problem.problem import DualForm, Problem
from solvers.rounding import NOISE
from solvers.run.method import NEVER
from solvers.run.records import new_record

# Steps from an attempt to shrink to the next one, if no points were shrunk before the first of the
# two attempts.
SHRINK_INTERVAL = 1000
# When shrunk points are first reactivated because the active set is optimal, the next attempt to
# shrink follows after this many steps. After each later reactivation of this kind it follows after
# twice as many steps as the last time, up to SHRINK_INTERVAL.
FIRST_SHRINK_WAIT = 16
# An attempt to shrink deactivates at least this fraction of all points, or no point. For fewer
# points it would cost more time to copy the remaining points than shrinking saves.
MIN_SHRUNK = 0.1
# If the kernel matrix of all n variables has more bytes than this, its rows are cached only after
# ``n / 8`` steps. During these steps few rows are needed twice, and allocating the cache takes
# longer than computing these few rows again.
EAGER_CACHE_BYTES = 10_000_000
# With at most this many features, computing a row of inner products is as fast as reading a row.
FEW_FEATURES = 4


class Work:
    """Working memory of SMO: the active points and cached kernel rows.

    Parameters
    ----------
    problem : Problem
    cache_bytes : int
        Maximum size of the cache of kernel rows.
    single : bool
        Whether kernel rows have single precision.
    """

    def __init__(self, problem: Problem, cache_bytes: int, single: bool) -> None:
        self.problem = problem
        self._single, self._cache_bytes = single, cache_bytes
        is_large = problem.n_variables**2 * 8 > EAGER_CACHE_BYTES
        # Rows are cached from this step on; never, if computing a row is cheap.
        self._cache_from = (problem.n_variables // 8 if is_large else 0) if cache_bytes else NEVER
        if is_large and _is_cheap(problem.dual_form):
            self._cache_from = NEVER
        # Whether rows are cached now.
        self._is_caching = self._cache_from == 0
        self.all_points = self._gather(np.arange(problem.n_variables))
        self._loaded_active = b""
        self.points = self.all_points

    def load(self, state: State) -> Points:
        """Return the active points of a state as arrays, with its beta, F and scalars."""
        if not self._is_caching and state.scalars["steps"][0] >= self._cache_from:
            self._start_cache()
        mask = state.active.tobytes()
        if mask != self._loaded_active:
            self._loaded_active = mask
            active = np.flatnonzero(state.active)
            all_active = len(active) == len(state.active)
            self.points = self.all_points if all_active else self._gather(active)
        if self.points.scalars is not state.scalars:
            self._use_scalars(state.scalars)
        return _fill(self.points, state)

    def _use_scalars(self, scalars: np.ndarray) -> None:
        """Let the points share the state's scalars: numpy would copy the record slowly."""
        all_active = self.points is self.all_points
        # `_replace` would take four times as long, 1.5 microseconds.
        self.points = Points(scalars, *self.points[1:])
        if all_active:
            self.all_points = self.points

    def store(self, state: State) -> None:
        """Copy beta and F of the active points back into the state."""
        points = self.points
        order = points.order
        if len(order) == len(state.beta):
            state.beta[:] = points.beta[: len(order)]
            state.F[:] = points.F[: len(order)]
        else:
            state.beta[order] = points.beta[: len(order)]
            state.F[order] = points.F[: len(order)]

    def _gather(self, order: np.ndarray) -> Points:
        """Return the points with these indices, padded by copies of point 0 that cannot move."""
        dual_form = self.problem.dual_form
        count = len(order)
        size = padded(count)
        padded_order = np.zeros(size, dtype=np.int64)
        padded_order[:count] = order
        X = dual_form.X[padded_order]
        zeros = np.zeros((7, size))
        lower, upper, beta, F, up_mask, low_mask, gain = zeros
        lower[:count], upper[:count] = dual_form.lower[order], dual_form.upper[order]
        return Points(
            scalars=new_record(SCALARS),
            diagonal=dual_form.diagonal[padded_order],
            lower=lower,
            upper=upper,
            beta=beta,
            F=F,
            up_mask=up_mask,
            low_mask=low_mask,
            gain=gain,
            order=order,
            rows=self._rows(X),
        )

    def steps_before_cache(self, state: State) -> int:
        """Return the number of steps until caching begins; NEVER if it has already begun."""
        return NEVER if self._is_caching else self._cache_from - int(state.scalars["steps"][0])

    def _rows(self, X: np.ndarray) -> Rows:
        dual_form = self.problem.dual_form
        program = Program(dual_form.ops, dual_form.args)
        if self._single:
            program = program.then(Program.of(SINGLE))
        return make_rows(X, program, self._cache_bytes if self._is_caching else 0)

    def _start_cache(self) -> None:
        """Cache rows from now on, for the active points and for all points."""
        self._is_caching = True
        all_active = self.points is self.all_points
        self.all_points = self._with_new_rows(self.all_points)
        self.points = self.all_points if all_active else self._with_new_rows(self.points)

    def _with_new_rows(self, points: Points) -> Points:
        return points._replace(rows=self._rows(points.rows.X))

    def recompute_F(self, state: State) -> tuple[np.ndarray, float]:
        """Return ``F = target - K beta`` from scratch, and a bound on its rounding error."""
        points = self.all_points
        n = len(points.order)
        F, term_sums = np.zeros(len(points.F)), np.zeros(len(points.F))
        F[:n] = self.problem.dual_form.target
        term_sums[:n] = np.abs(F[:n])
        subtract(points, state.beta, F, term_sums)
        return F[:n], NOISE * float(term_sums.max())

    def check_optimum(self, state: State, tol: float) -> None:
        """Reactivate shrunk points; if then ``m - M < tol``, recompute F, m and M from scratch.

        After the call, beta is optimal if ``m - M < tol`` in the state.
        """
        scalars = state.scalars
        if is_shrunk(state):
            self._unshrink(state)
            # More than 20 doublings would change nothing: the wait is at most SHRINK_INTERVAL.
            wait = FIRST_SHRINK_WAIT << min(int(scalars["unshrinks"][0]), 20)
            scalars["unshrinks"][0] += 1
            scalars["next_shrink"][0] = scalars["steps"][0] + min(wait, SHRINK_INTERVAL)
            if scalars["m"][0] - scalars["M"][0] >= tol:
                return
        state.F[:], F_error = self.recompute_F(state)
        store_extremes(self.problem.dual_form, state)
        scalars["F_error"][0] = F_error

    def shrink(self, state: State) -> None:
        """Reactivate all points; then deactivate those that no violating pair can contain now."""
        dual_form, beta, F, scalars = self.problem.dual_form, state.beta, state.F, state.scalars
        wait = SHRINK_INTERVAL
        if is_shrunk(state):
            self._unshrink(state)
            # Shrink again when the step count has doubled.
            wait = int(scalars["steps"][0])
        m, M = scalars["m"][0], scalars["M"][0]
        stays_active = (beta < dual_form.upper) & (F >= M) | (beta > dual_form.lower) & (m >= F)
        if np.count_nonzero(stays_active) <= (1.0 - MIN_SHRUNK) * len(beta):
            state.reference[:] = beta
            state.active[:] = stays_active
        scalars["next_shrink"][0] = scalars["steps"][0] + wait

    def _unshrink(self, state: State) -> None:
        """Update F of the shrunk points, and make all points active."""
        shrunk = state.active == 0
        n, size = len(state.F), len(self.all_points.F)
        F, unused_term_sums = np.zeros(size), np.zeros(size)
        F[:n] = state.F
        subtract(self.all_points, state.beta - state.reference, F, unused_term_sums)
        state.F[shrunk] = F[:n][shrunk]
        state.active[:] = 1
        store_extremes(self.problem.dual_form, state)


def _is_cheap(dual_form: DualForm) -> bool:
    """Return whether an entry of a kernel row takes only a few multiplications."""
    return dual_form.ops.tolist() == [LINEAR] and dual_form.X.shape[1] <= FEW_FEATURES


def store_extremes(dual_form: DualForm, state: State) -> None:
    """Write m and M over the active points into the state, and set ``F_error`` to 0."""
    beta, F, scalars = state.beta, state.F, state.scalars
    up, low = beta < dual_form.upper, beta > dual_form.lower
    if len(state.active):
        active = state.active.view(np.bool_)
        up, low = up & active, low & active
    # Adding 0.0 turns -0.0 into 0.0, as in the compiled steps.
    scalars["m"][0] = F[up].max(initial=-np.inf) + 0.0
    scalars["M"][0] = F[low].min(initial=np.inf) + 0.0
    scalars["F_error"][0] = 0.0


def is_shrunk(state: State) -> bool:
    """Return whether some points are deactivated."""
    return len(state.active) > 0 and not state.active.all()


def _fill(points: Points, state: State) -> Points:
    """Copy beta and F of a state into the points. The compiled loop over steps sets the masks."""
    order = points.order
    n = len(order)
    if n == len(state.beta):
        points.beta[:n], points.F[:n] = state.beta, state.F
    else:
        points.beta[:n], points.F[:n] = state.beta[order], state.F[order]
    return points
