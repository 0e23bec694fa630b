"""Bounds on the leave-one-out error, computed from one solution on all points.

If f is the only optimum, leaving out a point with ``alpha = 0`` does not change f. Such a point has
no slack, so f classifies it correctly. Hence the leave-one-out error is at most the fraction of
support vectors.

With a free bias, Joachims' estimate is the fraction of points with ``rho alpha_i R^2 + xi_i >= 1``,
where ``rho = 2``, and ``R^2`` is at least ``k(x, x) - k(x, z)`` for all points x and z. Without a
free bias, the bound of Jaakkola and Haussler takes the place of this estimate: the fraction of
points with ``alpha_i k(x_i, x_i) + xi_i >= 1``. Both fractions count support vectors only.

Sources: Vapnik 1998 (support vectors); Jaakkola and Haussler 1999; Joachims 2000, Estimating the
generalization performance of an SVM efficiently.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.problem.problem import Problem

# Number of kernel values per block in the search for the smallest one. A block takes 8 MB.
BLOCK = 1_000_000


class Bounds(NamedTuple):
    """Two bounds on the fraction of errors in leave-one-out.

    Attributes
    ----------
    support : float
        The fraction of support vectors.
    xi_alpha : float
        Joachims' estimate, or the bound that replaces it; at most ``support``.
    """

    support: float
    xi_alpha: float


def leave_one_out_bounds(problem: Problem, beta: np.ndarray, slack: np.ndarray) -> Bounds:
    """Return the bounds, from beta and slack at the optimum, both of shape (n,)."""
    alpha = np.abs(beta)
    sums = alpha * _rho_squared_radius(problem) + slack
    # For a support vector on the margin, the sum may be 1 up to rounding error.
    may_be_error = (alpha > 0.0) & (sums >= 1.0 - 1e-9)
    return Bounds(float((alpha > 0.0).mean()), float(may_be_error.mean()))


def _rho_squared_radius(problem: Problem) -> np.ndarray | float:
    """Return ``rho R^2`` with a free bias, otherwise ``k(x_i, x_i)`` of each point, shape (n,).

    With an augmented bias, k includes the constant 1 that this bias adds to the kernel.
    """
    kernel, X = problem.used_kernel, problem.centered
    diagonal = kernel.diagonal(X)
    if problem.bias == "none":
        return diagonal
    if problem.bias == "augmented":
        return diagonal + 1.0
    rows = max(1, BLOCK // problem.n)
    lowest = min(
        float(kernel(X[start : start + rows], X).min()) for start in range(0, problem.n, rows)
    )
    return 2.0 * (float(diagonal.max()) - lowest)
