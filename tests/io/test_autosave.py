"""Autosaved scenes of crashed sessions are offered, those of running sessions are not."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solvers import BadInput
from solvers.data.datasets import DATASETS, eight_points
from svmviz.document.document import Document
from svmviz.io.autosave import Autosave
from svmviz.io.scene import Scene, write_scene

SCENE = Scene(Document(eight_points()), step=3)
OTHER = Scene(Document(DATASETS["moons"].generate(20, 0.1, 0)))
SESSION = """
import sys, time
from pathlib import Path
from solvers.data.datasets import eight_points
from svmviz.io.autosave import Autosave
from svmviz.document.document import Document
from svmviz.io.scene import Scene
autosave = Autosave(Path(sys.argv[1]))
autosave.write(Scene(Document(eight_points()), step=3), Path("lecture.svmviz"))
print("written", flush=True)
time.sleep(60)
"""


@pytest.fixture
def autosave(tmp_path):
    session = Autosave(tmp_path / "autosave")
    yield session
    session.close()


def names(folder):
    return sorted(path.suffix for path in folder.iterdir()) if folder.exists() else []


def leave_behind(folder, name="20260101-000000-1-abcdef", scene=SCENE, lock='{"pid": 1}'):
    """Leave a scene and an unlocked lock file, as a crash does."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svmviz").write_text(write_scene(scene))
    (folder / f"{name}.lock").write_text(lock)


def test_nothing_is_written_before_there_is_something(autosave):
    assert autosave.recoverable() == []
    assert not autosave.folder.exists()


def test_a_session_writes_one_scene_and_leaves_nothing(autosave):
    assert autosave.write(SCENE)
    assert autosave.write(OTHER)
    assert names(autosave.folder) == [".lock", ".svmviz"]
    assert autosave.path.read_text(encoding="utf-8") == write_scene(OTHER)
    autosave.close()
    assert names(autosave.folder) == []


def test_the_same_scene_is_not_written_again(autosave):
    autosave.write(SCENE)
    os.utime(autosave.path, (0, 0))
    autosave.write(SCENE)
    assert autosave.path.stat().st_mtime == 0
    autosave.write(SCENE, Path("elsewhere.svmviz"))
    assert autosave.path.stat().st_mtime > 0


def test_discarding_keeps_the_session_alive(autosave):
    autosave.write(SCENE)
    autosave.discard()
    assert names(autosave.folder) == [".lock"]
    autosave.write(SCENE)
    assert names(autosave.folder) == [".lock", ".svmviz"]


def test_scenes_of_running_sessions_are_not_offered(autosave):
    other = Autosave(autosave.folder)
    other.write(SCENE)
    autosave.write(OTHER)
    assert autosave.recoverable() == []
    assert other.recoverable() == []
    other.close()
    assert names(autosave.folder) == [".lock", ".svmviz"]


@pytest.mark.slow
def test_a_killed_session_is_offered_once_it_is_dead(autosave):
    process = subprocess.Popen(
        [sys.executable, "-c", SESSION, str(autosave.folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "written\n"
        assert autosave.recoverable() == []
        process.kill()
        assert process.wait() in (-signal.SIGTERM, -getattr(signal, "SIGKILL", 9), 1)
    (leftover,) = autosave.recoverable()
    assert leftover.read() == SCENE
    assert leftover.origin == Path("lecture.svmviz")
    autosave.discard_leftover(leftover)
    assert names(autosave.folder) == []


def test_leftovers_are_offered_to_one_session_only(autosave):
    leave_behind(autosave.folder)
    other = Autosave(autosave.folder)
    (leftover,) = autosave.recoverable()
    assert autosave.recoverable() == [leftover]
    assert other.recoverable() == []
    autosave.close()
    assert other.recoverable() == [leftover]
    other.close()
    assert names(autosave.folder) == [".lock", ".svmviz"]


def test_the_newest_comes_first(autosave):
    for day in (1, 3, 2):
        leave_behind(autosave.folder, f"{day}")
        os.utime(autosave.folder / f"{day}.svmviz", (day, day))
    assert [leftover.saved for leftover in autosave.recoverable()] == [3, 2, 1]


def test_a_lock_without_a_scene_is_removed(autosave):
    leave_behind(autosave.folder)
    (autosave.folder / "20260101-000000-1-abcdef.svmviz").unlink()
    assert autosave.recoverable() == []
    assert names(autosave.folder) == []


@pytest.mark.parametrize("lock", ["", "no json", "[]", '{"origin": 3}', '{"origin": null}'])
def test_a_lock_without_valid_content_is_accepted(autosave, lock):
    leave_behind(autosave.folder, lock=lock)
    (leftover,) = autosave.recoverable()
    assert leftover.origin is None
    assert leftover.read() == SCENE


def test_a_broken_leftover_raises_bad_input(autosave):
    leave_behind(autosave.folder)
    (leftover,) = autosave.recoverable()
    leftover.path.write_text("{")
    with pytest.raises(BadInput, match="not JSON"):
        leftover.read()
    autosave.discard_leftover(leftover)
    assert names(autosave.folder) == []


def test_a_failure_is_logged_and_not_raised(tmp_path, caplog):
    (tmp_path / "file").touch()
    autosave = Autosave(tmp_path / "file")
    assert not autosave.write(SCENE)
    assert "not autosaved" in caplog.text
    assert autosave.recoverable() == []
    autosave.close()


def test_the_default_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert "svmviz" in Autosave().folder.parts


def test_unfinished_files_are_removed_at_the_next_start(autosave):
    leave_behind(autosave.folder)
    stray = autosave.folder / ".20260101-000000-1-abcdef.svmviz.0123abcd.svmviz-tmp"
    stray.write_text("{")
    assert len(autosave.recoverable()) == 1
    assert names(autosave.folder) == [".lock", ".svmviz"]


def test_the_text_of_points_is_made_once(autosave, monkeypatch):
    from svmviz.io import autosave as module

    made = []
    write = module.write_data
    monkeypatch.setattr(module, "write_data", lambda data: made.append(data) or write(data))
    for step in range(5):
        assert autosave.write(Scene(SCENE.document, step=step))
    assert len(made) == 1
    assert autosave.path.read_text(encoding="utf-8") == write_scene(Scene(SCENE.document, step=4))
    autosave.write(OTHER)
    assert autosave.path.read_text(encoding="utf-8") == write_scene(OTHER)


def test_a_lock_is_rewritten_in_one_piece(autosave):
    for title in ("A long title of a session", "B", "", "Longer than all of them together"):
        assert autosave.write(SCENE, None, title)
        lock = autosave.path.with_suffix(".lock").read_text(encoding="utf-8")
        assert json.loads(lock)["title"] == title


def test_the_log_says_why_the_lock_file_was_not_made(autosave, monkeypatch, caplog):
    def refuse(handle):
        raise OSError(37, "No locks available")

    with monkeypatch.context() as broken:
        broken.setattr("svmviz.io.autosave.lock", refuse)
        assert not autosave.write(SCENE)
    assert "The scene was not autosaved: [Errno 37] No locks available" in caplog.text
    # Nothing stays that would prevent the next attempt.
    assert names(autosave.folder) == []
    assert autosave.write(SCENE)
