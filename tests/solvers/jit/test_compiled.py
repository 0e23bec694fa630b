"""Compiling is late, kept on disk, and changes no result."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import solvers
from solvers import RBF, SMO, Linear, Pegasos, Problem, solve
from solvers.jit import compiled
from tests.solvers.problems import cloud

ROOT = Path(solvers.__file__).parent.parent

# Solves two problems; prints a hash of all bits, and what came from disk.
SOLVE = """
import json
from solvers.methods.pegasos import steps as pegasos
from solvers.methods.smo import most_violating_pair as violating
from tests.solvers.jit.test_compiled import hash_of_runs
bits = hash_of_runs()
stats = [f.advance.dispatcher.stats for f in (violating, pegasos)]
print(json.dumps({"bits": bits, "hits": [sum(s.cache_hits.values()) for s in stats],
                  "misses": [sum(s.cache_misses.values()) for s in stats]}))
"""


def hash_of_runs() -> str:
    """A hash of the ends of some runs: every bit of every method's arithmetic."""
    digest = hashlib.sha256()
    X, y = cloud(50, 0, noise=1.0)
    for kernel in (Linear(), RBF()):
        for method in (SMO(tol=1e-5), Pegasos(batch_size=2, project=True, max_steps=500)):
            run = solve(Problem(X, y, kernel=kernel, C=3.0), method)
            digest.update(run.expansion.beta.tobytes())
            digest.update(np.float64(run.certificate.primal).tobytes())
    return digest.hexdigest()


def python(code: str, **environment: str) -> str:
    """What a new Python prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_no_compiler_and_nothing_heavy():
    code = """
import sys, solvers
problem = solvers.Problem([[0, 0], [1, 1]], [-1, 1], kernel=solvers.Polynomial())
problem.form, solvers.SMO(tol=1e-4), problem.kernel(problem.X, problem.X)
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
    # Where the compiler may round as it likes, it does so differently in what it has just inlined.
    fresh = json.loads(python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path)))
    assert min(fresh["misses"]) >= 1
    loaded = json.loads(python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path)))
    assert loaded["misses"] == [0, 0]
    assert fresh["bits"] == loaded["bits"]


@pytest.fixture
def source_hash_of(monkeypatch):
    def hash_of(folder: Path) -> str:
        monkeypatch.setattr(compiled, "__file__", str(folder / "jit" / "compiled.py"))
        return compiled.source_hash.__wrapped__()

    return hash_of


def test_folder_is_named_after_the_sources(tmp_path, source_hash_of):
    folder = shutil.copytree(Path(solvers.__file__).parent, tmp_path / "solvers")
    before = source_hash_of(folder)
    assert before == compiled.source_hash()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        path.write_bytes(text + b"#")
        assert source_hash_of(folder) != before
        path.write_bytes(text)
    assert source_hash_of(folder) == before
    (folder / "new.py").write_text("")
    assert source_hash_of(folder) != before


def test_folder_is_the_users_cache_or_the_one_given(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "given"))
    assert compiled.cache_folder.__wrapped__().parent == tmp_path / "given"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    folder = compiled.cache_folder.__wrapped__()
    assert folder.name == f"compiled-{compiled.source_hash()}"
    if sys.platform == "linux":
        assert folder.parent == tmp_path / "own" / "svmviz"


def test_folder_is_temporary_where_nothing_can_be_written(tmp_path, monkeypatch):
    # A file where a folder should be: refused to everyone, even to root.
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(compiled, "_cache_bases", lambda: [blocked, blocked / "deeper"])
    folder = compiled.cache_folder.__wrapped__()
    try:
        assert folder.is_dir()
        assert folder.parent == Path(tempfile.gettempdir())
    finally:
        folder.rmdir()


def test_works_without_any_cache_folder(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = """
from solvers.jit import compiled
from solvers.jit.simd import fast_exp
print(fast_exp(0.0), compiled.cache_folder())
"""
    (tmp_path / "tmp").mkdir()
    out = python(
        code,
        NUMBA_CACHE_DIR=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        HOME=str(blocked),
        TMPDIR=str(tmp_path / "tmp"),
    )
    value, folder = out.split()
    assert value == "1.0"
    assert Path(folder).parent == tmp_path / "tmp"


def test_numba_keeps_its_own_cache_folder():
    import numba

    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    function = compiled.compiled(_twice)
    assert function(2.0) == 4.0
    assert before == numba.config.CACHE_DIR  # type: ignore[attr-defined]
    assert function.__doc__ == "Two times x."
    assert function.dispatcher is function.dispatcher


def _twice(x):
    """Two times x."""
    return 2.0 * x
