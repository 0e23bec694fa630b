"""What Windows and macOS lack or do in another way, simulated here."""

import ast
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import solvers.locks
import svmviz.io.atomic as atomic
from solvers import BadInput
from solvers.jit import cache
from svmviz.io.atomic import write_atomically
from svmviz.io.autosave import Autosave
from svmviz.io.left_scenes import keep_scene
from svmviz.io.open_and_save import open_scene
from svmviz.io.paths import explain, file_name

ROOT = Path(__file__).parent.parent
SOURCES = [
    path
    for folder in ("solvers", "svmviz", "scripts", "packaging")
    for path in (ROOT / folder).rglob("*.py")
]


@pytest.fixture
def windows(monkeypatch, tmp_path):
    """Windows as far as files are concerned: locks of bytes, of which one handle has each."""
    owners = {}

    def locking(descriptor, mode, count):
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        assert (mode, count, place) == ("try", 1, 1 << 30)
        owner = owners.setdefault(os.fstat(descriptor).st_ino, descriptor)
        if owner != descriptor:
            raise PermissionError(13, "Permission denied")

    msvcrt = types.SimpleNamespace(locking=locking, LK_NBLCK="try", owners=owners)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    for name in ("O_NONBLOCK", "O_NOCTTY", "set_blocking", "chown"):
        monkeypatch.delattr(os, name)
    for module in (solvers.locks, atomic):
        monkeypatch.setattr(module, "IS_WINDOWS", True)
    monkeypatch.setattr("svmviz.io.autosave.IS_WINDOWS", True)
    return msvcrt


def test_text_is_opened_with_its_encoding():
    """The default is another one on Windows."""
    faults = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            is_open = isinstance(node.func, ast.Name) and node.func.id == "open"
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            words = [a.value for a in node.args if isinstance(a, ast.Constant)]
            keywords = {keyword.arg for keyword in node.keywords}
            is_text = is_open or (name == "open" and any(w in ("r", "w", "a", "x") for w in words))
            binary = any(isinstance(word, str) and "b" in word for word in words)
            named = "encoding" in keywords or "utf-8" in words or "utf-8-sig" in words
            if ((is_text and not binary) or name in ("read_text", "write_text")) and not named:
                faults.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    # The container of a movie is no text.
    assert [fault for fault in faults if "runs/video.py" not in fault] == []


@pytest.mark.slow
def test_every_module_loads_without_what_only_posix_has():
    code = """
import os, signal, sys, pkgutil, importlib
import numba, numpy, scipy.optimize, PySide6.QtWidgets, pyqtgraph, platformdirs, joblib, ziamath
import PIL.Image, markdown_it, segno, contourpy, fontTools.ttLib, sklearn.svm, asyncio, distributed
for name in "fcntl resource pwd grp termios tty pty".split():
    sys.modules[name] = None
for owner in (os, signal):
    for name in '''fork forkpty getuid geteuid getgid chown killpg setsid nice setpriority uname
            mkfifo O_NONBLOCK O_NOCTTY O_DIRECTORY O_NOFOLLOW SIGKILL SIGHUP SIGALRM SIGUSR1 SIGPIPE
            sysconf statvfs wait3 WNOHANG'''.split():
        if hasattr(owner, name):
            delattr(owner, name)
import solvers, svmviz
for package in (solvers, svmviz):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files_are_written_and_replaced_on_windows(windows, tmp_path):
    path = tmp_path / "a.txt"
    for text in ("one", "two"):
        write_atomically(path, text)
        assert path.read_text("utf-8") == text
    assert os.listdir(tmp_path) == ["a.txt"]
    write_atomically(os.devnull, "nothing")


@pytest.mark.parametrize("refusals", [3, 1000])
def test_windows_is_asked_again_while_another_program_reads_the_file(
    windows, tmp_path, monkeypatch, refusals
):
    path, count, replace = tmp_path / "a.txt", [], Path.replace
    path.write_text("old", "utf-8")

    def refuse(self, target):
        count.append(1)
        if len(count) <= refusals:
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(atomic, "PAUSE", 0.0)
    if refusals < atomic.TRIES:
        write_atomically(path, "new")
        assert path.read_text("utf-8") == "new"
    else:
        with pytest.raises(BadInput, match="No permission to write"):
            write_atomically(path, "new")
        assert path.read_text("utf-8") == "old"
        assert len(count) == atomic.TRIES
    assert os.listdir(tmp_path) == ["a.txt"]


def test_sessions_autosave_and_find_what_a_crash_left_on_windows(windows, tmp_path, monkeypatch):
    # There, the two calls may name one volume by different numbers.
    monkeypatch.setattr(os.path, "samestat", lambda *_: False)
    scene = open_scene(ROOT / "assets" / "scenes" / "three-points.svmviz")
    first, second = Autosave(tmp_path), Autosave(tmp_path)
    assert first.write(scene, title="mine")
    assert second.recoverable() == []
    windows.owners.clear()
    (left,) = second.recoverable()
    assert (left.title, left.read().document) == ("mine", scene.document)
    second.close()
    first.close()


def test_a_process_waits_for_the_folder_of_machine_code_on_windows(windows, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    waits = []

    def wait(seconds):
        waits.append(seconds)
        windows.owners.clear()

    with (tmp_path / "lock").open("ab") as other:
        solvers.locks.lock(other)
        with pytest.raises(OSError, match="denied"), (tmp_path / "lock").open("ab") as third:
            solvers.locks.lock(third)
        monkeypatch.setattr(solvers.locks.time, "sleep", wait)
        with cache.folder_locked():
            assert waits == [solvers.locks.PAUSE]


def test_a_title_becomes_a_name_that_each_system_allows(tmp_path, monkeypatch):
    assert file_name('5 × 2: a/b\\c "d"?') == "5 × 2- a-b-c -d--"
    assert file_name("two moons") == "two moons"
    assert file_name("...") == "-"
    assert (file_name("con"), file_name("com1.x")) == ("con-", "com1.x-")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    scene = open_scene(ROOT / "assets" / "scenes" / "three-points.svmviz")
    assert keep_scene(scene, "x/y: z").name.startswith("x-y- z (left ")


def test_a_folder_is_named_where_the_system_speaks_of_permission(tmp_path):
    assert explain(PermissionError(), tmp_path).startswith("This is a folder")
    assert explain(PermissionError(), tmp_path / "a").startswith("No permission")


def test_standard_streams_that_are_missing_as_in_a_program_without_console():
    code = (
        "import sys; sys.stdin = sys.stdout = sys.stderr = None\n"
        "from svmviz.cli import main\n"
        "print(main(['list', 'kernels']), file=open('CODE', 'w', encoding='utf-8'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code.replace("CODE", os.devnull)], cwd=ROOT)
    assert done.returncode == 0
