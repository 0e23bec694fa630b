"""Fits on a Dask cluster, one worker of which is killed.

Each test runs a program of its own, since Dask leaves threads behind.
"""

import json
import os
import re
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


LOST = """
import json, os, signal, subprocess, sys, threading, time
from distributed import Client
from solvers.selection import cluster
from svmviz.cli import main

# A quicker one would end while a worker is starting on a busy machine.
cluster.MAX_SILENCE = 6.0

def start(name, *words):
    return subprocess.Popen([sys.executable, "-m", f"distributed.cli.dask_{name}", *words],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

if __name__ == "__main__":
    file, store, lost, sign = sys.argv[1:]
    scheduler_file = store + ".json"
    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                      "--scheduler-file", scheduler_file)
    worker = start("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard",
                   "--scheduler-file", scheduler_file)
    while not os.path.exists(scheduler_file):
        time.sleep(0.1)
    address = Client(scheduler_file=scheduler_file, timeout=30).scheduler.address
    with Client(address) as client:
        client.wait_for_workers(1, timeout=60)
    victim = {"scheduler": scheduler, "worker": worker}[lost]

    struck = []

    def strike():
        import sqlite3
        path = os.path.join(store, "results.sqlite")
        while True:
            time.sleep(0.05)
            if os.path.exists(path):
                with sqlite3.connect(path) as database:
                    try:
                        if database.execute("SELECT count(*) FROM results").fetchone()[0]:
                            break
                    except sqlite3.Error:
                        pass
        os.kill(victim.pid, getattr(signal, sign))
        struck.append(time.monotonic())

    threading.Thread(target=strike, daemon=True).start()
    grid = "C=" + ",".join(str(0.001 * 1.02**k) for k in range(800))
    code = main(["select", file, "--procedure", "k-fold", "--folds", "10", "--grid", grid,
                 "--backend", "dask", "--address", address.removeprefix("tcp://"),
                 "--store", store])
    seconds = time.monotonic() - struck[0]
    for process in (worker, scheduler):
        process.send_signal(signal.SIGCONT)
        process.kill()
    print(json.dumps([code, seconds]))
"""


FAILING = """
import json, os, time
from distributed import LocalCluster
from solvers import BadInput
from solvers.selection.cluster import Cluster, ClusterLost

def fail(shared, item):
    if shared:
        raise BadInput("no such model")
    time.sleep(0.2)
    os._exit(1)

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        with Cluster(cluster.scheduler_address) as pool:
            try:
                list(pool.run(fail, True, [0, 1]))
            except BadInput as error:
                said = str(error)
            try:
                list(pool.run(fail, False, [0]))
            except ClusterLost as error:
                lost = "has lost every worker" in str(error)
    print(json.dumps([said, lost]))
"""
SILENT = """
import contextlib, io, json, socket, sys, time
from solvers.cancelling import Cancelled, cancel_when
from solvers.selection import cluster
from svmviz.cli import main

cluster.silence_logs()  # which imports Dask, so that this is not timed
if __name__ == "__main__":
    # It listens, so the system accepts connections, but nothing answers them.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        with cancel_when(lambda: time.monotonic() - began > 0.3):
            try:
                cluster.Cluster(address)
            except Cancelled:
                cancelled = time.monotonic() - began
        cluster.TIMEOUT = 2
        began = time.monotonic()
        code = main(["select", sys.argv[1], "--procedure", "hold-out", "--backend", "dask",
                     "--address", address])
        seconds = time.monotonic() - began
    print(json.dumps([cancelled, code, seconds]))
"""


def run_lost(tmp_path, *arguments):
    """Return the exit code with the time from the strike to it, and what was written to stderr."""
    file = tmp_path / "program.py"
    file.write_text(LOST, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lost", "sign", "sentence"),
    [
        ("scheduler", "SIGKILL", " does not answer any more. "),
        ("worker", "SIGKILL", "No worker of the Dask scheduler at "),
        ("worker", "SIGSTOP", "No worker of the Dask scheduler at "),
        ("scheduler", "SIGSTOP", " has not answered for 6 s. "),
    ],
)
def test_a_lost_cluster_is_one_sentence_and_results_are_kept(tmp_path, lost, sign, sentence):
    from solvers.data.datasets import DATASETS
    from svmviz.io.open_and_save import save

    save(tmp_path / "moons.csv", DATASETS["moons"].generate(300, 0.3, 0))
    (code, seconds), words = run_lost(
        tmp_path, tmp_path / "moons.csv", tmp_path / "store", lost, sign
    )
    assert code == 1
    # The limit is 6 s here, and at most 2 s are waited until tasks and connection are closed.
    assert seconds < 12.0
    assert len(words.splitlines()) == 1, words
    assert sentence in words
    assert "kept in" in words
    assert "goes on from them" in words


def start(program, tmp_path, argument):
    """Run a program in a process of its own, and return the process that has ended."""
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, str(file), str(argument)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )


def run(program, tmp_path, argument):
    """Run a program in a process of its own; return what its last line says."""
    done = start(program, tmp_path, argument)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_an_address_that_says_nothing_is_one_sentence_and_can_be_cancelled(tmp_path):
    from solvers.data.datasets import DATASETS
    from svmviz.io.open_and_save import save

    save(tmp_path / "moons.csv", DATASETS["moons"].generate(20, 0.3, 0))
    done = start(SILENT, tmp_path, tmp_path / "moons.csv")
    cancelled, code, seconds = json.loads(done.stdout)
    assert 0.3 <= cancelled < 2.0
    assert code == 1
    assert seconds < 8.0
    assert re.fullmatch(
        r'svmviz: No Dask scheduler answers at "127.0.0.1:\d+" within 2 s\.\n', done.stderr
    )


@pytest.mark.slow
def test_an_error_in_a_worker_is_raised_here(tmp_path):
    assert run(FAILING, tmp_path, tmp_path) == ["no such model", True]


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
