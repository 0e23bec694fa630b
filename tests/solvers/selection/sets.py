"""Problems for the tests of model selection, and scikit-learn's refits of them."""

from itertools import combinations
from typing import Any

import numpy as np
from sklearn.datasets import load_iris
from sklearn.svm import SVC, SVR

from solvers import RBF, Problem, Regression
from solvers.data.datasets import DATASETS
from solvers.data.point_files import parse_points
from svmviz.base.resources import path
from tests.solvers.problems import wave

PAIRS = list(combinations(range(3), 2))


def iris(pair: tuple[int, int], **model: Any) -> Problem:
    """Return two classes of iris, all four columns."""
    data: Any = load_iris()
    rows = np.isin(data.target, pair)
    return Problem(data.data[rows], np.where(data.target[rows] == pair[1], 1.0, -1.0), **model)


def penguins(**model: Any) -> Problem:
    """Return Adelie and Gentoo in the units of the lecture notes."""
    found = parse_points(path("penguins.csv").read_text())
    return Problem(found.points / (1.0, 200.0), found.labels, **model)


def moons(n: int = 100, **model: Any) -> Problem:
    """Return two noisy moons."""
    found = DATASETS["moons"].generate(n, 0.3, 0)
    return Problem(found.points, found.labels, **model)


def sine(n: int = 80, **model: Any) -> Regression:
    """Return a noisy wave to fit."""
    X, y = wave(n, 0)
    return Regression(X, y, **model)


def refit(problem: Problem, train: np.ndarray, tol: float = 1e-6) -> Any:
    """Return scikit-learn's machine with an RBF kernel, trained on some rows."""
    assert isinstance(problem.kernel, RBF)
    given: Any = {"C": problem.C, "gamma": problem.kernel.gamma, "tol": tol}
    if isinstance(problem, Regression):
        machine = SVR(epsilon=problem.epsilon, **given)
    else:
        machine = SVC(**given)
    return machine.fit(problem.X[train], problem.y[train])


def decision_of(machine: Any, points: np.ndarray) -> np.ndarray:
    """Return f of scikit-learn's machine."""
    if isinstance(machine, SVR):
        return machine.predict(points)
    return machine.decision_function(points)
