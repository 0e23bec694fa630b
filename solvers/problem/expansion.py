"""The decision function of every iterate: ``f(x) = sum_i beta_i k(x_i, x) + b``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.grids import GridMemory
from solvers.kernels.kernel import Kernel
from solvers.kernels.standard import Linear
from solvers.rounding import NOISE

# Values of f on a grid are clipped to this size. The sum of a few values of this size is finite.
MAX_VALUE = 1e300


def freeze(array: np.ndarray) -> np.ndarray:
    """Make an array read-only and return it."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class Expansion:
    """A decision function.

    Attributes
    ----------
    kernel : Kernel
    X : array, shape (n, d)
    beta : array, shape (n,)
        Coefficients. A point is a support vector if its coefficient is not exactly 0.
    bias : float
    origin : array, shape (d,), optional
        The origin o for the linear kernel, if the points are far from 0:
        ``f(x) = sum_i beta_i k(x_i - o, x - o) + b_o``. If the beta sum to 0, this is the same f as
        with the origin 0, but with smaller rounding errors. w is the same in any case.
    bias_at_origin : float
        ``b_o``, which is ``b + <w, o>``.
    """

    kernel: Kernel
    X: np.ndarray
    beta: np.ndarray
    bias: float
    origin: np.ndarray | None = None
    bias_at_origin: float = 0.0

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Return the decision values, shape (m,), at points of shape (m, d)."""
        points = np.asarray(points, dtype=np.float64)
        return self.sum_at(points) + self.constant

    def sum_at(self, points: np.ndarray) -> np.ndarray:
        """Return f without its :attr:`constant`, shape (m,)."""
        program, beta = self.kernel.program(), self.beta[None, :]
        return kernel_sums(program, self.centered, beta, self.from_origin(points))[0]

    @property
    def constant(self) -> float:
        """Return the number that is added to the sum of kernel values: b, or that at the origin."""
        return self.bias if self.origin is None else self.bias_at_origin

    @property
    def centered(self) -> np.ndarray:
        """Return X minus the origin, as the kernel takes it, shape (n, d)."""
        return self.from_origin(self.X)

    def from_origin(self, points: np.ndarray) -> np.ndarray:
        """Return points of shape (m, d) minus the origin."""
        return points if self.origin is None else points - self.origin

    def on_grid(
        self, xs: np.ndarray, ys: np.ndarray, memory: GridMemory | None = None
    ) -> np.ndarray:
        """Return the decision values on a grid of nodes (x, y), shape (len(ys), len(xs)).

        d must be 2. ``memory`` must be made for this kernel and :attr:`centered`. If the kernel is
        separable (see :mod:`solvers.kernels.grids`), the memory stores the contribution of each x_i
        to the nodes, so the next call on the same grid is faster. All returned values are finite;
        see :func:`finite`.
        """
        support = self.support
        if self.origin is not None:
            xs, ys = xs - self.origin[0], ys - self.origin[1]
        with np.errstate(over="ignore", invalid="ignore"):
            values = (
                self.kernel.on_grid(self.beta[support], self.centered[support], xs, ys)
                if memory is None
                else memory.on_grid(self.beta, xs, ys)
            )
        return finite(values + self.constant)

    @property
    def support(self) -> np.ndarray:
        """Return the indices of the points with ``beta != 0``."""
        return np.flatnonzero(self.beta)

    @property
    def w(self) -> np.ndarray | None:
        """Return ``w = sum_i beta_i x_i``, shape (d,), for the linear kernel; None for others."""
        return self.beta @ self.centered if isinstance(self.kernel, Linear) else None


def finite(values: np.ndarray) -> np.ndarray:
    """Return decision values clipped to ``MAX_VALUE`` in size, with 0 instead of NaN.

    Far from all points polynomial kernels overflow, and a difference of infinities is NaN. The
    exact values of f do not matter so far away.
    """
    if np.abs(values).max(initial=0.0) <= MAX_VALUE:
        return values
    return np.clip(np.nan_to_num(values), -MAX_VALUE, MAX_VALUE)


def rounding_of_sums(expansion: Expansion) -> float:
    """Return a bound on the rounding error of f at the points of the expansion.

    It is ``NOISE max_i sum_j |beta_j k(x_j, x_i)|``. It is large relative to f if the terms of f
    nearly cancel. This happens for the nearest points of two hulls that are near each other in the
    kernel's space and far from its origin.
    """
    weights = np.abs(expansion.beta)[None, :]
    X = expansion.centered
    sums = kernel_sums(expansion.kernel.program(), X, weights, X)
    return NOISE * float(np.abs(sums).max())
