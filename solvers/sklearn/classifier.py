"""The classifier: one machine for two classes, otherwise one per pair or per class."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from solvers.errors import BadInput, short_repr
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.problem.machines import (
    ONE_AGAINST_ONE,
    ONE_AGAINST_REST,
    Machine,
    decide,
    machines_of,
)
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.sklearn.estimator import Estimator

MULTI_CLASS = {"ovo": ONE_AGAINST_ONE, "ovr": ONE_AGAINST_REST}


class SVMClassifier(ClassifierMixin, Estimator):
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
        A name in :data:`solvers.KERNELS` ("poly" is "polynomial"), or a kernel with its settings,
        or "precomputed". In the last case X is the Gram matrix, shape (n, n); to predict, X has the
        kernel values of the new points with the training points, shape (m, n).
    C : float
        Penalty; infinite is the hard margin, if the method supports it.
    gamma : float, "scale" or "auto"; coef0 : float; degree : int
        Settings of a kernel given by name; "scale" is ``1 / (d var(X))``, "auto" is ``1 / d``.
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
        if self.multi_class not in MULTI_CLASS:
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

        With two classes the second has the label +1; otherwise see :mod:`solvers.problem.machines`.
        """
        if len(self.classes_) == 2:
            return [(np.arange(len(codes)), np.where(codes == 1, 1.0, -1.0))]
        labels = [machine.labels(codes) for machine in self._machines]
        return [(np.flatnonzero(row), row[row != 0].astype(np.float64)) for row in labels]

    @property
    def _machines(self) -> tuple[Machine, ...]:
        return machines_of(MULTI_CLASS[self.multi_class], len(self.classes_))

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f at the points, shape (m,) for two classes and (m, k) for k classes.

        With two classes f is at least 0 for the second class. With one machine per class, column k
        is f of machine k. With one machine per pair, column k contains the number of votes for
        class k, plus a number that breaks ties: the sum of f in favour of class k over the machines
        of class k, scaled to less than half a vote in size.
        """
        X = self._validated(X)
        values = np.column_stack([machine(X) for machine in self.machines_])
        if len(self.classes_) == 2:
            return values[:, 0]
        if self.multi_class == "ovr":
            return values
        decision = decide(self._machines, values)
        return decision.votes + decision.sums / (3.0 * (np.abs(decision.sums) + 1.0))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each point, shape (m,)."""
        values = self.decision_function(X)
        if values.ndim == 1:
            return self.classes_[(values >= 0).astype(int)]
        return self.classes_[values.argmax(axis=1)]
