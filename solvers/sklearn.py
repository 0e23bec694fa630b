"""The methods as scikit-learn estimators, for pipelines, grid searches and displays.

>>> from solvers.sklearn import SVMClassifier
>>> model = SVMClassifier(method="interior-point", kernel="rbf", C=10.0).fit(X, y)
>>> model.runs_[0].at(3).event.sentence

This module needs the optional extra ``sklearn``; ``import solvers`` does not import this module.
"""

from __future__ import annotations

import dataclasses
import itertools
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from solvers.errors import BadInput, short_repr
from solvers.kernels.kernel import Kernel
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.problem.regression import Regression
from solvers.registry import KERNELS, METHODS
from solvers.run.method import Method, Reason
from solvers.run.run import Run
from solvers.settings import settings_of
from solvers.solving import solve


class _Machine(BaseEstimator):
    """The base class of both estimators. It makes kernel and method from their parameters."""

    method: str | Method
    kernel: str | Kernel
    gamma: float | str
    coef0: float
    degree: int
    bias: str
    tol: float | None
    max_steps: int | None

    def _solve(self, problem: Problem, method: Method) -> Run:
        run = solve(problem, method)
        # Methods that do not guarantee convergence usually end at their step limit.
        converges = "converges" in method.guarantees
        if run.stop is not None and converges and run.reason is not Reason.CONVERGED:
            warnings.warn(run.stop.sentence, ConvergenceWarning, stacklevel=3)
        return run

    def _chosen_kernel(self, X: np.ndarray) -> Kernel:
        """Return the kernel.

        A kernel given by name gets gamma, coef0 and degree, as far as it has these settings.
        """
        if isinstance(self.kernel, Kernel):
            return self.kernel
        kind = _look_up(self.kernel, KERNELS, "kernel")
        gamma = self.gamma
        if isinstance(gamma, str):
            if gamma != "scale":
                raise BadInput(f"gamma must be a number or 'scale': got {short_repr(gamma)}.")
            variance = float(X.var())
            gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
        values = {"gamma": gamma, "coef0": self.coef0, "degree": self.degree}
        settings = settings_of(kind)
        return kind(**{name: value for name, value in values.items() if name in settings})

    def _chosen_method(self) -> Method:
        """Return the method, with tol and max_steps unless they are None."""
        is_method = isinstance(self.method, Method)
        method: Any = self.method if is_method else _look_up(self.method, METHODS, "method")()
        values = {"tol": self.tol, "max_steps": self.max_steps}
        changes = {name: value for name, value in values.items() if value is not None}
        missing = changes.keys() - settings_of(method).keys()
        if missing:
            raise BadInput(f"{method.label} has no setting {', '.join(sorted(missing))}.")
        return dataclasses.replace(method, **changes)

    def _chosen_bias(self, method: Method) -> str:
        return method.biases[0] if self.bias == "auto" else self.bias

    def _validated(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64)

    def _validated_pair(self, X: Any, y: Any, **checks: bool) -> Any:
        return validate_data(self, X, y, dtype=np.float64, **checks)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without the runs, which may be large."""
        state: Any = super().__getstate__()
        state.pop("runs_", None)
        return state


class SVMClassifier(ClassifierMixin, _Machine):
    """A support vector classifier, solved by any of the methods.

    Parameters
    ----------
    method : str or Method
        A name in :data:`solvers.METHODS`, or a method with its settings; the default is the
        fastest method.
    kernel : str or Kernel
        A name in :data:`solvers.KERNELS`, or a kernel with its settings.
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

    Attributes
    ----------
    classes_ : array, shape (k,)
    machines_ : list of Expansion
        The decision functions: one for two classes, otherwise one per pair or per class.
    runs_ : list of Run
        The runs that computed the decision functions, with every step; not pickled.
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

    def fit(self, X: Any, y: Any) -> SVMClassifier:
        """Solve for labels y, shape (n,), of any kind.

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
        method, kernel = self._chosen_method(), self._chosen_kernel(X)
        arguments = {"kernel": kernel, "C": self.C, "bias": self._chosen_bias(method)}
        self.runs_ = [
            self._solve(Problem(X[rows], labels, **arguments), method)
            for rows, labels in self._divide(codes)
        ]
        self.machines_ = [_support_only(run.expansion) for run in self.runs_]
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
        votes, f_sums = np.zeros((len(X), count)), np.zeros((len(X), count))
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


class SVMRegressor(RegressorMixin, _Machine):
    """Support vector regression, solved by any of the methods that support it.

    Parameters
    ----------
    method, kernel, C, gamma, coef0, degree, bias, tol, max_steps
        As in :class:`SVMClassifier`.
    epsilon : float
        Half the width of the tube in which no error counts, in units of y.

    Attributes
    ----------
    machine_ : Expansion
        The solution.
    runs_ : list of Run
        One run: the run that computed the solution, with every step; not pickled.
    """

    def __init__(
        self,
        method: str | Method = "working-set",
        kernel: str | Kernel = "rbf",
        C: float = 1.0,
        epsilon: float = 0.1,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        degree: int = 3,
        bias: str = "auto",
        tol: float | None = None,
        max_steps: int | None = None,
    ) -> None:
        self.method = method
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.bias = bias
        self.tol = tol
        self.max_steps = max_steps

    def fit(self, X: Any, y: Any) -> SVMRegressor:
        """Solve for targets y, shape (n,), which are real numbers."""
        X, y = self._validated_pair(X, y, y_numeric=True)
        method, kernel = self._chosen_method(), self._chosen_kernel(X)
        bias = self._chosen_bias(method)
        problem = Regression(X, y, kernel, self.C, bias=bias, epsilon=self.epsilon)
        self.runs_ = [self._solve(problem, method)]
        self.machine_ = _support_only(self.runs_[0].expansion)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f at the points, shape (m,)."""
        X = self._validated(X)
        return self.machine_(X)


def _look_up(name: Any, registry: dict[str, Any], parameter: str) -> Any:
    if name not in registry:
        raise BadInput(f"{parameter} must be one of {', '.join(registry)}: got {short_repr(name)}.")
    return registry[name]


def _support_only(expansion: Expansion) -> Expansion:
    """Return the same function without the points whose beta is 0."""
    rows = expansion.support
    return Expansion(expansion.kernel, expansion.X[rows], expansion.beta[rows], expansion.bias)
