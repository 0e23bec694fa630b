"""Linear and polynomial kernels with few features: a change of F is one polynomial.

Let ``k(x, z) = sum_m a_m x^m z^m``, where m runs over D monomials. The D *features* of x are its
monomials ``x^m``, up to scale. In the plane D is 10 for the cubic kernel, and 3 for the linear
kernel, in which the constant monomial 1 has the coefficient ``a_m = 0``. If beta changes by delta,
F changes by ``-K delta``, which is one polynomial in x. If its D coefficients are known, updating F
at all n points takes n D operations, however many variables changed.

There is an optimum with at most D + 1 free variables: any D + 2 free variables can be moved in a
direction along which f does not change, until one of them reaches a bound.
"""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np

from solvers.jit.compiled import called_by_address, compiled
from solvers.jit.signatures import Indices, Matrix, Table, Vector
from solvers.kernels.kernel import Kernel
from solvers.kernels.programs import LINEAR, POLYNOMIAL
from solvers.problem.problem import DualForm

# Monomials are used for at most this number of features. For more features, updating F with kernel
# values is as fast.
MAX_FEATURES = 100
# Points per block. F of a block stays in the processor's cache while all monomials are subtracted.
BLOCK = 1024
# The result of `monomials_at` for kernels without monomials.
NO_MONOMIALS = (np.empty((0, 0)), np.empty((2, 0)))


@functools.lru_cache(maxsize=32)
def number_of_features(kernel: Kernel, d: int) -> int | None:
    """Return the number of features of a kernel in d dimensions.

    For the linear kernel this is d, without the constant monomial, whose coefficient is 0. Return
    None if the number is unknown, or larger than ``MAX_FEATURES``.
    """
    try:
        features = kernel.feature_map(np.ones((1, d)))
    except OverflowError:
        # The parameters are so large that kernel values are infinite, except near the origin.
        return None
    return None if features is None or features.size > MAX_FEATURES else features.size


def monomials_at(dual_form: DualForm) -> tuple[np.ndarray, np.ndarray]:
    """Return the monomials of ``sqrt(gamma) x`` at all points, and their kernel coefficients.

    Return two arrays of the shapes (D, n) and (2, D). The first row of the second array contains
    the coefficients ``a_m``, its second row is working memory. D is 0 for kernels that are neither
    linear nor polynomial, and for those with too many monomials.
    """
    op, (n, d) = int(dual_form.ops[0]), dual_form.X.shape
    if len(dual_form.ops) > 1 or op not in (LINEAR, POLYNOMIAL):
        return NO_MONOMIALS
    gamma, coef0, degree = (1.0, 0.0, 1) if op == LINEAR else dual_form.args[0][:3].tolist()
    if math.comb(int(degree) + d, d) > MAX_FEATURES:
        return NO_MONOMIALS
    parents, a = monomials_of(d, coef0, int(degree))
    features, weights = np.empty((len(a), n)), np.empty((2, len(a)))
    weights[0] = a
    # Coordinates times sqrt(gamma) keep the monomials hardly larger than sqrt(k(x, x)).
    fill(parents, np.multiply(math.sqrt(gamma), dual_form.X.T, order="C"), features)
    return features, weights


@functools.lru_cache(maxsize=32)
def monomials_of(d: int, coef0: float, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the monomials of ``(coef0 + <x, z>)^degree``, by degree, and their coefficients.

    Every monomial m except the constant 1, which comes first, is the product of an earlier monomial
    and a coordinate. Row m of the first array, shape (D, 2), has the number of the earlier monomial
    and the number of the coordinate; both are -1 for the constant monomial. The second array, shape
    (D,), contains the coefficients a of ``k(x, z) = sum_m a_m x^m z^m``.
    """
    number_of: dict[tuple[int, ...], int] = {}
    parents, a = [], []
    for p in range(degree + 1):
        for coordinates in itertools.combinations_with_replacement(range(d), p):
            number_of[coordinates] = len(parents)
            parents.append((number_of[coordinates[:-1]], coordinates[-1]) if p else (-1, -1))
            # The multinomial coefficient: in how many ways a product of `degree` factors, each a
            # coordinate or coef0, contains exactly the coordinates of this monomial.
            multiplicity = math.comb(degree, p) * math.factorial(p)
            for c in range(d):
                multiplicity //= math.factorial(coordinates.count(c))
            a.append(multiplicity * coef0 ** (degree - p))
    return np.array(parents), np.array(a)


@compiled
def fill(parent: Table, XT: Matrix, features: Matrix) -> None:
    """Fill in ``features``, shape (D, n): every monomial at every point.

    ``parent`` is the first result of :func:`monomials_of`.
    """
    for m in range(len(features)):
        row = features[m]
        if parent[m, 0] < 0:
            for k in range(len(row)):
                row[k] = 1.0
        else:
            parent_row, coordinate = features[parent[m, 0]], XT[parent[m, 1]]
            for k in range(len(row)):
                row[k] = parent_row[k] * coordinate[k]


@called_by_address
def subtract_polynomial(
    features: Matrix, weights: Matrix, indices: Indices, delta: Vector, n_changed: int, F: Vector
) -> None:
    """Subtract ``sum_m w_m x^m`` from F at all points.

    ``w_m = a_m sum_r delta_r x_r^m``, where r runs over the first ``n_changed`` points of
    ``indices``. ``weights`` has the rows a and w; w is working memory.
    """
    a, w = weights[0], weights[1]
    for m in range(len(a)):
        row, total = features[m], 0.0
        for r in range(n_changed):
            total += delta[r] * row[indices[r]]
        w[m] = a[m] * total
    for start in range(0, len(F), BLOCK):
        F_block = F[start : start + BLOCK]
        for m in range(len(w)):
            if w[m] != 0.0:
                weight, row = w[m], features[m, start : start + BLOCK]
                for k in range(len(F_block)):
                    F_block[k] -= weight * row[k]
