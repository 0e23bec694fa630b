r"""Feature maps written out: the coordinates of ``phi(x)`` with ``<phi(x), phi(z)> = k(x, z)``.

The linear kernel, polynomials and the quadratic kernels have finitely many coordinates. Those of a
polynomial are all products of at most d coordinates of x::

    (c + g <x, z>)^d = sum_p  d! / (p! (d - |p|)!)  c^(d - |p|)  g^|p|  x^p z^p

where p are the powers of the coordinates, ``|p| <= d``. The RBF kernel has infinitely many::

    exp(-g ||x - z||^2) = exp(-g ||x||^2) exp(-g ||z||^2)  sum_p  (2 g)^|p| / p!  x^p z^p

and is cut off after the products of T coordinates. Each of them is a product of one factor for each
coordinate of x, which is at most 1 (:func:`gaussian_factor`).

A sum, product or power of such kernels is again a sum of such terms. Terms with equal products of
coordinates are combined.

Sources: Steinwart, Hush and Scovel 2006 (RBF); Schoelkopf and Smola 2002, 2.1 (polynomials).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from solvers.kernels.combinations import Constant, Power, Product, Sum
from solvers.kernels.kernel import MAX_FEATURES, Kernel, Part
from solvers.kernels.kernel_text import Composed
from solvers.kernels.quadratics import QuadraticForm
from solvers.kernels.standard import RBF, Linear, Polynomial

# Coordinates of phi are clipped to this size.
MAX_VALUE = 1e140
# The factor of the RBF kernel's map.
GAUSSIAN = r"e^{-\gamma \|x\|^2}"


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of phi.

    Attributes
    ----------
    letters : str
        LaTeX, without the factor of the map.
    values : callable(array (n, d)) -> array (n,)
    """

    letters: str
    values: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class FeatureMap:
    """A map into a space of finitely many dimensions.

    Attributes
    ----------
    coordinates : tuple of Coordinate
    is_exact : bool
        Whether ``<phi(x), phi(z)>`` is the kernel, and not the sum of its first terms.
    factor : str
        LaTeX of a factor that all coordinates share; empty if there is none.
    """

    coordinates: tuple[Coordinate, ...]
    is_exact: bool = True
    factor: str = ""

    @property
    def varying(self) -> tuple[int, ...]:
        """Indices of the coordinates that are not constant."""
        letters = [self.factor + coordinate.letters for coordinate in self.coordinates]
        return tuple(k for k, text in enumerate(letters) if "x" in text)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return phi of points, shape (n, d), shape (n, number of coordinates).

        Values are clipped to MAX_VALUE, so that their inner products are finite.
        """
        X = np.asarray(X, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            phi = np.column_stack([coordinate.values(X) for coordinate in self.coordinates])
        return np.clip(np.nan_to_num(phi), -MAX_VALUE, MAX_VALUE)


def feature_map(kernel: Kernel, d: int, terms: int = 4) -> FeatureMap | None:
    """Return the map of a kernel on points of d coordinates; None if it is not written out here.

    ``terms`` is the largest number of factors of a coordinate, for kernels with infinitely many.
    """
    if isinstance(kernel, RBF):
        coordinates = tuple(_gaussian(kernel.gamma, d, terms))
        return FeatureMap(coordinates, is_exact=False, factor=GAUSSIAN)
    squares = _squares(kernel, d)
    if squares is None or not 0 < len(squares) <= MAX_FEATURES:
        return None
    coordinates = (_monomial(math.sqrt(squares[key]), *key) for key in sorted(squares, key=_place))
    return FeatureMap(tuple(coordinates))


# The weights of a kernel that is a sum of products u(x) u(z), in which u is a product of powers of
# coordinates and a power of ||x||^2. The keys are these powers.
Squares = dict[tuple[tuple[int, ...], int], float]


def _squares(part: Part, d: int) -> Squares | None:
    """Return the weights of a kernel, all above 0; None if it is not a sum of such products."""
    if isinstance(part, Linear):
        return {(powers, 0): 1.0 for powers in _powers(d, 1) if any(powers)}
    if isinstance(part, Polynomial):
        return {(powers, 0): square for powers, square in _polynomial(part, d)}
    if isinstance(part, QuadraticForm):
        return {(powers, m): weight for powers, m, weight in _quadratic(part, d)}
    if isinstance(part, Composed):
        return _squares(part.part, d)
    if isinstance(part, Constant):
        if part.value < 0.0:
            return None
        return {((0,) * d, 0): part.value} if part.value else {}
    if isinstance(part, Power):
        factors = itertools.repeat(_squares(part.part, d), part.exponent)
        return functools.reduce(_times, factors)
    if isinstance(part, Sum | Product):
        left, right = (_squares(side, d) for side in (part.left, part.right))
        return _times(left, right) if isinstance(part, Product) else _plus(left, right)
    return None


def _plus(left: Squares | None, right: Squares | None) -> Squares | None:
    if left is None or right is None:
        return None
    return {key: left.get(key, 0.0) + right.get(key, 0.0) for key in {**left, **right}}


def _times(left: Squares | None, right: Squares | None) -> Squares | None:
    if left is None or right is None or len(left) * len(right) > MAX_FEATURES**2:
        return None
    total: Squares = {}
    for (p, m), a in left.items():
        for (q, k), b in right.items():
            key = tuple(x + y for x, y in zip(p, q, strict=True)), m + k
            total[key] = total.get(key, 0.0) + a * b
    return total


def _place(key: tuple[tuple[int, ...], int]) -> tuple[int, int, int, list[int]]:
    """Return the place of a coordinate: by degree, and powers of one coordinate before products."""
    powers, m = key
    factors = sum(power > 0 for power in powers)
    return sum(powers) + 2 * m, m, factors, [-power for power in powers]


def _powers(d: int, degree: int) -> Iterator[tuple[int, ...]]:
    """Yield the powers of all products of at most ``degree`` of d coordinates, by degree."""
    for total in range(degree + 1):
        for factors in itertools.combinations_with_replacement(range(d), total):
            yield tuple(factors.count(c) for c in range(d))


def _polynomial(kernel: Polynomial, d: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the powers and the weight of each product of coordinates."""
    for powers in _powers(d, kernel.degree):
        total = sum(powers)
        rest = kernel.degree - total
        ways = math.factorial(kernel.degree) / (_factorials(powers) * math.factorial(rest))
        square = ways * kernel.coef0**rest * kernel.gamma**total
        if square > 0.0:
            yield powers, square


def _quadratic(kernel: QuadraticForm, d: int) -> Iterator[tuple[tuple[int, ...], int, float]]:
    """Yield powers of the coordinates and of ||x||^2, and the weight."""
    constant, linear, square, product = kernel.weights
    for powers in _powers(d, 2):
        total = sum(powers)
        # (x1 z1 + x2 z2)^2 contains each product of two different coordinates twice.
        ways = 2.0 if max(powers, default=0) < total else 1.0
        weight = ways * (constant, linear, square)[total]
        if weight:
            yield powers, 0, weight
    if product:
        yield (0,) * d, 1, product


def _gaussian(gamma: float, d: int, terms: int) -> Iterator[Coordinate]:
    for powers in _powers(d, terms):
        size = math.sqrt((2.0 * gamma) ** sum(powers) / _factorials(powers))

        def values(X: np.ndarray, powers: tuple[int, ...] = powers) -> np.ndarray:
            factors = [gaussian_factor(X[:, c], gamma, power) for c, power in enumerate(powers)]
            return np.prod(factors, axis=0)

        yield Coordinate(_monomial(size, powers).letters, values)


def gaussian_factor(x: np.ndarray, gamma: float, power: int) -> np.ndarray:
    """Return ``sqrt((2 gamma)^p / p!) x^p exp(-gamma x^2)`` of numbers, shape (m,).

    It is computed from its logarithm, since x^p alone may be too large for a number.
    """
    with np.errstate(divide="ignore", over="ignore"):
        log = -gamma * x * x - 0.5 * math.lgamma(power + 1)
        if power:
            log += power * (np.log(np.abs(x)) + 0.5 * math.log(2.0 * gamma))
    return np.exp(log) * np.sign(x) ** power


def gaussian_field(
    X: np.ndarray, beta: np.ndarray, gamma: float, terms: int, xs: np.ndarray, ys: np.ndarray
) -> np.ndarray:
    """Return ``sum_i beta_i <phi(x_i), phi(x)>`` on a grid, shape (len(ys), len(xs)).

    phi is the map of the RBF kernel cut off after products of ``terms`` coordinates. The sum is
    computed from products of matrices, without phi of the nodes.

    Parameters
    ----------
    X : array, shape (n, 2)
    beta : array, shape (n,)
    gamma : float
    terms : int
    xs, ys : array
        The coordinates of the nodes.
    """

    def factors(values: np.ndarray) -> np.ndarray:
        return np.stack([gaussian_factor(values, gamma, p) for p in range(terms + 1)])

    weights = (factors(X[:, 0]) * beta) @ factors(X[:, 1]).T
    orders = np.add.outer(np.arange(terms + 1), np.arange(terms + 1))
    weights[orders > terms] = 0.0
    return factors(ys).T @ weights.T @ factors(xs)


def _factorials(powers: tuple[int, ...]) -> float:
    return float(math.prod(math.factorial(power) for power in powers))


def _monomial(size: float, powers: tuple[int, ...], m: int = 0) -> Coordinate:
    """Return the coordinate ``size x_1^p_1 x_2^p_2 ... ||x||^(2 m)``."""
    names = ["x"] if len(powers) == 1 else [f"x_{{{c + 1}}}" for c in range(len(powers))]
    factors = [
        name if power == 1 else f"{name}^{{{power}}}"
        for name, power in zip(names, powers, strict=True)
        if power
    ]
    number = _number(size)
    if m == 1 and number == "1" and not factors:
        factors = [" + ".join(f"{name}^2" for name in names)]
    elif m:
        factors.append(rf"\|x\|^{{{2 * m}}}")
    letters = " ".join(([] if number == "1" and factors else [number]) + factors)

    def values(X: np.ndarray) -> np.ndarray:
        product = size * np.prod(X ** np.array(powers), axis=1)
        return product * np.einsum("ij,ij->i", X, X) ** m if m else product

    return Coordinate(letters, values)


def _number(value: float) -> str:
    r"""Return a number in LaTeX; a root of a whole number as ``\sqrt{2}``."""
    square = value * value
    if abs(value - round(value)) < 1e-12:
        return str(round(value))
    if abs(square - round(square)) < 1e-9 and round(square) < 1000:
        return rf"\sqrt{{{round(square)}}}"
    return f"{value:.3g}"
