"""Foreign names are shown as they are written, in every widget of the program."""

from __future__ import annotations

import html
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtWidgets import QDialog, QMessageBox, QProgressDialog, QTextEdit

from solvers import SMO, Pegasos
from solvers.data.datasets import PointSet
from solvers.data.point_files import UnclearColumns, parse_points
from svmviz import theme
from svmviz.io import open_and_save
from svmviz.io.autosave import Autosave
from svmviz.io.scene import Scene
from svmviz.panels.registry import PANELS
from svmviz.plane.point_card import describe
from svmviz.window.files.columns_dialog import ColumnsDialog
from svmviz.window.files.export_dialog import ExportDialog
from svmviz.window.files.rescue import Rescue, describe_points
from svmviz.window.help.contents import pages
from svmviz.window.menus.keys_dialog import KeysDialog
from svmviz.window.messages import show_about
from tests.foreign_words import BOLD, ENTITY, PICTURE, Walk
from tests.io.test_autosave import leave_behind
from tests.stages import EIGHT, eight, sine
from tests.time_limits import TIME_LIMIT
from tests.window.conftest import cancel, settle

pytestmark = pytest.mark.display
# A path has slashes, so HTML may begin in one folder and end in another.
FOLDER = "<img src="
NAMED = {"class_names": (PICTURE, BOLD), "axis_names": (f"1 {PICTURE}", f"2 {BOLD}")}


def assert_plain(widget, *expected):
    """Nothing in a widget is taken for HTML, and what is expected is shown somewhere."""
    walk = Walk(widget)
    assert not walk.faults
    # Long tips are wrapped.
    seen = [" ".join(text.split()) for text in walk.seen]
    for words in expected:
        assert any(words in text for text in seen), f"{words!r} is not shown"


def show_all(user):
    """Unfold all cards, and show every panel that fits, one after the other."""
    window = user.window
    window.docks.column.fold([])
    for name, spec in PANELS.items():
        if spec.fits(window.stage.session.document):
            window.docks.show(name)
            dock = window.docks.docks[name]
            user.until(lambda dock=dock: dock.widget() and not dock.visibleRegion().isEmpty())
            assert_plain(window)
    for menu in window.menus.menus.values():
        menu.aboutToShow.emit()


def classes(**changes):
    data = PointSet(EIGHT.points, EIGHT.labels, **NAMED)
    return eight(data=data, methods=(SMO(), Pegasos(max_steps=50)), **changes)


def test_every_panel_shows_names_of_classes_and_columns(open_window):
    user = open_window(classes())
    show_all(user)
    assert_plain(user.window, PICTURE, BOLD)
    # What a cell that cannot be says, and the light on a point.
    user.window.docks.show("table")
    table = user.window.docks.docks["table"].widget().panel.content
    table.model.setData(table.model.index(0, 1), ENTITY)
    user.window.stage.spotlight.highlight(1)
    assert_plain(user.window, ENTITY)


def test_every_panel_shows_names_of_a_regression(open_window):
    data = sine(30).data
    named = PointSet(data.points, data.labels, axis_names=NAMED["axis_names"])
    user = open_window(sine(30, data=named))
    show_all(user)
    assert_plain(user.window, PICTURE, BOLD)


LONG = ("a" + "very " * 20_000 + "long name", "b" + "x" * 100_000)
# The longest text of this program has some 600 characters.
MAX_LENGTH = 1500


def is_short(widget):
    longest = Walk(widget).longest
    assert len(longest) < MAX_LENGTH, longest[:300]


def test_long_names_are_cut(open_window):
    data = PointSet(EIGHT.points * [1000.0, 1.0], EIGHT.labels, LONG, (LONG[1], LONG[0]))
    user = open_window(eight(data=data, methods=(SMO(), Pegasos(max_steps=50))))
    show_all(user)
    user.window.docks.show("table")
    user.window.stage.spotlight.highlight(1)
    user.until(user.window.advice.isVisible)
    settle(user)
    is_short(user.window)
    assert len(describe_points(user.window.stage.session.document)) < MAX_LENGTH
    card = describe(user.window.stage.feed.frame, 1)
    assert len(card.line) < MAX_LENGTH


def test_long_names_in_a_choice_of_columns_are_cut_and_kept(user):
    names = [f"{LONG[0]} {k}" for k in range(3)]
    dialog = ColumnsDialog(
        UnclearColumns("unclear", [*names, "kind"], names, {"kind": list(LONG)}), user.window
    )
    dialog.show()
    is_short(dialog)
    assert dialog.sizeHint().width() < user.window.screen().size().width()
    assert dialog.choice() == {"x": names[0], "y": names[1], "labels": "kind", "classes": LONG}
    dialog.close()


def test_advice_names_columns(open_window):
    scaled = EIGHT.points * np.array([1000.0, 1.0])
    user = open_window(eight(data=PointSet(scaled, EIGHT.labels, **NAMED)))
    user.until(user.window.advice.isVisible)
    assert_plain(user.window.advice, PICTURE)


def test_a_file_is_opened_and_remembered(user, tmp_path):
    folder = tmp_path / FOLDER / "etc"
    folder.mkdir(parents=True)
    path = folder / "passwd>\t&.csv"
    path.write_text(f"{PICTURE},b,kind\n0,0,{BOLD}\n1,1,{ENTITY}\n0,1,{BOLD}\n")
    window = user.window
    window.files.open(str(path))
    user.until(lambda: window.stage.session.document.n == 3)
    settle(user)
    assert path.stem in window.windowTitle() or path.name in window.windowTitle()
    show_all(user)
    assert_plain(window, PICTURE, BOLD)
    window.menus.submenus.recent.aboutToShow.emit()
    entry = window.menus.submenus.recent.actions()[0]
    # Nothing is underlined, and nothing is in the column of the shortcuts.
    assert entry.text() == "passwd> &&.csv"
    assert_plain(window.menus.submenus.recent)
    assert "<img src=/etc/passwd>" in " ".join(html.unescape(entry.toolTip()).split())


def test_a_placeholder_of_qt_in_a_name_stays_a_name(user, tmp_path):
    path = tmp_path / "a[*]b.csv"
    path.write_text("a,b,kind\n0,0,no\n1,1,yes\n")
    user.window.files.open(str(path))
    user.until(lambda: user.window.stage.session.document.n == 2)
    assert user.window.windowTitle() == "a[*][*]b.csv[*] — svmviz"
    settle(user)


def test_progress_names_the_file(user, monkeypatch):
    gate = Event()
    monkeypatch.setattr(open_and_save, "open_file", lambda *_, **__: gate.wait(TIME_LIMIT))
    user.window.files.open(ENTITY)
    try:
        user.until(lambda: user.window.findChild(QProgressDialog))
        assert_plain(user.window.findChild(QProgressDialog), ENTITY)
        cancel(user)
    finally:
        gate.set()
    user.until(lambda: not user.window.files.tasks._tasks)


MESSAGES = (
    lambda messages: messages.warn(PICTURE, f"{BOLD}, {ENTITY}."),
    lambda messages: messages.fault(f"ValueError: {PICTURE}", Path(BOLD)),
    lambda messages: messages.ask_save(PICTURE),
    lambda messages: messages.choose(PICTURE, BOLD, "Yes", "No"),
)


def test_messages_show_what_they_quote(user, answer):
    def look(box):
        assert_plain(box, PICTURE)
        box.close()

    for message in MESSAGES:
        answer(look, QMessageBox)
        message(user.window.messages)


def test_a_question_quotes_what_was_typed(user, answer):
    def type_nonsense(dialog):
        dialog.setTextValue(PICTURE)
        answer(look, QDialog)
        dialog.accept()

    def look(dialog):
        assert_plain(dialog, PICTURE)
        dialog.reject()

    answer(type_nonsense, QDialog)
    user.window.menus.actions["go-to"].trigger()


def test_a_restored_session_is_named(open_window, answer, tmp_path):
    lock = f'{{"pid": 1, "title": "{PICTURE}"}}'
    leave_behind(tmp_path / "autosave", lock=lock, scene=Scene(classes()))
    window = open_window(eight()).window
    rescue = Rescue(window.files, Autosave(tmp_path / "autosave"), window.messages)

    def look(box):
        assert_plain(box, f"“{PICTURE}”", BOLD)
        box.close()

    answer(look, QMessageBox)
    rescue.offer()
    rescue.close()


def unclear():
    try:
        parse_points(f"{PICTURE},{BOLD},w,kind\n0,5,0,{BOLD}\n1,6,1,{ENTITY}\n2,7,2,{PICTURE}\n")
    except UnclearColumns as error:
        return error
    raise AssertionError("it should not be clear which columns are meant")


def test_columns_are_chosen_by_their_names(user):
    dialog = ColumnsDialog(unclear(), user.window)
    dialog.show()
    assert_plain(dialog, PICTURE, BOLD, ENTITY)
    dialog.close()


def test_the_log_is_plain(user, answer, tmp_path):
    log = tmp_path / BOLD.replace("/", "")
    log.write_text(f"2026-01-01 ERROR {PICTURE}\n")

    def look(box):
        assert_plain(box)
        assert PICTURE in box.findChild(QTextEdit).toPlainText()
        box.close()

    answer(look, QMessageBox)
    user.window.messages.show_log(log)


def test_dialogs_of_our_own_words_say_what_they_are(user, answer):
    window = user.window
    shown = window.planes.picture(theme.LIGHT, 1.0)
    export = ExportDialog(window, Path(BOLD), shown, window.files.scene())
    for dialog in (KeysDialog(window.menus.groups, window), export):
        dialog.show()
        assert_plain(dialog)
        dialog.close()
    answer(lambda box: (assert_plain(box), box.close()), QMessageBox)
    show_about(window)


def test_pages_of_the_help_say_what_they_are(user):
    window = user.window
    for name in pages():
        window.help.show(name)
        assert_plain(window.help.window)
    window.help.window.close()
