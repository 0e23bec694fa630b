"""The classifier: one machine for two classes, otherwise one per pair or per class."""

from __future__ import annotations

import dataclasses
import math
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from solvers.errors import BadInput, short_repr
from solvers.kernels.kernel import Kernel
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.kernels.standard import Linear
from solvers.problem.machines import (
    ONE_AGAINST_ONE,
    ONE_AGAINST_REST,
    Machine,
    decide,
    machines_of,
)
from solvers.problem.problem import Problem
from solvers.run.method import Method
from solvers.selection.probability import couple, fit_sigmoid, probability_splits
from solvers.selection.splits import Split
from solvers.settings import settings_of
from solvers.sklearn.estimator import PRECOMPUTED, Estimator, with_weights
from solvers.sklearn.training_points import DensePoints, GramPoints

MULTI_CLASS = {"ovo": ONE_AGAINST_ONE, "ovr": ONE_AGAINST_REST}


@dataclasses.dataclass(eq=False, repr=False)
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
    class_weight : dict or "balanced", optional
        Weights of the classes, which multiply C: for example ``{0: 1.0, 1: 5.0}``. A class that is
        left out has the weight 1. "balanced" is ``n / (k n_c)`` for a class with n_c of the n
        points, where k is the number of classes.
    multi_class : "ovo" or "ovr"
        For more than two classes. "ovo": one machine per pair of classes, and the machines vote.
        "ovr": one machine per class, against the rest.
    probability : bool
        Whether to fit what :meth:`predict_proba` needs: machines on five folds of the points.
        More than two classes need one machine per pair.
    random_state : int, RandomState or None
        Seed of these folds; None is always the same seed. The methods have seeds of their own.
    n_jobs : int, optional
        Number of threads that solve problems of more than two classes; -1 is one per processor.
    cache_bytes : int
        Maximum size of the cache of kernel rows, per thread. It changes time and memory, but not
        the result.
    cache_size, max_iter : optional
        As in SVC: ``cache_bytes`` in megabytes, and ``max_steps``, where -1 leaves it as it is.
    shrinking : bool
        False turns shrinking off in a method that has it; True leaves the method as it is.
    decision_function_shape : "ovr" or "ovo"
        What :meth:`decision_function` returns for more than two classes with one machine per pair:
        a value per class, or f of each machine.
    break_ties : bool
        Whether classes with equally many votes are told apart by their sums of f. If False it is
        the first of them, as in SVC.
    verbose : False
        Nothing is printed; ``runs_`` has the steps.

    Attributes
    ----------
    classes_ : array, shape (k,)
    machines_ : list of callable
        The decision functions: one for two classes, otherwise one per pair or per class. They are
        of the type :class:`.Expansion`, or of one of :mod:`solvers.sklearn.training_points`.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, n_iter_ : arrays
        As in SVC. With one machine per class, a row of ``dual_coef_`` belongs to one machine.
        ``n_iter_`` counts steps of the method.
    sigmoids_ : list of Sigmoid
        With ``probability``, the curve of each machine: see :mod:`solvers.selection.probability`.
    runs_ : list of Run
        The runs that computed the decision functions; not pickled. No steps are recorded: ``at``
        replays a step from the start of its run.
    """

    method: str | Method = "working-set"
    kernel: str | Kernel = "rbf"
    C: float = 1.0
    gamma: float | str = "scale"
    coef0: float = 0.0
    degree: int = 3
    bias: str = "auto"
    tol: float | None = None
    max_steps: int | None = None
    class_weight: dict[Any, float] | str | None = None
    multi_class: str = "ovo"
    n_jobs: int | None = None
    cache_bytes: int = CACHE_BYTES
    probability: bool | str = False
    random_state: Any = None
    cache_size: float | None = None
    max_iter: int = -1
    shrinking: bool = True
    decision_function_shape: str = "ovr"
    break_ties: bool = True
    verbose: bool = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVMClassifier:
        """Solve for points X, shape (n, d), dense or sparse, and labels y, shape (n,), of any kind.

        ``sample_weight``, shape (n,), and the weight of its class multiply C per point. A point
        with the weight 0 is left out.

        If a method that guarantees convergence stops before it has converged, the sentence of the
        run becomes a warning.
        """
        self._refuse_parameters()
        X, y = self._validated_pair(X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise BadInput("A classifier needs at least two classes, and the data has one class.")
        weights = self._weights(X, y, codes, sample_weight)
        method = self._chosen_method()
        bias = self._chosen_bias(method)

        def make_problem(X: Any, labels: Any, kernel: Kernel, **weights: Any) -> Problem:
            return Problem(X, labels, kernel, self.C, bias, **weights)

        points, parts = self._points(X), with_weights(self._divide(codes), weights)
        folds = self._folds(parts) if self._is_probable else []
        held_in = [
            (rows[split.train], labels[split.train])
            for (rows, labels), splits in zip(parts, folds, strict=bool(folds))
            for split in splits
        ]
        machines = self._solve(
            points, [*parts, *held_in], weights, make_problem, method, self.n_jobs
        )
        self.machines_, of_folds = machines[: len(parts)], iter(machines[len(parts) :])
        del self.runs_[len(parts) :]
        self._set_support(points, parts, codes)
        self.sigmoids_ = []
        for (rows, labels), splits in zip(parts, folds, strict=bool(folds)):
            f = np.empty(len(rows))
            for split in splits:
                f[split.test] = next(of_folds)(points.at(rows[split.test]))
            self.sigmoids_.append(fit_sigmoid(f, labels))
        return self

    def _refuse_parameters(self) -> None:
        choices = {"multi_class": ("ovo", "ovr"), "decision_function_shape": ("ovr", "ovo")}
        for name, allowed in choices.items():
            value = getattr(self, name)
            if value not in allowed:
                raise BadInput(f"{name} must be {' or '.join(allowed)}: got {short_repr(value)}.")
        if self.multi_class == "ovr" and self.decision_function_shape == "ovo":
            raise BadInput(
                "decision_function_shape='ovo' has f of each pair of classes, and multi_class='ovr'"
                " has no pairs."
            )
        if self._is_probable and self.multi_class == "ovr":
            raise BadInput(
                "probability=True needs multi_class='ovo': probabilities of more than two classes"
                " are coupled from those of their pairs."
            )
        if self.verbose:
            raise BadInput("verbose must be False: nothing is printed, and runs_ has the steps.")

    def _chosen_method(self) -> Method:
        """Return the method, also with max_iter and shrinking of SVC."""
        limit = self.max_steps
        if self.max_iter != -1:
            if limit is not None:
                raise BadInput("max_iter and max_steps are the same limit: give one of them.")
            limit = self.max_iter
        method: Any = self._method_with(tol=self.tol, max_steps=limit)
        if not self.shrinking and "shrinking" in settings_of(method):
            return dataclasses.replace(method, shrinking=False)
        return method

    def _max_cache_bytes(self) -> int:
        if self.cache_size is None:
            return super()._max_cache_bytes()
        if not isinstance(self.cache_size, Real) or not 0 < self.cache_size < math.inf:
            got = short_repr(self.cache_size)
            raise BadInput(f"cache_size must be a number of megabytes above 0: got {got}.")
        return int(self.cache_size * 1e6)

    @property
    def _is_probable(self) -> bool:
        # SVC has the name of its default since its probabilities are deprecated.
        return self.probability != "deprecated" and bool(self.probability)

    def _folds(self, parts: list[tuple[np.ndarray, np.ndarray]]) -> list[list[Split]]:
        """Return the folds of each machine's points."""
        seed = 0
        if self.random_state is not None:
            seed = check_random_state(self.random_state).randint(2**31 - 1)
        names = [str(name) for name in self.classes_]
        return [
            probability_splits(labels, machine.side_names(names), seed)
            for (_, labels), machine in zip(parts, self._machines, strict=True)
        ]

    def _set_support(
        self,
        points: DensePoints | GramPoints,
        parts: list[tuple[np.ndarray, np.ndarray]],
        codes: np.ndarray,
    ) -> None:
        """Set what SVC tells of its support vectors, which are ordered by class, then by row."""
        betas = [run.expansion.beta for run in self.runs_]
        is_support = np.zeros(len(codes), dtype=bool)
        for (rows, _), beta in zip(parts, betas, strict=True):
            is_support[rows[beta != 0.0]] = True
        support = np.flatnonzero(is_support)
        self.support_ = support[np.argsort(codes[support], kind="stable")].astype(np.int32)
        self.n_support_ = np.bincount(codes[support], minlength=len(self.classes_)).astype(np.int32)
        has_coordinates = self.kernel != PRECOMPUTED
        self.support_vectors_ = points.at(self.support_) if has_coordinates else np.empty((0, 0))
        place = np.zeros(len(codes), dtype=np.int64)
        place[self.support_] = np.arange(len(support))
        k, is_paired = len(self.classes_), self.multi_class == "ovo"
        self.dual_coef_ = np.zeros((k - 1 if is_paired or k == 2 else k, len(support)))
        for number, ((rows, _), beta) in enumerate(zip(parts, betas, strict=True)):
            kept = np.flatnonzero(beta)
            row = number
            if is_paired:
                # A point of class i has one coefficient per other class, in the order of these.
                i, j = np.flatnonzero(self._machines[number].code)
                row = np.where(codes[rows[kept]] == i, j - 1, i)
            self.dual_coef_[row, place[rows[kept]]] = beta[kept]
        self.intercept_ = np.array([machine.bias for machine in self.machines_])
        self.n_iter_ = np.array([run.steps for run in self.runs_], dtype=np.int32)

    @property
    def coef_(self) -> np.ndarray:
        """w of each machine, shape (number of machines, d); only with the linear kernel."""
        check_is_fitted(self)
        if not isinstance(getattr(self.machines_[0], "kernel", None), Linear):
            raise AttributeError("coef_ is w, which only the linear kernel has as a vector.")
        return np.vstack([machine.beta @ machine.X for machine in self.machines_])

    def _weights(self, X: Any, y: Any, codes: np.ndarray, sample_weight: Any) -> Any:
        """Return the weight of each point, shape (n,), or None.

        It is its sample weight times the weight of its class.
        """
        weights = self._validated_weights(X, sample_weight)
        if self.class_weight is not None:
            if not isinstance(self.class_weight, dict) and self.class_weight != "balanced":
                got = short_repr(self.class_weight)
                raise BadInput(f"class_weight must be a dict, 'balanced' or None: got {got}.")
            try:
                of_class = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
            except ValueError as error:
                raise BadInput(str(error)) from None
            if not (np.isfinite(of_class) & (of_class >= 0.0)).all():
                raise BadInput("Each weight of class_weight must be a number of at least 0.")
            weights = of_class[codes] * (1.0 if weights is None else weights)
        if weights is not None:
            left = np.bincount(codes, weights > 0.0) > 0.0
            if not left.all():
                name = self.classes_[np.argmin(left)]
                raise BadInput(f"All points of class {name} have the weight 0.")
        return weights

    def _divide(self, codes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return for each machine the rows of its points, and their labels -1 and +1."""
        labels = [machine.labels(codes) for machine in self._machines]
        return [(np.flatnonzero(row), row[row != 0].astype(np.float64)) for row in labels]

    @property
    def _machines(self) -> tuple[Machine, ...]:
        """The machines; of two classes the second one has the label +1."""
        if len(self.classes_) == 2:
            return (Machine((-1, 1)),)
        return machines_of(MULTI_CLASS[self.multi_class], len(self.classes_))

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f at the points, shape (m,) for two classes and (m, k) for k classes.

        With two classes f is at least 0 for the second class. With one machine per class, column k
        is f of machine k. With one machine per pair, column k contains the number of votes for
        class k, plus a number that breaks ties: the sum of f in favour of class k over the machines
        of class k, scaled to less than half a vote in size. With ``decision_function_shape="ovo"``
        it has f of each pair instead, shape (m, k (k - 1) / 2).
        """
        values = self._values(X)
        if len(self.classes_) == 2:
            return values[:, 0]
        if self.multi_class == "ovr" or self.decision_function_shape == "ovo":
            return values
        decision = decide(self._machines, values)
        return decision.votes + decision.sums / (3.0 * (np.abs(decision.sums) + 1.0))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each point, shape (m,)."""
        values = self._values(X)
        decision = decide(self._machines, values)
        is_first = self.multi_class == "ovo" and not self.break_ties
        return self.classes_[decision.first_classes if is_first else decision.classes]

    def _values(self, X: Any) -> np.ndarray:
        """Return f of each machine at the points, shape (m, number of machines)."""
        X = self._validated(X)
        return np.column_stack([machine(X) for machine in self.machines_])

    def _has_probabilities(self) -> bool:
        if not self._is_probable:
            raise AttributeError("Probabilities are only there with probability=True.")
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class at the points, shape (m, k); rows sum to 1.

        The sigmoid of each machine gives the probabilities of its two classes, and those of several
        pairs are coupled. The most probable class may be another
        than that of :meth:`predict`, which only asks for the side of the boundary.
        """
        values = self._values(X)
        if not self.sigmoids_:
            raise NotFittedError("This model was fitted without probability=True.")
        each = np.column_stack(
            [curve(f) for curve, f in zip(self.sigmoids_, values.T, strict=True)]
        )
        if len(self.classes_) == 2:
            return np.column_stack([1.0 - each, each])
        return couple(each, len(self.classes_))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithms of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
