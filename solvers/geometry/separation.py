"""Separability of points in a kernel's space, and the margin.

Two classes can be separated if and only if their convex hulls do not meet (Gordan). Wolfe's method
(:mod:`solvers.geometry.wolfe`) decides this in a few steps. It finds a point p of one hull and a
point q of the other. Let ``z = p - q``. If z has a positive inner product with ``p' - q'`` for all
points p' and q' of the two hulls, z is the normal of a separating boundary. If z is 0 up to
rounding error, ``p = q`` lies in both hulls.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from solvers.cancelling import check_cancelled
from solvers.geometry.min_norm_point import (
    HULLS_MEET,
    NOISE,
    RUNNING,
    Hull,
    Weights,
    first_weights,
    make_corral,
)
from solvers.geometry.wolfe import advance, begin
from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.problem.expansion import freeze
from solvers.problem.origin import center_of
from solvers.problem.problem import DualForm, Problem

# Maximum number of steps of Wolfe's method, which is finite, but slow if the hulls nearly touch.
# The second number is for the nearest points of hulls, and for the search of the largest mu.
MAX_STEPS, MAX_EXACT_STEPS = 1000, 10_000
# The search for the nearest points ends when the gap (see min_norm_point.py) is at most this
# fraction of their squared distance.
NEAREST_TOL = 1e-12
# Relative tolerance of the bisection for the largest cap mu whose reduced hulls do not meet.
MU_TOL = 1e-6


@dataclass(frozen=True, eq=False)
class Separation:
    """The verdict whether two (reduced) hulls are separable, with its proof.

    Attributes
    ----------
    separable : bool or None
        Whether the hulls are separable; None if undecided, which happens with an indefinite kernel,
        or if the hulls nearly touch.
    weights : array, shape (n,)
        tau, with sum 1 in each class, or over all points if the boundary has no bias. If the hulls
        meet, these weights give ``p = q``, which proves that the hulls meet.
    distance : float
        ``||p - q||``: the distance of the hulls if the nearest points were searched for (``exact``
        of :func:`separation`), otherwise an upper bound on this distance.
    steps : int
        Number of steps of Wolfe's method.
    """

    separable: bool | None
    weights: np.ndarray
    distance: float
    steps: int


def separation(problem: Problem, mu: float = 1.0, exact: bool = False) -> Separation:
    """Decide whether a boundary with the problem's kernel and bias separates the classes.

    C is ignored. With a bias (free or augmented) no boundary separates if the convex hulls of the
    classes meet in the kernel's space. Without a bias no boundary separates if the hull of
    ``y_i phi(x_i)`` contains the origin. Hulls count as meeting if their distance is below 1e-7 of
    the data's extent in the kernel's space.

    Parameters
    ----------
    problem : Problem
    mu : float
        Cap on the weights, for reduced hulls; at least ``1 / min(n+, n-)``.
    exact : bool
        Whether to find the nearest points. Otherwise the search stops as soon as some boundary
        separates.
    """
    max_steps = MAX_EXACT_STEPS if exact else MAX_STEPS
    return run_wolfe(separation_form(problem), make_hull(problem, mu), problem, exact, max_steps)


def margin_through_origin(problem: Problem, beta: np.ndarray | None = None) -> float:
    """Return the largest known margin ``min_i y_i <w, phi(x_i)>`` of a w with ``||w|| = 1``.

    With a bias, a component 1 is appended to phi(x), as in Novikoff's bound. Wolfe's method finds
    the w of the largest margin, unless it reaches its maximum number of steps. The result is the
    margin of this w, or that of ``w = sum_i beta_i phi(x_i)`` if it is larger. It is 0 if neither
    w separates.

    Parameters
    ----------
    problem : Problem
        Its kernel must be positive semi-definite.
    beta : array, shape (n,), optional
        Coefficients of a w that is known to separate.
    """
    augmented = problem.bias != "none"
    as_solved = dataclasses.replace(
        problem,
        X=problem.centered,
        kernel=problem.used_kernel,
        bias="augmented" if augmented else "none",
    )
    verdict = run_wolfe(as_solved.dual_form, signed_points(problem), problem, True, MAX_STEPS)
    best = margin_of(problem, problem.y * verdict.weights)
    return best if beta is None else max(best, margin_of(problem, beta))


def margin_of(problem: Problem, beta: np.ndarray) -> float:
    """Return the margin ``min_i y_i <w, phi(x_i)> / ||w||`` of ``w = sum_i beta_i phi(x_i)``.

    With a bias, a component 1 is appended to phi(x). The result is 0 if w does not separate, or if
    ``||w||^2`` is not positive, which is possible with an indefinite kernel.

    Parameters
    ----------
    problem : Problem
    beta : array, shape (n,)
    """
    X, program = problem.centered, problem.used_kernel.program()
    f = kernel_sums(program, X, np.array([beta]), X)[0]
    f = f + (0.0 if problem.bias == "none" else float(beta.sum()))
    squared_norm = float(beta @ f)
    if not squared_norm > 0.0:
        return 0.0
    return max(0.0, float((problem.y * f).min()) / math.sqrt(squared_norm))


def largest_separating_mu(problem: Problem) -> float | None:
    """Return the largest cap mu whose reduced hulls do not meet, to six digits.

    Return None if the reduced hulls meet even for the smallest possible cap. Lowering the cap
    shrinks both hulls, so the largest mu can be found by bisection.
    """
    dual_form = separation_form(problem)

    def separates(mu: float) -> bool:
        hull = make_hull(problem, mu)
        # Near the largest mu, the hulls nearly touch and many weights are at the cap, so the higher
        # maximum number of steps is needed.
        return run_wolfe(dual_form, hull, problem, False, MAX_EXACT_STEPS).separable is True

    if separates(1.0):
        return 1.0
    low, high = smallest_mu(problem), 1.0
    if not separates(low):
        return None
    while high - low > MU_TOL * high:
        midpoint = 0.5 * (low + high)
        if separates(midpoint):
            low = midpoint
        else:
            high = midpoint
    return low


def smallest_mu(problem: Problem) -> float:
    """Return ``1 / min(n+, n-)``. With a smaller mu, the weights of a class cannot have sum 1."""
    n_positive = int(np.count_nonzero(problem.y > 0))
    return 1.0 / min(n_positive, problem.n - n_positive)


def separation_form(problem: Problem) -> DualForm:
    """Return the problem's dual form without the 1 that an augmented bias adds to the kernel.

    With a bias and the linear kernel, the centre of the points is subtracted from them. This
    reduces rounding errors of inner products, and does not change distances between points.
    """
    if problem.bias == "none":
        return problem.dual_form
    dual_form = dataclasses.replace(problem, bias="free").dual_form
    if not problem.linear:
        return dual_form
    X = problem.centered - center_of(problem.centered)
    diagonal = problem.used_kernel.diagonal(X)
    return dual_form._replace(X=X, diagonal=diagonal)


def uncentered_bias(problem: Problem, beta: np.ndarray, b: float) -> float:
    """Return the bias for :attr:`Problem.centered`; b is that of :func:`separation_form`."""
    if problem.bias == "none" or not problem.linear:
        return b
    center = center_of(problem.centered)
    return b - float((beta @ (problem.centered - center)) @ center)


def make_hull(problem: Problem, mu: float) -> Hull:
    """Return the hulls of the two classes; without a bias, the hull of all signed points."""
    if problem.bias == "none":
        return signed_points(problem)
    cap = mu if mu < 1.0 else math.inf
    return Hull(problem.y, (problem.y < 0).astype(np.int64), cap)


def signed_points(problem: Problem) -> Hull:
    """Return the hull of ``y_i phi(x_i)``."""
    return Hull(problem.y, np.zeros(problem.n, dtype=np.int64), math.inf)


def run_wolfe(
    dual_form: DualForm, hull: Hull, problem: Problem, exact: bool, max_steps: int
) -> Separation:
    """Run Wolfe's method until the verdict is known; if ``exact``, until it has the nearest points.

    With 1,000 points and a narrow kernel the search takes seconds, so it can be cancelled.
    """
    state = first_weights(hull, dual_form.diagonal)
    work = make_corral(dual_form, cache_bytes=CACHE_BYTES)
    code = begin(dual_form, hull, NEAREST_TOL, state, work)
    while code == RUNNING and state.scalars["steps"][0] < max_steps:
        if not exact and is_separating(state):
            break
        check_cancelled()
        code = advance(dual_form, hull, NEAREST_TOL, state, work)
    separable: bool | None = None
    if problem.is_concave:
        if code == HULLS_MEET:
            separable = False
        elif is_separating(state):
            separable = True
    scalars = state.scalars[0]
    distance = math.sqrt(scalars["squared_norm"])
    return Separation(separable, freeze(state.tau), distance, int(scalars["steps"]))


def is_separating(state: Weights) -> bool:
    """Return whether ``<z, v> > 0`` for every point v of the hull, so that z separates.

    With two classes, the points v are the differences of a point of each class's hull.
    """
    scalars = state.scalars[0]
    margin = scalars["squared_norm"] - scalars["gap"]
    # A margin up to this limit may be rounding error. If the hulls do not meet, and the gap is at
    # most this limit (see `measure_gap`), the margin is more than 3 times the limit.
    return bool(margin > 0.25 * NOISE * scalars["squared_extent"])
