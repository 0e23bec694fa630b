"""Logistic regression: the same kernel and C as a classification here, but the logistic loss."""

from __future__ import annotations

import numpy as np

from solvers.problem.expansion import Expansion, freeze
from solvers.problem.problem import Problem

# Newton steps; about ten are usual. Halvings of a step that raises the sum.
MAX_STEPS, MAX_HALVINGS = 100, 40
# The end: beta differs by at most this fraction of C from what it must be.
TOLERANCE = 1e-10


def logistic_regression(problem: Problem) -> Expansion | None:
    """Return the f that minimises ``1/2 ||w||^2 + C sum_i log(1 + exp(-y_i f(x_i)))``.

    At the minimum ``beta_i = C y_i / (1 + exp(y_i f(x_i)))``, never 0: all points are support
    vectors. Newton's method solves these equations, with ``sum_i beta_i = 0`` if the bias is free;
    a step takes O(n^3) time. None if C is infinite, where no f is optimal, if the kernel is not
    positive semi-definite for these points, or if the steps do not end.

    Source: Zhu and Hastie 2005.
    """
    if problem.hard or not problem.concavity.concave:
        return None
    n, y, C = problem.n, problem.y, problem.C
    K = problem.kernel(problem.X, problem.X)
    if problem.bias == "augmented":
        K = K + 1.0
    is_free = problem.bias == "free"
    beta, b = np.zeros(n), 0.0

    def total(beta: np.ndarray, b: float) -> float:
        f = K @ beta
        return 0.5 * float(beta @ f) + C * float(np.logaddexp(0.0, -y * (f + b)).sum())

    lowest = total(beta, b)
    for _ in range(MAX_STEPS):
        # How sure the other class is, from 0 to 1.
        share = np.exp(-np.logaddexp(0.0, y * (K @ beta + b)))
        wanted = C * y * share
        error = max(float(np.abs(wanted - beta).max()), abs(float(beta.sum())) * is_free)
        if error <= TOLERANCE * C:
            break
        curvature = C * share * (1.0 - share)
        A = np.zeros((n + 1, n + 1))
        A[:n, :n] = np.eye(n) + curvature[:, None] * K
        A[n, n] = 1.0
        if is_free:
            A[:n, n], A[n, :n], A[n, n] = curvature, 1.0, 0.0
        step = np.linalg.lstsq(A, np.append(wanted - beta, -beta.sum() * is_free), rcond=None)[0]
        for halvings in range(MAX_HALVINGS):
            part = 0.5**halvings * step
            found = total(beta + part[:n], b + float(part[n]))
            if found <= lowest:
                break
        else:
            # Rounding is all that is left.
            break
        beta, b, lowest = beta + part[:n], b + float(part[n]), found
    else:
        return None
    bias = float(beta.sum()) if problem.bias == "augmented" else b
    return Expansion(problem.kernel, problem.X, freeze(beta), bias)
