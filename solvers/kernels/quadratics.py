"""Kernels whose features are polynomials of degree at most 2 in the coordinates.

All these kernels have the form ``a_0 + a_1 <x, z> + a_2 <x, z>^2 + a_3 ||x||^2 ||z||^2``, with
different coefficients a.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.kernels.grids import Terms
from solvers.kernels.kernel import Kernel
from solvers.kernels.programs import ADD, QUADRATIC_, SCALING_, SQUARED_NORM, Program


class QuadraticForm(Kernel):
    """The base class of the kernels of this module; ``weights`` are ``a_0, a_1, a_2, a_3``."""

    weights: ClassVar[tuple[float, float, float, float]]

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        A, B = np.asarray(A, float), np.asarray(B, float)
        with np.errstate(over="ignore", invalid="ignore"):
            norm_products = np.outer(np.einsum("ij,ij->i", A, A), np.einsum("ij,ij->i", B, B))
            return self._value(A @ B.T, norm_products)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            squared = np.einsum("ij,ij->i", X, X)
            return self._value(squared, squared**2)

    def _value(self, inner: np.ndarray, norm_products: np.ndarray) -> np.ndarray:
        """Return k from ``<x, z>`` and ``||x||^2 ||z||^2``."""
        constant, linear, square, product = self.weights
        # Terms with weight 0 are left out, since they may overflow, and 0 times infinity is NaN.
        total = constant + inner * (linear + square * inner) if square else constant + inner
        return total + product * norm_products if product else total

    def program(self) -> Program:
        program = Program.of(QUADRATIC_, *self.weights[:3])
        if not self.weights[3]:
            return program
        return program.then(Program.of(SCALING_, SQUARED_NORM), Program.of(ADD))

    def feature_map(self, X: np.ndarray) -> np.ndarray:
        """Return the features of all terms with coefficient 1; each coefficient must be 0 or 1.

        The features are 1 for ``a_0``; ``x_c`` for ``a_1``; ``x_c^2`` and ``sqrt(2) x_c x_e`` for
        ``a_2``; and ``||x||^2`` for ``a_3``.
        """
        X = np.asarray(X, float)
        constant, linear, square, product = self.weights
        parts = [np.ones((len(X), 1))] if constant else []
        parts += [X] if linear else []
        if square:
            first, second = np.triu_indices(X.shape[1], k=1)
            parts += [X**2, np.sqrt(2.0) * X[:, first] * X[:, second]]
        parts += [np.einsum("ij,ij->i", X, X)[:, None]] if product else []
        return np.hstack(parts)

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms:
        constant, linear, square, product = self.weights
        sx, sy, ones = S[:, 0], S[:, 1], np.ones((1, len(S)))
        x, y = xs[:, None], ys[:, None]
        return [
            *([(constant * ones, ones)] if constant else []),
            *([(linear * x * sx, ones), (ones, linear * y * sy)] if linear else []),
            *([(square * (x * sx) ** 2, ones), (ones, square * (y * sy) ** 2)] if square else []),
            *([(2.0 * square * x * sx, y * sy)] if square else []),
            *([(product * x**2 * (sx**2 + sy**2), ones)] if product else []),
            *([(ones, product * y**2 * (sx**2 + sy**2))] if product else []),
        ]

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """Return the field, a quadratic in (x, y), from six sums over the support points."""
        constant, linear, square, product = self.weights
        sx, sy = S[:, 0], S[:, 1]
        xx, yy, xy = beta @ sx**2, beta @ sy**2, beta @ (sx * sy)
        norm_sum = product * (xx + yy)
        x, y = xs[None, :], ys[:, None]
        return (
            constant * beta.sum()
            + (square * xx + norm_sum) * x**2
            + (square * yy + norm_sum) * y**2
            + (2.0 * square * xy) * x * y
            + linear * ((beta @ sx) * x + (beta @ sy) * y)
        )


@dataclass(frozen=True)
class Quadratic(QuadraticForm):
    """``k(x, z) = <x, z> + ||x||^2 ||z||^2``: the map ``(x1, x2, x1^2 + x2^2)``."""

    name: ClassVar[str] = "quadratic"
    label: ClassVar[str] = "Quadratic features"
    notation: ClassVar[str] = "⟨x, z⟩ + ‖x‖²‖z‖²"
    help: ClassVar[str] = (
        "Lifts the plane onto the bowl (x₁, x₂, x₁² + x₂²): f = 0 is a circle or a line."
    )
    weights = (0.0, 1.0, 0.0, 1.0)


@dataclass(frozen=True)
class HomogeneousQuadratic(QuadraticForm):
    """``k(x, z) = <x, z>^2``: the map ``(x1^2, x2^2, sqrt 2 x1 x2)``."""

    name: ClassVar[str] = "homogeneous-quadratic"
    label: ClassVar[str] = "Homogeneous quadratic"
    notation: ClassVar[str] = "⟨x, z⟩²"
    help: ClassVar[str] = (
        "Features (x₁², x₂², √2 x₁x₂): f = 0 is a conic with its centre at the origin."
    )
    weights = (0.0, 0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FullQuadratic(QuadraticForm):
    """``k(x, z) = 1 + <x, z> + <x, z>^2``: the map ``(1, x1, x2, x1^2, x2^2, sqrt 2 x1 x2)``."""

    name: ClassVar[str] = "full-quadratic"
    label: ClassVar[str] = "Full quadratic"
    notation: ClassVar[str] = "1 + ⟨x, z⟩ + ⟨x, z⟩²"
    help: ClassVar[str] = "Features (1, x₁, x₂, x₁², x₂², √2 x₁x₂): f = 0 can be any conic."
    weights = (1.0, 1.0, 1.0, 0.0)
