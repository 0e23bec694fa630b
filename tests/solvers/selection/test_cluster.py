"""Fits on a Dask cluster, one worker of which is killed.

Each test runs a program of its own, since Dask leaves threads behind.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers import BadInput
from solvers.selection.cluster import Cluster
from tests.time_limits import TIME_LIMIT

pytest.importorskip("distributed", reason="make test installs it")

ROOT = Path(__file__).parents[3]
KILLING = """
import json, os, signal, sys
from distributed import LocalCluster
from solvers import RBF
from solvers.selection.cluster import Cluster
from solvers.selection.models import grid
from solvers.selection.procedures import k_fold
from solvers.selection.store import Store
from tests.solvers.selection.sets import moons

def key(results):
    return sorted([r.model, r.part, r.risk, r.fit.decision.tolist()] for r in results)

if __name__ == "__main__":
    problem = moons(200)
    models = grid({"C": [0.01, 0.1, 1.0, 10.0], "gamma": [0.1, 1.0, 10.0, 100.0]}, RBF())
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Cluster(cluster.scheduler_address) as pool, Store(sys.argv[1], problem) as store:
            stream = k_fold(problem, models, folds=10, pool=pool, store=store)
            found = [next(stream) for _ in range(5)]
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            found += list(stream)
            again = list(k_fold(problem, models, folds=10, pool=pool, store=store))
    alone = list(k_fold(problem, models, folds=10))
    same = key(found) == key(alone) == key(again)
    print(json.dumps([same, len(found), sum(r.solved for r in again)]))
"""
COMMAND = """
import contextlib, io, json, sys
from distributed import LocalCluster
from svmviz.cli import main

if __name__ == "__main__":
    outputs = []
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        words = ["select", sys.argv[1], "--procedure", "leave-one-out", "--json"]
        for more in ([], ["--backend", "dask", "--address", address]):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                assert main([*words, *more]) == 0
            outputs.append(json.loads(out.getvalue()))
    print(json.dumps(outputs[0] == outputs[1]))
"""


def run(program, tmp_path, argument):
    """Run a program in a process of its own; return what its last line says."""
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(file), str(argument)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(tmp_path):
    assert run(KILLING, tmp_path, tmp_path / "store") == [True, 160, 0]


@pytest.mark.slow
def test_the_command_line_gives_the_same_answer(tmp_path):
    from solvers.data.datasets import DATASETS
    from svmviz.io.open_and_save import save

    save(tmp_path / "moons.csv", DATASETS["moons"].generate(40, 0.3, 0))
    assert run(COMMAND, tmp_path, tmp_path / "moons.csv") is True


def test_without_dask_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'svmviz\[dask\]'"):
        Cluster("127.0.0.1:8786")
