"""File dialogs show names of files as they are written, in their own questions as well."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMessageBox, QWidget

from svmviz.widgets.file_dialog import FileDialog, ask_open_path, ask_save_path
from tests.foreign_words import BOLD
from tests.window.user import Answer

pytestmark = pytest.mark.display
NAME = BOLD.replace("/", "") + ".csv"


@pytest.fixture(autouse=True)
def dialog_of_qt(monkeypatch):
    """Use Qt's dialog: tests cannot look into that of a desktop."""
    make = FileDialog.__init__

    def plain(self, *arguments, **options):
        make(self, *arguments, **options)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)

    monkeypatch.setattr(FileDialog, "__init__", plain)


@pytest.fixture
def widget(qtbot):
    """A window to ask in."""
    shown = QWidget()
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def type_name(name):
    """Type a name into a file dialog and press Return."""

    def act(dialog):
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(name)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return act


def test_the_question_about_a_file_that_exists_is_plain(widget, tmp_path):
    (tmp_path / NAME).write_text("")
    texts = []

    def look(box):
        texts.extend((label.textFormat(), label.text()) for label in box.findChildren(QLabel))
        box.button(QMessageBox.StandardButton.Yes).click()

    answers = [Answer(look, QMessageBox), Answer(type_name(NAME), QFileDialog)]
    path, chosen = ask_save_path(widget, "Save", str(tmp_path / "other.csv"), "Table (*.csv)")
    for answer in answers:
        answer.stop()
    assert path == str(tmp_path / NAME)
    assert chosen == "Table (*.csv)"
    quoting = [kind for kind, text in texts if NAME in text]
    assert quoting == [Qt.TextFormat.PlainText]


def test_an_existing_folder_of_frames_is_chosen_and_not_entered(widget, tmp_path):
    folder = tmp_path / "moons frames"
    folder.mkdir()
    proposed = []

    def look(dialog):
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        proposed.append(field.text())
        QTest.keyClick(field, Qt.Key.Key_Return)

    answer = Answer(look, QFileDialog)
    assert ask_save_path(widget, "Frames", str(folder), "Folder (*)", True)[0] == str(folder)
    answer.stop()
    assert proposed == ["moons frames"]
    answer = Answer(type_name("new frames"), QFileDialog)
    assert ask_save_path(widget, "Frames", str(folder), "Folder (*)", True)[0] == str(
        tmp_path / "new frames"
    )
    answer.stop()


def test_a_file_is_proposed_and_chosen(widget, tmp_path):
    (tmp_path / "points.csv").write_text("")
    proposed = []

    def look(dialog):
        proposed.append(dialog.findChild(QLineEdit, "fileNameEdit").text())
        dialog.reject()

    answer = Answer(look, QFileDialog)
    assert ask_save_path(widget, "Save", str(tmp_path / "new.csv"), "Table (*.csv)")[0] == ""
    answer.stop()
    assert proposed == ["new.csv"]
    answer = Answer(type_name("points.csv"), QFileDialog)
    assert ask_open_path(widget, "Open", str(tmp_path), "Table (*.csv)") == str(
        tmp_path / "points.csv"
    )
    answer.stop()
