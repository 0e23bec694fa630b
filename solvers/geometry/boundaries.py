"""The bisector and the nu-SVM boundary, from the nearest points of reduced hulls.

A reduced hull of a class is the set of points ``sum_i tau_i phi(x_i)`` with ``0 <= tau_i <= mu``
and ``sum_i tau_i = 1``. Let p and q be the nearest points of the hulls of the positive and the
negative class. The *bisector* and the boundary of the *nu-SVM* have the normal ``z = p - q``. The
bisector goes through the midpoint of p and q; f is +1 at p and -1 at q.

The boundary of the nu-SVM, for ``nu = 2 / (mu n)``, is determined by the *free vectors*, which are
the points with ``0 < tau_i < mu``. Let x be a point of the kernel's space. Free vectors of the
positive class lie on ``<z, x> = r+``, where f is +1; free vectors of the negative class lie on
``<z, x> = r-``, where f is -1. The boundary is half-way between the two. If a class has no free
vectors, r of this class may be any number of an interval; the middle of the interval is taken. For
``mu = 1`` the bisector and the boundary of the nu-SVM are the same.

Source: Crisp and Burges 1999, "A geometric interpretation of nu-SVM classifiers".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.min_norm_point import first_weights, make_corral
from solvers.geometry.separation import NEAREST_TOL, make_hull, separation_form, uncentered_bias
from solvers.geometry.wolfe import begin
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem

# A weight that differs from 0 or from mu by at most this fraction of mu counts as 0 or as mu.
AT_BOUND = 1e-9


@dataclass(frozen=True, eq=False)
class Boundary:
    """A boundary with its two margin lines ``f = +-1``.

    Attributes
    ----------
    label : str
        The name of the boundary in the plane.
    expansion : Expansion
        The decision function f.
    width : float
        Distance between f = +1 and f = -1 in the kernel's space, ``2 / ||w||``.
    """

    label: str
    expansion: Expansion
    width: float


def bisector(problem: Problem, weights: np.ndarray) -> Boundary:
    """Return the bisector of p and q.

    Parameters
    ----------
    problem : Problem
    weights : array, shape (n,)
        tau of the nearest points, at least 0, with sum 1 in each class.

    Raises
    ------
    BadInput
        If p and q coincide.
    """
    y = problem.y
    S, squared_norm = _projections(problem, weights)
    plus = float(weights[y > 0] @ S[y > 0])
    minus = float(weights[y < 0] @ S[y < 0])
    return _boundary("bisector of p and q", problem, weights, plus, minus, squared_norm)


def nu_boundary(problem: Problem, weights: np.ndarray, mu: float) -> Boundary:
    """Return the boundary of the nu-SVM with ``nu = 2 / (mu n)``.

    Parameters
    ----------
    problem : Problem
    weights : array, shape (n,)
        tau of the nearest points, from 0 to mu, with sum 1 in each class.
    mu : float
        Maximum of the weights; 1 for whole hulls.

    Raises
    ------
    BadInput
        If p and q coincide.
    """
    S, squared_norm = _projections(problem, weights)
    plus = _class_level(S[problem.y > 0], weights[problem.y > 0], mu)
    minus = -_class_level(-S[problem.y < 0], weights[problem.y < 0], mu)
    return _boundary(
        f"ν-SVM, ν = {2 / (mu * problem.n):.3g}", problem, weights, plus, minus, squared_norm
    )


def _class_level(S: np.ndarray, weights: np.ndarray, mu: float) -> float:
    """Return r of a class, from ``S_i = <z, phi(x_i)>`` and the weight of each of its points.

    r is the mean of S over the free vectors of the class. Without free vectors, r is the middle of
    the interval of its possible values.

    At the optimum, a point of the positive class has ``S <= r`` if its weight is mu, and ``S >= r``
    if its weight is 0. For the negative class both inequalities are reversed, so the caller passes
    ``-S`` and reverses the sign of the result.
    """
    # For mu = 1 a weight 1 counts as free: the sum of the weights bounds it, and not the cap.
    cap = mu if mu < 1.0 else math.inf
    at_zero = weights <= AT_BOUND * mu
    at_cap = weights >= cap * (1.0 - AT_BOUND)
    free = ~at_zero & ~at_cap
    if free.any():
        return float(S[free].mean())
    interval_ends = []
    if at_cap.any():
        interval_ends.append(float(S[at_cap].max()))
    if at_zero.any():
        interval_ends.append(float(S[at_zero].min()))
    return sum(interval_ends) / len(interval_ends)


def _projections(problem: Problem, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Return ``<z, phi(x_i)>``, shape (n,), and ``||z||^2``.

    With the linear kernel the points are centred, as in :func:`separation_form`.
    """
    dual_form, hull = separation_form(problem), make_hull(problem, 1.0)
    state = first_weights(hull, dual_form.diagonal)
    state.tau[:] = weights
    begin(
        dual_form,
        hull,
        NEAREST_TOL,
        state,
        make_corral(dual_form, cache_bytes=0),
    )
    return state.S, float(problem.y * weights @ state.S)


def _boundary(
    label: str,
    problem: Problem,
    weights: np.ndarray,
    plus: float,
    minus: float,
    squared_norm: float,
) -> Boundary:
    """Return the boundary whose f is +1 on ``<z, x> = plus`` and -1 on ``<z, x> = minus``."""
    if not (squared_norm > 0.0 and plus > minus):
        raise BadInput("p and q coincide: there is no boundary between them.")
    scale = 2.0 / (plus - minus)
    # Adding 0 turns -0 into 0.
    beta = scale * problem.y * weights + 0.0
    b = uncentered_bias(problem, beta, -0.5 * scale * (plus + minus))
    expansion = problem.expansion(beta, b)
    return Boundary(label, expansion, 2.0 / (scale * math.sqrt(squared_norm)))
