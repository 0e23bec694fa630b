"""The base class of kernels: Gram matrix, program, field on a grid and feature map.

Each kernel is a frozen dataclass of its parameters. It gives ``k(x, z)`` in four ways, which tests
compare: ``kernel(A, B)`` in numpy; ``kernel.program()``, a postfix program that the one compiled
evaluator (:mod:`solvers.kernels.evaluator`) runs row by row, so that nothing is compiled again when
a kernel changes; ``kernel.on_grid``, its field on a grid; and ``kernel.feature_map``, if that is
finite. A new kernel is one class, an operation in :mod:`solvers.kernels.programs` and in the
evaluator if it is a new leaf, and one line in :mod:`solvers.kernels.kernel_text`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.grids import GridField
from solvers.settings import Checked

# The largest kernel value, so that every sum and product of a run is finite.
MAX_KERNEL_VALUE = 1e100
# With more points than this, the values of formulas and composed kernels are checked on a sample.
MAX_CHECKED = 500
# Maximum number of features of a map.
MAX_FEATURES = 1000


class Kernel(Checked, GridField):
    """A kernel; A has shape (m, d), B has shape (n, d).

    ``latex`` is ``k(x, z)``, and its finite feature map if it has one, in lines of LaTeX.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    notation: ClassVar[str]
    help: ClassVar[str]
    latex: ClassVar[tuple[str, ...]] = ()

    @property
    def mercer(self) -> bool:
        """Return whether it is positive semi-definite by construction, on any points.

        If not, an optimum cannot be certified; see :mod:`solvers.kernels.mercer`.
        """
        return True

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return the Gram matrix ``K_ij = k(a_i, b_j)``, shape (m, n)."""
        raise NotImplementedError

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Return ``k(x_i, x_i)``, shape (n,)."""
        raise NotImplementedError

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return ``Phi``, shape (n, m), with ``Phi Phi' = K``; None if m is infinite or unknown."""
        return None

    def check(self, X: np.ndarray) -> None:
        """Refuse points (n, d) on which the kernel has no value; :class:`Problem` calls it.

        Most kernels have a value everywhere; a formula with a logarithm does not.

        Raises
        ------
        BadInput
        """


def sample_of(X: np.ndarray, most: int = MAX_CHECKED) -> tuple[np.ndarray, np.ndarray]:
    """Return at most ``most`` points, evenly spread over their numbers, and these numbers."""
    numbers = np.arange(len(X))
    if len(X) > most:
        numbers = np.unique(np.linspace(0, len(X) - 1, most).astype(int))
    return X[numbers], numbers


def refuse_values(kernel: Kernel, X: np.ndarray) -> None:
    """Refuse points (n, d) for which a kernel is not finite, or so large that sums overflow.

    With more than 500 points, a sample is checked.

    Raises
    ------
    BadInput
        With the numbers of two points.
    """
    some, numbers = sample_of(X)
    wrong = ~(np.abs(kernel(some, some)) <= MAX_KERNEL_VALUE)
    if wrong.any():
        i, j = numbers[np.argwhere(wrong)[0]] + 1
        raise BadInput(
            f"The kernel has no value, or one that is too large, for points {i} and {j}: "
            "scale the points, or lower the kernel's parameters."
        )
