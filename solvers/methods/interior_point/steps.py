"""The state of the interior point, and its iteration: Mehrotra's predictor and corrector.

The module :mod:`solvers.methods.interior_point.interior_point` states the problem and the
conditions, and defines the letters. All steps but the last stay strictly inside the box, and only
approach the bounds. The *last step* sets the variables that are at a bound at the optimum to
exactly this bound.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.separation import separation
from solvers.kernels.gram_factor import MAX_DENSE, Centered, Dense, Indefinite, LowRank, make_gram
from solvers.problem.problem import Problem
from solvers.rounding import EPS
from solvers.run.trace import SUPPORT_CHANGED

# The distance or multiplier that limits a step, because it would reach 0 first. The fields are its
# kind, its dual variable, its value before the step, and its change in a step of length 1.
BLOCKING = np.dtype([("kind", "i4"), ("variable", "i4"), ("now", "f8"), ("change", "f8")])
ALPHA, DISTANCE_TO_C, LOWER_MULTIPLIER, UPPER_MULTIPLIER = range(4)
# The record of a step; `iteration_values` of words.py explains the names.
EVENT = np.dtype(
    [(name, "f8") for name in ("mu", "mu_affine", "sigma", "predicted", "length", "primal", "gap")]
    + [("first", BLOCKING), ("blocking", BLOCKING)]
)
# Stop codes. The state records only OPTIMAL, as ``is_done``, since all other codes end a run
# without a step.
RUNNING, OPTIMAL, STALLED, INDEFINITE, INSEPARABLE, UNBOUNDED = range(6)
# The smallest alpha strictly inside the box. A smaller alpha could underflow to the bound 0.
MIN_ALPHA = 1e-300
# The scalars of a state. ``gap`` is the duality gap; ``is_done`` is 0 before the last step (see
# `finish`) and 1 after it.
SCALARS = np.dtype(
    [("bias", "f8"), ("gap", "f8"), ("steps", "i8"), ("evaluations", "i8"), ("is_done", "i8")]
)
# The Gram matrix of each problem, shared by a run and its cursors.
_gram_matrices: weakref.WeakKeyDictionary[Problem, Dense | LowRank] = weakref.WeakKeyDictionary()
# The last step sets a variable to a bound in any case if its distance to the bound is at most this
# fraction of the largest a.
MAX_DISTANCE_AT_BOUND = 1e-7
# At a larger distance, the last step sets the variable to the bound only if f hardly changes (see
# `solution_at_bounds`), and the distance is at most this fraction of the upper bound u. With a hard
# margin u is infinite, and the largest a takes its place.
MAX_DISTANCE_NEAR_BOUND = 1e-3
# The free variables are corrected at most MAX_CORRECTIONS times, and only if there are at most
# MAX_FREE of them; otherwise the run continues with another step inside the box.
MAX_CORRECTIONS, MAX_FREE = 4, 1000
# More than FEW_FREE variables are corrected only if the gap is at most this fraction of
# ``sum |q a|``, which is of the size of the objectives. With a larger gap most variables are free,
# and a correction fails: on 1,000 points in the plane it took 20 ms per step, and all else 1 ms.
FEW_FREE, MAX_GAP = 100, 1e-4
# A step goes at most this fraction of the way to where the first distance or multiplier is 0.
STEP_FRACTION = 0.995
# With a hard margin: the convex hulls of the classes may meet if ``a' Q a / (sum a)^2`` is at most
# this number. Up to a factor, this ratio is the squared distance of two points of the hulls,
# relative to the size of the data.
MAX_MEETING_DISTANCE = 1e-14
# Limits of a useful step: the minimum length, the minimum mean product of distance and multiplier,
# and the maximum sum of a.
MIN_LENGTH, MIN_MU, MAX_SUM = 1e-7, 1e-24, 1e14
# A step has no correct digit if the new gap exceeds both the old gap and the old sum of products
# distance * multiplier by more than this factor.
MAX_GAP_GROWTH = 100.0
# Number of iterative refinements of each solution of the linear system.
REFINEMENTS = 2
# A function that maps the desired change of ``distance * multiplier`` to ``(da, db, dmultiplier)``,
# the step that causes this change to first order.
Direction = Callable[[np.ndarray], tuple[np.ndarray, float, np.ndarray]]


class State(NamedTuple):
    """The N variables of the method, each with k = 2 bounds (1 for the hard margin).

    Attributes
    ----------
    distance : float64 array, shape (k, N); the distances to the bounds, ``a`` and ``u - a``
    multiplier : float64 array, shape (k, N); the multipliers of the bounds
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    distance: np.ndarray
    multiplier: np.ndarray
    scalars: np.ndarray


class Work(NamedTuple):
    """The scaled problem, a function of the problem and the tolerance.

    Attributes
    ----------
    problem : Problem
    K : Dense or LowRank; the Gram matrix
    S : float; the unit of a
    u : array, shape (N,); the upper bounds of a
    s, q : arrays, shape (N,); the signs of the variables, and the linear term of the objective
    distance_slope : array, shape (k, 1); +1 and -1, the derivatives of the distances with respect
        to a
    free : bool; whether the bias is free, so that the equality constraint holds
    tol : float
    """

    problem: Problem
    K: Dense | LowRank
    S: float
    u: np.ndarray
    s: np.ndarray
    q: np.ndarray
    distance_slope: np.ndarray
    free: bool
    tol: float

    def beta(self, distance: np.ndarray) -> np.ndarray:
        """Return beta of the points, shape (n,): the sum of ``s S a`` over each point's variables.

        An alpha is exactly 0 or C_i only if the last step has set it to this bound. Any other alpha
        that rounding would make 0 or C_i is moved back inside the box.
        """
        alpha = np.maximum(self.S * distance[0], np.where(distance[0] > 0, MIN_ALPHA, 0.0))
        if len(distance) == 2:
            bounds = self.problem.bounds
            below = np.nextafter(bounds, 0.0)
            alpha = np.where(distance[1] > 0, np.minimum(alpha, below), bounds)
        return self.problem.sum_per_point(self.s * alpha + 0.0)

    def times(self, a: np.ndarray) -> np.ndarray:
        """Return ``Q a``, shape (N,).

        It is computed from beta. In a regression the two variables of a point may nearly cancel in
        beta. If each of them were multiplied by the kernel, the products would cancel too, and
        their sum would lose digits.
        """
        beta = self.problem.sum_per_point(self.s * a)
        return self.S * self.s * self.K.times(self.problem.variables_of(beta))

    def excess(self, a: np.ndarray, b: float) -> np.ndarray:
        """Return the excess ``Q a + q + b s``, shape (N,); in classification it is ``y f - 1``."""
        return self.times(a) + self.q + b * self.s


def gram_matrix_of(problem: Problem) -> Dense | LowRank:
    """Return the Gram matrix of the problem; with an augmented bias, that of ``k + 1``.

    The matrix is computed at the first call for a problem.

    Raises
    ------
    BadInput
        If the matrix is too large to be stored, and its rank is too high for a low-rank factor.
    """
    matrix = _gram_matrices.get(problem)
    if matrix is None:
        X = problem.dual_form.X
        matrix = make_gram(problem.used_kernel, X, problem.bias == "augmented")
        if matrix is None:
            raise BadInput(
                f"The interior point keeps the whole Gram matrix in memory: with this kernel the"
                f" problem may have at most {MAX_DENSE:,} variables α, and it has {len(X):,}."
            )
        if problem.bias == "free" and isinstance(matrix, Dense) and _needs_center(problem):
            matrix = Centered(matrix.Q)
        _gram_matrices[problem] = matrix
    return matrix


def _needs_center(problem: Problem) -> bool:
    """Return whether K may be positive semi-definite for ``sum beta = 0``, but is not elsewhere.

    Such a K is centred, because the Newton system needs a K that is positive semi-definite
    everywhere. Other problems keep their K, and so their steps.
    """
    concavity = problem.concavity
    return concavity.mercer.refuted and concavity.concave is not False


def primal_and_gap(work: Work, a: np.ndarray, b: float) -> tuple[float, float]:
    """Return P and the gap P - D, both divided by S.

    For a hard margin, P is computed after ``(w, b)`` is divided by the smallest y f, and is
    infinite if that is not positive. In a regression, both variables of a point may be positive.
    The smaller of the two is then subtracted from both before D is computed. This does not change
    beta.
    """
    product = work.times(a)
    excess = product + work.q + b * work.s
    squared_norm = float(a @ product)
    a = work.s * work.problem.variables_of(work.problem.sum_per_point(work.s * a))
    if not work.problem.hard:
        C = work.problem.C / work.S
        slack = C * work.problem.weighted_sum(np.maximum(0.0, -excess))
        return 0.5 * squared_norm + slack, squared_norm + float(work.q @ a) + slack
    min_margin = float((excess - work.q).min())
    primal = 0.5 * squared_norm / min_margin / min_margin if min_margin > 0 else math.inf
    return primal, primal + float(work.q @ a) + 0.5 * squared_norm


def solution_at_bounds(work: Work, state: State) -> tuple[np.ndarray, float] | None:
    """Return ``(a, b)`` with variables set to bounds, or None if the run must continue.

    A variable is set to a bound if its distance is at most 1e-7 of the largest a. It is also set to
    the bound if its distance is at most 1e-3 of u (hard margin: of the largest a), and the move
    changes f at its point by at most 1e-3 of the multiplier. All other variables are free, and
    ``Q a + q + b s = 0`` is solved for them. A free variable that this moves to a bound, up to
    rounding, is set to it.

    The result must violate KKT by at most tol / 2, and with a free bias satisfy ``s' a = 0`` up to
    rounding. Until it does, the free variables are corrected. Return None if they cannot be
    corrected, because there are none or more than MAX_FREE; if there are many, and the gap is
    large; if a correction moves a free variable across a bound; or if MAX_CORRECTIONS corrections
    do not suffice.
    """
    distance, multiplier, u = state.distance, state.multiplier, work.u
    # Of a variable whose upper bound is smaller, this bound takes the place of the largest a.
    largest_a = np.minimum(distance[0].max(), u)
    # The left side of the comparison with `multiplier` is the change of f at the variable's point
    # if the variable moves to the bound. At the optimum the multiplier is the size of the excess,
    # so a change of at most 1e-3 of it does not change the sign of the excess.
    is_near_bound = (distance <= MAX_DISTANCE_AT_BOUND * largest_a) | (
        (distance * np.abs(work.S * work.K.diagonal) <= 1e-3 * multiplier)
        & (distance <= MAX_DISTANCE_NEAR_BOUND * (largest_a if work.problem.hard else u))
    )
    a = np.where(is_near_bound[0], 0.0, distance[0])
    if len(distance) == 2:
        a = np.where(is_near_bound[1] & ~is_near_bound[0], u, a)
    b, is_free = float(state.scalars["bias"][0]), (a > 0) & (a < u)
    has_small_gap = state.scalars["gap"][0] <= MAX_GAP * work.S * np.abs(work.q * a).sum()
    max_free = MAX_FREE if has_small_gap else FEW_FREE
    for _ in range(MAX_CORRECTIONS):
        b, violation = _violation(work, a, b, is_free)
        is_balanced = not work.free or abs(float(work.s @ a)) <= 1e-12 * float(a.sum())
        if is_balanced and violation <= 0.5 * work.tol:
            return a, b
        if not 0 < np.count_nonzero(is_free) <= max_free:
            return None
        a = _snapped(_correct_free(work, a, b, is_free), u, largest_a)
        if not ((a >= 0) & (a <= u)).all():
            return None
        is_free = (a > 0) & (a < u)
    return None


def _snapped(a: np.ndarray, u: np.ndarray, largest_a: np.ndarray) -> np.ndarray:
    """Return ``a`` with variables that are at a bound up to rounding set to this bound."""
    rounding = 64.0 * EPS * largest_a
    a = np.where(np.abs(a) <= rounding, 0.0, a)
    return np.where(np.abs(a - u) <= rounding, u, a)


def _violation(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> tuple[float, float]:
    """Return the best bias for ``a``, and the largest KKT violation with this bias.

    The rounding error of f is added to the violation. For example, if ``|f| = 1e20``, no digit of
    ``y f - 1`` is correct.
    """
    product = work.times(a)
    excess = product + work.q
    if work.free:
        b = _bias(work, a, excess, is_free)
        excess = excess + b * work.s
    rise_violation = np.where(a < work.u, np.maximum(0.0, -excess), 0.0)
    fall_violation = np.where(a > 0, np.maximum(0.0, excess), 0.0)
    rounding = EPS * (float(np.abs(product).max()) + abs(b))
    return b, float(np.maximum(rise_violation, fall_violation).max()) + rounding


def _correct_free(work: Work, a: np.ndarray, b: float, is_free: np.ndarray) -> np.ndarray:
    """Return ``a`` with the free variables moved so that their excess is 0 and ``s' a = 0``.

    All other variables stay at their bounds. A small number is added to the diagonal of the matrix,
    so that the solution is unique. The next call reduces the error that this causes.
    """
    free = np.flatnonzero(is_free)
    matrix = np.zeros((len(free) + 1, len(free) + 1))
    matrix[:-1, :-1] = work.S * work.K.block(free) * np.outer(work.s[free], work.s[free])
    matrix[:-1, -1] = matrix[-1, :-1] = work.s[free]
    matrix[np.diag_indices(len(free))] += 1e-11 * max(float(matrix.diagonal().max()), 1e-300)
    rhs = np.append(-work.excess(a, b)[free], -float(work.s @ a))
    # Without a free bias there is no equality. The last unknown, the change of b, is set to 0.
    if not work.free:
        matrix[-1, :] = matrix[:, -1] = 0.0
        matrix[-1, -1], rhs[-1] = 1.0, 0.0
    try:
        change = np.linalg.solve(matrix, rhs)[:-1]
    except np.linalg.LinAlgError:
        return a
    a = a.copy()
    a[free] += change
    return a


def _bias(work: Work, a: np.ndarray, excess: np.ndarray, is_free: np.ndarray) -> float:
    """Return the best b: each free variable has one b at which its excess is 0; take their mean.

    Without free variables, return the middle of the interval of b that KKT allows. ``excess`` is
    ``Q a + q``, without b.
    """
    biases = -work.s * excess
    if is_free.any():
        return float(biases[is_free].mean())
    # KKT bounds b from below where beta may rise, and from above where beta may fall.
    beta_grows = np.where(work.s > 0, a < work.u, a > 0)
    lower = biases[beta_grows].max(initial=-np.inf)
    upper = biases[np.where(work.s > 0, a > 0, a < work.u)].min(initial=np.inf)
    return float(0.5 * (lower + upper))


def finish(work: Work, state: State, solution: Any, event: Any, mark: np.ndarray) -> int:
    """Take the last step, to the ``(a, b)`` of :func:`solution_at_bounds`.

    Return RUNNING, as after every step; the scalar ``is_done`` makes ``InteriorPoint.advance`` end
    the run.
    """
    a, b = solution
    event["mu"] = work.S * float((state.distance * state.multiplier).mean())
    event["mu_affine"], event["sigma"], event["predicted"], event["length"] = 0.0, 0.0, 1.0, 1.0
    event["first"] = event["blocking"] = (-1, -1, 0.0, 0.0)
    distance = np.stack([a, np.where(a == work.u, 0.0, work.u - a)])[: len(state.distance)]
    mark[0] = support_changed(work, state.distance, distance)
    state.distance[:] = distance
    event["primal"], event["gap"] = (work.S * value for value in primal_and_gap(work, a, b))
    scalars = state.scalars[0]
    scalars["bias"], scalars["gap"] = b, event["gap"]
    scalars["steps"] += 1
    scalars["is_done"] = 1
    return RUNNING


def support_changed(work: Work, before: np.ndarray, after: np.ndarray) -> int:
    """Return SUPPORT_CHANGED if a point became a support vector or ceased to be one, otherwise 0.

    ``before`` and ``after`` are the distances before and after a step. A support vector has a beta
    other than 0.
    """
    return SUPPORT_CHANGED * int(((work.beta(before) != 0) ^ (work.beta(after) != 0)).any())


def step(work: Work, state: State, event: Any, mark: np.ndarray) -> int:
    """Take one iteration in place; return RUNNING, or the stop code if no step was possible."""
    distance, multiplier, scalars = state.distance, state.multiplier, state.scalars[0]
    a, b = distance[0], float(scalars["bias"])
    # With a hard margin alpha has no upper bound. Such a large sum means that alpha grows for ever.
    if work.problem.hard and float(a.sum()) > MAX_SUM:
        return UNBOUNDED
    solution = solution_at_bounds(work, state)
    if solution is not None:
        return finish(work, state, solution, event, mark)
    code = _hard_margin_code(work, a)
    if code:
        return code
    try:
        solve = _newton(work, state)
    except Indefinite:
        return INDEFINITE
    mu = (distance * multiplier).mean()

    # Predictor: aim at the product 0 for all distances and multipliers, and find the longest step.
    da, db, dmultiplier = solve(-distance * multiplier)
    ddistance = work.distance_slope * da
    max_length, event["first"] = _step_to_bound(
        work.S, distance, ddistance, multiplier, dmultiplier
    )
    predicted = min(1.0, max_length)
    # The mean product after the predictor step.
    mu_affine = ((distance + predicted * ddistance) * (multiplier + predicted * dmultiplier)).mean()

    # Corrector: sigma is small if a long predictor step is possible. The product ddistance *
    # dmultiplier is the second-order error of the predictor, and is subtracted.
    sigma = min(1.0, max(0.0, mu_affine / mu)) ** 3
    da, db, dmultiplier = solve(sigma * mu - distance * multiplier - ddistance * dmultiplier)
    ddistance = work.distance_slope * da
    max_length, event["blocking"] = _step_to_bound(
        work.S, distance, ddistance, multiplier, dmultiplier
    )
    length = min(1.0, STEP_FRACTION * max_length)
    new_distance = distance + length * ddistance
    new_multiplier = multiplier + length * dmultiplier
    new_bias = b + length * db
    primal, gap = (work.S * value for value in primal_and_gap(work, new_distance[0], new_bias))
    # The sum of products is a bound on the gap. It is compared too, since in a regression the gap
    # may start at 0, where both alphas of every point are equal, and rise before it falls.
    max_gap = MAX_GAP_GROWTH * max(abs(scalars["gap"]), work.S * mu * distance.size)
    if not _is_sound(length, mu, new_distance, new_multiplier) or gap > max_gap:
        return STALLED

    mark[0] = support_changed(work, distance, new_distance)
    distance[:], multiplier[:] = new_distance, new_multiplier
    scalars["bias"], scalars["gap"] = new_bias, gap
    scalars["steps"] += 1
    event["mu"], event["mu_affine"], event["sigma"] = work.S * mu, work.S * mu_affine, sigma
    event["predicted"], event["length"] = predicted, length
    event["primal"], event["gap"] = primal, gap
    return RUNNING


def _newton(work: Work, state: State) -> Direction:
    """Factorise the Newton system, and return the function that solves it.

    The function maps a change of the products ``distance * multiplier``, shape (k, N), to ``(da,
    db, dmultiplier)``. Eliminating the multipliers gives ``(Q + diag(D)) da + s db = rhs`` and
    ``s' da = -s' a``, with ``D = sum multiplier / distance`` over the bounds.
    """
    distance, multiplier, distance_slope, s = (
        state.distance,
        state.multiplier,
        work.distance_slope,
        work.s,
    )
    D = (multiplier / distance).sum(axis=0)
    inverse = work.K.factorise(D / work.S)

    def solve(rhs: np.ndarray) -> np.ndarray:
        return s * inverse(s * rhs) / work.S

    solution_for_s = solve(s)

    def solve_with_equality(rhs: np.ndarray, imbalance: Any) -> tuple[np.ndarray, Any]:
        da = solve(rhs)
        if not work.free:
            return da, 0.0
        db = (s @ da - imbalance) / (s @ solution_for_s)
        return da - db * solution_for_s, db

    b = float(state.scalars["bias"][0])
    dual_residual = work.excess(distance[0], b) - (distance_slope * multiplier).sum(axis=0)

    def direction(change: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        rhs = (distance_slope * change / distance).sum(axis=0) - dual_residual
        imbalance = -float(s @ distance[0])
        da, db = solve_with_equality(rhs, imbalance)
        # Iterative refinement is needed because the factorisation loses digits if D has very large
        # and very small entries.
        for _ in range(REFINEMENTS):
            da_correction, db_correction = solve_with_equality(
                rhs - work.times(da) - D * da - db * s, imbalance - float(s @ da)
            )
            da, db = da + da_correction, db + db_correction
        return da, db, (change - multiplier * distance_slope * da) / distance

    return direction


def _step_to_bound(
    S: float, distance: Any, ddistance: Any, multiplier: Any, dmultiplier: Any
) -> tuple[float, tuple]:
    """Return the largest length of a step that keeps all distances and multipliers at least 0.

    The second result is a :data:`BLOCKING` record of the distance or multiplier that limits
    this length. In the record, a distance is in units of alpha and not of a. If no distance or
    multiplier falls, the length is infinite, and ``variable`` in the record is -1.
    """
    values = np.concatenate([distance, multiplier])
    change = np.concatenate([ddistance, dmultiplier])
    ratio = np.where(change < 0, -values / change, np.inf)
    row, variable = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
    max_length = float(ratio[row, variable])
    if math.isinf(max_length):
        return max_length, (-1, -1, 0.0, 0.0)
    is_distance = row < len(distance)
    kind = row if is_distance else LOWER_MULTIPLIER + row - len(distance)
    unit = S if is_distance else 1.0
    return max_length, (kind, variable, unit * values[row, variable], unit * change[row, variable])


def _is_sound(length: float, mu: float, distance: np.ndarray, multiplier: np.ndarray) -> bool:
    """Return whether a step ends strictly inside the box, and is not lost in rounding error.

    Rounding error prevails if the step, or the mean product mu before it, is tiny.
    """
    inside = bool((distance > 0).all() and (multiplier > 0).all())
    finite = bool(np.isfinite(distance).all() and np.isfinite(multiplier).all())
    return finite and inside and length > MIN_LENGTH and mu > MIN_MU


def _hard_margin_code(work: Work, a: np.ndarray) -> int:
    """Return INSEPARABLE or UNBOUNDED if a hard margin cannot be reached, otherwise RUNNING.

    ``sqrt(a' Q a) / sum a`` is half the distance of two points of the hulls, relative to the size
    of the data. If it is tiny, the hulls may meet, and :func:`separation` decides whether they do:
    the code is INSEPARABLE if they meet, otherwise UNBOUNDED.
    """
    if not work.problem.hard:
        return RUNNING
    total = float(a.sum())
    if float(a @ work.times(a)) > MAX_MEETING_DISTANCE * total * total:
        return RUNNING
    return INSEPARABLE if separation(work.problem).separable is False else UNBOUNDED
