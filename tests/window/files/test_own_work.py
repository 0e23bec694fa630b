"""Questions only about work of the user, and notices on what was done and where."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox

from solvers.data.point_files import UnclearColumns
from solvers.kernels.custom import Custom
from svmviz.document.document import Penalty
from svmviz.document.examples import examples
from svmviz.io import left_scenes
from svmviz.window.files.columns_dialog import ColumnsDialog
from tests.choosing import choose
from tests.stages import sine

pytestmark = pytest.mark.display

MISSING = "u,v,kind\n0,5,p\n1,NA,q\n2,7,q\n3,8,\n4,9,p\n"


@pytest.fixture
def questions(user, monkeypatch):
    """Questions about unsaved changes; each is answered by Cancel."""
    asked = []

    def ask(name):
        asked.append(name)
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(user.window.messages, "ask_save", ask)
    return asked


def session(user):
    return user.window.stage.session


def open_example(user):
    first = examples()[0]
    user.window.files.open_example(first.path, first.title)


def change_penalty(user, C=7.0):
    document = session(user).document
    session(user).edit(replace(document, penalty=Penalty("C", C)), "Change C")


def add_points(user, number=3):
    points = np.array([[0.5, 0.25 + 0.1 * k] for k in range(number)])
    session(user).edit(session(user).document.added(points, [1] * number), "Add points")


def generate(user):
    choose(user.window.docks.column.data.dataset, "moons")


def test_an_example_with_another_model_is_left_without_a_question(user, questions):
    open_example(user)
    change_penalty(user)
    assert user.window.files.is_modified
    assert user.window.files.may_leave()
    assert not questions


def test_generated_points_are_left_without_a_question(user, questions):
    generate(user)
    change_penalty(user)
    assert user.window.files.may_leave()
    assert not questions


@pytest.mark.parametrize("back", [False, True])
def test_closing_asks_about_points_of_the_user_unless_they_are_undone(user, questions, back):
    open_example(user)
    add_points(user)
    change_penalty(user)
    if back:
        session(user).undo_stack.undo()
        session(user).undo_stack.undo()
        change_penalty(user)
    assert user.window.files.may_leave() == back
    assert bool(questions) == (not back)


def test_a_typed_kernel_is_asked_about(user, questions):
    open_example(user)
    for kernel in (Custom(), Custom(formula="x1 * z1")):
        session(user).edit(replace(session(user).document, kernel=kernel), "Change kernel")
    assert not user.window.files.may_leave()
    assert questions


def test_a_changed_model_of_a_file_is_asked_about(user, questions, tmp_path):
    path = tmp_path / "own.svmviz"
    assert user.window.files._save(path)
    for C in (7.0, 8.0, 9.0):
        change_penalty(user, C)
    assert not user.window.files.may_leave()
    assert questions == ["own.svmviz"]
    for _ in range(2):
        session(user).undo_stack.undo()
    assert user.window.files._save(path)
    session(user).undo_stack.setIndex(0)
    assert user.window.files.may_leave(), "one edit was undone since it was saved"


@pytest.mark.parametrize("is_own_file", [False, True])
def test_a_stray_click_is_kept_without_a_question(user, questions, tmp_path, is_own_file):
    window = user.window
    if is_own_file:
        assert window.files._save(tmp_path / "lecture.svmviz")
    else:
        generate(user)
    n, folder = session(user).document.n, window.memory.folder
    user.click(user.at(0.5, 0.1))
    user.until(lambda: session(user).document.n == n + 1)
    window.files.new()
    assert session(user).document.n == 0
    assert "Open recent" in window.notice.text
    kept = window.memory.recent[0]
    title = "lecture" if is_own_file else "Two moons"
    assert kept.name.startswith(f"{title} (left ")
    assert window.memory.folder == folder
    assert not questions
    window.files.confirm_and_open(str(kept))
    user.until(lambda: session(user).document.n == n + 1)
    assert window.files.path is None
    assert not window.files.is_modified


def test_small_changes_that_cannot_be_kept_are_asked_about(user, questions, monkeypatch):
    monkeypatch.setattr(left_scenes, "keep_scene", lambda scene, title: None)
    generate(user)
    add_points(user, 1)
    assert not user.window.files.may_leave()
    assert questions == ["Two moons"]


def test_points_are_saved_alone_only_after_a_question(user, monkeypatch, tmp_path):
    asked, path = [], tmp_path / "points.csv"
    for answer in (False, True):
        monkeypatch.setattr(
            user.window.messages, "ask", lambda *words, answer=answer: asked.append(words) or answer
        )
        assert user.window.files._save(path) is answer
        assert path.exists() is answer
    assert "kernel" in asked[0][1]
    assert "points.csv" in asked[0][1]


def test_a_generator_over_own_points_says_that_undo_restores_them(user):
    notice = user.window.notice
    generate(user)
    assert notice.text == ""
    add_points(user)
    generate(user)
    assert "Undo" in notice.text
    session(user).undo_stack.undo()
    assert notice.text == "", "the points are back"
    generate(user)
    assert "Undo" in notice.text
    notice.hide()
    generate(user)
    session(user).undo_stack.undo()
    assert notice.text == ""


def test_copying_says_what_is_on_the_clipboard(user):
    user.window.edits.copy()
    assert user.window.notice.text == "8 points copied to the clipboard, as text."
    user.window.exports.copy_picture()
    user.until(lambda: "The picture was copied" in user.window.notice.text)
    image = QApplication.clipboard().image()
    assert f"{image.width():,} × {image.height():,}" in user.window.notice.text


def test_rows_with_missing_values_are_left_out_on_request(user, answer, tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text(MISSING)
    said = []

    def skip(box):
        said.append(box.informativeText())
        next(button for button in box.buttons() if "Skip 2 rows" in button.text()).click()

    answer(skip, QMessageBox)
    user.window.files.open(str(path))
    user.until(lambda: session(user).document.n == 3)
    assert "line 3" in said[0]
    assert user.window.notice.text == "missing.csv: 2 rows with missing values were left out."


def test_rows_with_missing_values_are_left_out_of_pasted_text_on_request(user, monkeypatch):
    monkeypatch.setattr(user.window.messages, "ask", lambda *words: True)
    QApplication.clipboard().setText("0.5,1,1\n2,,-1\n3,1,-1\n")
    user.window.edits.paste()
    assert session(user).document.n == 10
    assert user.window.notice.text == "1 row with missing values was left out."


def test_what_is_wrong_with_the_complete_rows_of_pasted_text_is_said(open_window, monkeypatch):
    user = open_window(sine(20))
    warned = []
    monkeypatch.setattr(user.window.messages, "ask", lambda *words: True)
    monkeypatch.setattr(user.window.messages, "warn", lambda *words: warned.append(words))
    before = session(user).document
    QApplication.clipboard().setText("u,v,w\n1,,3\n1,2,3\n1,2,4\n")
    user.window.edits.paste()
    assert session(user).document is before
    ((title, sentence),) = warned
    assert title == "Nothing was pasted"
    assert "needs two columns" in sentence


def test_a_column_chosen_twice_keeps_the_dialog_open(user):
    unclear = UnclearColumns(
        "unclear", ["u", "v", "w", "kind"], ["u", "v", "w"], {"w": ["0", "1"], "kind": ["p", "q"]}
    )
    dialog = ColumnsDialog(unclear, user.window)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    dialog.show()
    assert ok.isEnabled()
    dialog._y.setCurrentText("u")
    assert not ok.isEnabled()
    assert "“u” is chosen twice" in dialog._problem.text()
    dialog._y.setCurrentText("w")
    dialog._labels.setCurrentText("w")
    assert not ok.isEnabled()
    dialog._labels.setCurrentText("kind")
    assert ok.isEnabled()
    dialog._negative.setCurrentText("q")
    assert "different" in dialog._problem.text()
    assert not ok.isEnabled()
    dialog.close()
    dialog.deleteLater()
