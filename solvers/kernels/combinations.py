"""Kernels made of kernels: sums, products, powers, exp, scalings.

A composed kernel is a tree of *parts*. Each part computes its Gram matrix, program, features and
field on a grid from those of the parts that it is made of. Closure rules decide whether a part is
positive semi-definite. If k, k1 and k2 are positive semi-definite, so are ``c k`` and ``k + c``
with ``c >= 0``, ``k1 + k2``, ``k1 k2``, ``k^n``, ``exp(k)`` and ``f(x) k(x, z) f(z)``.

The functions f of a scaling ``f(x) k(x, z) f(z)`` are:

* ``norm`` is ``||x||``, and ``squared_norm`` is ``||x||^2``.
* ``inverse_norm`` is ``1 / ||x||``, and 0 at the origin. With the linear kernel as k, the result is
  the cosine of the angle of x and z.
* ``gaussian`` is ``exp(-g ||x||^2)``, with g = 1/2 by default. So ``scale(gaussian,
  exp(linear()))`` is the RBF kernel with gamma = 1/2.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from solvers.kernels.grids import MAX_TERMS, Terms
from solvers.kernels.kernel import MAX_FEATURES, Part
from solvers.kernels.programs import (
    ADD,
    CONSTANT,
    EXP,
    GAUSSIAN,
    INVERSE_NORM,
    MULTIPLY,
    NORM,
    RAISE,
    SCALING_,
    SQUARED_NORM,
    Program,
)


@dataclass(frozen=True)
class Constant(Part):
    """``k(x, z) = c``."""

    value: float

    @property
    def mercer(self) -> bool:
        return self.value >= 0.0

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.full((len(A), len(B)), self.value)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.value)

    def program(self) -> Program:
        return Program.of(CONSTANT, self.value)

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        return np.full((len(X), 1), np.sqrt(self.value)) if self.mercer else None

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        return [(np.full((1, len(S)), self.value), np.ones((1, len(S))))]


@dataclass(frozen=True)
class BinaryPart(Part):
    """A combination of two parts that is positive semi-definite if both are."""

    left: Part
    right: Part

    @property
    def mercer(self) -> bool:
        return self.left.mercer and self.right.mercer


@dataclass(frozen=True)
class Sum(BinaryPart):
    """``k1 + k2``."""

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return self.left(A, B) + self.right(A, B)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) + self.right.diagonal(X)

    def program(self) -> Program:
        return self.left.program().then(self.right.program(), Program.of(ADD))

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return the features of both parts, side by side."""
        left, right = self.left.feature_map(X), self.right.feature_map(X)
        return None if left is None or right is None else np.hstack([left, right])

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        left, right = self.left.separable_terms(S, xs, ys), self.right.separable_terms(S, xs, ys)
        return None if left is None or right is None else [*left, *right]

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        return self.left.on_grid(beta, S, xs, ys) + self.right.on_grid(beta, S, xs, ys)


@dataclass(frozen=True)
class Product(BinaryPart):
    """``k1 k2``, entry by entry (Schur's product)."""

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return self.left(A, B) * self.right(A, B)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) * self.right.diagonal(X)

    def program(self) -> Program:
        return self.left.program().then(self.right.program(), Program.of(MULTIPLY))

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return every product of a feature of the left part and a feature of the right part."""
        return _multiply_features(self.left.feature_map(X), self.right.feature_map(X))

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        return _multiply_terms(
            self.left.separable_terms(S, xs, ys), self.right.separable_terms(S, xs, ys)
        )

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        if isinstance(self.left, Constant):
            return self.left.value * self.right.on_grid(beta, S, xs, ys)
        return super().on_grid(beta, S, xs, ys)


@dataclass(frozen=True)
class Power(Part):
    """``k^n`` for an integer ``n >= 1``."""

    part: Part
    exponent: int

    @property
    def mercer(self) -> bool:
        return self.part.mercer

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return self.part(A, B) ** self.exponent

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.part.diagonal(X) ** self.exponent

    def program(self) -> Program:
        exponent = Program.of(CONSTANT, self.exponent)
        return self.part.program().then(exponent, Program.of(RAISE))

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return every product of n features of the inner kernel.

        The features of the inner kernel are computed only once. If they were computed for each
        factor, each level of nested powers would take up to ten times longer.
        """
        return functools.reduce(
            _multiply_features, itertools.repeat(self.part.feature_map(X), self.exponent)
        )

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        terms = self.part.separable_terms(S, xs, ys)
        return functools.reduce(_multiply_terms, itertools.repeat(terms, self.exponent))


@dataclass(frozen=True)
class Exponential(Part):
    """``exp(k)``: the sum of all ``k^n / n!``."""

    part: Part

    @property
    def mercer(self) -> bool:
        return self.part.mercer

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.exp(self.part(A, B))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.exp(self.part.diagonal(X))

    def program(self) -> Program:
        return self.part.program().then(Program.of(EXP))


@dataclass(frozen=True)
class Scaled(Part):
    """``f(x) k(x, z) f(z)``, where f is a function of x alone.

    Attributes
    ----------
    kind : int
        The number of f in :mod:`solvers.kernels.programs`, such as ``NORM``.
    g : float
        The parameter of ``f(x) = exp(-g ||x||^2)``; other functions f ignore it.
    part : Part
        The kernel k.
    """

    kind: int
    g: float
    part: Part

    @property
    def mercer(self) -> bool:
        return self.part.mercer

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.outer(self._f(A), self._f(B)) * self.part(A, B)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self._f(X) ** 2 * self.part.diagonal(X)

    def program(self) -> Program:
        f = Program.of(SCALING_, self.kind, self.g)
        return self.part.program().then(f, Program.of(MULTIPLY))

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        features = self.part.feature_map(X)
        return None if features is None else self._f(X)[:, None] * features

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms | None:
        terms = self.part.separable_terms(S, xs, ys)
        if terms is None or self.kind != GAUSSIAN:
            return None
        along_x = np.exp(-self.g * (xs[:, None] ** 2 + S[:, 0] ** 2))
        along_y = np.exp(-self.g * (ys[:, None] ** 2 + S[:, 1] ** 2))
        return [(along_x * p, along_y * q) for p, q in terms]

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """Return the field on the grid; f at a node is a common factor of all terms of the sum."""
        x, y = np.meshgrid(xs, ys)
        f = self._f(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
        return f * self.part.on_grid(beta * self._f(S), S, xs, ys)

    def _f(self, X: np.ndarray) -> np.ndarray:
        """Return ``f(x_i)``, shape (n,)."""
        with np.errstate(over="ignore", divide="ignore"):
            squared = np.einsum("ij,ij->i", X, X)
            if self.kind == SQUARED_NORM:
                return squared
            if self.kind == NORM:
                return np.sqrt(squared)
            if self.kind == INVERSE_NORM:
                return np.where(squared > 0.0, 1.0 / np.sqrt(squared), 0.0)
            return np.exp(-self.g * squared)


def _multiply_features(left: np.ndarray | None, right: np.ndarray | None) -> np.ndarray | None:
    """Return the features of a product, shape (n, k l), from those of its factors.

    The factors have features of shape (n, k) and (n, l). Return None if a factor has no features,
    or if the product would have more than ``MAX_FEATURES``.
    """
    if left is None or right is None or left.shape[1] * right.shape[1] > MAX_FEATURES:
        return None
    return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)


def _multiply_terms(left: Terms | None, right: Terms | None) -> Terms | None:
    """Return the terms of the product of two separable kernels.

    Return None if a kernel is not separable, or if there would be more than ``MAX_TERMS`` terms.
    """
    if left is None or right is None or len(left) * len(right) > MAX_TERMS:
        return None
    return [(p * r, q * s) for (p, q), (r, s) in itertools.product(left, right)]
