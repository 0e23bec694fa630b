"""The regularisation path: slack and ``||w||`` of the optimum as functions of the penalty C.

The soft margin has two forms. One has a penalty: minimise ``1/2 ||w||^2 + C S`` with
``S = sum_i xi_i``. The other has a budget: minimise ``1/2 ||w||^2`` where S may be at most M. Every
optimum of the first form is the optimum of the second for the budget ``M = S(C)``. With growing C
the slack S(C) never grows and ``||w||`` never falls. So a budget is turned into a penalty by
inverting ``S``. No f keeps a budget below ``inf S``. With a budget above ``sup S`` the optimum is
w = 0, whose slack is below the budget.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solvers.cancelling import check_cancelled
from solvers.methods.coordinate_ascent.coordinate_ascent import CoordinateAscent
from solvers.methods.interior_point.interior_point import InteriorPoint
from solvers.methods.working_set.working_set import WorkingSet
from solvers.problem.problem import Problem
from solvers.run.method import Method, Reason
from solvers.solving import solve

# The default range of C of a path, and the default number of its points.
MIN_C, MAX_C, COUNT = 1e-3, 1e4, 43
# Tolerance of the solutions, relative to the scale of f, which is 1.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class PathPoint:
    """The optimum for one C.

    Attributes
    ----------
    C, slack, norm : float
        C, ``sum_i xi_i`` and ``||w||``.
    converged : bool
    """

    C: float
    slack: float
    norm: float
    converged: bool


def path_point(
    problem: Problem, C: float, guess: np.ndarray | None = None
) -> tuple[PathPoint, np.ndarray]:
    """Solve the problem with another C; return its point of the path and beta.

    Parameters
    ----------
    problem : Problem
    C : float
    guess : array, shape (n,), optional
        beta of a near C, from which the search starts.
    """
    run = solve(replace(problem, C=C), _method_for(problem), guess)
    certificate = run.certificate
    converged = run.reason is Reason.CONVERGED
    slack = problem.weighted_sum(certificate.slack)
    point = PathPoint(C, slack, certificate.norm, converged)
    return point, run.expansion.beta


def _method_for(problem: Problem) -> Method:
    """Return the fastest method that solves problems of this kind to the tolerance."""
    if problem.bias == "free":
        return WorkingSet(tol=TOLERANCE)
    if problem.task == "classification":
        return CoordinateAscent(tol=TOLERANCE)
    return InteriorPoint(tol=TOLERANCE)


def penalties(C: float, low: float = MIN_C, high: float = MAX_C, count: int = COUNT) -> np.ndarray:
    """Return ``count`` values of C, evenly spaced on a logarithmic scale, and C if it is finite."""
    values = np.geomspace(low, high, count)
    if not math.isfinite(C):
        return values
    # One of the values may be C up to rounding.
    return np.sort(np.append(values[np.abs(values - C) > 1e-9 * C], C))


def budget_path(problem: Problem, C_values: Sequence[float] | np.ndarray) -> Iterator[PathPoint]:
    """Yield the points of the path for these C, in this order; each starts from the one before.

    Raises
    ------
    Cancelled
        See :mod:`solvers.cancelling`.
    """
    guess = None
    for C in C_values:
        check_cancelled()
        point, guess = path_point(problem, float(C), guess)
        yield point


def penalty_for(points: Sequence[PathPoint], budget: float) -> float:
    """Return the C whose slack is ``budget``, interpolated between points of a path.

    Between two points, log C is taken to be linear in the slack. Beyond the ends of the path, the
    result is the C at that end.

    Parameters
    ----------
    points : sequence of PathPoint
        At least one.
    budget : float
        M.
    """
    ordered = sorted(points, key=lambda point: point.C)
    slacks = np.array([point.slack for point in ordered])
    # Rounding may let the slack rise a little.
    slacks = np.minimum.accumulate(slacks)
    logs = np.log([point.C for point in ordered])
    return float(np.exp(np.interp(-budget, -slacks, logs)))


def penalty_within(problem: Problem, budget: float, low: float, high: float) -> float:
    """Return the C between ``low`` and ``high`` with the slack ``budget``, by bisection of log C.

    The relative error of C is at most 1e-4, apart from the tolerance of the solutions.
    """
    guess = None
    while high > (1.0 + 1e-4) * low:
        check_cancelled()
        middle = math.sqrt(low * high)
        point, guess = path_point(problem, middle, guess)
        if point.slack > budget:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)
