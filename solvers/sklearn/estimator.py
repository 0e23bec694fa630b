"""The base class of the estimators: kernel and method from parameters, points, and runs."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from solvers.errors import BadInput, short_repr
from solvers.kernels.items.given import Given
from solvers.kernels.kernel import Kernel
from solvers.problem.problem import Problem
from solvers.registry import KERNELS, METHODS
from solvers.run.method import Method, Reason
from solvers.run.run import Run
from solvers.settings import settings_of
from solvers.sklearn.training_points import DensePoints, GramPoints, points_of
from solvers.solving import solve

# The kernel of which X contains the values, as in scikit-learn.
PRECOMPUTED = "precomputed"


class Estimator(BaseEstimator):
    """The base class of the classifier and the regressor."""

    method: str | Method
    kernel: str | Kernel
    gamma: float | str
    coef0: float
    degree: int
    bias: str
    tol: float | None
    max_steps: int | None
    cache_bytes: int
    runs_: list[Run]
    # Whether the machines of this fit take sparse points.
    _takes_sparse = False

    def _solve(
        self,
        points: DensePoints | GramPoints,
        parts: Sequence[tuple[np.ndarray, np.ndarray]],
        weights: np.ndarray | None,
        make_problem: Callable[..., Problem],
        method: Method,
        n_jobs: int | None = None,
    ) -> list[Any]:
        """Solve the problems of some rows with their labels or targets; return their solutions.

        ``weights`` has one per point of the fit, or is None.

        The compiled loops of the methods hold no lock, so threads solve several problems at once.
        """

        def run(rows: np.ndarray, y: np.ndarray) -> Run:
            X, kernel = points.part(rows)
            part = None if weights is None else weights[rows]
            problem = make_problem(X, y, kernel, weights=part)
            return solve(problem, method, record=False, cache_bytes=cache_bytes)

        cache_bytes = self._max_cache_bytes()
        self._takes_sparse = isinstance(points, GramPoints) and points.kernel is not None
        jobs: Any = Parallel(n_jobs=n_jobs, require="sharedmem")
        self.runs_ = jobs(delayed(run)(rows, y) for rows, y in parts)
        for done in self.runs_:
            # Methods that do not guarantee convergence usually end at their step limit.
            converges = "converges" in method.guarantees
            if done.stop is not None and converges and done.reason is not Reason.CONVERGED:
                warnings.warn(done.stop.sentence, ConvergenceWarning, stacklevel=3)
        return [
            points.machine(rows, done.expansion)
            for (rows, _), done in zip(parts, self.runs_, strict=True)
        ]

    def _points(self, X: Any) -> DensePoints | GramPoints:
        """Return the points of a fit; X is dense or CSR, or the Gram matrix."""
        if self.kernel == PRECOMPUTED:
            return GramPoints(X)
        return points_of(X, self._chosen_kernel(X))

    def _chosen_kernel(self, X: Any) -> Kernel:
        """Return the kernel.

        A kernel given by name gets gamma, coef0 and degree, as far as it has these settings.
        """
        if isinstance(self.kernel, Kernel):
            return self.kernel
        # The name in scikit-learn.
        name = "polynomial" if self.kernel == "poly" else self.kernel
        kind = _look_up(name, {**KERNELS, PRECOMPUTED: Given}, "kernel")
        gamma = self.gamma
        if isinstance(gamma, str):
            if gamma not in ("scale", "auto"):
                got = short_repr(gamma)
                raise BadInput(f"gamma must be a number, 'scale' or 'auto': got {got}.")
            variance = 1.0 if gamma == "auto" else _variance(X)
            gamma = 1.0 / (X.shape[1] * variance) if variance > 0.0 else 1.0
            gamma = gamma if 0.0 < gamma < math.inf else 1.0
        values = {"gamma": gamma, "coef0": self.coef0, "degree": self.degree}
        settings = settings_of(kind)
        return kind(**{name: value for name, value in values.items() if name in settings})

    def _max_cache_bytes(self) -> int:
        if not isinstance(self.cache_bytes, Integral) or self.cache_bytes < 0:
            got = short_repr(self.cache_bytes)
            raise BadInput(f"cache_bytes must be a whole number of at least 0: got {got}.")
        return int(self.cache_bytes)

    def _chosen_method(self) -> Method:
        """Return the method, with tol and max_steps unless they are None."""
        return self._method_with(tol=self.tol, max_steps=self.max_steps)

    def _method_with(self, **values: Any) -> Method:
        """Return the method with these settings, of which None leaves one as it is."""
        is_method = isinstance(self.method, Method)
        method: Any = self.method if is_method else _look_up(self.method, METHODS, "method")()
        changes = {name: value for name, value in values.items() if value is not None}
        missing = changes.keys() - settings_of(method).keys()
        if missing:
            raise BadInput(f"{method.label} has no setting {', '.join(sorted(missing))}.")
        return dataclasses.replace(method, **changes)

    def _chosen_bias(self, method: Method) -> str:
        return method.biases[0] if self.bias == "auto" else self.bias

    def _validated_weights(self, X: Any, sample_weight: Any) -> np.ndarray | None:
        """Return the weights of the points, shape (n,), or None."""
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if not (weights >= 0.0).all():
            row = int(np.argmax(weights < 0.0))
            raise BadInput(
                f"Weights must be at least 0: sample_weight of row {row} is {weights[row]:g}."
            )
        return weights

    def _validated(self, X: Any) -> Any:
        """Return points to predict at, in the form that the machines take."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, accept_sparse="csr")
        if self._takes_sparse:
            return csr_array(X)
        return X.toarray() if issparse(X) else X

    def _validated_pair(self, X: Any, y: Any, **checks: bool) -> Any:
        sparse = False if self.kernel == PRECOMPUTED else "csr"
        return validate_data(self, X, y, dtype=np.float64, accept_sparse=sparse, **checks)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == PRECOMPUTED
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling, without the runs, which may be large."""
        state: Any = super().__getstate__()
        state.pop("runs_", None)
        return state


def with_weights(
    parts: list[tuple[np.ndarray, np.ndarray]], weights: np.ndarray | None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return rows and labels without the points whose weight is 0."""
    if weights is None:
        return parts
    return [(rows[kept], y[kept]) for rows, y in parts for kept in [weights[rows] > 0.0]]


def _variance(X: Any) -> float:
    """Return the variance of all coordinates.

    If a square overflows, a coordinate is too large, and the problem refuses the points.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(X.multiply(X).mean() - X.mean() ** 2 if issparse(X) else X.var())


def _look_up(name: Any, registry: Mapping[str, Any], parameter: str) -> Any:
    if not isinstance(name, str) or name not in registry:
        raise BadInput(f"{parameter} must be one of {', '.join(registry)}: got {short_repr(name)}.")
    return registry[name]
