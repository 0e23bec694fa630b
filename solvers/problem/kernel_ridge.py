"""Kernel ridge regression: the same kernel and C as a regression here, but squares as the loss."""

from __future__ import annotations

import numpy as np

from solvers.problem.expansion import Expansion, freeze
from solvers.problem.problem import Problem


def kernel_ridge(problem: Problem) -> Expansion:
    """Return the f that minimises ``1/2 ||w||^2 + C/2 sum_i (y_i - f(x_i))^2``.

    At the minimum ``beta_i = C (y_i - f(x_i))``, which is a linear system; it takes O(n^3) time.
    With a free bias ``sum_i beta_i = 0``, and with a regularised one ``b = sum_i beta_i``. If the
    kernel is not positive semi-definite, f is a place where the gradient is 0.

    Source: Saunders, Gammerman and Vovk 1998.
    """
    n = problem.n
    K = problem.kernel(problem.X, problem.X)
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = K + np.eye(n) / problem.C + (problem.bias == "augmented")
    A[n, n] = 1.0
    if problem.bias == "free":
        A[:n, n] = A[n, :n] = 1.0
        A[n, n] = 0.0
    found = np.linalg.lstsq(A, np.append(problem.y, 0.0), rcond=None)[0]
    beta = freeze(found[:n])
    bias = float(beta.sum()) if problem.bias == "augmented" else float(found[n])
    return Expansion(problem.kernel, problem.X, beta, bias)
