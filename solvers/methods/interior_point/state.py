"""What the interior point keeps: its state, the record of a step, and the scaled problem.

The letters are those of :mod:`solvers.methods.interior_point.interior_point`.
"""

from __future__ import annotations

import math
import weakref
from typing import NamedTuple

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.gram_factor import DENSE_UP_TO, Dense, LowRank, make_gram
from solvers.problem.problem import Problem

# What ends a step: the place in ALPHA..UPPER_PRICE, the variable, its value and how that changes.
WALL = np.dtype([("kind", "i4"), ("place", "i4"), ("now", "f8"), ("change", "f8")])
ALPHA, ROOM_TO_C, LOWER_PRICE, UPPER_PRICE = range(4)
EVENT = np.dtype(
    [(name, "f8") for name in ("mu", "affine", "sigma", "predicted", "length", "primal", "gap")]
    + [("first", WALL), ("wall", WALL)]
)
# Codes of the end. Only OPTIMAL is written into the state: the others took no step.
RUNNING, OPTIMAL, STUCK, INDEFINITE, INSEPARABLE, UNBOUNDED = range(6)
# The smallest alpha strictly inside the box: one that underflows to 0 would be on its bound.
SMALLEST = 1e-300
# Places in State.level and State.count.
BIAS, GAP = range(2)
STEPS, EVALUATIONS, DONE = range(3)
# Gram matrices by problem: every cursor and the live state share one.
_known: weakref.WeakKeyDictionary[Problem, Dense | LowRank] = weakref.WeakKeyDictionary()


class State(NamedTuple):
    """Raw variables, k = 2 bounds (1 for the hard margin).

    Attributes
    ----------
    room : float64 array, shape (k, n); ``a`` and ``u - a``
    price : float64 array, shape (k, n); their multipliers
    level : float64 array, shape (2,); the bias and the duality gap
    count : int64 array, shape (3,); steps taken, kernel values asked for, whether done
    """

    room: np.ndarray
    price: np.ndarray
    level: np.ndarray
    count: np.ndarray


class Work(NamedTuple):
    """The scaled problem: no part of the state, for it follows from the problem alone.

    Attributes
    ----------
    problem : Problem
    K : the Gram matrix, stored or of low rank
    S, u : float; the unit of a, and its upper bound
    s, q : arrays, shape (n,)
    toward : array, shape (k, 1); +1 and -1: how a room changes when a grows
    free : bool; whether the equality holds
    tol : float
    """

    problem: Problem
    K: Dense | LowRank
    S: float
    u: float
    s: np.ndarray
    q: np.ndarray
    toward: np.ndarray
    free: bool
    tol: float

    def beta(self, room: np.ndarray) -> np.ndarray:
        """``s S a`` of the points, with 0 and C only where the last step has put a on a bound."""
        alpha = np.maximum(self.S * room[0], np.where(room[0] > 0, SMALLEST, 0.0))
        if len(room) == 2:
            below = np.nextafter(self.problem.C, 0.0)
            alpha = np.where(room[1] > 0, np.minimum(alpha, below), self.problem.C)
        return self.problem.fold(self.s * alpha + 0.0)

    def times(self, a: np.ndarray) -> np.ndarray:
        """``Q a``, shape (n,)."""
        return self.S * self.s * self.K.times(self.s * a)

    def excess(self, a: np.ndarray, b: float) -> np.ndarray:
        """``g = Q a + q + b s``; ``y f - 1`` in classification; shape (n,)."""
        return self.times(a) + self.q + b * self.s


def quadratic_of(problem: Problem) -> Dense | LowRank:
    """The Gram matrix of the problem's variables, ``k + 1`` if the bias is augmented; made once.

    Raises
    ------
    BadInput
        If it has too many points for its rank.
    """
    found = _known.get(problem)
    if found is None:
        X = problem.form.X
        found = make_gram(problem.kernel, X, problem.bias == "augmented")
        if found is None:
            raise BadInput(
                f"The interior point keeps the whole Gram matrix in memory: with this kernel it"
                f" takes at most {DENSE_UP_TO:,} points, and there are {len(X):,}."
            )
        _known[problem] = found
    return found


def values_of(work: Work, a: np.ndarray, b: float) -> tuple[float, float]:
    """``P`` and ``P - D`` in units of S; the hard margin's P is that of ``(w, b)`` over min y f.

    Where two variables of a point pull against each other, D is that of what remains of them.
    """
    own = work.times(a)
    excess = own + work.q + b * work.s
    norm = float(a @ own)
    a = work.s * work.problem.unfold(work.problem.fold(work.s * a))
    if not math.isinf(work.u):
        slack = work.u * float(np.maximum(0.0, -excess).sum())
        return 0.5 * norm + slack, norm + float(work.q @ a) + slack
    nearest = float((excess - work.q).min())
    primal = 0.5 * norm / nearest / nearest if nearest > 0 else math.inf
    return primal, primal + float(work.q @ a) + 0.5 * norm
