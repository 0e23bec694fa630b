"""Solvers against LIBSVM: ``bench/run.py solvers [--quick] [--cpu] [--n=50,200] [--methods=SMO]``.

Both sides get the same points, one thread and the tolerance 1e-3, or that of ``--tol=``. Ours
is timed whole: checks of the input, trace, keyframes. LIBSVM is timed as scikit-learn's
``SVC.fit``, with a cache of 2 GB, and the better of shrinking on and off counts. The sides take
turns, and medians are compared. A fit of LIBSVM that takes too many steps is cut, and its cell
marked with ``>``. ``--cpu`` measures the time of the processor instead of that of the clock, for
machines that others use, too.

Answers are compared by the dual objective: ours may be lower by 1e-4 relative, and by 1e-6 where
the tolerance is 1e-6. Higher it may be, and no more than the duality gap, which bounds how far an
answer is from the optimum, whoever found it. LIBSVM keeps kernel values in single precision: where
they are large its violation is that of rounded ones, and its gap says how far off that leads.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.linear_bench import points
from solvers import (
    RBF,
    SMO,
    Certificate,
    Expansion,
    Kernel,
    Linear,
    Method,
    Polynomial,
    Problem,
    WorkingSet,
    certify,
    solve,
)

SETS = ("blobs", "moons", "circles", "xor", "spirals", "penguins", "iris")
SIZES = (50, 200, 1000, 5000, 20_000)
PENALTIES = (0.1, 1.0, 100.0)
TOLERANCE = float(next((part[6:] for part in sys.argv if part.startswith("--tol=")), 1e-3))
# Maximum relative difference by which the dual may be below LIBSVM's.
AGREEMENT = 1e-4 if TOLERANCE > 1e-6 else 1e-6
# The kernel here, and its arguments in scikit-learn.
KERNELS: dict[str, tuple[Kernel, dict[str, Any]]] = {
    "linear": (Linear(), {"kernel": "linear"}),
    "rbf": (RBF(1.0), {"kernel": "rbf", "gamma": 1.0}),
    "cubic": (
        Polynomial(1.0, 1.0, 3),
        {"kernel": "poly", "gamma": 1.0, "coef0": 1.0, "degree": 3},
    ),
}
# Fits per side: as many as fit into this time, s, at least 3 and at most 5.
MAX_SECONDS = 2.0
MIN_RUNS, MAX_RUNS = 3, 5
# A round that takes longer, s, is the only one.
VERY_LONG = 30.0
# Approximate time of one turn of a side, s.
SHORT = 0.01
# Limit of LIBSVM's steps, times the number of points.
CUT = 2e9
_clock = time.process_time if "--cpu" in sys.argv else time.perf_counter


@dataclass(frozen=True)
class Contestant:
    """A method, the largest n at which it is measured, and the limit of its geometric mean."""

    method: Method
    largest: int
    bar: float


CONTESTANTS = {
    "working set": Contestant(WorkingSet(tol=TOLERANCE), 20_000, 10.0),
    "SMO": Contestant(SMO(tol=TOLERANCE), 5000, 3.0),
}


@dataclass(frozen=True)
class Cell:
    """One problem: the ratio of times for each method, and the quality of the answers.

    ``worst_dual`` is how far a dual of ours is below LIBSVM's; ``our_gap`` (of the worst of ours)
    and ``their_gap`` are duality gaps. All three are relative.
    """

    name: str
    n: int
    kernel: str
    C: float
    ratios: dict[str, float]
    worst_dual: float
    our_gap: float
    their_gap: float
    theirs: float
    cut: bool


def main() -> None:
    """Print one line per cell, then geometric means and worst cells for each n."""
    sizes = [int(n) for n in option("n") or SIZES]
    names = option("methods") or list(CONTESTANTS)
    quick = "--quick" in sys.argv
    cells = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in sizes:
            contestants = {k: c for k, c in CONTESTANTS.items() if k in names and n <= c.largest}
            print(f"n = {n}: LIBSVM's time / ours; {', '.join(contestants)}", flush=True)
            for name in SETS:
                X, y = points(name, n)
                for kernel in KERNELS:
                    for C in PENALTIES if not quick else PENALTIES[1:2]:
                        cells.append(measure(name, X, y, kernel, C, contestants))
                        print(_line(cells[-1]), flush=True)
    for name in names:
        _summary(name, cells)
    _agreement(cells)


def option(name: str) -> list[str]:
    """Return the values after ``--name=`` on the command line, split at commas."""
    said = [part.partition("=")[2] for part in sys.argv if part.startswith(f"--{name}=")]
    return said[-1].split(",") if said else []


def measure(
    name: str, X: np.ndarray, y: np.ndarray, kernel: str, C: float, contestants: Any
) -> Cell:
    """Time all sides on one problem, in turn."""
    ours = {key: _ours(X, y, kernel, C, entry.method) for key, entry in contestants.items()}
    theirs = {shrinking: _theirs(X, y, kernel, C, shrinking) for shrinking in (True, False)}
    times, answers = in_turn({**ours, **theirs})
    model = answers[False]
    best = min(times[True], times[False])
    reference = _certificate_of_theirs(X, y, kernel, C, model)
    certificates = [answers[key].certificate for key in ours]
    return Cell(
        name,
        len(y),
        kernel,
        C,
        {key: best / times[key] for key in ours},
        max(
            (reference.dual - ours.dual) / max(abs(reference.dual), 1e-300) for ours in certificates
        ),
        max(ours.relative_gap for ours in certificates),
        reference.relative_gap,
        best,
        bool(model.fit_status_),
    )


def in_turn(fits: dict[Any, Callable[[], Any]]) -> tuple[dict[Any, float], dict[Any, Any]]:
    """Return the median time of each fit, s, and its answer; the first short fits warm up."""
    begun = {key: fit() for key, fit in fits.items()}
    first, answers = ({key: pair[part] for key, pair in begun.items()} for part in (0, 1))
    spent: dict[Any, list[float]] = {key: [] for key in fits}
    total = sum(first.values())
    rounds = max(MIN_RUNS, min(MAX_RUNS, int(MAX_SECONDS / max(total, 1e-9))))
    if total > 5 * MAX_SECONDS:
        # Long fits: warming up is negligible, so one round is saved; very long ones are run once.
        spent = {key: [value] for key, value in first.items()}
        rounds = rounds - 1 if total < VERY_LONG else 0
    for _ in range(rounds):
        for key, fit in fits.items():
            # Short fits are repeated, each side with its own warm caches.
            often = max(1, min(20, int(SHORT / max(first[key], 1e-9))))
            spent[key].append(statistics.median(fit()[0] for _ in range(often)))
    return {key: statistics.median(values) for key, values in spent.items()}, answers


def _ours(
    X: np.ndarray, y: np.ndarray, kernel: str, C: float, method: Method
) -> Callable[[], tuple[float, Any]]:
    def fit() -> tuple[float, Any]:
        began = _clock()
        run = solve(Problem(X, y, KERNELS[kernel][0], C), method)
        return _clock() - began, run

    return fit


def _theirs(
    X: np.ndarray, y: np.ndarray, kernel: str, C: float, shrinking: bool
) -> Callable[[], tuple[float, Any]]:
    from sklearn.svm import SVC

    def fit() -> tuple[float, Any]:
        model: Any = SVC(
            C=C,
            tol=TOLERANCE,
            cache_size=2000,
            shrinking=shrinking,
            max_iter=int(CUT / len(y)),
            **KERNELS[kernel][1],
        )
        began = _clock()
        model.fit(X, y)
        return _clock() - began, model

    return fit


def _certificate_of_theirs(
    X: np.ndarray, y: np.ndarray, kernel: str, C: float, model: Any
) -> Certificate:
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    problem = Problem(X, y, KERNELS[kernel][0], C)
    expansion = Expansion(problem.kernel, problem.X, beta, float(model.intercept_[0]))
    return certify(problem, expansion)


def _line(cell: Cell) -> str:
    ratios = "  ".join(f"{'>' if cell.cut else ' '}{ratio:7.1f}" for ratio in cell.ratios.values())
    return (
        f"  {cell.name:9} {cell.kernel:7} C = {cell.C:<5g} LIBSVM {1e3 * cell.theirs:9.2f} ms"
        f"  {ratios}   dual short by {max(cell.worst_dual, 0.0):.0e},"
        f" gap {cell.our_gap:.0e}, LIBSVM's {cell.their_gap:.0e}"
    )


def _summary(name: str, cells: list[Cell]) -> None:
    """Print geometric means and worst cells of one method, for each n and over all."""
    found = [cell for cell in cells if name in cell.ratios]
    for n in sorted({cell.n for cell in found}):
        here = [cell for cell in found if cell.n == n]
        worst = min(here, key=lambda cell: cell.ratios[name])
        mean = statistics.geometric_mean(cell.ratios[name] for cell in here)
        print(
            f"{name}, n = {n}: geometric mean {mean:.1f}, worst {worst.ratios[name]:.2f}"
            f" ({worst.name}, {worst.kernel}, C = {worst.C:g}), {len(here)} cells,"
            f" {sum(cell.cut for cell in here)} of them cut"
        )
    if found:
        mean = statistics.geometric_mean(cell.ratios[name] for cell in found)
        bar = CONTESTANTS[name].bar
        print(f"{name}, all: geometric mean {mean:.1f} (bar {bar:g}): {mean / bar:.2f}")


def _agreement(cells: list[Cell]) -> None:
    """Print how well the answers agree, and if not, which is nearer to the optimum."""
    fair = [cell for cell in cells if not cell.cut]
    if not fair:
        return
    short = max(fair, key=lambda cell: cell.worst_dual)
    print(
        f"dual objective at tolerance {TOLERANCE:g}: at worst {max(short.worst_dual, 0.0):.1e}"
        f" relative below LIBSVM's ({short.name}, {short.kernel}, C = {short.C:g}, n = {short.n};"
        f" bar {AGREEMENT:g})"
    )
    for cell in fair:
        if -cell.worst_dual > AGREEMENT:
            print(
                f"  {cell.name}, {cell.kernel}, C = {cell.C:g}, n = {cell.n}: ours is"
                f" {-cell.worst_dual:.1e} above LIBSVM's; its own gap is"
                f" {cell.our_gap:.1e}, LIBSVM's {cell.their_gap:.1e}"
            )
