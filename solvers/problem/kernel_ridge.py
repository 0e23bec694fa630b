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
    K = problem.kernel(problem.X, problem.X) + (problem.bias == "augmented")
    beta, bias = solve_ridge(K, problem.y, problem.C, problem.bias == "free")
    bias = float(beta.sum()) if problem.bias == "augmented" else bias
    return Expansion(problem.kernel, problem.X, freeze(beta), bias)


def solve_ridge(K: np.ndarray, y: np.ndarray, C: float, is_free: bool) -> tuple[np.ndarray, float]:
    """Return beta, shape (m,), and b with ``(K + I / C) beta + b = y`` and ``sum beta = 0``.

    Unless ``is_free``, b is 0, and the sum of beta may be any number. If the system is singular,
    return its least-squares solution.
    """
    m = len(y)
    A, right = np.zeros((m + is_free, m + is_free)), np.zeros(m + is_free)
    A[:m, :m] = K + np.eye(m) / C
    A[m:, :m] = A[:m, m:] = 1.0
    right[:m] = y
    try:
        found = np.linalg.solve(A, right)
    except np.linalg.LinAlgError:
        found = np.linalg.lstsq(A, right, rcond=None)[0]
    return found[:m], float(found[m]) if is_free else 0.0
