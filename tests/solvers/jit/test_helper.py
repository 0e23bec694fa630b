"""Another process compiles; the requesting one only loads, or compiles if there is no other."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from solvers import METHODS
from solvers.cancelling import Cancelled, cancel_when
from solvers.jit import cache, helper
from solvers.jit.compiled import FUNCTIONS
from solvers.jit.helper import Helper, compiling_elsewhere, progress, wait_for
from solvers.precompile import names_in_order
from tests.solvers.jit.test_compiled import python

# Solves with a helper, and counts what this process compiled itself.
SOLVE = """
from numba.core.event import Listener, register
compiled = []
class Count(Listener):
    def on_start(self, event):
        compiled.append(str(event.data["dispatcher"]))
    def on_end(self, event):
        pass
register("numba:compile", Count())
import numpy as np
from solvers import RBF, Problem, Sigmoid, Subgradient, solve
from solvers.jit import cache
from solvers.jit.helper import compiling_elsewhere
X = np.random.default_rng(0).normal(size=(20, 2))
y = np.where(X[:, 0] > 0, 1.0, -1.0)
with compiling_elsewhere(everything=False):
    for kernel in RBF(), Sigmoid():
        run = solve(Problem(X, y, kernel=kernel), Subgradient(max_steps=100))
print(run.steps, compiled, cache.is_compiled("solvers.methods.smo.most_violating_pair.advance"))
"""


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty folder of machine code."""
    folder = tmp_path / "cache" / "compiled-of-a-test"
    folder.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(cache, "folder", lambda: folder)
    return folder


def waits(program, seconds=60):
    """Replace the process that compiles by one that runs these lines."""
    return [sys.executable, "-c", f"import sys, time\n{program}\ntime.sleep({seconds})"]


@pytest.fixture
def stand_in(monkeypatch):
    """Start other processes instead of the compiling one; return those that were started."""
    started = []
    real = subprocess.Popen

    def use(program):
        def start(_, **options):
            started.append(real(waits(program), **options))
            return started[-1]

        monkeypatch.setattr(subprocess, "Popen", start)
        return started

    yield use
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_the_process_that_asks_compiles_nothing_and_gets_only_what_it_needs(tmp_path):
    out = python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert out.split() == ["100", "[]", "False"]


def test_everything_is_in_the_order_and_the_needs_of_each_come_first():
    names = names_in_order()
    assert set(names) == {one.name for one in FUNCTIONS.values() if one.has_machine_code}
    place = {name: k for k, name in enumerate(names)}
    for one in FUNCTIONS.values():
        if one.has_machine_code:
            assert all(place[need.name] <= place[one.name] for need in one.needs)
    # The default method comes first, and methods in the order of the registry.
    steps = [f"solvers.methods.{room}" for room in ("smo.most", "working_set.st", "hulls.st")]
    firsts = [min(place[name] for name in names if name.startswith(step)) for step in steps]
    assert firsts == sorted(firsts)
    assert next(iter(METHODS)) == "smo"


def test_without_a_helper_nothing_is_waited_for(empty):
    wait_for(["solvers.never"])
    assert progress() is None


def test_it_waits_until_the_function_is_kept_and_says_how_far_it_is(empty, stand_in):
    stand_in("")
    with compiling_elsewhere(everything=False):
        cache.mark_compiled("solvers.one")
        thread = threading.Thread(target=wait_for, args=(["solvers.one", "solvers.two"],))
        thread.start()
        while progress() is None:
            assert thread.is_alive()
            time.sleep(0.001)
        assert progress() == (1, 2)
        cache.mark_compiled("solvers.two")
        thread.join(60.0)
        assert not thread.is_alive()
        assert progress() is None


def test_a_wait_can_be_cancelled(empty, stand_in):
    stand_in("")
    with compiling_elsewhere(everything=False):
        with cancel_when(lambda: True), pytest.raises(Cancelled):
            wait_for(["solvers.never"])
        assert progress() is None


def test_a_process_that_ends_is_restarted_once(empty, stand_in):
    started = stand_in("sys.exit(1)")
    with compiling_elsewhere(everything=False):
        wait_for(["solvers.never"])
    assert len(started) == helper.MAX_STARTS


def test_a_process_that_ends_while_it_gets_a_request_is_restarted(empty, stand_in):
    started = stand_in("")
    with compiling_elsewhere(everything=False):
        helper.begin()
        # As if the process had ended after it was found running.
        started[0].stdin.close()
        assert helper._helper.request(["solvers.never"])
        assert len(started) == 2
        assert started[0].poll() is not None


def test_a_block_may_end_while_a_thread_begins(empty, stand_in, monkeypatch):
    started = stand_in("")

    def end_block(_name):
        # As if the block had ended while this thread looks whether everything is compiled.
        helper._helper = None
        return False

    monkeypatch.setattr(cache, "is_compiled", end_block)
    with compiling_elsewhere(everything=False):
        helper.begin()
    assert helper._helper is None
    assert len(started) == 1
    assert started[0].poll() is not None


def test_without_a_startable_python_the_process_compiles_itself(empty, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with compiling_elsewhere(everything=False):
        wait_for(["solvers.never"])


def test_the_end_of_the_block_ends_the_process_and_every_wait(empty, stand_in):
    (started, ended) = (stand_in(""), [])

    def wait():
        try:
            wait_for(["solvers.never"])
        except Cancelled:
            ended.append(True)

    with compiling_elsewhere(everything=False):
        thread = threading.Thread(target=wait)
        thread.start()
        while progress() is None:
            assert thread.is_alive()
            time.sleep(0.001)
    thread.join(60.0)
    assert ended == [True]
    assert started[0].returncode is not None


def real_helper():
    """Return the process that compiles, waiting for requests."""
    one = Helper(everything=False)
    assert one.request(["solvers.jit.simd.fast_exp"])
    return one


def test_it_ends_with_the_program_that_asks():
    one = real_helper()
    process = one._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(60.0) == 0
    one.close()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no such signal")
def test_ctrl_c_is_for_the_program_that_asks():
    one = real_helper()
    process = one._process
    assert process is not None
    deadline = time.monotonic() + 60.0
    ignored = 1 << (signal.SIGINT - 1)
    status = f"/proc/{process.pid}/status"
    if not os.path.exists(status):
        one.close()
        pytest.skip("cannot see what a process ignores")

    def ignores() -> bool:
        with open(status) as file:
            line = next(line for line in file if line.startswith("SigIgn"))
        return bool(int(line.split()[1], 16) & ignored)

    while not ignores():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert one.is_running
    one.close()
