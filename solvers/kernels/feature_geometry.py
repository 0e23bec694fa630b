"""Geometry of the feature space: components, distances, and a direction off the span of the points.

The components are those of kernel PCA, along which the points vary most. The Gram matrix is
centred, ``K~ = H K H`` with ``H = I - 1/m``, and split into eigenvectors ``u_k`` and eigenvalues
``lambda_k``. Component k of any point is::

    z_k(x) = sum_i u_ik k~(x_i, x) / sqrt(|lambda_k|)

with the centred kernel ``k~``. At the points themselves ``z_k(x_i) = u_ik sqrt(|lambda_k|)``, up to
the sign of the eigenvalue. Not centred, ``z_k`` are the eigenfunctions of Mercer's theorem on these
points (Nystroem's formula), scaled so that ``k(x, z) = sum_k z_k(x) z_k(z)`` on the points.

If a function is no kernel, some eigenvalue is negative. The direction of its eigenvector would have
a negative squared length.

The representer theorem considers a direction off the span, which is at right angles to all points.
For a place z, ``phi(z)`` minus its projection on the span of the ``phi(x_i)`` is the function::

    g(x) = k(z, x) - sum_i a_i k(x_i, x),    K a = k(X, z),    ||g||^2 = k(z, z) - k(z, X) a

It is 0 at every point: added to w, it changes no ``f(x_i)``, and ``||w||^2`` grows by ``||g||^2``.

Sources: Schoelkopf, Smola and Mueller 1998; Williams and Seeger 2001; Schoelkopf, Herbrich and
Smola 2001 (representer theorem).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from solvers.kernels.feature_maps import Coordinate, FeatureMap
from solvers.kernels.kernel import Kernel
from solvers.kernels.mercer import ROUNDING

# A small set that refutes the kernel is searched among this number of points: those with the
# largest weights in the eigenvector of the smallest eigenvalue.
CANDIDATES = 14
# Smaller eigenvalues of K, relative to the largest, count as 0: with them the weights would be
# large, and g would be rounding error.
MIN_EIGENVALUE = 1e-10
# If less than this share of ||phi(z)||^2 is off the span at every place, all places count as in it.
MIN_SHARE = 1e-6


@dataclass(frozen=True, eq=False)
class Components:
    """Eigenvectors of a Gram matrix, by falling absolute eigenvalue.

    Attributes
    ----------
    kernel : Kernel
    X : array, shape (m, d)
    values : array, shape (r,)
        Eigenvalues that are not rounding error.
    vectors : array, shape (m, r)
        Orthonormal columns; the largest entry of each is positive.
    means : array, shape (m,)
        Mean of each column of K; zeros if K was not centred.
    mean : float
        Mean of K; 0 if K was not centred.
    is_centred : bool
    """

    kernel: Kernel
    X: np.ndarray
    values: np.ndarray
    vectors: np.ndarray
    means: np.ndarray
    mean: float
    is_centred: bool

    def at(self, points: np.ndarray) -> np.ndarray:
        """Return the components of points, shape (p, d), shape (p, r)."""
        K = self.kernel(np.asarray(points, dtype=np.float64), self.X)
        if self.is_centred:
            K = K - K.mean(axis=1, keepdims=True) - self.means + self.mean
        return K @ self.vectors / np.sqrt(np.abs(self.values))

    def leading(self, terms: int) -> Components:
        """Return the components of the largest eigenvalues, at most ``terms``.

        Negative eigenvalues are left out, because the square of a coordinate is not negative.
        """
        kept = np.flatnonzero(self.values > 0.0)[:terms]
        return replace(self, values=self.values[kept], vectors=self.vectors[:, kept])


def components(kernel: Kernel, X: np.ndarray, *, centred: bool = True) -> Components:
    """Return the components of points, shape (m, d); this takes O(m^3) time."""
    K = kernel(X, X)
    K = 0.5 * (K + K.T)
    largest = float(np.abs(K).max(initial=0.0))
    means, mean = K.mean(axis=0), float(K.mean())
    if centred:
        K = K - means - means[:, None] + mean
    else:
        means, mean = np.zeros(len(X)), 0.0
    values, vectors = np.linalg.eigh(K)
    order = np.argsort(-np.abs(values), kind="stable")
    order = order[np.abs(values[order]) > ROUNDING * len(X) * largest]
    values, vectors = values[order], vectors[:, order]
    peaks = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(order))]
    return Components(
        kernel, X, values, vectors * np.where(peaks < 0.0, -1.0, 1.0), means, mean, centred
    )


def mercer_map(series: Components) -> FeatureMap:
    """Return the map whose inner product is Mercer's series ``sum_k lambda_k psi_k(x) psi_k(z)``.

    Its coordinates are ``sqrt(lambda_k) psi_k(x)``; the mean square of ``psi_k`` over the points is
    1. ``series`` is what :meth:`Components.leading` returns, not centred.
    """

    def coordinate(k: int) -> Coordinate:
        one = replace(series, values=series.values[[k]], vectors=series.vectors[:, [k]])
        size = float(np.sqrt(series.values[k] / len(series.X)))
        return Coordinate(rf"{size:.3g}\,\psi_{{{k + 1}}}(x)", lambda X: one.at(X)[:, 0])

    return FeatureMap(tuple(map(coordinate, range(len(series.values)))), is_exact=False)


def refuting_points(K: np.ndarray, max_points: int = 3) -> tuple[int, ...]:
    """Return at most three points whose own Gram matrix has a negative eigenvalue; () if none.

    A few points are easier to look at than all. They are searched among those with the largest
    entries in the eigenvector of the smallest eigenvalue of K, shape (m, m). The smallest set is
    taken, and among sets of equal size the one with the most negative eigenvalue.
    """
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    tolerance = ROUNDING * len(K) * float(np.abs(K).max(initial=0.0))
    if not len(K) or values[0] >= -tolerance:
        return ()
    likely = np.argsort(-np.abs(vectors[:, 0]), kind="stable")[:CANDIDATES].tolist()
    for count in range(1, max_points + 1):
        found = {
            points: float(np.linalg.eigvalsh(K[np.ix_(points, points)])[0])
            for points in itertools.combinations(sorted(likely), count)
        }
        best = min(found, key=found.__getitem__, default=())
        if best and found[best] < -tolerance:
            return best
    return ()


@dataclass(frozen=True)
class FeatureDistance:
    """Two points in the plane and in the feature space.

    Attributes
    ----------
    plane, feature : float
        ``||x - z||`` and ``||phi(x) - phi(z)||``; nan if an indefinite kernel makes the square of
        the latter negative.
    angle : float
        Angle between phi(x) and phi(z), degrees; nan if one of them has no positive length.
    """

    plane: float
    feature: float
    angle: float


def feature_distance(kernel: Kernel, x: np.ndarray, z: np.ndarray) -> FeatureDistance:
    """Return the distances of two points, shape (d,).

    ``||phi(x) - phi(z)||^2 = k(x, x) - 2 k(x, z) + k(z, z)``.
    """
    both = np.stack([x, z])
    K = kernel(both, both)
    xx, xz, zz = float(K[0, 0]), float(K[0, 1]), float(K[1, 1])
    with np.errstate(invalid="ignore"):
        squared = xx - 2.0 * xz + zz
        # For parallel points, the root of the product is exact more often than the product of the
        # roots. But the product of tiny or huge numbers may be 0 or infinite.
        product = xx * zz
        is_normal = np.finfo(float).tiny <= product < np.inf
        length = np.sqrt(product) if is_normal else np.sqrt(xx) * np.sqrt(zz)
        cosine = xz / length if xx > 0.0 and zz > 0.0 else np.nan
        return FeatureDistance(
            float(np.linalg.norm(x - z)),
            float(np.sqrt(squared)) if squared >= 0.0 else float("nan"),
            float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))),
        )


def distances_to_mean(kernel: Kernel, points: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return ``||phi(x) - mean_j phi(z_j)||`` of points (p, d), given the z_j, shape (m, d).

    The square is ``k(x, x) - 2 mean_j k(x, z_j) + mean_ij k(z_i, z_j)``. An indefinite kernel or
    rounding can make it negative; it then counts as 0.
    """
    cross = kernel(points, of).mean(axis=1)
    squared = kernel.diagonal(points) - 2.0 * cross + float(kernel(of, of).mean())
    return np.sqrt(np.maximum(squared, 0.0))


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
        The places from which z is chosen. At z the result has the value ``||g||``, the largest
        value that any function of length 1 off the span has there.
    """
    K = kernel(X, X)
    if not np.isfinite(K).all():
        return None
    values, vectors = np.linalg.eigh(K)
    is_kept = values > MIN_EIGENVALUE * values[-1]
    values, vectors = values[is_kept], vectors[:, is_kept]
    cross = kernel(X, places)
    a = vectors @ ((vectors.T @ cross) / values[:, None])
    lengths = kernel.diagonal(places)
    rest = lengths - np.einsum("ij,ij->j", cross, a)
    best = int(np.argmax(rest))
    if not rest[best] > MIN_SHARE * lengths[best]:
        return None
    weights = np.append(-a[:, best], 1.0) / np.sqrt(rest[best])
    return OffSpan(kernel, np.concatenate([X, places[[best]]]), weights)
