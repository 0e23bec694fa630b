"""The Gram matrix of the points, sorted so that its structure is visible.

This module must not use Qt widgets, since studies run in the frame thread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers import Problem
from solvers.kernels.feature_geometry import components
from solvers.kernels.gram_factor import gram
from solvers.kernels.kernel import sample_of
from solvers.kernels.mercer import MAX_POINTS, Verdict, judge_gram, spectrum
from solvers.problem.expansion import freeze


@dataclass(frozen=True, eq=False)
class KernelStudy:
    """A Gram matrix and its eigenvalues.

    Attributes
    ----------
    K : array, shape (m, m)
        ``k(x_i, x_j)``, plus 1 if the bias is augmented. Row r belongs to point ``order[r]``.
    order : int array, shape (m,)
        Index of the point of each row.
    row_of : int array, shape (n,)
        The row of each point; -1 if it is not in the sample.
    border : int
        Number of rows of the class -1, which come first.
    values : array, shape (m,)
        Eigenvalues, from the largest to the smallest.
    verdict : Verdict
        Whether Mercer's condition holds for this matrix.
    augmented : bool
        Whether the bias is regularised, by adding 1 to the kernel; then K is of ``k + 1``.
    """

    K: np.ndarray
    order: np.ndarray
    row_of: np.ndarray
    border: int
    values: np.ndarray
    verdict: Verdict
    augmented: bool

    @property
    def tolerance(self) -> float:
        """Rounding error: an eigenvalue of at most this absolute value counts as 0."""
        return self.verdict.tolerance

    @property
    def rank(self) -> int:
        """Number of eigenvalues that are not 0, up to rounding error."""
        return int((np.abs(self.values) > self.tolerance).sum())

    @property
    def negative(self) -> int:
        """Number of eigenvalues that are below 0 by more than rounding error."""
        return int((self.values < -self.tolerance).sum())


def study_kernel(problem: Problem) -> KernelStudy:
    """Return the matrix and its eigenvalues.

    If there are more than ``MAX_POINTS`` points, only an evenly spread sample of them has rows.
    """
    order = sorted_points(problem, sample_of(problem.X, MAX_POINTS)[1])
    sample = problem.X[order]
    K = gram(problem.kernel, sample, sample, problem.bias == "augmented")
    values = spectrum(K)
    row_of = np.full(problem.n, -1)
    row_of[order] = np.arange(len(order))
    return KernelStudy(
        freeze(K),
        freeze(order),
        freeze(row_of),
        int((_classes(problem)[order] < 0).sum()),
        freeze(values[::-1].copy()),
        judge_gram(K, values, problem.n),
        problem.bias == "augmented",
    )


def sorted_points(problem: Problem, points: np.ndarray) -> np.ndarray:
    """Return ``points``, indices of shape (m,), in the order of the rows of the matrix.

    The class -1 comes first. Within a class, points are sorted along its first principal axis, in
    the direction in which the component of the axis with the larger absolute value is positive. So
    neighbours on the plane are mostly neighbours in the matrix. The points are not sorted by alpha,
    because that order would change from step to step. In a regression all points are one class,
    sorted by x. Points without coordinates are sorted along the first component of kernel PCA.
    """
    groups, labels = [], _classes(problem)
    for label in (-1.0, 1.0):
        of_class = points[labels[points] == label]
        centred = (
            problem.X[of_class] - problem.X[of_class].mean(axis=0)
            if len(of_class)
            else problem.X[of_class]
        )
        if problem.kernel.domain != "points":
            scores = components(problem.kernel, problem.X[of_class]).vectors[:, :1]
            of_class = of_class[np.argsort(scores.sum(axis=1), kind="stable")]
        elif len(of_class) > 1:
            axis = np.linalg.svd(centred, full_matrices=False)[2][0]
            axis = axis * (1.0 if axis[np.abs(axis).argmax()] > 0 else -1.0)
            of_class = of_class[np.argsort(centred @ axis, kind="stable")]
        groups.append(of_class)
    return np.concatenate(groups)


def _classes(problem: Problem) -> np.ndarray:
    """Return the class of each point, shape (n,); in a regression +1 for all points."""
    return problem.sign[: problem.n]
