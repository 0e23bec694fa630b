"""Another process compiles; the requesting one only loads, or compiles if there is no other.

That a process which ends too early is started again is tested in test_processes.py.
"""

import subprocess
import sys
import threading
import time

import pytest

from solvers import METHODS
from solvers.cancelling import Cancelled, cancel_when
from solvers.jit import cache, helper
from solvers.jit.compiled import FUNCTIONS
from solvers.jit.helper import compiling_elsewhere, is_waited_for, wait_for
from solvers.precompile import names_in_order
from tests.solvers.jit.test_compiled import python
from tests.time_limits import TIME_LIMIT

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
print(run.steps, compiled, cache.is_compiled("solvers.methods.smo.choice.advance_by_errors"))
"""


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty folder of machine code."""
    folder = tmp_path / "cache" / "compiled-of-a-test"
    folder.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(cache, "folder", lambda: folder)
    return folder


@pytest.fixture
def stand_in(monkeypatch):
    """Start processes that run these lines instead of compiling; return those that were started."""
    started = []
    real = subprocess.Popen

    def use(program):
        def start(_, **options):
            started.append(real([sys.executable, "-c", program], **options))
            return started[-1]

        monkeypatch.setattr(subprocess, "Popen", start)
        return started

    yield use
    for process in started:
        process.kill()
        process.wait()


SLEEP = "import time; time.sleep(60)"


def wait_until(condition, thread):
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.mark.slow
def test_the_process_that_asks_compiles_nothing_and_gets_only_what_it_needs(tmp_path):
    out = python(SOLVE, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert out.split() == ["100", "[]", "False"]


def test_everything_is_in_the_order():
    names = names_in_order()
    assert set(names) == {name for name, one in FUNCTIONS.items() if one.is_entry}
    place = {name: k for k, name in enumerate(names)}
    # The default method comes first, and methods in the order of the registry.
    steps = [f"solvers.methods.{room}" for room in ("smo.choice", "working_set.st", "hulls.st")]
    firsts = [min(place[name] for name in names if name.startswith(step)) for step in steps]
    assert firsts == sorted(firsts)
    assert next(iter(METHODS)) == "smo"


def test_without_a_helper_or_for_a_compiled_function_nothing_is_waited_for(empty, stand_in):
    wait_for("solvers.never")
    cache.mark_compiled("solvers.one")
    started = stand_in(SLEEP)
    with compiling_elsewhere(everything=False):
        wait_for("solvers.one")
        assert not is_waited_for()
    assert not started


def test_it_waits_for_the_answer_and_says_so(empty, stand_in, tmp_path):
    # Answers the first request once a file exists.
    answer = (
        "import json, os, sys, time\n"
        "number, name = json.loads(sys.stdin.readline())\n"
        "while not os.path.exists(name): time.sleep(0.001)\n"
        "print(json.dumps([number, 'answer', None]), flush=True); time.sleep(60)"
    )
    stand_in(answer)
    path = tmp_path / "compiled"
    with compiling_elsewhere(everything=False):
        thread = threading.Thread(target=wait_for, args=(str(path),))
        thread.start()
        wait_until(is_waited_for, thread)
        path.touch()
        thread.join(TIME_LIMIT)
        assert not thread.is_alive()
        assert not is_waited_for()


def test_a_wait_can_be_cancelled(empty, stand_in):
    stand_in(SLEEP)
    with compiling_elsewhere(everything=False):
        with cancel_when(lambda: True), pytest.raises(Cancelled):
            wait_for("solvers.never")
        assert not is_waited_for()


@pytest.mark.parametrize("program", ["raise SystemExit(1)", None])
def test_without_a_process_that_answers_the_caller_compiles(empty, stand_in, monkeypatch, program):
    if program is None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        stand_in(program)
    with compiling_elsewhere(everything=False):
        wait_for("solvers.never")


def test_a_block_may_end_while_a_thread_begins(empty, stand_in, monkeypatch):
    started = stand_in(SLEEP)
    block = compiling_elsewhere(everything=True)

    def end_block(_name):
        # End the block while this thread checks whether everything is compiled.
        if helper._child is not None:
            block.__exit__(None, None, None)
        return False

    monkeypatch.setattr(cache, "is_compiled", end_block)
    block.__enter__()
    helper.begin()
    assert helper._child is None
    assert not started


def test_the_end_of_the_block_ends_the_process_and_every_wait(empty, stand_in):
    started, ended = stand_in(SLEEP), []

    def wait():
        try:
            wait_for("solvers.never")
        except Cancelled:
            ended.append(True)

    with compiling_elsewhere(everything=False):
        thread = threading.Thread(target=wait)
        thread.start()
        wait_until(lambda: started, thread)
    thread.join(TIME_LIMIT)
    assert ended == [True]
    assert started[0].poll() is not None


def test_a_function_without_machine_code_is_compiled_in_answer_to_a_request(tmp_path):
    folder = tmp_path / "cache"
    code = """
from solvers.jit import cache
from solvers.jit.helper import compiling_elsewhere, wait_for
with compiling_elsewhere(everything=False):
    for name in ("fast_exp", "no_such_function"):
        name = f"solvers.kernels.arithmetic.{name}"
        wait_for(name)
        print(cache.is_compiled(name))
"""
    assert python(code, NUMBA_CACHE_DIR=str(folder)).split() == ["True", "False"]
