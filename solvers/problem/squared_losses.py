"""The smallest regulariser plus squared losses: of the squared hinge, and of the squared error.

Both are ``P = 1/2 ||w||^2 + C sum_i (y_i - f(x_i))^2`` over the points that pay: with the squared
hinge those with ``y_i f(x_i) < 1``, since ``y_i^2 = 1``; with the squared error all. The optimum is
``beta_i = 2 C (y_i - f(x_i))`` at these points, and 0 at all others. So Newton's method (Chapelle
2007) solves ``(K + I / (2 C)) beta + b = y`` for the points that pay, and repeats that with those
that pay then, until they are the same.
"""

from __future__ import annotations

import numpy as np

from solvers.problem.kernel_ridge import solve_ridge
from solvers.problem.losses import Objective
from solvers.problem.problem import Problem

# Newton steps; about ten are usual.
MAX_STEPS = 200
# Halvings of a step that raises P.
MAX_HALVINGS = 40


def least_squared(problem: Problem) -> Objective | None:
    """Return the parts of the smallest P with squared losses, or None if it was not found.

    None as well if C is infinite, or if the dual is not concave, so that P may have no minimum.
    Takes ``O(n^3)`` time per step.
    """
    if problem.hard or not problem.is_concave:
        return None
    K = problem.kernel(problem.X, problem.X)
    if problem.bias == "augmented":
        K = K + 1.0
    y, only_inside = problem.y, problem.task == "classification"

    def paying(f: np.ndarray) -> np.ndarray:
        return y * f < 1.0 if only_inside else np.ones(len(y), dtype=bool)

    def parts(beta: np.ndarray, b: float) -> Objective:
        f = K @ beta + b
        losses = np.where(paying(f), y - f, 0.0) ** 2
        return Objective(0.5 * max(0.0, float(beta @ (f - b))), float(losses.sum()), problem.C)

    beta, b = np.zeros(len(y)), 0.0
    best = parts(beta, b)
    for _ in range(MAX_STEPS):
        pays = paying(K @ beta + b)
        new_beta, new_b = _solution(problem, K, pays, b)
        share = 1.0
        for _ in range(MAX_HALVINGS):
            step = beta + share * (new_beta - beta), b + share * (new_b - b)
            found = parts(*step)
            if found.primal <= best.primal:
                break
            share *= 0.5
        else:
            # Rounding is all that is left.
            return best
        is_end = share == 1.0 and bool((paying(K @ new_beta + new_b) == pays).all())
        (beta, b), best = step, found
        if is_end:
            return best
    return None


def _solution(
    problem: Problem, K: np.ndarray, pays: np.ndarray, b: float
) -> tuple[np.ndarray, float]:
    """Return the minimum of P if just these points pay: beta, shape (n,), and b."""
    beta, chosen = np.zeros(problem.n), np.flatnonzero(pays)
    if len(chosen) == 0:
        return beta, b
    beta[chosen], b = solve_ridge(
        K[np.ix_(chosen, chosen)], problem.y[chosen], 2.0 * problem.C, problem.bias == "free"
    )
    return beta, b
