"""Kernels with few features: what n kernel values do for the others, D features do for them.

Where ``k(x, z) = sum_m a_m x^m z^m`` over D monomials (d for the linear kernel, 10 for the cubic
one in the plane), ``K delta`` is one polynomial: F of all points takes n D operations, whatever the
number of variables that changed. And no more than D + 1 free variables are ever needed: among
D + 2 some combination changes no f at all, so it can be moved until one of them meets a wall.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from solvers.apart import compiled_apart
from solvers.kernels import Kernel
from solvers.kinds import Indices, Matrix, Table, Vector
from solvers.problem import DualForm
from solvers.programs import LINEAR, POLYNOMIAL

# Beyond so many, kernel values are as quick.
MOST_FEATURES = 100
# Points for which all monomials are taken before the next ones: their F stays in fast memory.
PART = 1024


class Monomials(NamedTuple):
    """A kernel as ``sum_m a_m x^m z^m``; D = 0 where it is none, or one of too many.

    Attributes
    ----------
    parent : int64 array, shape (D, 2)
        Monomial m is an earlier one times a coordinate: the numbers of both; -1 where it is 1.
    a : float64 array, shape (D,)
    """

    parent: np.ndarray
    a: np.ndarray


NONE = Monomials(np.empty((0, 2), dtype=np.int64), np.empty(0))


@functools.lru_cache(maxsize=32)
def number_of_features(kernel: Kernel, d: int) -> int | None:
    """How many features a kernel has in d dimensions; None if they are many or not known."""
    features = kernel.feature_map(np.ones((1, d)))
    return None if features is None or features.size > MOST_FEATURES else features.size


def monomials_of(form: DualForm) -> Monomials:
    """The monomials of a linear or polynomial kernel on points of d coordinates."""
    op, d = int(form.ops[0]), len(form.XT)
    if len(form.ops) > 1 or op not in (LINEAR, POLYNOMIAL):
        return NONE
    gamma, coef0, degree = (1.0, 0.0, 1) if op == LINEAR else form.args[0][:3].tolist()
    return _monomials(d, gamma, coef0, int(degree))


@functools.lru_cache(maxsize=32)
def _monomials(d: int, gamma: float, coef0: float, degree: int) -> Monomials:
    """Those of ``(coef0 + gamma <x, z>)^degree``, by degree."""
    if math.comb(degree + d, d) > MOST_FEATURES:
        return NONE
    numbers: dict[tuple[int, ...], int] = {}
    parents, a = [], []
    for p in range(degree + 1):
        for chosen in itertools.combinations_with_replacement(range(d), p):
            numbers[chosen] = len(parents)
            parents.append((numbers[chosen[:-1]], chosen[-1]) if p else (-1, -1))
            ways = math.comb(degree, p) * math.factorial(p)
            for c in range(d):
                ways //= math.factorial(chosen.count(c))
            a.append(ways * coef0 ** (degree - p) * gamma**p)
    return Monomials(np.array(parents), np.array(a))


@compiled_apart
def fill(parent: Table, XT: Matrix, features: Matrix) -> None:
    """Every monomial at every point: ``features`` has shape (D, n)."""
    for m in range(len(features)):
        row = features[m]
        if parent[m, 0] < 0:
            for k in range(len(row)):
                row[k] = 1.0
        else:
            before, column = features[parent[m, 0]], XT[parent[m, 1]]
            for k in range(len(row)):
                row[k] = before[k] * column[k]


@compiled_apart
def take_out_polynomial(
    a: Vector, features: Matrix, chosen: Indices, delta: Vector, changed: int, w: Vector, F: Vector
) -> None:
    """``F -= sum_m w_m x^m`` with ``w_m = a_m sum_r delta_r x_r^m`` over the chosen."""
    for m in range(len(a)):
        row, w[m] = features[m], 0.0
        if a[m] != 0.0:
            for r in range(changed):
                w[m] += a[m] * delta[r] * row[chosen[r]]
    for start in range(0, len(F), PART):
        part = F[start : start + PART]
        for m in range(len(a)):
            if w[m] != 0.0:
                weight, row = w[m], features[m, start : start + PART]
                for k in range(len(part)):
                    part[k] -= weight * row[k]
