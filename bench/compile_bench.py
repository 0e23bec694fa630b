"""Time of the first solve of each method, cold (compiling) and warm (from disk)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

# Limits on the time to compile, s by the clock with both cores idle.
BAR_SMO, BAR = 2.0, 4.0
CASES = (
    "SMO()",
    "SMO(pair='platt')",
    "SMO(pair='random')",
    "SMO(shrinking=True)",
    "WorkingSet()",
    "WorkingSet(choice='osuna')",
    "CoordinateAscent()",
    "Pegasos()",
    "Subgradient()",
    "Perceptron()",
    "InteriorPoint()",
    "Hulls()",
    "Hulls(algorithm='mdm')",
    "Hulls(algorithm='wolfe')",
)
KERNELS = ("Linear()", "RBF()")
# Prints wall and CPU seconds of the first solve with its certificate and field, without the import
# of the compiler, and those of that import.
FIRST = """
import json, time
import numpy as np
from solvers import *
def now():
    return np.array([time.perf_counter(), time.process_time()])
began = now()
import numba
imported = now() - began
X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(X[:, 0] > 0, 1.0, -1.0)
X[:, 0] += y
method = {method}
problem = Problem(X, y, kernel={kernel}, C=1.0, bias=type(method).biases[0])
began = now()
run = solve(problem, method)
solved = now() - began
began = now()
run.certificate
run.expansion.on_grid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
shown = now() - began
print(json.dumps([list(solved), list(shown), list(imported)]))
"""


def main() -> None:
    """Print a line for each method and kernel: seconds of the first solve, cold and warm."""
    print("First solve in a process, cold and warm: seconds (CPU here); then its picture's numbers")
    for method in CASES:
        for kernel in KERNELS:
            with tempfile.TemporaryDirectory() as folder:
                cold, warm = _first(method, kernel, folder), _first(method, kernel, folder)
            bar = BAR_SMO if method.startswith("SMO") else BAR
            print(
                f"{method:28s}{kernel:9s} cold {_said(cold[0])} + {_said(cold[1])}, "
                f"warm {_said(warm[0])} + {_said(warm[1])}  (bar {bar:g} s cold; "
                f"importing numba took {_said(cold[2])})",
                flush=True,
            )


def _said(seconds: list[float]) -> str:
    wall, processor = seconds
    return f"{wall:.2f} ({processor:.2f})"


def _first(method: str, kernel: str, folder: str) -> list[list[float]]:
    script = FIRST.format(method=method, kernel=kernel)
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True
    )
    return json.loads(done.stdout)
