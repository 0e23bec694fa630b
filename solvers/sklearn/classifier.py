"""The classifier: one machine for two classes, otherwise one per pair or per class."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from solvers.errors import BadInput, short_repr
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.sklearn.machine import Machine


class SVMClassifier(ClassifierMixin, Machine):
    """A support vector classifier, solved by any of the methods.

    Parameters
    ----------
    method : str or Method
        A name in :data:`solvers.METHODS`, or a method with its settings. The default is the fastest
        of them for most problems. With the linear kernel, 100 and more features and more than four
        points per feature it is "interior-point", which solves the same problem;
        "coordinate-ascent" is the fastest for very many points, but its bias is regularised, which
        is another problem.
    kernel : str or Kernel
        A name in :data:`solvers.KERNELS`, or a kernel with its settings, or "precomputed". In the
        last case X is the Gram matrix, shape (n, n); to predict, X has the kernel values of the new
        points with the training points, shape (m, n).
    C : float
        Penalty; infinite is the hard margin, if the method supports it.
    gamma : float or "scale"; coef0 : float; degree : int
        Settings of a kernel given by name; "scale" is ``1 / (d var(X))``.
    bias : "auto", "free", "none" or "augmented"
        "auto" is the first kind of bias that the method supports.
    tol, max_steps : optional
        Values that replace these settings of the method. None leaves a setting as it is.
    multi_class : "ovo" or "ovr"
        For more than two classes. "ovo": one machine per pair of classes, and the machines vote.
        "ovr": one machine per class, against the rest.
    n_jobs : int, optional
        Number of threads that solve problems of more than two classes; -1 is one per processor.
    cache_bytes : int
        Maximum size of the cache of kernel rows, per thread. It changes time and memory, but not
        the result.

    Attributes
    ----------
    classes_ : array, shape (k,)
    machines_ : list of callable
        The decision functions: one for two classes, otherwise one per pair or per class. They are
        of the type :class:`.Expansion`, or of one of :mod:`solvers.sklearn.training_points`.
    runs_ : list of Run
        The runs that computed the decision functions; not pickled. No steps are recorded: ``at``
        replays a step from the start of its run.
    """

    def __init__(
        self,
        method: str | Method = "working-set",
        kernel: str | Kernel = "rbf",
        C: float = 1.0,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        degree: int = 3,
        bias: str = "auto",
        tol: float | None = None,
        max_steps: int | None = None,
        multi_class: str = "ovo",
        n_jobs: int | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.method = method
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.bias = bias
        self.tol = tol
        self.max_steps = max_steps
        self.multi_class = multi_class
        self.n_jobs = n_jobs
        self.cache_bytes = cache_bytes

    def fit(self, X: Any, y: Any) -> SVMClassifier:
        """Solve for points X, shape (n, d), dense or sparse, and labels y, shape (n,), of any kind.

        If a method that guarantees convergence stops before it has converged, the sentence of the
        run becomes a warning.
        """
        if self.multi_class not in ("ovo", "ovr"):
            raise BadInput(f"multi_class must be ovo or ovr: got {short_repr(self.multi_class)}.")
        X, y = self._validated_pair(X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise BadInput("A classifier needs at least two classes, and the data has one class.")
        method = self._chosen_method()
        bias = self._chosen_bias(method)

        def make_problem(X: np.ndarray, labels: np.ndarray, kernel: Kernel) -> Problem:
            return Problem(X, labels, kernel, self.C, bias)

        self.machines_ = self._solve(
            self._points(X), self._divide(codes), make_problem, method, self.n_jobs
        )
        return self

    def _divide(self, codes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return for each machine the rows of its points, and their labels -1 and +1.

        With two classes or a pair, the second class has the label +1. With one machine per class,
        the class of the machine has the label +1, and all other classes have -1.
        """
        count = len(self.classes_)
        all_rows = np.arange(len(codes))
        if count == 2:
            return [(all_rows, np.where(codes == 1, 1.0, -1.0))]
        if self.multi_class == "ovr":
            return [(all_rows, np.where(codes == k, 1.0, -1.0)) for k in range(count)]
        pairs = []
        for i, j in itertools.combinations(range(count), 2):
            rows = np.flatnonzero((codes == i) | (codes == j))
            pairs.append((rows, np.where(codes[rows] == j, 1.0, -1.0)))
        return pairs

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f at the points, shape (m,) for two classes and (m, k) for k classes.

        With two classes f is at least 0 for the second class. With one machine per class, column k
        is f of machine k. With one machine per pair, column k contains the number of votes for
        class k, plus a number that breaks ties: the sum of f in favour of class k over the machines
        of class k, scaled to less than half a vote in size.
        """
        X = self._validated(X)
        values = np.column_stack([machine(X) for machine in self.machines_])
        count = len(self.classes_)
        if count == 2:
            return values[:, 0]
        if self.multi_class == "ovr":
            return values
        votes, f_sums = np.zeros((2, len(values), count))
        for column, (i, j) in enumerate(itertools.combinations(range(count), 2)):
            f = values[:, column]
            votes[:, i] += f < 0
            votes[:, j] += f >= 0
            f_sums[:, i] -= f
            f_sums[:, j] += f
        return votes + f_sums / (3.0 * (np.abs(f_sums) + 1.0))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each point, shape (m,)."""
        values = self.decision_function(X)
        if values.ndim == 1:
            return self.classes_[(values >= 0).astype(int)]
        return self.classes_[values.argmax(axis=1)]
