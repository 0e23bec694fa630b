"""A direction of the feature space at right angles to all points, as in the representer theorem.

Of a place z, ``phi(z)`` minus its projection on the span of the ``phi(x_i)`` is the function::

    g(x) = k(z, x) - sum_i a_i k(x_i, x),    K a = k(X, z),    ||g||^2 = k(z, z) - k(z, X) a

It is 0 at every point: added to w, it changes no ``f(x_i)``, and ``||w||^2`` grows by ``||g||^2``.

Source: Schoelkopf, Herbrich and Smola 2001, A generalized representer theorem.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.kernel import Kernel

# Smaller eigenvalues of K, relative to the largest, count as 0: with them the weights would be
# large, and g of rounding error.
SMALLEST = 1e-10
# If less than this share of ||phi(z)||^2 is off the span for every place, nothing is.
SHARE = 1e-6


@dataclass(frozen=True, eq=False)
class OffSpan:
    """A function of length 1 that is 0 at the points, up to rounding.

    Attributes
    ----------
    kernel : Kernel
    X : array, shape (n + 1, d)
        The points, and the place z.
    weights : array, shape (n + 1,)
        Its coefficients: ``-a`` and 1, divided by ``||g||``.
    """

    kernel: Kernel
    X: np.ndarray
    weights: np.ndarray

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Return its values at points, shape (m, d), shape (m,)."""
        return self.kernel(points, self.X) @ self.weights


def off_span(kernel: Kernel, X: np.ndarray, places: np.ndarray) -> OffSpan | None:
    """Return the direction for that place z at which it is largest; None if all are in the span.

    The kernel must be positive semi-definite. Takes O(n^3) time.

    Parameters
    ----------
    kernel : Kernel
    X : array, shape (n, d)
    places : array, shape (m, d)
        Among these is z; there ``g(z) = ||g||``, the largest value that any function of this length
        off the span has.
    """
    K = kernel(X, X)
    if not np.isfinite(K).all():
        return None
    values, vectors = np.linalg.eigh(K)
    is_kept = values > SMALLEST * values[-1]
    values, vectors = values[is_kept], vectors[:, is_kept]
    cross = kernel(X, places)
    a = vectors @ ((vectors.T @ cross) / values[:, None])
    lengths = kernel.diagonal(places)
    rest = lengths - np.einsum("ij,ij->j", cross, a)
    best = int(np.argmax(rest))
    if not rest[best] > SHARE * lengths[best]:
        return None
    weights = np.append(-a[:, best], 1.0) / np.sqrt(rest[best])
    return OffSpan(kernel, np.concatenate([X, places[[best]]]), weights)
