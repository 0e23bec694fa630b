"""Runs written by the window: its dialog, and the files, read back by Pillow."""

import errno
import os
import sys
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel, QProgressDialog

from solvers import Linear, Pegasos
from svmviz.document.document import Document, Penalty
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import Steps
from svmviz.io import atomic
from svmviz.window.files import preview
from svmviz.window.files.run_dialog import RunDialog, RunFacts
from svmviz.window.messages import Messages
from tests.stages import moons
from tests.window.conftest import cancel

pytestmark = pytest.mark.display


def recorded(window):
    return Recording(window.files.scene(), window.stage.session.runs)


@pytest.fixture
def dialog(user):
    made = open_dialog(user.window)
    yield made
    made.reject()
    made.deleteLater()


def open_dialog(window, remembered=None, *, glides=True):
    shown = window.planes.picture(window.plane.theme, 1.0)
    made = recorded(window)
    facts = RunFacts(made.length, glides)
    dialog = RunDialog(window, Path("here"), made, shown, facts, remembered)
    dialog.show()
    return dialog


def choose(box, value):
    box.setCurrentIndex(box.findData(value))


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """Let the file dialog answer with a name in the folder of the test."""

    def choose_name(name):
        path = tmp_path / name
        answer = str(path), ""
        monkeypatch.setattr(preview, "ask_save_path", lambda *_: answer)
        return path

    return choose_name


def test_three_actions_write_a_movie(user, chosen, answer):
    path = chosen("run")
    answer(lambda _: user.key("Return"), RunDialog)
    user.key("ctrl+shift+e")
    path = path.with_suffix(".gif")
    user.until(path.exists)
    user.until(lambda: not user.window.files.tasks.is_running)
    with Image.open(path) as movie:
        assert (movie.n_frames, movie.size) == (recorded(user.window).length + 1, (960, 720))
    user.until(lambda: user.window.notice.isVisible())
    assert user.window.memory.get("export-run")["ending"] == ".gif"


@pytest.mark.parametrize(
    ("ending", "name"), [("/", "frames"), (".csv", "a.csv"), (".ipynb", "a.ipynb")]
)
def test_other_formats(user, chosen, answer, ending, name):
    path = chosen(name)

    def export(dialog):
        choose(dialog.form.format, ending)
        dialog.form.last.setValue(2)
        dialog.form.sides[0].setValue(80)
        dialog.export.click()

    answer(export, RunDialog)
    user.window.menus.actions["export-run"].trigger()
    user.until(lambda: path.exists() and not user.window.files.tasks.is_running)
    assert ending != "/" or len(list(path.iterdir())) == 3


def test_the_dialog_says_how_long_the_movie_is(user, dialog):
    form, length = dialog.form, recorded(user.window).length
    assert form.settings().steps == Steps(0, length, 1)
    assert dialog.note.text() == f"{length + 1} frames, {3.0 + (length - 1) / 8:.1f} s."
    user.until(lambda: not dialog.preview.pixmap().isNull())
    form.first.setValue(2)
    form.last.setValue(6)
    form.every.setValue(2)
    form.changes.setChecked(True)
    assert not form.glide.isEnabled()
    form.fps.setValue(2.0)
    assert form.glide.isEnabled()
    assert dialog.note.text() == "At most 11 frames, 3.7 s."
    settings = form.settings()
    assert (settings.steps, settings.glides, settings.changes) == (Steps(2, 6, 2), True, True)
    form.glide.setChecked(False)
    assert dialog.note.text() == "At most 3 frames, 3.5 s."
    choose(form.format, "/")
    assert dialog.note.text() == "At most 3 images."
    assert not form.fps.isEnabled()
    choose(form.format, ".csv")
    choose(form.contents, "solution")
    assert dialog.note.text() == "8 rows."
    assert form.settings().table == "solution"
    assert form.step.isEnabled()
    assert not form.first.isEnabled()
    choose(form.format, ".py")
    assert form.settings().code == "sklearn"
    assert "scikit-learn" in dialog.preview.text()


def test_what_cannot_be_exported_is_said_in_the_dialog(dialog, monkeypatch):
    form = dialog.form
    form.first.setValue(5)
    form.last.setValue(3)
    assert dialog.preview.text() == "The first step comes after the last."
    assert not dialog.export.isEnabled()
    form.first.setValue(0)
    assert dialog.export.isEnabled()
    choose(form.format, ".mp4")
    form.sides[0].setValue(321)
    assert "even sides" in dialog.preview.text()
    form.sides[0].setValue(320)
    monkeypatch.setitem(sys.modules, "av", None)
    choose(form.format, ".webm")
    assert "svmviz[movie]" in dialog.preview.text()
    assert not dialog.export.isEnabled()
    choose(form.format, ".webp")
    assert dialog.export.isEnabled()


def test_a_folder_with_other_files_is_refused_before_the_dialog_closes(dialog, chosen, monkeypatch):
    folder = chosen("frames")
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    warned = []
    monkeypatch.setattr(Messages, "warn", lambda _, *words: warned.append(words))
    choose(dialog.form.format, "/")
    dialog.export.click()
    assert "holds other files" in warned[0][1]
    assert dialog.isVisible()
    assert dialog.path is None
    (folder / "notes.txt").unlink()
    (folder / "frame-00001.png").write_bytes(b"")
    answers, asked = [False, True], []
    monkeypatch.setattr(Messages, "ask", lambda _, *words: asked.append(words) or answers.pop(0))
    dialog.export.click()
    assert dialog.path is None
    dialog.export.click()
    assert dialog.path == folder
    assert asked[0][:2] == ("Replace the folder?", "frames already exists.")


def test_choices_are_remembered_and_wrong_ones_ignored(user):
    first = open_dialog(user.window)
    choose(first.form.format, ".csv")
    choose(first.form.contents, "solution")
    first.form.hold.setValue(0.5)
    values = first.values()
    first.reject()
    second = open_dialog(user.window, values)
    assert second.values() == values
    second.reject()
    wrong = {"ending": 3, "sides": "x", "fps": None, "theme": 7, "contents": [], "hold": "a"}
    third = open_dialog(user.window, wrong)
    assert third.form.kind.ending == ".gif"
    third.reject()


def test_a_run_that_goes_on_is_exported_as_far_as_it_was(user, chosen):
    document = Document(
        moons(30).data, kernel=Linear(), methods=(Pegasos(max_steps=10**8),), bias="none",
        penalty=Penalty("C", 1.0),
    )  # fmt: skip
    window = user.window
    window.stage.session.reset(document)
    user.until(lambda: window.exports.has_run and recorded(window).length > 1000)
    shown = open_dialog(window)
    assert "has not ended" in shown.note.text()
    length = shown._recording.length
    user.until(lambda: window.stage.session.runs[0].steps > length)
    assert len(shown.form.settings().steps.within(shown._recording.length)) <= 301
    choose(shown.form.format, ".csv")
    shown.form.first.setValue(length - 2)
    shown.form.every.setValue(1)
    path = chosen("a.csv")
    window.exports.write_run(path, ".csv", shown._recording, shown.form.settings())
    shown.reject()
    user.until(lambda: path.exists() and not window.files.tasks.is_running)
    rows = path.read_text().splitlines()[1:]
    assert [int(row.split(",")[0]) for row in rows] == [length - 2, length - 1, length]


def test_a_full_disk_is_said_in_a_sentence(user, chosen, monkeypatch):
    shown = open_dialog(user.window)
    shown.form.last.setValue(1)
    settings, made = shown.form.settings(), shown._recording
    shown.reject()
    warned = []
    monkeypatch.setattr(
        user.window.messages, "warn_not_written", lambda *words: warned.append(words)
    )

    def fill(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic, "_fill", fill)
    path = chosen("a.gif")
    user.window.exports.write_run(path, ".gif", made, settings)
    user.until(lambda: warned)
    assert warned[0][0] == path
    assert "No space left on device" in str(warned[0][1])
    assert list(path.parent.iterdir()) == []


def test_progress_with_the_time_left_and_cancel(user, chosen, monkeypatch):
    shown = open_dialog(user.window)
    choose(shown.form.format, "/")
    settings, made = shown.form.settings(), shown._recording
    shown.reject()
    monkeypatch.setattr("svmviz.window.files.tasks.ESTIMATE_DELAY", 0.0)
    path = chosen("frames")
    # A long movie of a short run.
    endless = Recording(made.scene, made.runs * 1)
    monkeypatch.setattr(Steps, "within", lambda *_: [0, 1] * 5000)
    user.window.exports.write_run(path, "/", endless, settings)

    def texts():
        boxes = user.window.findChildren(QProgressDialog)
        return [label.text() for box in boxes for label in box.findChildren(QLabel)]

    user.until(lambda: any("left" in text for text in texts()))
    cancel(user)
    user.until(lambda: not user.window.files.tasks.is_running)
    assert list(path.parent.iterdir()) == []
