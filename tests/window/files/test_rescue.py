"""The offer to restore a crashed session: its sentence, and that only Discard loses the session."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.io.autosave import Autosave, Leftover
from svmviz.io.scene import Scene, read_scene
from svmviz.window.files import rescue as rescue_module
from svmviz.window.files.rescue import Rescue, describe, when
from tests.io.test_autosave import SCENE, leave_behind
from tests.stages import eight, sine
from tests.window.user import xdotool

DAY = 86_400.0
NOON = time.mktime((2026, 3, 2, 12, 0, 0, 0, 0, -1))


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (60.0, "today at 11:59"),
        (DAY, "yesterday at 12:00"),
        (3 * DAY, "on 27 February at 12:00"),
    ],
)
def test_times_in_words(ago, words):
    assert when(NOON - ago, NOON) == words


def leftover(origin=None, title=""):
    return Leftover(Path("left.svmviz"), time.time(), origin, title)


def test_a_leftover_is_described():
    scene = Scene(Document(DATASETS["moons"].generate(100, 0.1, 0)))
    words = describe(leftover(title="Two moons"), scene)
    assert "today at" in words
    assert (
        "“Two moons” with 100 points (50 +1, 50 −1), RBF (Gaussian) kernel, solved by SMO." in words
    )
    assert "lecture.svmviz" in describe(leftover(Path("/home/lecture.svmviz"), "Other"), scene)
    assert ": 100 points" in describe(leftover(title="Untitled"), scene)
    assert ": no points" in describe(leftover(), Scene(Document()))
    assert "points of a regression" in describe(leftover(), Scene(sine(30)))


def test_a_session_leaves_its_title(tmp_path):
    session = Autosave(tmp_path)
    assert session.write(Scene(Document()), None, "Two moons")
    assert session.write(Scene(Document()), None, "Circles")
    assert '"title": "Circles"' in next(tmp_path.glob("*.lock")).read_text()
    session.close()


@pytest.fixture
def folder(tmp_path):
    """Where a crashed session left the eight points."""
    leave_behind(tmp_path / "autosave", lock='{"pid": 1, "title": "Lecture"}')
    return tmp_path / "autosave"


@pytest.fixture
def rescue(open_window, folder):
    """The rescue of a window without points."""
    window = open_window(Document()).window
    made = Rescue(window.files, Autosave(folder), window.messages)
    yield made
    made.close()


def left(folder):
    """Names of the scenes that the next start would offer, after a normal end."""
    following = Autosave(folder)
    names = [leftover.path.stem[:8] for leftover in following.recoverable()]
    following.close()
    return names


def click(text):
    """Answer of a message box: the button with a text."""
    return lambda box: next(one for one in box.buttons() if one.text() == text).click()


@pytest.mark.display
@pytest.mark.parametrize("how", ["Escape", "Later", "exit"])
def test_without_a_decision_it_is_offered_again(rescue, folder, answer, how):
    acts = {
        "Escape": lambda _: xdotool("key", "Escape"),
        "Later": click("Later"),
        # What ends the event loops from outside also ends this dialog's, with no answer given.
        "exit": lambda box: (box.hide(), box.setResult(0)),
    }
    answer(acts[how], QMessageBox)
    assert not rescue.offer()
    rescue.close()
    assert left(folder) == ["20260101"]


@pytest.mark.display
def test_discard_removes_it(rescue, folder, answer):
    answer(click("Discard"), QMessageBox)
    assert not rescue.offer()
    assert list(folder.iterdir()) == []


@pytest.mark.display
def test_what_is_restored_stays_until_it_is_autosaved(rescue, folder, answer, monkeypatch):
    write, fails = rescue._autosave.write, [True]
    monkeypatch.setattr(rescue._autosave, "write", lambda *what: not fails[0] and write(*what))
    answer(click("Restore"), QMessageBox)
    assert rescue.offer()
    rescue._worker.wait()
    assert rescue._files.scene().document == SCENE.document
    (old,) = folder.glob("*.svmviz")
    # The disk has room again.
    fails[0] = False
    rescue.write_now()
    (new,) = folder.glob("*.svmviz")
    assert new == rescue._autosave.path != old
    rescue._files._stage.session.undo_stack.setClean()


@pytest.mark.display
def test_what_is_restored_is_autosaved_at_once(rescue, folder, answer):
    answer(click("Restore"), QMessageBox)
    assert rescue.offer()
    rescue._worker.wait()
    (path,) = folder.glob("*.svmviz")
    assert path == rescue._autosave.path
    assert '"title": "Lecture"' in path.with_suffix(".lock").read_text()
    rescue.close()
    assert list(folder.iterdir()) == []


@pytest.mark.display
def test_what_cannot_be_read_is_kept_and_said(rescue, folder, answer):
    newer = folder / "20260101-000000-1-abcdef.svmviz"
    newer.write_text('{"svmviz": 99}')
    said = []
    answer(lambda box: (said.append(box.informativeText()), box.close()), QMessageBox)
    assert not rescue.offer()
    assert "newer program" in said[0]
    assert str(newer) in said[0]
    assert "\n" not in said[0]
    rescue.close()
    assert newer.read_text() == '{"svmviz": 99}'
    assert left(folder) == ["20260101"]


@pytest.fixture
def written(rescue, monkeypatch):
    """Scenes passed on for writing; the timer is stopped, so that checks are counted."""
    rescue._timer.stop()
    scenes = []
    monkeypatch.setattr(rescue._autosave, "write", lambda scene, *_: scenes.append(scene) or True)
    return scenes


def look(rescue, times=1):
    for _ in range(times):
        rescue.write()
        rescue._worker.wait()


def edit(rescue, n):
    """Generate n points, as an edit."""
    session = rescue._files._stage.session
    session.edit(replace(session.document, data=DATASETS["moons"].generate(n, 0.1, 0)), "Points")


def test_an_autosave_is_at_most_two_seconds_old():
    # Two looks, and as long again for the writing itself.
    assert 2 * rescue_module.INTERVAL <= 1000


@pytest.mark.display
def test_each_check_after_an_edit_writes_it_and_others_cost_nothing(rescue, written):
    edit(rescue, 20)
    look(rescue)
    assert [scene.document.n for scene in written] == [20]
    look(rescue, 20)
    # The run may have ended since, so another step is shown.
    assert len(written) <= 2
    del written[:]
    edit(rescue, 22)
    look(rescue)
    assert [scene.document.n for scene in written] == [22]
    rescue._files._stage.session.undo_stack.setClean()


@pytest.mark.display
def test_steps_alone_are_written_more_seldom(rescue, written, monkeypatch):
    edit(rescue, 20)
    steps = iter(range(1000))
    scene = rescue._files.scene()
    monkeypatch.setattr(rescue._files, "scene", lambda: replace(scene, step=next(steps)))
    look(rescue, 1 + 4 * rescue_module.CHECKS_PER_VIEW)
    assert len(written) == 5
    rescue._files._stage.session.undo_stack.setClean()


@pytest.mark.display
def test_what_could_not_be_written_is_tried_again(rescue, monkeypatch):
    rescue._timer.stop()
    tries = []
    monkeypatch.setattr(rescue._autosave, "write", lambda scene, *_: tries.append(scene) and False)
    edit(rescue, 20)
    look(rescue, 1 + 2 * rescue_module.CHECKS_AFTER_FAILURE)
    assert len(tries) == 3
    rescue._files._stage.session.undo_stack.setClean()


@pytest.mark.display
def test_behind_a_lesson_the_own_document_is_autosaved(open_window, tmp_path):
    window = open_window(eight()).window
    session, files = window.stage.session, window.files
    session.edit(eight(epsilon=0.5), "Own work")
    own = session.document
    made = Rescue(files, Autosave(tmp_path / "saves"), window.messages)
    files.lay_aside()
    files.show_scene(Scene(sine(30)), title="A lesson")
    session.edit(sine(40), "Try")
    made.write_now()
    (path,) = (tmp_path / "saves").glob("*.svmviz")
    assert read_scene(path.read_text(encoding="utf-8")).document == own
    files.take_up()
    assert session.document is own
    made.close()
