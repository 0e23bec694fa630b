"""Mercer's check: whether a symmetric function is positive semi-definite on given points.

A negative eigenvalue of the Gram matrix proves that the function is not positive semi-definite. But
no number of points can prove that a function is positive semi-definite. Some kernels are positive
semi-definite by construction (:attr:`solvers.kernels.kernel.Kernel.mercer`).

Whether the dual is concave is another question. With a free bias the dual allows only beta with
``sum beta = 0``, so K matters only for these. For example, the kernel ``1 - ||x - z||^2`` is not
positive semi-definite, but for these beta it gives the same as ``2 <x, z>``.

Suppose that K is positive semi-definite for all beta with ``sum beta = 0``. Adding a large enough
number to all entries then makes K positive semi-definite for every beta. For a beta with
``sum beta = 0`` this changes neither P nor D, nor f, because b makes up for it. So ``P >= D`` for
each of them, and ``P = D`` at the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.kernels.kernel import Kernel, sample_of

# Maximum number of points that are checked, since computing eigenvalues takes O(m^3) time for m
# points. If there are more points, a sample is checked.
MAX_POINTS = 400
# Maximum rounding error of an eigenvalue, as a fraction of m max |K| for m checked points.
ROUNDING = 1e-10


@dataclass(frozen=True)
class Verdict:
    """The result of the check.

    Attributes
    ----------
    by_construction : bool
        Whether the kernel is known to be positive semi-definite on any points. If so, nothing was
        computed.
    symmetric : bool
        Whether the Gram matrix is symmetric up to rounding.
    smallest : float
        Smallest eigenvalue of the Gram matrix; 0 if it was not computed, or if the matrix is not
        symmetric.
    tolerance : float
        Maximum rounding error of ``smallest``: ``1e-10 max|K|`` times ``checked``.
    checked, n : int
        Number of checked points, which is 0 if nothing was computed, and number of all points.
    """

    by_construction: bool
    symmetric: bool
    smallest: float
    tolerance: float
    checked: int
    n: int

    @property
    def refuted(self) -> bool:
        """Return whether the check proved that the function is no Mercer kernel."""
        return not self.symmetric or self.smallest < -self.tolerance

    @property
    def sentence(self) -> str:
        """Return the verdict in words; it claims no more than was checked."""
        if self.by_construction:
            return "Valid kernel: all eigenvalues of its matrix K are ≥ 0."
        is_sample = self.checked < self.n
        points = f"a sample of {self.checked:,} of these points" if is_sample else "these points"
        if not self.symmetric:
            return f"Not a kernel: the function is not symmetric on {points}."
        if self.refuted:
            return (
                f"Not positive semi-definite: on {points} the smallest eigenvalue of K "
                f"is {_format_number(self.smallest)}."
            )
        return f"Positive semi-definite on {points}; it may not be on others."


def check_mercer(kernel: Kernel, X: np.ndarray) -> Verdict:
    """Check a kernel on points (n, d).

    The Gram matrix must be symmetric, and its smallest eigenvalue not below 0. With more than
    ``MAX_POINTS`` points, a sample of them is checked.

    Raises
    ------
    BadInput
        If the kernel has no value on the points.
    """
    n = len(X)
    if kernel.mercer:
        return Verdict(True, True, 0.0, 0.0, 0, n)
    kernel.check(X, MAX_POINTS)
    sample, _ = sample_of(X, MAX_POINTS)
    K = kernel(sample, sample)
    return judge_gram(K, spectrum(K), n)


@dataclass(frozen=True)
class Concavity:
    """The verdict on a dual: if it is concave, the gap ``P - D`` proves an optimum.

    Attributes
    ----------
    mercer : Verdict
        The check of K.
    bias : str
        See :class:`solvers.problem.problem.Problem`.
    concave : bool or None
        Whether K (with an augmented bias, ``K + 1``) is positive semi-definite for the betas that
        the dual allows. None if only a sample was checked, which did not refute it.
    """

    mercer: Verdict
    bias: str
    concave: bool | None

    @property
    def is_semidefinite(self) -> bool:
        """Return whether K is positive semi-definite on all points of the problem."""
        checked_all = self.mercer.by_construction or self.mercer.checked == self.mercer.n
        return checked_all and not self.mercer.refuted

    def proves(self, beta: np.ndarray) -> bool:
        """Return whether P of this beta, shape (n,), is at least D of every feasible beta.

        Some methods have iterates whose beta do not sum to 0. For these it is not enough that K is
        positive semi-definite for ``sum beta = 0``.
        """
        if not self.concave or self.is_semidefinite or self.bias != "free":
            return bool(self.concave)
        return abs(float(beta.sum())) <= 1e-9 * float(np.abs(beta).sum())

    @property
    def sentence(self) -> str:
        """Return the verdict on K, and what follows for the dual if K fails."""
        if not self.mercer.refuted or not self.mercer.symmetric:
            return self.mercer.sentence
        if self.concave is False:
            follows = (
                "The dual is not concave: it may have several maxima, and no gap proves an optimum."
            )
        else:
            part = {
                "free": "With a free bias only β with Σ β = 0 count, and for these K",
                "augmented": "With the regularised bias K + 1 counts, and this",
            }[self.bias]
            end = (
                ": the dual is concave, and the gap proves the optimum."
                if self.concave
                else " on this sample; on all points it may not be."
            )
            follows = f"{part} is positive semi-definite{end}"
        return f"{self.mercer.sentence} {follows}"


def check_concavity(kernel: Kernel, X: np.ndarray, bias: str) -> Concavity:
    """Check whether the dual on points (n, d) is concave; of more than ``MAX_POINTS``, a sample.

    Raises
    ------
    BadInput
        If the kernel has no value on the points.
    """
    verdict = check_mercer(kernel, X)
    if verdict.by_construction:
        return Concavity(verdict, bias, True)
    is_refuted = verdict.refuted
    if is_refuted and verdict.symmetric and bias != "none":
        sample, _ = sample_of(X, MAX_POINTS)
        K = kernel(sample, sample)
        allowed = centered(K) if bias == "free" else K + 1.0
        is_refuted = not _is_semidefinite(allowed, verdict.tolerance)
    if is_refuted:
        return Concavity(verdict, bias, False)
    return Concavity(verdict, bias, True if verdict.checked == len(X) else None)


def _is_semidefinite(K: np.ndarray, tolerance: float) -> bool:
    """Return whether no eigenvalue is below ``-tolerance``, by a quick Cholesky factorisation."""
    try:
        np.linalg.cholesky(0.5 * (K + K.T) + tolerance * np.eye(len(K)))
    except np.linalg.LinAlgError:
        return False
    return True


def centered(K: np.ndarray) -> np.ndarray:
    """Return ``J K J`` with ``J = I - 1 1' / m``: the same ``beta' K beta`` if sum beta = 0."""
    rows = K - K.mean(axis=0)
    return rows - rows.mean(axis=1)[:, None]


def spectrum(K: np.ndarray) -> np.ndarray:
    """Return the eigenvalues of the symmetric part of a matrix (m, m), ascending, shape (m,)."""
    return np.linalg.eigvalsh(0.5 * (K + K.T)) if len(K) else np.zeros(0)


def judge_gram(K: np.ndarray, eigenvalues: np.ndarray, n: int) -> Verdict:
    """Return the verdict on a Gram matrix of m of the n points.

    ``eigenvalues`` are those of K, ascending, shape (m,).
    """
    largest = float(np.abs(K).max(initial=0.0))
    # By rounding errors, k(x, z) and k(z, x) differ by less than 1e-9 max |K|.
    symmetric = bool(np.abs(K - K.T).max(initial=0.0) <= 1e-9 * largest)
    smallest = float(eigenvalues[0]) if len(K) and symmetric else 0.0
    return Verdict(False, symmetric, smallest, ROUNDING * len(K) * largest, len(K), n)


def _format_number(number: float) -> str:
    """Return a number with about three digits, without an exponent if possible."""
    size = abs(number)
    text = f"{size:.0f}" if 100 <= size < 1e6 else f"{size:.3g}"
    return ("−" if number < 0 else "") + text
