"""Machine code is stored under a key of all it depends on, where only the user may write."""

import logging
import os
import shutil
import time
from pathlib import Path

import pytest

import solvers
from solvers.jit import cache
from tests.solvers.jit.test_compiled import python

HERE = Path(solvers.__file__).parent


def test_a_comment_in_a_module_without_compiled_code_changes_nothing(tmp_path):
    folder = shutil.copytree(HERE, tmp_path / "solvers")
    before = cache.sources_of_machine_code(folder)
    for name in ("data/datasets.py", "data/tables.py", "registry.py", "methods/smo/words.py"):
        path = folder / name
        path.write_text(path.read_text() + "# a comment\n")
    assert cache.sources_of_machine_code(folder) == before == cache.sources_of_machine_code(HERE)


@pytest.mark.parametrize(
    "name",
    [
        "jit/simd.py",
        "kernels/programs.py",
        "kernels/kernel_rows.py",
        "methods/coordinate_ascent/steps.py",
        "methods/pegasos/steps.py",
        "problem/problem.py",
        "run/trace.py",
    ],
)
def test_a_change_of_what_compiled_code_imports_changes_the_sources(tmp_path, name):
    folder = shutil.copytree(HERE, tmp_path / "solvers")
    before = cache.sources_of_machine_code(folder)
    path = folder / name
    path.write_text(path.read_text() + "CONSTANT = 1\n")
    assert cache.sources_of_machine_code(folder) != before


def test_every_module_with_compiled_functions_is_among_the_sources():
    from solvers.jit.compiled import FUNCTIONS

    sources = cache.sources_of_machine_code(HERE)
    modules = {one.__module__ for one in FUNCTIONS.values()}  # type: ignore[attr-defined]
    assert {name for name in modules if name.startswith("solvers.")} <= sources.keys()


def test_imports_are_found_anywhere_in_a_module():
    text = """
from solvers.a import (
    b,
    c,
)
import solvers.d
def late():
    from solvers.e import f
"""
    found = {"solvers.a", "solvers.a.b", "solvers.a.c", "solvers.d", "solvers.e", "solvers.e.f"}
    assert set(cache._imported(text)) >= found


def test_versions_and_options_of_numba_are_in_the_key(monkeypatch):
    from importlib import metadata

    before = cache.key.__wrapped__()
    assert before == cache.key()
    usual = metadata.version
    monkeypatch.setattr(metadata, "version", lambda one: "0.1" if one == "numba" else usual(one))
    other = cache.key.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert len({before, other, cache.key.__wrapped__()}) == 3


@pytest.fixture
def bases(monkeypatch, tmp_path):
    """Return the folders that may be used: a given one, and the user's own."""
    monkeypatch.setattr(cache, "_bases", lambda: [tmp_path / "given", tmp_path / "own"])
    return tmp_path / "given", tmp_path / "own"


def test_folder_is_the_one_given_and_only_the_user_may_write_to_it(bases):
    folder = cache.folder.__wrapped__()
    assert folder is not None
    assert folder.parent == bases[0]
    assert folder.name == f"compiled-{cache.key()}"
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_may_write_to_is_refused(bases, mode, caplog):
    bases[0].mkdir()
    bases[0].chmod(mode)
    with caplog.at_level(logging.WARNING):
        folder = cache.folder.__wrapped__()
    assert folder is not None
    assert folder.parent == bases[1]
    assert not list(bases[0].iterdir())
    assert "other users may write there" in caplog.text


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_a_folder_of_another_user_is_refused(bases, monkeypatch):
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    monkeypatch.setattr(cache, "is_refused", False)
    assert cache.folder.__wrapped__() is None
    assert cache.is_refused


def test_without_a_folder_code_is_compiled_and_a_warning_is_logged(tmp_path):
    # A file in place of the folder: refused even to root.
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = """
import logging
logging.basicConfig(format="%(message)s", stream=__import__("sys").stdout)
from solvers.jit import cache
from solvers.kernels.arithmetic import fast_exp
print(fast_exp(0.0), cache.folder())
"""
    homes = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), str(blocked))
    out = python(code, **homes)
    assert out.splitlines() == [
        "Machine code cannot be kept, so it is compiled again in every process.",
        "1.0 None",
    ]


def test_folders_of_other_versions_are_removed_after_a_week(bases):
    base = bases[0]
    base.mkdir(mode=0o700)
    old, recent = base / "compiled-0old", base / "compiled-0recent"
    other = base / "something"
    for folder in (old, recent, other):
        folder.mkdir(mode=0o700)
        (folder / "file").write_text("")
    days = 24 * 3600
    now = time.time()
    os.utime(old, (now, now - 8 * days))
    os.utime(recent, (now, now - 6 * days))
    os.utime(other, (now, now - 80 * days))
    used = cache.folder.__wrapped__()
    assert {one.name for one in base.iterdir()} == {used.name, "compiled-0recent", "something"}


def test_what_is_kept_is_noted_by_name(bases, monkeypatch):
    folder = cache.folder.__wrapped__()
    monkeypatch.setattr(cache, "folder", lambda: folder)
    assert not cache.is_compiled("solvers.one")
    cache.mark_compiled("solvers.one")
    assert cache.is_compiled("solvers.one")
    assert not cache.is_compiled("solvers.two")
