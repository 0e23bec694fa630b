"""Every iterate of every method: ``f(x) = sum_i beta_i k(x_i, x) + b``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.evaluator import combine
from solvers.kernels.grids import GridMemory
from solvers.kernels.kernel import Kernel
from solvers.kernels.standard import Linear


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
        Coefficients; exact zeros are no support vectors.
    bias : float
    """

    kernel: Kernel
    X: np.ndarray
    beta: np.ndarray
    bias: float

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Decision values at points of shape (m, d); returns shape (m,)."""
        points = np.asarray(points, dtype=np.float64)
        return self.sum_at(points) + self.bias

    def sum_at(self, points: np.ndarray) -> np.ndarray:
        """``sum_i beta_i k(x_i, x)`` without the bias, shape (m,)."""
        return kernel_sums(self.kernel, self.X, self.beta[None, :], points)[0]

    def on_grid(
        self, xs: np.ndarray, ys: np.ndarray, memory: GridMemory | None = None
    ) -> np.ndarray:
        """Decision values on the grid of nodes (x, y), shape (len(ys), len(xs)); d must be 2.

        With a memory of this kernel and these points it is quicker the next time.
        """
        if memory is not None:
            return memory.on_grid(self.beta, xs, ys) + self.bias
        support = self.support
        return self.kernel.on_grid(self.beta[support], self.X[support], xs, ys) + self.bias

    @property
    def support(self) -> np.ndarray:
        """Indices of the points with ``beta != 0``."""
        return np.flatnonzero(self.beta)

    @property
    def w(self) -> np.ndarray | None:
        """``w = sum_i beta_i x_i``, shape (d,), for the linear kernel; None for the others."""
        return self.beta @ self.X if isinstance(self.kernel, Linear) else None


def kernel_sums(
    kernel: Kernel, X: np.ndarray, weights: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """``sum_i weights_ri k(x_i, x)`` at points (m, d), for weights (r, n); shape (r, m)."""
    program = kernel.program()
    support = np.flatnonzero(weights.any(axis=0))
    m = len(points)
    out = np.empty((len(weights), m))
    combine(
        program.ops,
        program.args,
        # Copies, so that compiled code always sees the same type: writable and contiguous.
        np.array(points.T, order="C"),
        np.array(X[support], order="C"),
        np.array(weights[:, support], order="C"),
        out,
        np.empty(m),
        np.empty((len(program.ops) + 1, m)),
    )
    return out
