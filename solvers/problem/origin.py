"""Problems that do not change if all points are moved, or if a number is added to the kernel.

With a free bias ``sum_i beta_i = 0`` at the optimum. So the linear kernel may be computed from
another origin, ``<x - o, z - o>``, and a constant may be left out of a sum of kernels. w does not
change, and b makes up for the difference.

But rounding errors change. Far from the origin the products ``<x, z>`` are large numbers that
differ only in their last digits. With 40 points that spread over 2.5 and C = 100, the interior
point stalled at the distance 1,000 from the origin, and SMO at 100,000. At a million, the interior
point left a gap of 4,800; if the first coordinate is a date in seconds, the gap was 189,000.

So if points are farther away than ``FAR``, the centre of their bounding box is subtracted. Along a
far axis the differences are exact, since the two numbers are within a factor of two of each other.
"""

from __future__ import annotations

import numpy as np

from solvers.kernels.expressions import Binary, Minus, Number, Tree, parse, write
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_text import Composed

# The centre is subtracted from points whose distance from the origin is above this number, in
# multiples of half their largest extent. Nearer points keep their coordinates, and so the steps of
# methods. At 40 all methods converged to a gap below 1e-7, at 400 not all did.
FAR = 100.0


def center_of(X: np.ndarray) -> np.ndarray:
    """Return the centre of the bounding box of points (n, d), shape (d,)."""
    return 0.5 * (X.max(axis=0) + X.min(axis=0))


def distance_from_0(X: np.ndarray) -> float:
    """Return how far from 0 the centre of points (n, d) lies, in multiples of half their extent.

    It is the largest coordinate of the centre, and 0 if all points coincide.
    """
    half = 0.5 * float((X.max(axis=0) - X.min(axis=0)).max())
    return float(np.abs(center_of(X)).max()) / half if half > 0.0 else 0.0


def origin_of(X: np.ndarray) -> np.ndarray | None:
    """Return the centre of points (n, d) if they lie far from 0, otherwise None."""
    return center_of(X) if distance_from_0(X) > FAR else None


def without_large_constant(kernel: Kernel, X: np.ndarray) -> Kernel:
    """Return a kernel without the constants of its sum if they dominate it, otherwise unchanged.

    They dominate if k(x, x) is at most ``1 / FAR^2`` as large without them, as with far points. Its
    maximum over the points X, shape (n, d), is compared.
    """
    if not isinstance(kernel, Composed):
        return kernel
    rest = _without_constants(parse(kernel.expression))
    if rest is None or (text := write(rest)) == kernel.expression:
        return kernel
    smaller = Composed(expression=text)
    largest, remaining = (float(np.abs(k.diagonal(X)).max()) for k in (kernel, smaller))
    return smaller if 0.0 < FAR * FAR * remaining < largest else kernel


def _without_constants(tree: Tree) -> Tree | None:
    """Return a sum without its numbers; None if nothing is left."""
    if isinstance(tree, Number):
        return None
    if isinstance(tree, Minus):
        part = _without_constants(tree.operand)
        return None if part is None else Minus(part)
    if not isinstance(tree, Binary) or tree.sign not in "+-":
        return tree
    left, right = _without_constants(tree.left), _without_constants(tree.right)
    if left is None or right is None:
        return left if right is None else right if tree.sign == "+" else Minus(right)
    return Binary(tree.sign, left, right)
