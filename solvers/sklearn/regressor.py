"""Support vector regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.problem.regression import Regression
from solvers.run.method import Method
from solvers.sklearn.estimator import Estimator, with_weights


@dataclass(eq=False, repr=False)
class SVMRegressor(RegressorMixin, Estimator):
    """Support vector regression, solved by any of the methods that support it.

    Parameters
    ----------
    method, kernel, C, gamma, coef0, degree, bias, tol, max_steps, cache_bytes
        As in :class:`SVMClassifier`.
    epsilon : float
        Half the width of the tube in which no error counts, in units of y.

    Attributes
    ----------
    machine_ : callable
        The solution, of one of the types of ``machines_`` of the classifier.
    runs_ : list of Run
        The run that computed the solution, as in the classifier; not pickled.
    """

    method: str | Method = "working-set"
    kernel: str | Kernel = "rbf"
    C: float = 1.0
    epsilon: float = 0.1
    gamma: float | str = "scale"
    coef0: float = 0.0
    degree: int = 3
    bias: str = "auto"
    tol: float | None = None
    max_steps: int | None = None
    cache_bytes: int = CACHE_BYTES

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVMRegressor:
        """Solve for points X, shape (n, d), dense or sparse, and real targets y, shape (n,).

        ``sample_weight``, shape (n,), multiplies C per point. A point with the weight 0 is left
        out.
        """
        X, y = self._validated_pair(X, y, y_numeric=True)
        weights = self._validated_weights(X, sample_weight)
        method = self._chosen_method()
        bias = self._chosen_bias(method)

        def make_problem(X: Any, y: Any, kernel: Kernel, **weights: Any) -> Regression:
            return Regression(X, y, kernel, self.C, bias=bias, epsilon=self.epsilon, **weights)

        parts = with_weights([(np.arange(len(y)), y)], weights)
        (self.machine_,) = self._solve(self._points(X), parts, weights, make_problem, method)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f at the points, shape (m,)."""
        X = self._validated(X)
        return self.machine_(X)
