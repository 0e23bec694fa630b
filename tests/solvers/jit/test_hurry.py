"""Compiling in a hurry changes neither what is compiled nor numba for others."""

import json

import pytest

from solvers.jit import shortcuts
from solvers.jit.compiled import compiled
from tests.solvers.jit.test_compiled import python

# Solves, with or without shortcuts; prints a hash of the machine code of every function.
CODE = """
import contextlib, hashlib, json
from solvers import RBF, Problem, WorkingSet, solve
from solvers.jit import beside, hurry
beside._may = lambda: False
if not {short}:
    hurry.shortcuts = contextlib.nullcontext
found = {{}}
make = hurry._container()._make
def note(container):
    make(container)
    code = hashlib.sha256(container._compiled_object).hexdigest()
    found[f"{{len(found)}} {{container.name}}"] = code
hurry._container()._make = note
problem = Problem([[0, 0], [1, 1], [2, 0], [2, 2]], [-1, 1, 1, -1], kernel=RBF())
solve(problem, WorkingSet())
print(json.dumps(found))
"""


@pytest.mark.slow
def test_shortcuts_change_no_machine_code(tmp_path):
    ways = []
    for short in (True, False):
        folder = tmp_path / str(short)
        folder.mkdir()
        code = python(CODE.format(short=short), NUMBA_CACHE_DIR=str(folder))
        ways.append(json.loads(code))
    assert len(ways[0]) >= 10
    assert ways[0] == ways[1]


def originals():
    """What numba has where the shortcuts are put."""
    return [vars(owner)[name] for owner, name, _ in shortcuts._all_shortcuts()]


def test_each_shortcut_is_there_and_taken_back():
    ways = shortcuts._all_shortcuts()
    assert [name for _, name, _ in ways] == [
        "__eq__",
        "__hash__",
        "get_call_type",
        "inline_function",
        "_rec_list_vars",
        "run",
        "get_abi_sizeof",
        "get_abi_alignment",
        "refresh",
        "_termcolor_inst",
    ]
    before = originals()
    with shortcuts.shortcuts():
        assert originals() == [way for _, _, way in ways]
        with shortcuts.shortcuts():
            pass
        assert originals() == [way for _, _, way in ways]
    with pytest.raises(KeyboardInterrupt), shortcuts.shortcuts():
        raise KeyboardInterrupt
    assert originals() == before


@pytest.mark.parametrize("version", ["0.67.9", "0.69.0"])
def test_another_numba_goes_its_own_way(monkeypatch, version):
    import numba

    monkeypatch.setattr(numba, "__version__", version)
    assert shortcuts._all_shortcuts.__wrapped__() == []


def test_what_numba_no_longer_has_is_left_out(monkeypatch):
    from numba.core import inline_closurecall

    monkeypatch.delattr(inline_closurecall, "InlineWorker")
    names = {name for _, name, _ in shortcuts._all_shortcuts.__wrapped__()}
    assert "inline_function" not in names
    assert "get_call_type" in names


@compiled
def halved(x):
    """Half of x."""
    return 0.5 * x


@compiled
def quarter(x):
    """Half of the half."""
    return halved(halved(x))


def test_code_that_is_only_linked_into_other_code_gets_no_machine_code():
    assert quarter(3.0) == 0.75
    (made,) = quarter.dispatcher.overloads.values()
    assert made.library._made
    for linked in halved._called.overloads.values():
        # Nothing is there where it came from disk with its caller.
        assert not linked.library._made


def test_others_compile_as_ever():
    import numba
    from numba.core.codegen import JITCodeLibrary

    assert quarter(1.0) == 0.25

    @numba.njit
    def double(x):
        return x + x

    assert double(2.0) == 4.0
    (made,) = double.overloads.values()
    assert type(made.library) is JITCodeLibrary
