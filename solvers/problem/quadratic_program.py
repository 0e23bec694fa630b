"""The dual as libraries for quadratic programs take it.

They minimise ``1/2 x' P x + q' x`` subject to ``G x <= h`` and ``A x = b``. With ``x = alpha``, the
dual of a support vector machine, which is maximised, becomes::

    P_ij = s_i s_j K_ij,   q = -s * target,   G = [-I; I],   h = [0; C_i],   A = s',   b = 0

s is the sign of each variable: its class, or in a regression +1 and -1 for the two variables of a
point. With a hard margin G has no second half; without a free bias there is no equality; with a
regularised one, 1 is added to K.

Source: the documentation of cvxopt, `coneqp`, which has the same names of the matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput
from solvers.problem.problem import Problem

# Maximum number of variables; G alone takes 64 MB for so many.
MAX_VARIABLES = 2000


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """The matrices of a quadratic program in N variables.

    Attributes
    ----------
    P : array, shape (N, N)
    q : array, shape (N,)
    G : array, shape (m, N)
    h : array, shape (m,)
    A : array, shape (k, N)
        k is 0 or 1.
    b : array, shape (k,)
    """

    P: np.ndarray
    q: np.ndarray
    G: np.ndarray
    h: np.ndarray
    A: np.ndarray
    b: np.ndarray

    def value(self, x: np.ndarray) -> float:
        """Return ``1/2 x' P x + q' x``: minus the dual of a feasible alpha, shape (N,)."""
        return float(0.5 * x @ self.P @ x + self.q @ x)


def quadratic_program(problem: Problem) -> QuadraticProgram:
    """Return the matrices of the dual.

    Raises
    ------
    BadInput
        If the dual has more than ``MAX_VARIABLES`` variables.
    """
    N = problem.n_variables
    if N > MAX_VARIABLES:
        raise BadInput(f"The matrices are made for {MAX_VARIABLES:,} variables; here are {N:,}.")
    X = problem.to_variables(problem.centered)
    K = problem.used_kernel(X, X) + (1.0 if problem.bias == "augmented" else 0.0)
    sign, identity = problem.sign, np.eye(N)
    has_bound, has_equality = not problem.hard, problem.bias == "free"
    return QuadraticProgram(
        P=np.outer(sign, sign) * K,
        q=-sign * problem.target,
        G=np.vstack([-identity, identity]) if has_bound else -identity,
        h=np.concatenate([np.zeros(N), problem.bounds]) if has_bound else np.zeros(N),
        A=sign[None, :].copy() if has_equality else np.zeros((0, N)),
        b=np.zeros(1 if has_equality else 0),
    )
