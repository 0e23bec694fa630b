"""Mercer's check: whether a symmetric function is a kernel, as far as points can tell.

A negative eigenvalue of the Gram matrix refutes; no number of points proves. The proof is the
construction, where there is one (:attr:`solvers.kernels.kernel.Kernel.mercer`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.kernel import Kernel, sample_of

# Beyond so many points a sample is taken: all eigenvalues of a matrix cost n^3.
MOST_POINTS = 400
ROUNDING = 1e-10


@dataclass(frozen=True)
class Verdict:
    """What the check found.

    Attributes
    ----------
    by_construction : bool
        Positive semi-definite on any points; nothing had to be computed.
    symmetric : bool
    smallest, tolerance : float
        Smallest eigenvalue of the Gram matrix, and what rounding excuses: ``1e-10 n max|K|``.
    checked, n : int
        How many of how many points were looked at.
    """

    by_construction: bool
    symmetric: bool
    smallest: float
    tolerance: float
    checked: int
    n: int

    @property
    def refuted(self) -> bool:
        """Whether it is no kernel."""
        return not self.symmetric or self.smallest < -self.tolerance

    @property
    def sentence(self) -> str:
        """The verdict in words; it never promises more than was looked at."""
        if self.by_construction:
            return "Positive semi-definite by construction."
        some = self.checked < self.n
        points = f"a sample of {self.checked:,} of these points" if some else "these points"
        if not self.symmetric:
            return f"No kernel: it is not symmetric on {points}."
        if self.refuted:
            return (
                f"Not positive semi-definite: on {points} the smallest eigenvalue of K "
                f"is {_written(self.smallest)}."
            )
        return f"Positive semi-definite on {points}; other points may tell otherwise."


def check_mercer(kernel: Kernel, X: np.ndarray) -> Verdict:
    """Check a kernel on points (n, d).

    Symmetry first, then the smallest eigenvalue; of more than 400 points, an evenly spread sample.

    Raises
    ------
    BadInput
        If the kernel has no value on the points.
    """
    n = len(X)
    if kernel.mercer:
        return Verdict(True, True, 0.0, 0.0, 0, n)
    some, _ = sample_of(X, MOST_POINTS)
    kernel.check(some)
    K = kernel(some, some)
    return judge(K, spectrum(K), n)


def spectrum(K: np.ndarray) -> np.ndarray:
    """Eigenvalues of a Gram matrix (m, m), ascending, shape (m,); of its symmetric part."""
    return np.linalg.eigvalsh(0.5 * (K + K.T)) if len(K) else np.zeros(0)


def judge(K: np.ndarray, values: np.ndarray, n: int) -> Verdict:
    """The verdict on a Gram matrix (m, m) of m of n points, from its eigenvalues, ascending."""
    largest = float(np.abs(K).max(initial=0.0))
    symmetric = bool(np.abs(K - K.T).max(initial=0.0) <= 1e-9 * largest)
    smallest = float(values[0]) if len(K) and symmetric else 0.0
    return Verdict(False, symmetric, smallest, ROUNDING * len(K) * largest, len(K), n)


def _written(number: float) -> str:
    """A number of three digits or so, without an exponent where that can be."""
    size = abs(number)
    text = f"{size:.0f}" if 100 <= size < 1e6 else f"{size:.3g}"
    return ("−" if number < 0 else "") + text
