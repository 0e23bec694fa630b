"""Whether points can be separated in a kernel's space, and by how much.

A boundary separates two classes exactly if their convex hulls do not meet (Gordan). Wolfe's
method (:mod:`solvers.geometry.wolfe`) answers in a few steps: either z = p - q has a positive inner
product with everything it could still move to, which makes it the normal of a separating
boundary, or z is 0 up to rounding, and its weights are a point that both hulls share.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from solvers.geometry.nearest import (
    CODE,
    EXTENT,
    GAP,
    GOING,
    MEETING,
    NOISE,
    NORM,
    STEPS,
    Hull,
    Weights,
    compute_afresh,
    first_weights,
    judge,
    make_corral,
)
from solvers.geometry.wolfe import wolfe_step
from solvers.problem.expansion import freeze
from solvers.problem.problem import DualForm, Problem
from solvers.run.cancelling import check_cancelled

# Wolfe's method is finite, and mostly fast; these end it where hulls are so near that it crawls:
# when only the verdict is wanted, and when the nearest points are.
MOST_STEPS, MOST_EXACT_STEPS = 1000, 10_000
# Where the search for the nearest points ends, as a part of their squared distance.
NEAREST_TOL = 1e-12
# The largest cap that separates is found to this relative precision.
MU_TOL = 1e-6


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether two (reduced) hulls are apart, with the proof.

    Attributes
    ----------
    separable : bool or None
        None where it is not told: an indefinite kernel, or hulls that nearly touch.
    weights : array, shape (n,)
        lambda, with sum 1 in each class (over all points where the boundary has no bias). If the
        hulls meet, the two weighted means coincide: that is the proof.
    distance : float
        ``||p - q||``; the nearest distance if it was asked for exactly, else an upper bound.
    steps : int
        Steps of Wolfe's method.
    """

    separable: bool | None
    weights: np.ndarray
    distance: float
    steps: int


def separation(problem: Problem, mu: float = 1.0, exact: bool = False) -> Separation:
    """Whether the classes can be separated by a boundary of the problem's kind.

    C plays no part. With a bias (free or augmented) this asks whether the convex hulls of the
    classes meet in the kernel's space; without one, whether the hull of ``y_i phi(x_i)`` holds the
    origin. Hulls nearer than 1e-7 of the data's extent count as meeting.

    Parameters
    ----------
    problem : Problem
    mu : float
        Cap on the weights, for reduced hulls; at least ``1 / min(n+, n-)``.
    exact : bool
        Go on to the nearest points instead of stopping at the first boundary that separates.
    """
    most = MOST_EXACT_STEPS if exact else MOST_STEPS
    return search(separation_form(problem), make_hull(problem, mu), problem, exact, most)


def margin_through_origin(problem: Problem) -> float:
    """The largest ``min_i y_i <w, phi(x_i)>`` over ``||w|| = 1``; 0 if nothing separates.

    With a bias phi(x) has one more component, 1: the augmented space of Novikoff's bound.
    """
    bias = "none" if problem.bias == "none" else "augmented"
    form = dataclasses.replace(problem, bias=bias).form
    found = search(form, signed_points(problem), problem, True, MOST_EXACT_STEPS)
    return found.distance if found.separable else 0.0


def largest_separating_mu(problem: Problem) -> float | None:
    """The largest cap mu whose reduced hulls do not meet, to six digits; None if they always do.

    Found by halving: lowering the cap shrinks both hulls, so what separates stays separated.
    """
    form = separation_form(problem)

    def separates(mu: float) -> bool:
        hull = make_hull(problem, mu)
        # As long as it takes: near the turn hulls nearly touch, and many weights are at the cap.
        return search(form, hull, problem, False, MOST_EXACT_STEPS).separable is True

    if separates(1.0):
        return 1.0
    low, high = smallest_mu(problem), 1.0
    if not separates(low):
        return None
    while high - low > MU_TOL * high:
        middle = 0.5 * (low + high)
        if separates(middle):
            low = middle
        else:
            high = middle
    return low


def smallest_mu(problem: Problem) -> float:
    """``1 / min(n+, n-)``: below it the weights of the smaller class cannot sum to 1."""
    positive = int(np.count_nonzero(problem.y > 0))
    return 1.0 / min(positive, problem.n - positive)


def separation_form(problem: Problem) -> DualForm:
    """What the hulls are made of: the kernel without the trick k + 1; linear points centred.

    Distances do not change with the origin, but the rounding of inner products does.
    """
    if problem.bias == "none":
        return problem.form
    form = dataclasses.replace(problem, bias="free").form
    if not problem.linear:
        return form
    X = problem.X - center(problem)
    # Like the problem's own, so that nothing is compiled a second time for it.
    X.setflags(write=False)
    diagonal = problem.kernel.diagonal(X)
    return form._replace(X=X, XT=np.array(X.T, order="C"), diagonal=diagonal)


def center(problem: Problem) -> np.ndarray:
    """The middle of the data, shape (d,)."""
    return 0.5 * (problem.X.max(axis=0) + problem.X.min(axis=0))


def uncentered(problem: Problem, beta: np.ndarray, b: float) -> float:
    """The bias at the points as they are that is b at those of :func:`separation_form`."""
    if problem.bias == "none" or not problem.linear:
        return b
    middle = center(problem)
    return b - float((beta @ (problem.X - middle)) @ middle)


def make_hull(problem: Problem, mu: float) -> Hull:
    """The two classes, or all signed points where the boundary has no bias."""
    if problem.bias == "none":
        return signed_points(problem)
    cap = mu if mu < 1.0 else math.inf
    return Hull(problem.y, (problem.y < 0).astype(np.int64), cap)


def signed_points(problem: Problem) -> Hull:
    """The hull of ``y_i phi(x_i)``."""
    return Hull(problem.y, np.zeros(problem.n, dtype=np.int64), math.inf)


def search(form: DualForm, hull: Hull, problem: Problem, exact: bool, most: int) -> Separation:
    """Run Wolfe's method to a verdict, or exactly to the nearest points; at most ``most`` steps.

    With 1,000 points and a narrow kernel it takes seconds, so it can be cancelled.
    """
    state = first_weights(hull, form.diagonal)
    work = make_corral(problem.n, len(form.ops), keep=True)
    compute_afresh(form, hull, state, work.rows)
    code = judge(hull, NEAREST_TOL, state)
    while code == GOING and state.count[STEPS] < most:
        if not exact and is_separating(state):
            break
        check_cancelled()
        wolfe_step(form, hull, NEAREST_TOL, state, work)
        code = judge(hull, NEAREST_TOL, state)
        if code == GOING:
            code = int(state.count[CODE])
    separable: bool | None = None
    if problem.kernel.mercer:
        if code == MEETING:
            separable = False
        elif is_separating(state):
            separable = True
    distance = math.sqrt(state.level[NORM])
    return Separation(separable, freeze(state.lam), distance, int(state.count[STEPS]))


def is_separating(state: Weights) -> bool:
    """Whether z itself proves that the hulls are apart: ``<z, v> > 0`` for every v of the hull."""
    level = state.level
    return bool(level[NORM] - level[GAP] > 0.25 * NOISE * level[EXTENT])
