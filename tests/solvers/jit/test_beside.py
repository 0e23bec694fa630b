"""A second process compiles, too: with the same result, and nothing is left of it."""

import subprocess
import sys
import threading

import pytest

from solvers import METHODS, Hulls, Run
from solvers.jit import beside
from solvers.jit.beside import Beside, compiling_beside
from solvers.jit.separate import Apart
from tests.solvers.jit.test_compiled import python
from tests.solvers.run.test_run import small_problem

# A first run where nothing is on disk: the bits of beta, and how many parts came from there.
FIRST = """
import numpy as np
from solvers import SMO, Problem, RBF, solve
from solvers.jit import beside
beside._may = lambda: {helped}
X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(X[:, 0] + 0.4 * X[:, 1] > 0, 1.0, -1.0)
method = SMO(pair="platt")
run = solve(Problem(X, y, kernel=RBF(1.0)), method)
found = sum(sum(part._called.stats.cache_hits.values()) for part in method.parts())
print(run.steps, run.expansion.beta.tobytes().hex(), run.expansion.bias.hex(), found)
"""
# Which parts of a method its runs do without, though machine code of all is on disk.
UNUSED = """
from solvers import Hulls, SMO, WorkingSet, solve
from solvers.jit import beside
from tests.solvers.run.test_run import small_problem
beside._may = lambda: False
kinds = [SMO(pair=pair) for pair in ("second-order", "maximal-violation", "platt", "random")]
kinds += [Hulls(algorithm=name) for name in ("pairwise", "mdm", "wolfe")] + [WorkingSet()]
for method in kinds:
    for part in method.parts():
        part._slot[0] = None
    solve(small_problem(type(method)), method)
    print([part.address for part in method.parts() if not part._slot[0]])
"""


def test_alone_and_with_help_the_bits_are_the_same(tmp_path):
    folders = tmp_path / "alone", tmp_path / "helped"
    for folder in folders:
        folder.mkdir()
    alone, helped = (
        python(FIRST.format(helped=helped), NUMBA_CACHE_DIR=str(folder)).split()
        for helped, folder in zip((False, True), folders, strict=True)
    )
    assert alone[:3] == helped[:3]
    assert int(alone[3]) == 0
    assert int(helped[3]) > 0


def test_what_a_method_calls_its_parts_is_used_by_its_runs():
    assert set(python(UNUSED).splitlines()) == {"[]"}


@pytest.mark.parametrize("kind", METHODS.values())
def test_no_process_is_started_where_all_is_on_disk(kind, monkeypatch):
    Run(small_problem(kind), kind()).advance()
    monkeypatch.setattr(beside, "_start", lambda: pytest.fail("It was started."))
    with compiling_beside(kind().parts()):
        assert Apart.beside is None


def process(code):
    """A process that answers as the second one would, for a while."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True)


def missing(monkeypatch):
    """Parts that look as if they were not on disk."""
    monkeypatch.setattr(Apart, "is_kept", False)
    monkeypatch.setattr(beside, "_may", lambda: True)
    return Hulls().parts()


def test_a_process_that_ends_at_once_holds_nobody_up(monkeypatch):
    parts = missing(monkeypatch)
    ends = process("print('free')")
    monkeypatch.setattr(beside, "_start", lambda: ends)
    with compiling_beside(parts):
        for part in parts:
            Apart.beside.wait_for(part)
    assert ends.returncode is not None
    assert Apart.beside is None


def test_a_python_that_cannot_be_started_is_done_without(monkeypatch):
    parts = missing(monkeypatch)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with compiling_beside(parts):
        assert Apart.beside is None


def test_the_process_is_gone_after_the_block(monkeypatch):
    parts = missing(monkeypatch)
    with compiling_beside(parts):
        second = Apart.beside._process
        assert second.poll() is None
    assert second.returncode is not None
    assert "compile beside" not in [thread.name for thread in threading.enumerate()]


def test_it_ends_when_nobody_listens_any_more():
    second = beside._start()
    assert second.stdin is not None
    assert second.stdout is not None
    assert second.stdout.readline() == "free\n"
    second.stdin.close()
    assert second.wait(timeout=60) == 0
    second.stdout.close()


def test_who_waits_takes_other_parts(monkeypatch):
    parts = missing(monkeypatch)
    done = []
    monkeypatch.setattr(Apart, "compile", lambda part: done.append(part))
    silent = process("print('free', flush=True); input(); input()")
    monkeypatch.setattr(beside, "_start", lambda: silent)
    helper = Beside(parts)
    while helper._there is None:
        pass
    threading.Timer(0.3, silent.kill).start()
    helper.wait_for(parts[0])
    helper.close()
    assert done == list(reversed(parts[1:]))
