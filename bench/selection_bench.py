"""Model selection against scikit-learn: ``bench/run.py selection``.

Both sides get the same 300 points of two moons, the same splits, the tolerance 1e-3 and two
workers that are already running: threads here, processes there. They take turns, and medians are
compared.

* A map of 15 x 15 parameters (C 1e-2 to 1e4, gamma 1e-3 to 1e3) with 5 folds, against
  ``GridSearchCV(SVC, n_jobs=2)``: at least 3 times as fast.
* Leave-one-out (C = 10, gamma = 1), against ``cross_val_score(SVC, n_jobs=2)``: at least 10 times.

The largest difference of a mean risk is printed as well.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.linear_bench import points
from solvers import RBF, Method, Problem, WorkingSet
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.pools import Local
from solvers.selection.procedures import k_fold, leave_one_out

N, JOBS, REPEATS = 300, 2, 5
CS, GAMMAS = np.logspace(-2, 4, 15), np.logspace(-3, 3, 15)
MAP_BAR, LEAVE_ONE_OUT_BAR = 3.0, 10.0
METHOD: Method = WorkingSet()


def main() -> None:
    """Print one line per bar."""
    X, y = points("moons", N)
    _compare("map of 15 x 15, 5 folds", MAP_BAR, *_map(X, y))
    _compare("leave-one-out", LEAVE_ONE_OUT_BAR, *_leave_one_out(X, y))


def _map(X: np.ndarray, y: np.ndarray) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return both sides, each of which returns the mean risks of all cells."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    problem = Problem(X, y)
    models = grid({"C": CS.tolist(), "gamma": GAMMAS.tolist()}, RBF(), METHOD)
    pool = Local(JOBS)

    def ours() -> np.ndarray:
        found = estimate("k-fold", k_fold(problem, models, folds=5, pool=pool))
        return np.array([cell.risk for cell in found.cells])

    parts = estimate("k-fold", k_fold(problem, models[0], folds=5)).parts
    splits = [(part.split.train, part.split.test) for part in parts]

    def theirs() -> np.ndarray:
        axes = {"C": CS, "gamma": GAMMAS}
        search = GridSearchCV(SVC(), axes, cv=splits, n_jobs=JOBS, refit=False)
        return 1.0 - search.fit(X, y).cv_results_["mean_test_score"]

    return ours, theirs


def _leave_one_out(X: np.ndarray, y: np.ndarray) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return both sides, each of which returns the risk."""
    from sklearn.model_selection import LeaveOneOut, cross_val_score
    from sklearn.svm import SVC

    problem = Problem(X, y, RBF(1.0), 10.0)
    pool = Local(JOBS)

    def ours() -> float:
        return estimate("leave-one-out", leave_one_out(problem, METHOD, pool=pool)).risk

    def theirs() -> float:
        settings: Any = {"C": 10.0, "gamma": 1.0}
        machine = SVC(**settings)
        return 1.0 - float(cross_val_score(machine, X, y, cv=LeaveOneOut(), n_jobs=JOBS).mean())

    return ours, theirs


def _compare(title: str, bar: float, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    times: dict[Any, list[float]] = {ours: [], theirs: []}
    answers = {side: side() for side in times}
    for _ in range(REPEATS):
        for side, spent in times.items():
            began = time.perf_counter()
            side()
            spent.append(time.perf_counter() - began)
    mine, other = (statistics.median(spent) for spent in times.values())
    differ = float(np.abs(answers[ours] - answers[theirs]).max())
    print(
        f"{title}: {mine:.3f} s, scikit-learn {other:.3f} s: {other / mine:.1f} times as fast"
        f" (bar {bar:g}): {other / mine / bar:.2f}; risks differ by at most {differ:.3g}",
        flush=True,
    )
