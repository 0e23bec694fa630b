"""The best decision functions for smooth losses: squares, squared hinge and logistic loss.

Kernel, C and weights are those of the problem: below, ``C_i`` is the penalty of point i. The loss
of the problem has kinks; a comparison with these losses shows what the kinks do.
"""

from __future__ import annotations

import numpy as np

from solvers.problem.expansion import Expansion, freeze
from solvers.problem.losses import Objective
from solvers.problem.problem import Problem

# Maximum number of Newton steps for squared losses, and for the logistic loss. Ten are usual.
MAX_STEPS, MAX_LOGISTIC_STEPS = 200, 100
# Maximum number of halvings of a step that raises the primal.
MAX_HALVINGS = 40
# For the logistic loss, beta may differ at the end by at most this fraction of C from its equation.
TOLERANCE = 1e-10


def kernel_ridge(problem: Problem) -> Expansion:
    """Return the f that minimises ``1/2 ||w||^2 + 1/2 sum_i C_i (y_i - f(x_i))^2``.

    At the minimum ``beta_i = C_i (y_i - f(x_i))``. This linear system takes O(n^3) time. With a
    free bias ``sum_i beta_i = 0``, and with a regularised one ``b = sum_i beta_i``. If the kernel
    is not positive semi-definite, f need not be a minimum, but its gradient is 0.

    Source: Saunders, Gammerman and Vovk 1998.
    """
    beta, bias = _solve_ridge(
        _gram(problem), problem.y, _penalties(problem), problem.bias == "free"
    )
    bias = float(beta.sum()) if problem.bias == "augmented" else bias
    return Expansion(problem.kernel, problem.X, freeze(beta), bias)


def _penalties(problem: Problem) -> np.ndarray:
    return problem.max_per_point(problem.bounds)


def _gram(problem: Problem) -> np.ndarray:
    """Return K, shape (n, n), plus 1 if the bias is regularised too."""
    K = problem.kernel(problem.X, problem.X)
    return K + 1.0 if problem.bias == "augmented" else K


def _solve_ridge(
    K: np.ndarray, y: np.ndarray, C: np.ndarray, is_free: bool
) -> tuple[np.ndarray, float]:
    """Return beta, shape (m,), and b with ``(K + diag(1 / C)) beta + b = y`` and ``sum beta = 0``.

    Unless ``is_free``, b is 0, and the sum of beta may be any number. If the system is singular,
    return its least-squares solution.
    """
    m = len(y)
    A, right = np.zeros((m + is_free, m + is_free)), np.zeros(m + is_free)
    A[:m, :m] = K + np.diag(1.0 / C)
    A[m:, :m] = A[:m, m:] = 1.0
    right[:m] = y
    try:
        found = np.linalg.solve(A, right)
    except np.linalg.LinAlgError:
        found = np.linalg.lstsq(A, right, rcond=None)[0]
    return found[:m], float(found[m]) if is_free else 0.0


def least_squared(problem: Problem) -> Objective | None:
    """Return the parts of the smallest P with squared losses, or None if it was not found.

    The loss is the squared hinge in a classification, and the squared error in a regression. With
    both, ``P = 1/2 ||w||^2 + sum_i C_i (y_i - f(x_i))^2``, summed over the points that *pay*. In a
    classification these are the points with ``y_i f(x_i) < 1`` (note that ``y_i^2 = 1``), and in a
    regression all points. At the optimum ``beta_i = 2 C_i (y_i - f(x_i))`` for the points that pay,
    and 0 for all others. Newton's method (Chapelle 2007) solves
    ``(K + diag(1 / (2 C))) beta + b = y`` for the points that pay, and repeats this until the same
    points pay. A step takes ``O(n^3)`` time.

    Also return None if C is infinite, or if the dual is not concave, so that P may have no minimum.
    """
    if problem.hard or not problem.is_concave:
        return None
    K = _gram(problem)
    y, only_inside = problem.y, problem.task == "classification"

    def paying(f: np.ndarray) -> np.ndarray:
        return y * f < 1.0 if only_inside else np.ones(len(y), dtype=bool)

    def parts(beta: np.ndarray, b: float) -> Objective:
        f = K @ beta + b
        losses = np.where(paying(f), y - f, 0.0) ** 2
        norm = 0.5 * max(0.0, float(beta @ (f - b)))
        return Objective(norm, problem.weighted_sum(losses), problem.C)

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
    """Return the minimum of P if exactly these points pay: beta, shape (n,), and b."""
    beta, chosen = np.zeros(problem.n), np.flatnonzero(pays)
    if len(chosen) == 0:
        return beta, b
    beta[chosen], b = _solve_ridge(
        K[np.ix_(chosen, chosen)],
        problem.y[chosen],
        2.0 * _penalties(problem)[chosen],
        problem.bias == "free",
    )
    return beta, b


def logistic_regression(problem: Problem) -> Expansion | None:
    """Return the f that minimises ``1/2 ||w||^2 + sum_i C_i log(1 + exp(-y_i f(x_i)))``.

    At the minimum ``beta_i = C_i y_i / (1 + exp(y_i f(x_i)))``, never 0: all points are support
    vectors. Newton's method solves these equations, with ``sum_i beta_i = 0`` if the bias is free.
    A step takes O(n^3) time. Return None if C is infinite, since then no f is optimal; if the
    kernel is not positive semi-definite for these points; or if the method does not converge.

    Source: Zhu and Hastie 2005.
    """
    if problem.hard or not problem.concavity.concave:
        return None
    n, y, C, K = problem.n, problem.y, _penalties(problem), _gram(problem)
    is_free = problem.bias == "free"
    beta, b = np.zeros(n), 0.0

    def total(beta: np.ndarray, b: float) -> float:
        f = K @ beta
        losses = np.logaddexp(0.0, -y * (f + b))
        return 0.5 * float(beta @ f) + problem.C * problem.weighted_sum(losses)

    lowest = total(beta, b)
    for _ in range(MAX_LOGISTIC_STEPS):
        # The probability of the other class.
        share = np.exp(-np.logaddexp(0.0, y * (K @ beta + b)))
        wanted = C * y * share
        error = max(float(np.abs(wanted - beta).max()), abs(float(beta.sum())) * is_free)
        if error <= TOLERANCE * C.max():
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
