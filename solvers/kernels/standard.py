"""The standard kernels: linear, polynomial, RBF, Laplacian, sigmoid."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.kernels.grids import Terms
from solvers.kernels.kernel import MAX_FEATURES, Kernel
from solvers.kernels.programs import LAPLACIAN_, LINEAR, POLYNOMIAL, RBF_, SIGMOID, Program
from solvers.settings import Twin, setting


def _gamma(default: float, help: str, twin: Twin | None = None) -> Any:
    """Return the setting of a kernel's gamma, which is above 0."""
    return setting(
        default,
        "γ",
        help,
        low=1e-3,
        high=1e3,
        scale="log",
        hard_low=0.0,
        open_low=True,
        twin=twin,
    )


def _width_of_gamma(gamma: float) -> float:
    # Two roots are taken, because 0.5 / gamma and 2 gamma can overflow.
    return math.sqrt(0.5) / math.sqrt(gamma)


def _gamma_of_width(sigma: float) -> float:
    return 0.5 / sigma**2


# The width sigma of a bump. The user may give sigma instead of gamma of the RBF kernel.
WIDTH = Twin(
    "sigma",
    "σ",
    "Width of a bump, in the units of the axes (after scaling): σ = 1 / √(2γ).",
    low=0.025,
    high=25.0,
    to=_gamma_of_width,
    back=_width_of_gamma,
)


@dataclass(frozen=True)
class Linear(Kernel):
    """``k(x, z) = <x, z>``."""

    name: ClassVar[str] = "linear"
    label: ClassVar[str] = "Linear"
    notation: ClassVar[str] = "⟨x, z⟩"
    help: ClassVar[str] = "Straight boundaries: f(x) = ⟨w, x⟩ + b."

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.asarray(A, float) @ np.asarray(B, float).T

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", X, X)

    def program(self) -> Program:
        return Program.of(LINEAR)

    def feature_map(self, X: np.ndarray) -> np.ndarray:
        """Return the points themselves."""
        return np.asarray(X, float)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        w = beta @ S
        return w[0] * xs[None, :] + w[1] * ys[:, None]

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms:
        ones = np.ones((1, len(S)))
        return [(xs[:, None] * S[:, 0], ones), (ones, ys[:, None] * S[:, 1])]


@dataclass(frozen=True)
class Polynomial(Kernel):
    """``k(x, z) = (coef0 + gamma <x, z>)^degree``."""

    name: ClassVar[str] = "polynomial"
    label: ClassVar[str] = "Polynomial"
    notation: ClassVar[str] = "(c + γ⟨x, z⟩)^d"
    help: ClassVar[str] = "Curved boundaries: f is a sum of products of at most d coordinates."

    gamma: float = _gamma(1.0, "Weight of the inner product in (c + γ⟨x, z⟩)ᵈ.")
    coef0: float = setting(
        1.0,
        "c",
        "Constant in (c + γ⟨x, z⟩)ᵈ; 0 leaves only the terms of degree d.",
        low=0.0,
        high=10.0,
        hard_low=0.0,
    )
    degree: int = setting(
        3,
        "degree d",
        "Highest power of the polynomial: at most d coordinates are multiplied.",
        low=1,
        high=10,
        hard_low=1,
        hard_high=10,
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            inner = np.asarray(A, float) @ np.asarray(B, float).T
            return (self.coef0 + self.gamma * inner) ** self.degree

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        # A product is computed instead of a power, so that the value equals that of a compiled row
        # bit for bit. Then the curvature K_ii + K_jj - 2 K_ij of equal points is exactly 0.
        with np.errstate(over="ignore", invalid="ignore"):
            base = self.coef0 + self.gamma * np.einsum("ij,ij->i", X, X)
            value = base.copy()
            for _ in range(self.degree - 1):
                value *= base
        return value

    def program(self) -> Program:
        return Program.of(POLYNOMIAL, self.gamma, self.coef0, self.degree)

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return all products of at most d coordinates, with weights from the multinomial theorem.

        The features are ``sqrt(d! / (p_0! ... p_m!) coef0^p_0) prod_c (sqrt(gamma) x_c)^p_c`` for
        m coordinates and all ``p_0 + ... + p_m = d``. Return None if there are more than
        ``MAX_FEATURES`` features.
        """
        X = np.asarray(X, float)
        m = X.shape[1]
        d = self.degree
        if math.comb(d + m, m) > MAX_FEATURES:
            return None
        columns = []
        for factors in itertools.combinations_with_replacement(range(m + 1), d):
            powers = [factors.count(c) for c in range(m + 1)]
            multinomial = math.factorial(d) // math.prod(math.factorial(p) for p in powers)
            weight = math.sqrt(
                multinomial * self.coef0 ** powers[0] * self.gamma ** (d - powers[0])
            )
            columns.append(weight * np.prod(X ** np.array(powers[1:]), axis=1))
        return np.stack(columns, axis=1)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        """Return the field: a polynomial in (x, y), computed from its coefficients."""
        d = self.degree
        powers = np.arange(d + 1)
        Sx = S[:, :1] ** powers
        Sy = S[:, 1:2] ** powers
        moments = Sx.T @ (beta[:, None] * Sy)
        coefficients = np.zeros((d + 1, d + 1))
        for p in range(d + 1):
            for q in range(d + 1 - p):
                multinomial = math.comb(d, p) * math.comb(d - p, q)
                weight = multinomial * self.gamma ** (p + q) * self.coef0 ** (d - p - q)
                coefficients[p, q] = weight * moments[p, q]
        return (ys[:, None] ** powers) @ coefficients.T @ (xs[:, None] ** powers).T

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms:
        """Return the binomial expansion of ``(u + v)^d``.

        Here ``u = gamma x s_x`` and ``v = coef0 + gamma y s_y``, for the node (x, y) and the point
        s.
        """
        d = self.degree
        u = self.gamma * xs[:, None] * S[:, 0]
        v = self.coef0 + self.gamma * ys[:, None] * S[:, 1]
        return [(math.comb(d, p) * u**p, v ** (d - p)) for p in range(d + 1)]


@dataclass(frozen=True)
class RBF(Kernel):
    """``k(x, z) = exp(-gamma ||x - z||^2)``, with ``gamma = 1 / (2 sigma^2)``."""

    name: ClassVar[str] = "rbf"
    label: ClassVar[str] = "RBF (Gaussian)"
    notation: ClassVar[str] = "exp(−γ‖x − z‖²)"
    help: ClassVar[str] = (
        "f is a sum of bumps, one around every support vector; their width is σ, γ = 1 / (2σ²)."
    )

    gamma: float = _gamma(
        1.0,
        "How narrow the bumps are: a large γ lets f follow single points, a small γ makes f "
        "smooth. γ = 1 / (2σ²), in 1 / (units of the axes, after scaling)².",
        twin=WIDTH,
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        # Overflow to infinity is harmless, since exp(-infinity) is 0.
        with np.errstate(over="ignore"):
            return np.exp(-self.gamma * _squared_distances(A, B))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def program(self) -> Program:
        return Program.of(RBF_, self.gamma)

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms:
        """Return one term: k is the product of a function of x and a function of y."""
        with np.errstate(over="ignore"):
            along_x = np.exp(-self.gamma * (xs[:, None] - S[:, 0]) ** 2)
            along_y = np.exp(-self.gamma * (ys[:, None] - S[:, 1]) ** 2)
        return [(along_x, along_y)]


@dataclass(frozen=True)
class Laplacian(Kernel):
    """``k(x, z) = exp(-gamma ||x - z||_1)``."""

    name: ClassVar[str] = "laplacian"
    label: ClassVar[str] = "Laplacian"
    notation: ClassVar[str] = "exp(−γ‖x − z‖₁)"
    help: ClassVar[str] = (
        "A pointed bump around every support vector, with creases parallel to the axes."
    )

    gamma: float = _gamma(
        1.0, "How narrow the bumps exp(−γ‖x − z‖₁) are, in 1 / (units of the axes, after scaling)."
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        A, B = np.asarray(A, float), np.asarray(B, float)
        total = np.zeros((len(A), len(B)))
        for a, b in zip(A.T, B.T, strict=True):
            total += np.abs(a[:, None] - b[None, :])
        # Overflow to infinity is harmless, since exp(-infinity) is 0.
        with np.errstate(over="ignore"):
            return np.exp(-self.gamma * total)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def program(self) -> Program:
        return Program.of(LAPLACIAN_, self.gamma)

    def separable_terms(self, S: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> Terms:
        """Return one term: k is the product of a function of x and a function of y."""
        with np.errstate(over="ignore"):
            along_x = np.exp(-self.gamma * np.abs(xs[:, None] - S[:, 0]))
            along_y = np.exp(-self.gamma * np.abs(ys[:, None] - S[:, 1]))
        return [(along_x, along_y)]


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """``k(x, z) = tanh(gamma <x, z> + coef0)``; not positive semi-definite in general."""

    name: ClassVar[str] = "sigmoid"
    label: ClassVar[str] = "Sigmoid"
    notation: ClassVar[str] = "tanh(γ⟨x, z⟩ + c)"
    help: ClassVar[str] = (
        "Not a Mercer kernel in general: the dual need not be concave, and may have several maxima."
    )

    gamma: float = _gamma(0.5, "Weight of the inner product in tanh(γ⟨x, z⟩ + c).")
    coef0: float = setting(
        0.0,
        "c",
        "Shift in tanh(γ⟨x, z⟩ + c).",
        low=-5.0,
        high=5.0,
    )

    @property
    def mercer(self) -> bool:
        """Return False, since the kernel is not positive semi-definite for all parameters."""
        return False

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        inner = np.asarray(A, float) @ np.asarray(B, float).T
        # Overflow to infinity is harmless, since tanh of an infinity is 1 or -1.
        with np.errstate(over="ignore"):
            return np.tanh(self.gamma * inner + self.coef0)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.coef0)

    def program(self) -> Program:
        return Program.of(SIGMOID, self.gamma, self.coef0)


def _squared_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return ``||a_i - b_j||^2``, shape (m, n).

    The square is not expanded into ``||a||^2 - 2 <a, b> + ||b||^2``, because that loses digits.
    """
    A, B = np.asarray(A, float), np.asarray(B, float)
    total = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        total += (a[:, None] - b[None, :]) ** 2
    return total
