"""Paths that the system cannot look at, names that are taken, and how they are asked about."""

import ast
import os
from pathlib import Path

import pytest

import solvers
import svmviz
from solvers import BadInput
from svmviz.io.paths import absolute_path, can_enter, free_path, is_full_folder
from svmviz.io.settings_store import SettingsStore
from svmviz.lessons.shipped import find_lesson
from svmviz.window.memory import WindowMemory

# The system refuses to look at such a path, also for root: OSError, not "there is none".
REFUSED = "/" + "x" * 300 + "/sub"
METHODS = {"exists", "is_dir", "is_file", "is_symlink", "absolute"}


def test_a_path_that_cannot_be_looked_at_is_not_there(tmp_path):
    with pytest.raises(OSError, match="too long"):
        os.stat(REFUSED)
    store = SettingsStore(tmp_path / "settings.json")
    store.set(recent=(f"{REFUSED}/a.svmviz",), folder=REFUSED)
    memory = WindowMemory(store)
    memory.put("folder", REFUSED)
    assert memory.folder == str(Path.home())
    memory.remember_file(tmp_path / "b.csv")
    assert memory.recent == [tmp_path / "b.csv"]
    assert not is_full_folder(REFUSED)
    with pytest.raises(BadInput, match="There is no lesson"):
        find_lesson(REFUSED)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root enters all")
def test_a_folder_that_may_not_be_entered_is_not_proposed(tmp_path):
    (tmp_path / "locked" / "sub").mkdir(parents=True)
    os.chmod(tmp_path / "locked", 0o000)
    try:
        assert not can_enter(tmp_path / "locked")
        assert not can_enter(tmp_path / "locked" / "sub")
    finally:
        os.chmod(tmp_path / "locked", 0o700)


def test_a_folder_is_entered_and_its_content_seen(tmp_path):
    assert can_enter(tmp_path)
    assert not is_full_folder(tmp_path)
    (tmp_path / "a").touch()
    assert is_full_folder(tmp_path)
    assert not can_enter(tmp_path / "a")
    assert not is_full_folder(tmp_path / "a")


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the working folder of a process")
def test_without_a_working_folder_a_path_stays_as_it_is(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert absolute_path("a.csv") == Path("a.csv")
    assert absolute_path(tmp_path) == tmp_path


def test_a_free_path_replaces_nothing(tmp_path):
    path = tmp_path / "a.png"
    assert free_path(path) == path
    path.touch()
    (tmp_path / "a-2.png").mkdir()
    assert free_path(path) == tmp_path / "a-3.png"


@pytest.mark.parametrize("package", [solvers, svmviz])
def test_no_code_asks_a_path_by_a_method_that_raises(package):
    folder = Path(package.__file__).parent
    found = [
        f"{file.relative_to(folder)}:{node.lineno}: {node.func.attr}"
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in METHODS
        and not (isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "path")
    ]
    assert [where for where in found if "paths.py" not in where] == []
