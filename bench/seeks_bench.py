"""Time until a recorded step is on screen: random seeks in long runs of n = 1,000.

``bench/run.py seeks [--method=working-set]``. A seek is the replay from the last keyframe; a frame
adds the certificate, and the field of a window with its contours; a first seek is
that of a reader who has no kernel rows yet. Times are those of the processor, so that other work on
the machine hardly shows.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from solvers import METHODS, RBF, Cursor, Kernel, Linear, Method, Problem, Run
from solvers.data.datasets import DATASETS
from solvers.settings import settings_of
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.viewport import Grid

POINTS, STEPS = 1000, 1_000_000
# Limit for a frame, ms; it holds if the seek takes half of it.
BAR_FRAME, BAR_SEEK = 16.0, 8.0
# A run that does not reach a million steps in this time is measured up to there, s.
WORKED = 8.0
SEEKS, FRAMES, FIRSTS = 200, 40, 20
# Nodes of the grid in a window of normal size.
COLUMNS, ROWS = 161, 121
# Settings in addition to choices and switches.
MORE: dict[str, tuple[dict[str, Any], ...]] = {
    "working-set": (
        {"choice": "worst", "size": 2},
        {"choice": "worst", "size": 10},
        {"choice": "worst", "size": 10, "newton": False},
        {"choice": "osuna", "size": 10},
        {"size": 10},
        {"size": 512},
    ),
    "pegasos": ({"batch_size": 32},),
    "hulls": ({"algorithm": "mdm", "mu": 0.01}, {"algorithm": "wolfe", "mu": 0.01}),
}


def main() -> None:
    """Print the seeks (median, worst, worst first one) and frames of each method and setting."""
    only = [part[9:] for part in sys.argv if part.startswith("--method=")] or list(METHODS)
    print(f"random seeks at n = {POINTS:,}: ms of the processor, median and worst")
    print(f"(bars: worst seek {BAR_SEEK:g} ms, worst first seek or frame {BAR_FRAME:g} ms)")
    for name in only:
        for method in _methods(METHODS[name]):
            for kernel in (Linear(), RBF(1.0)):
                print(_line(method, kernel), flush=True)


def _methods(kind: type[Method]) -> Iterator[Method]:
    """Return a method with its defaults, and with each choice, each switch and some settings."""
    changes: list[dict[str, Any]] = [{}]
    for name, spec in settings_of(kind).items():
        now = getattr(kind(), name)
        changes += [{name: value} for value, _ in spec.choices or () if value != now]
        changes += [{name: not now}] if spec.scale == "switch" else []
    tight = {"max_steps": STEPS} | ({"tol": 1e-9} if "tol" in settings_of(kind) else {})
    for change in (*changes, *MORE.get(kind.name, ())):
        yield kind(**tight, **change)


def _line(method: Method, kernel: Kernel) -> str:
    """Return the name, the number of steps, and the times of seeks and frames of one case."""
    # Hulls of separable points, since hulls that meet end at once.
    name = "blobs" if method.name == "hulls" else "gaussians"
    data = DATASETS[name].generate(POINTS, DATASETS[name].noise_default, 0)
    bias = method.biases[0]
    problem = Problem(data.points, data.labels, kernel=kernel, C=100.0, bias=bias)
    run = Run(problem, method)
    deadline = time.process_time() + WORKED
    while run.advance() and time.process_time() < deadline:
        pass
    low, high = data.points.min(axis=0), data.points.max(axis=0)
    window = Grid(low[0], high[0], low[1], high[1], COLUMNS, ROWS)
    reader, rng = LaneReader(run), np.random.default_rng(0)
    steps = rng.integers(0, run.steps + 1, SEEKS + FRAMES).tolist()
    # Compiling and allocating count for the first seek.
    reader.read(run.steps, window, np.ones(2))
    # As in the window, the garbage collector does not scan what was compiled.
    gc.collect()
    gc.freeze()
    seeks = [_timed(lambda k=k: reader._cursor.seek(k)) for k in steps[:SEEKS]]
    frames = [_timed(lambda k=k: reader.read(k, window, np.ones(2))) for k in steps[SEEKS:]]
    firsts = [_timed(lambda k=k: Cursor(run).seek(k)) for k in steps[:FIRSTS]]
    good = max(seeks) <= BAR_SEEK and max(*firsts, *frames) <= BAR_FRAME
    return (
        f"{_said(method):48s}{kernel.name:7s}{run.steps:9,} steps"
        f"  seek {np.median(seeks):5.2f} {max(seeks):6.2f}"
        f"  first {max(firsts):6.2f}"
        f"  frame {np.median(frames):5.2f} {max(frames):6.2f}"
        f"  {run.trace.bytes / max(1, run.steps):6.1f} MB/million"
        f"{'' if good else '  beyond the bar'}"
    )


def _said(method: Method) -> str:
    """Return the name of a method, and its settings that are not defaults."""
    plain = type(method)().values()
    told = {k: v for k, v in method.values().items() if plain[k] != v}
    settings = (f"{k}={v}" for k, v in told.items() if k not in ("tol", "max_steps"))
    return " ".join((method.name, *settings))


def _timed(do: Callable[[], object]) -> float:
    began = time.thread_time()
    do()
    return 1e3 * (time.thread_time() - began)
