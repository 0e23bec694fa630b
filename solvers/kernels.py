"""Kernels: what ``k(x, z)`` is, as a Gram matrix and as a small program for compiled loops.

Each kernel is a frozen dataclass of its parameters. It answers in two ways that tests hold
against each other: ``kernel(A, B)`` in numpy, and :meth:`Kernel.program`, a postfix program that
:mod:`solvers.evaluator` runs row by row. Adding a kernel is one class and one line in the registry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.programs import LINEAR, POLYNOMIAL, RBF_, SIGMOID, Program
from solvers.settings import Checked, setting


class Kernel(Checked):
    """What every kernel can do. ``A`` has shape (m, d), ``B`` has shape (n, d)."""

    name: ClassVar[str]
    label: ClassVar[str]
    formula: ClassVar[str]
    help: ClassVar[str]
    # Whether it is positive semi-definite for all parameters: else nothing certifies an optimum.
    mercer: ClassVar[bool] = True

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Gram matrix ``K_ij = k(a_i, b_j)``, shape (m, n)."""
        raise NotImplementedError

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """``k(x_i, x_i)``, shape (n,)."""
        raise NotImplementedError

    def program(self) -> Program:
        """The same kernel for compiled loops."""
        raise NotImplementedError

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """``sum_i beta_i k(s_i, (x, y))`` on a grid, shape (len(ys), len(xs)).

        This general way evaluates the kernel at every node, in blocks of rows; kernels that have
        a faster exact route replace it.
        """
        values = np.empty((len(ys), len(xs)))
        rows = max(1, 200_000 // max(1, len(xs) * len(S)))
        for start in range(0, len(ys), rows):
            block = ys[start : start + rows]
            nodes = np.column_stack([np.tile(xs, len(block)), np.repeat(block, len(xs))])
            values[start : start + rows] = (self(nodes, S) @ beta).reshape(len(block), len(xs))
        return values


def _gamma(default: float, help: str) -> Any:
    """The setting gamma, > 0."""
    return setting(default, "γ", help, low=1e-3, high=1e3, scale="log", hard_low=0.0, open_low=True)


@dataclass(frozen=True)
class Linear(Kernel):
    """``k(x, z) = <x, z>``."""

    name: ClassVar[str] = "linear"
    label: ClassVar[str] = "Linear"
    formula: ClassVar[str] = "⟨x, z⟩"
    help: ClassVar[str] = "Straight boundaries: f(x) = ⟨w, x⟩ + b."

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.asarray(A, float) @ np.asarray(B, float).T

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", X, X)

    def program(self) -> Program:
        return Program.of(LINEAR)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        w = beta @ S
        return w[0] * xs[None, :] + w[1] * ys[:, None]


@dataclass(frozen=True)
class Polynomial(Kernel):
    """``k(x, z) = (coef0 + gamma <x, z>)^degree``."""

    name: ClassVar[str] = "polynomial"
    label: ClassVar[str] = "Polynomial"
    formula: ClassVar[str] = "(c + γ⟨x, z⟩)^Q"
    help: ClassVar[str] = "All products of coordinates up to degree Q at once."

    gamma: float = _gamma(1.0, "Weight of the inner product in (c + γ⟨x, z⟩)^Q.")
    coef0: float = setting(
        1.0,
        "c",
        "Constant in (c + γ⟨x, z⟩)^Q; 0 leaves only the terms of degree Q.",
        low=0.0,
        high=10.0,
        scale="linear",
        hard_low=0.0,
    )
    degree: int = setting(
        3,
        "Q",
        "Degree of the polynomial.",
        low=1,
        high=10,
        scale="integer",
        hard_low=1,
        hard_high=10,
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        inner = np.asarray(A, float) @ np.asarray(B, float).T
        return (self.coef0 + self.gamma * inner) ** self.degree

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return (self.coef0 + self.gamma * np.einsum("ij,ij->i", X, X)) ** self.degree

    def program(self) -> Program:
        return Program.of(POLYNOMIAL, self.gamma, self.coef0, self.degree)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """The exact polynomial in (x, y): its coefficients once, then two small products."""
        Q = self.degree
        powers = np.arange(Q + 1)
        Sx = S[:, :1] ** powers
        Sy = S[:, 1:2] ** powers
        moments = Sx.T @ (beta[:, None] * Sy)
        coefficients = np.zeros((Q + 1, Q + 1))
        for p in range(Q + 1):
            for q in range(Q + 1 - p):
                ways = math.comb(Q, p) * math.comb(Q - p, q)
                weight = ways * self.gamma ** (p + q) * self.coef0 ** (Q - p - q)
                coefficients[p, q] = weight * moments[p, q]
        return (ys[:, None] ** powers) @ coefficients.T @ (xs[:, None] ** powers).T


@dataclass(frozen=True)
class RBF(Kernel):
    """``k(x, z) = exp(-gamma ||x - z||^2)``, with ``gamma = 1 / (2 sigma^2)``."""

    name: ClassVar[str] = "rbf"
    label: ClassVar[str] = "RBF (Gaussian)"
    formula: ClassVar[str] = "exp(−γ‖x − z‖²)"
    help: ClassVar[str] = "A bump of width σ around every support vector, γ = 1 / (2σ²)."

    gamma: float = _gamma(1.0, "Sharpness of the bumps: γ = 1 / (2σ²), in 1 / (data units)².")

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        # Overflow is right here: a bump that far away is 0.
        with np.errstate(over="ignore"):
            return np.exp(-self.gamma * _squared_distances(A, B))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def program(self) -> Program:
        return Program.of(RBF_, self.gamma)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """The bump is a product of one in x and one in y: a single matrix product."""
        with np.errstate(over="ignore"):
            along_x = np.exp(-self.gamma * (xs[:, None] - S[:, 0]) ** 2)
            along_y = np.exp(-self.gamma * (ys[:, None] - S[:, 1]) ** 2)
        return (along_y * beta) @ along_x.T


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """``k(x, z) = tanh(gamma <x, z> + coef0)``; not positive semi-definite in general."""

    name: ClassVar[str] = "sigmoid"
    label: ClassVar[str] = "Sigmoid"
    formula: ClassVar[str] = "tanh(γ⟨x, z⟩ + c)"
    help: ClassVar[str] = "Not a Mercer kernel in general: the dual may not be concave."
    mercer: ClassVar[bool] = False

    gamma: float = _gamma(0.5, "Weight of the inner product in tanh(γ⟨x, z⟩ + c).")
    coef0: float = setting(
        0.0,
        "c",
        "Shift in tanh(γ⟨x, z⟩ + c).",
        low=-5.0,
        high=5.0,
        scale="linear",
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        inner = np.asarray(A, float) @ np.asarray(B, float).T
        # Overflow is right here: tanh is 1 or -1 that far away.
        with np.errstate(over="ignore"):
            return np.tanh(self.gamma * inner + self.coef0)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.coef0)

    def program(self) -> Program:
        return Program.of(SIGMOID, self.gamma, self.coef0)


def _squared_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """``||a_i - b_j||^2`` by differences: expanding the square loses the digits far from 0."""
    A, B = np.asarray(A, float), np.asarray(B, float)
    total = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        total += (a[:, None] - b[None, :]) ** 2
    return total
