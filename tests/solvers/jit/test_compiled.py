"""Compiling is lazy, cached on disk, and changes no result."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import solvers
from solvers import RBF, SMO, Linear, Pegasos, Problem, solve
from solvers.jit import compiled
from tests.solvers.problems import cloud
from tests.time_limits import TIME_LIMIT

ROOT = Path(solvers.__file__).parent.parent

# Solves two problems; prints a hash of all bits, and what was loaded from disk.
SOLVE = """
import json
from solvers.methods.pegasos import steps as pegasos
from solvers.methods.smo import choice
from tests.solvers.jit.test_compiled import hash_of_runs
bits = hash_of_runs()
stats = [f.load().stats for f in (choice.advance_by_errors, pegasos.advance)]
print(json.dumps({"bits": bits, "hits": [sum(s.cache_hits.values()) for s in stats],
                  "misses": [sum(s.cache_misses.values()) for s in stats]}))
"""


def hash_of_runs() -> str:
    """Return a hash of the results of some runs, bit for bit."""
    digest = hashlib.sha256()
    X, y = cloud(50, 0, noise=1.0)
    for kernel in (Linear(), RBF()):
        for method in (SMO(tol=1e-5), Pegasos(batch_size=2, project=True, max_steps=500)):
            run = solve(Problem(X, y, kernel=kernel, C=3.0), method)
            digest.update(run.expansion.beta.tobytes())
            digest.update(np.float64(run.certificate.primal).tobytes())
    return digest.hexdigest()


def python(code: str, **environment: str) -> str:
    """Return the output of a new Python process."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_no_compiler_and_nothing_heavy():
    code = """
import sys, solvers
problem = solvers.Problem([[0, 0], [1, 1]], [-1, 1], kernel=solvers.Polynomial())
problem.dual_form, solvers.SMO(tol=1e-4), problem.kernel(problem.X, problem.X)
heavy = {"numba", "llvmlite", "scipy", "sklearn", "PySide6", "pyqtgraph", "svmviz"}
print(sorted(heavy & set(sys.modules)))
"""
    assert python(code).strip() == "[]"


def test_another_process_is_served_from_disk_with_the_same_bits():
    here = hash_of_runs()
    there = json.loads(python(SOLVE))
    assert there["misses"] == [0, 0]
    assert min(there["hits"]) >= 1
    assert there["bits"] == here


@pytest.mark.slow
def test_compiling_gives_the_same_bits_as_loading(tmp_path):
    # If the compiler may change rounding, it does so differently in code that it inlined.
    fresh = json.loads(python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path)))
    assert min(fresh["misses"]) >= 1
    loaded = json.loads(python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path)))
    assert loaded["misses"] == [0, 0]
    assert fresh["bits"] == loaded["bits"]


def test_numba_keeps_its_own_cache_folder():
    import numba

    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    function = compiled.compiled(_twice)
    assert function(2.0) == 4.0
    assert before == numba.config.CACHE_DIR  # type: ignore[attr-defined]
    assert function.__doc__ == "Two times x."


def _twice(x: float) -> float:
    """Two times x."""
    return 2.0 * x
