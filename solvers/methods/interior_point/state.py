"""The state of the interior point, the record of a step, and the scaled problem.

The module :mod:`solvers.methods.interior_point.interior_point` defines the letters.
"""

from __future__ import annotations

import math
import weakref
from typing import NamedTuple

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.gram_factor import MAX_DENSE, Centered, Dense, LowRank, make_gram
from solvers.problem.problem import Problem

# What limits a step: the distance or multiplier that would reach 0 first. The fields are its kind,
# its dual variable, its value before the step, and its change in a step of length 1.
BLOCKING = np.dtype([("kind", "i4"), ("variable", "i4"), ("now", "f8"), ("change", "f8")])
ALPHA, DISTANCE_TO_C, LOWER_MULTIPLIER, UPPER_MULTIPLIER = range(4)
# The record of a step; the attributes of :class:`.events.PathFollowed` explain the names.
EVENT = np.dtype(
    [(name, "f8") for name in ("mu", "mu_affine", "sigma", "predicted", "length", "primal", "gap")]
    + [("first", BLOCKING), ("blocking", BLOCKING)]
)
# Stop codes. The state records only OPTIMAL, as ``is_done``, since all other codes end a run
# without a step.
RUNNING, OPTIMAL, STALLED, INDEFINITE, INSEPARABLE, UNBOUNDED = range(6)
# The smallest alpha strictly inside the box. A smaller alpha could underflow to the bound 0.
MIN_ALPHA = 1e-300
# The scalars of a state. ``gap`` is the duality gap; ``is_done`` is 0 before the last step (see
# last_step.py) and 1 after it.
SCALARS = np.dtype(
    [("bias", "f8"), ("gap", "f8"), ("steps", "i8"), ("evaluations", "i8"), ("is_done", "i8")]
)
# The Gram matrix of each problem, shared by a run and its cursors.
_gram_matrices: weakref.WeakKeyDictionary[Problem, Dense | LowRank] = weakref.WeakKeyDictionary()


class State(NamedTuple):
    """The N variables of the method, each with k = 2 bounds (1 for the hard margin).

    Attributes
    ----------
    distance : float64 array, shape (k, N); the distances to the bounds, ``a`` and ``u - a``
    multiplier : float64 array, shape (k, N); the multipliers of the bounds
    scalars : structured array, shape (1,); see :data:`SCALARS`
    """

    distance: np.ndarray
    multiplier: np.ndarray
    scalars: np.ndarray


class Work(NamedTuple):
    """The scaled problem, a function of the problem and the tolerance.

    Attributes
    ----------
    problem : Problem
    K : Dense or LowRank; the Gram matrix
    S, u : float; the unit of a, and its upper bound
    s, q : arrays, shape (N,); the signs of the variables, and the linear term of the objective
    distance_slope : array, shape (k, 1); +1 and -1, the derivatives of the distances with respect
        to a
    free : bool; whether the bias is free, so that the equality constraint holds
    tol : float
    """

    problem: Problem
    K: Dense | LowRank
    S: float
    u: float
    s: np.ndarray
    q: np.ndarray
    distance_slope: np.ndarray
    free: bool
    tol: float

    def beta(self, distance: np.ndarray) -> np.ndarray:
        """Return beta of the points, shape (n,): the sum of ``s S a`` over each point's variables.

        An alpha is exactly 0 or C only if the last step has set it to this bound. Any other alpha
        that rounding would make 0 or C is moved back inside the box.
        """
        alpha = np.maximum(self.S * distance[0], np.where(distance[0] > 0, MIN_ALPHA, 0.0))
        if len(distance) == 2:
            below = np.nextafter(self.problem.C, 0.0)
            alpha = np.where(distance[1] > 0, np.minimum(alpha, below), self.problem.C)
        return self.problem.sum_per_point(self.s * alpha + 0.0)

    def times(self, a: np.ndarray) -> np.ndarray:
        """Return ``Q a``, shape (N,).

        It depends on beta alone. In a regression the two variables of a point may nearly cancel in
        beta, and the products with the kernel would be that much larger than their sum.
        """
        beta = self.problem.sum_per_point(self.s * a)
        return self.S * self.s * self.K.times(self.problem.variables_of(beta))

    def excess(self, a: np.ndarray, b: float) -> np.ndarray:
        """Return the excess ``Q a + q + b s``, shape (N,); in classification it is ``y f - 1``."""
        return self.times(a) + self.q + b * self.s


def gram_matrix_of(problem: Problem) -> Dense | LowRank:
    """Return the Gram matrix of the problem; with an augmented bias, that of ``k + 1``.

    The matrix is computed at the first call for a problem.

    Raises
    ------
    BadInput
        If the matrix is too large to be stored, and its rank is too high for a low-rank factor.
    """
    matrix = _gram_matrices.get(problem)
    if matrix is None:
        X = problem.dual_form.X
        matrix = make_gram(problem.used_kernel, X, problem.bias == "augmented")
        if matrix is None:
            raise BadInput(
                f"The interior point keeps the whole Gram matrix in memory: with this kernel the"
                f" problem may have at most {MAX_DENSE:,} variables α, and it has {len(X):,}."
            )
        if problem.bias == "free" and isinstance(matrix, Dense) and _needs_center(problem):
            matrix = Centered(matrix.Q)
        _gram_matrices[problem] = matrix
    return matrix


def _needs_center(problem: Problem) -> bool:
    """Return whether K may be positive semi-definite for ``sum beta = 0``, but is not elsewhere.

    The Newton system needs it everywhere. Other problems keep their K, and so their steps.
    """
    concavity = problem.concavity
    return concavity.mercer.refuted and concavity.concave is not False


def primal_and_gap(work: Work, a: np.ndarray, b: float) -> tuple[float, float]:
    """Return P and the gap P - D, both divided by S.

    For a hard margin, P is computed after ``(w, b)`` is divided by the smallest y f, and is
    infinite if that is not positive. In a regression, both variables of a point may be positive.
    The smaller of the two is then subtracted from both before D is computed. This does not change
    beta.
    """
    product = work.times(a)
    excess = product + work.q + b * work.s
    squared_norm = float(a @ product)
    a = work.s * work.problem.variables_of(work.problem.sum_per_point(work.s * a))
    if not math.isinf(work.u):
        slack = work.u * float(np.maximum(0.0, -excess).sum())
        return 0.5 * squared_norm + slack, squared_norm + float(work.q @ a) + slack
    min_margin = float((excess - work.q).min())
    primal = 0.5 * squared_norm / min_margin / min_margin if min_margin > 0 else math.inf
    return primal, primal + float(work.q @ a) + 0.5 * squared_norm
