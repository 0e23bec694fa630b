"""Any number of features, against LIBSVM, LIBLINEAR and oneDAL.

``bench/run.py features [--full] [--d=5,30] [--n=5000]``; ``--d`` and ``--n`` choose numbers of
features, and of made points.

All sides get the same standardised points, one thread, the tolerance 1e-3, and a cache of 2 GB for
kernel rows. They take turns, and the processor's time is compared. LIBSVM is scikit-learn's
``SVC``; the better of shrinking on and off counts. LIBLINEAR is ``LinearSVC``, whose bias is
regularised: that is another problem, so its time is only shown. oneDAL is shown if
scikit-learn-intelex is installed. A fit that was cut after too many steps is marked: LIBSVM's with
``>``, any other with ``<``.

Ours is timed as the library solves: working sets, and for the linear kernel the interior point too.
The last lines are the growth of time and memory with the number of points, each measured in a new
process, and drawn into ``out/growth.png``.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.solver_bench import in_turn, option
from solvers import (
    RBF,
    Expansion,
    InteriorPoint,
    Kernel,
    Linear,
    Method,
    Polynomial,
    Problem,
    Reason,
    WorkingSet,
    certify,
    solve,
)

FULL = "--full" in sys.argv
SIZES = (1000, 5000, 20_000) if FULL else (1000,)
FEATURES = (5, 30, 100, 400, 784)
PENALTIES = (0.1, 1.0, 100.0) if FULL else (1.0,)
TOLERANCE = 1e-3
CACHE_MB = 2000
# From this number of features on, the interior point is the method for the linear kernel, if there
# are more than POINTS_PER_FEATURE points per feature.
MANY_FEATURES, POINTS_PER_FEATURE = 100, 4
# Maximum steps of a fit of LIBSVM, times the number of points; of ours; maximum rounds of oneDAL.
CUT, MAX_STEPS, MAX_ROUNDS = 2e9, 400_000, 100
GROWTH = (1000, 10_000, 100_000, 1_000_000) if FULL else (1000, 10_000, 100_000)
PICTURE = Path("out/growth.png")
# What a process of the growth prints: seconds, and by how many MB the fit raised its peak memory.
# Linux tells the peak, since that of ``getrusage`` begins with the peak of the parent process.
GROW = """
import os, re, sys, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from bench.features_bench import made, estimator
name, n = sys.argv[1], int(sys.argv[2])
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
estimator(name).fit(*made(100, 2))
X, y = made(n, 2)
before, began = peak(), time.process_time()
estimator(name).fit(X, y)
print(time.process_time() - began, peak() - before)
"""
Fit = Callable[[], tuple[float, Any]]


@dataclass(frozen=True)
class Cell:
    """One problem: LIBSVM's time divided by that of each side, and how far our dual is short."""

    name: str
    n: int
    d: int
    kernel: str
    ratios: dict[str, float]
    short: float

    @property
    def ours(self) -> float:
        """Return the ratio of the method that is ours for this kernel and d."""
        has_many = MANY_FEATURES <= self.d < self.n / POINTS_PER_FEATURE
        uses_interior = self.kernel == "linear" and has_many
        return self.ratios["interior point" if uses_interior else "working set"]


def main() -> None:
    """Print one line per cell, geometric means and worst cells for each d, and the growth."""
    cells = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print("LIBSVM's time / that of each side", flush=True)
        for name, X, y in _sets():
            for kernel in ("linear", "rbf", "cubic"):
                for C in PENALTIES:
                    cells.append(_measure(name, X, y, kernel, C))
    for d in sorted({cell.d for cell in cells}):
        here = [cell for cell in cells if cell.d == d]
        print(f"d = {d}: {_means([cell.ours for cell in here])} (bars 2.0, 0.7) against LIBSVM")
        pairs = [cell.ours / cell.ratios["oneDAL"] for cell in here if "oneDAL" in cell.ratios]
        if pairs:
            print(f"d = {d}: {_means(pairs)} (bars 1.0, 0.7) against oneDAL")
    worst = max(cells, key=lambda cell: cell.short)
    print(f"dual at most {worst.short:.1e} below LIBSVM's ({worst.name}, {worst.kernel}; bar 1e-4)")
    _grow()


def _means(ratios: list[float]) -> str:
    return f"geometric mean {statistics.geometric_mean(ratios):.2f}, worst {min(ratios):.2f}"


def _sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield names, points and labels: measured sets, and made ones of several sizes."""
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine

    wanted = [int(d) for d in option("d")]
    for load, positive in (
        (load_wine, (0,)),
        (load_breast_cancer, (0,)),
        (load_digits, range(0, 9, 2)),
    ):
        X, y = load(return_X_y=True)
        if wanted and X.shape[1] not in wanted:
            continue
        yield load.__name__[5:], _standardised(X), np.where(np.isin(y, positive), 1.0, -1.0)
    for d in [d for d in FEATURES if d in wanted or not wanted]:
        for n in [int(n) for n in option("n")] or SIZES:
            yield f"made {n} x {d}", *made(n, d)


def made(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n points with d features, of which a quarter say something, and their labels."""
    from sklearn.datasets import make_classification

    informative = min(d, max(2, d // 4))
    made: Any = make_classification(
        n, d, n_informative=informative, n_redundant=0, n_clusters_per_class=2, random_state=0
    )
    return _standardised(made[0]), 2.0 * made[1] - 1.0


def _standardised(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)


def estimator(name: str) -> Any:
    """Return the estimator of a side of the growth."""
    from sklearn.svm import SVC

    from solvers.sklearn import SVMClassifier

    if name == "LIBSVM":
        return SVC(kernel="linear", cache_size=CACHE_MB)
    return SVMClassifier(method=name, kernel="linear", tol=TOLERANCE)


def _measure(name: str, X: np.ndarray, y: np.ndarray, kernel: str, C: float) -> Cell:
    """Time all sides on one problem, in turn, and print the line of the cell."""
    from sklearn.svm import SVC, LinearSVC

    (n, d), gamma = X.shape, 1.0 / X.shape[1]
    kinds: dict[str, tuple[Kernel, dict[str, Any]]] = {
        "linear": (Linear(), {"kernel": "linear"}),
        "rbf": (RBF(gamma), {"kernel": "rbf", "gamma": gamma}),
        "cubic": (
            Polynomial(gamma, 1.0, 3),
            {"kernel": "poly", "gamma": gamma, "coef0": 1.0, "degree": 3},
        ),
    }
    ours, arguments = kinds[kernel]
    arguments |= {"C": C, "tol": TOLERANCE, "cache_size": CACHE_MB}
    cut = {"max_iter": int(CUT / n)}
    fits: dict[str, Fit] = {
        f"LIBSVM {shrinking}": _fit(SVC, {**arguments, **cut, "shrinking": shrinking}, X, y)
        for shrinking in (True, False)
    }
    methods: dict[str, Method] = {"working set": WorkingSet(tol=TOLERANCE, max_steps=MAX_STEPS)}
    if kernel == "linear":
        methods["interior point"] = InteriorPoint(tol=TOLERANCE)
        options = {"C": C, "tol": TOLERANCE, "loss": "hinge", "max_iter": 10_000}
        fits["LIBLINEAR"] = _fit(LinearSVC, options, X, y)
    if (other := _onedal()) is not None:
        fits["oneDAL"] = _fit(other, {**arguments, "max_iter": MAX_ROUNDS}, X, y)
    fits |= {key: _solve((X, y, ours, C), method) for key, method in methods.items()}
    times, answers = in_turn(fits)
    runs = {key: answers[key] for key in methods}
    model = min((answers[f"LIBSVM {shrinking}"] for shrinking in (True, False)), key=_was_cut)
    best = min(times.pop("LIBSVM True"), times.pop("LIBSVM False"))
    dual = _dual_of(model, Problem(X, y, ours, C))
    duals = [run.certificate.dual for run in runs.values() if run.reason is Reason.CONVERGED]
    short = 0.0 if _was_cut(model) else max((dual - own) / abs(dual) for own in duals or [dual])
    marks = {key: "<" for key, run in runs.items() if run.reason is not Reason.CONVERGED}
    if "oneDAL" in answers and max(answers["oneDAL"].n_iter_) >= MAX_ROUNDS:
        marks["oneDAL"] = "<"
    shown = "  ".join(
        f"{key} {'>' if _was_cut(model) else ''}{marks.get(key, ' ')}{best / spent:.2f}"
        for key, spent in times.items()
    )
    print(f"  {name:15} {kernel:6} C = {C:<5g} {1e3 * best:9.1f} ms  {shown}", flush=True)
    return Cell(name, n, d, kernel, {key: best / spent for key, spent in times.items()}, short)


def _fit(kind: Any, arguments: dict[str, Any], X: np.ndarray, y: np.ndarray) -> Fit:
    def fit() -> tuple[float, Any]:
        model, began = kind(**arguments), time.process_time()
        model.fit(X, y)
        return time.process_time() - began, model

    return fit


def _solve(arguments: tuple[Any, ...], method: Method) -> Fit:
    def fit() -> tuple[float, Any]:
        began = time.process_time()
        run = solve(Problem(*arguments), method, record=False, cache_bytes=CACHE_MB * 10**6)
        return time.process_time() - began, run

    return fit


def _onedal() -> Any:
    """Return oneDAL's SVC, on one thread, or None if it is not installed."""
    try:
        import daal4py  # pyright: ignore
        from sklearnex.svm import SVC  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    daal4py.daalinit(1)  # pyright: ignore[reportAttributeAccessIssue]
    return SVC


def _was_cut(model: Any) -> bool:
    return bool(model.fit_status_)


def _dual_of(model: Any, problem: Problem) -> float:
    """Return the dual at the answer of LIBSVM."""
    beta = np.zeros(problem.n)
    beta[model.support_] = model.dual_coef_[0]
    expansion = Expansion(problem.kernel, problem.X, beta, float(model.intercept_[0]))
    return certify(problem, expansion).dual


def _grow() -> None:
    """Print and draw time and memory of linear fits in the plane, for growing n."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name in ("working-set", "interior-point", "coordinate-ascent", "LIBSVM"):
        sizes = [n for n in GROWTH if name != "LIBSVM" or n <= 10_000]
        rows = [_in_new_process(name, n) for n in sizes]
        for n, (seconds, megabytes) in zip(sizes, rows, strict=True):
            print(f"  {name:17} n = {n:9,}: {seconds:8.3f} s, {megabytes:6.0f} MB", flush=True)
        for axis, values, floor in zip(axes, zip(*rows, strict=True), (1e-3, 0.1), strict=True):
            axis.loglog(sizes, np.maximum(values, floor), "o-", label=name)
    for axis, words in zip(axes, ("time of the processor, s", "memory of a fit, MB"), strict=True):
        axis.set(xlabel="points in the plane, linear kernel, C = 1", ylabel=words)
        axis.grid(alpha=0.3)
    axes[1].legend(loc="lower right")
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=150)
    print(f"growth: {PICTURE}")


def _in_new_process(name: str, n: int) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", GROW, name, str(n)], capture_output=True, text=True, check=True
    )
    seconds, megabytes = done.stdout.split()[-2:]
    return float(seconds), float(megabytes)
