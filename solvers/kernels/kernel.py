"""The base class of kernels: Gram matrix, program, field on a grid and feature map.

Each kernel is a frozen dataclass of its parameters. It computes ``k(x, z)`` in four ways, which
tests compare:

* ``kernel(A, B)`` is the Gram matrix, by numpy.
* ``kernel.program()`` is a postfix program, which the compiled evaluator
  (:mod:`solvers.kernels.evaluator`) runs row by row. Nothing is compiled again when a kernel
  changes.
* ``kernel.on_grid`` is the field ``sum_i beta_i k(s_i, (x, y))`` at the nodes of a grid.
* ``kernel.feature_map`` is the feature map, if its number of features is finite.

A new kernel is one class and one line in :mod:`solvers.kernels.kernel_text`. If it is not a
combination of existing operations, it also needs an operation in :mod:`solvers.kernels.programs`
and in the evaluator.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.grids import GridField
from solvers.settings import Checked

# Maximum of |k(x, z)|. Larger values are refused, because sums and products of them in a run could
# overflow.
MAX_KERNEL_VALUE = 1e100
# Maximum number of points on which the values of a formula or a composed kernel are checked, since
# n points have n^2 values. If there are more points, an evenly spaced sample is checked.
MAX_CHECKED_POINTS = 500
# Maximum number of features of a feature map.
MAX_FEATURES = 1000


class Part(GridField):
    """A kernel, or a part of a kernel that is composed of others."""

    @property
    def mercer(self) -> bool:
        """Return whether the kernel is positive semi-definite by construction, on any points.

        If it is not, the dual may have several optima; see :mod:`solvers.kernels.mercer`.
        """
        return True

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return ``K_ij = k(a_i, b_j)``, shape (m, n), for points of shape (m, d) and (n, d)."""
        raise NotImplementedError

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Return ``k(x_i, x_i)``, shape (n,)."""
        raise NotImplementedError

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return the m features of each point, ``Phi``, shape (n, m), with ``Phi Phi' = K``.

        Return None if m is infinite, unknown or above ``MAX_FEATURES``.
        """
        return None


class Kernel(Checked, Part):
    """A kernel with a name and settings.

    Class attributes
    ----------------
    name, label, notation : str
        The name in the registry, the name on screen, and ``k(x, z)`` as plain text.
    help : str
        One sentence that describes the kernel.
    domain : str
        What the kernel compares: "points" by their coordinates, "words", or the rows of a
        "matrix", see :mod:`solvers.kernels.items.given`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    notation: ClassVar[str]
    help: ClassVar[str]
    domain: ClassVar[str] = "points"

    def check(self, X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> None:
        """Refuse points (n, d) on which the kernel cannot be used; :class:`Problem` calls this.

        Most kernels accept all points. A formula with a logarithm does not. With more than
        ``max_points`` points, the sample of :func:`sample_of` is checked.

        Raises
        ------
        BadInput
            If the kernel has no value for two of the points, or one that is too large, or if a
            formula is not symmetric on the points.
        """


def sample_of(X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Return at most ``max_points`` points with evenly spaced indices, and these indices."""
    indices = np.arange(len(X))
    if len(X) > max_points:
        indices = np.unique(np.linspace(0, len(X) - 1, max_points).astype(int))
    return X[indices], indices


def refuse_values(kernel: Kernel, X: np.ndarray, max_points: int) -> None:
    """Refuse points (n, d) if |k| is not finite or above ``MAX_KERNEL_VALUE`` for two of them.

    With more than ``max_points`` points, a sample of them is checked.

    Raises
    ------
    BadInput
        If there are two such points; the message contains their numbers, counted from 1.
    """
    sample, indices = sample_of(X, max_points)
    is_refused = ~(np.abs(kernel(sample, sample)) <= MAX_KERNEL_VALUE)
    if is_refused.any():
        i, j = indices[np.argwhere(is_refused)[0]] + 1
        raise BadInput(
            f"The kernel has no value, or one that is too large, for points {i} and {j}: "
            "scale the points, or lower the kernel's parameters."
        )
