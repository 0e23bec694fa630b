"""The title of the window and the proposed names of files, which go with the points."""

import pytest
from pytestqt.exceptions import capture_exceptions
from shiboken6 import delete

from svmviz.document import limits
from svmviz.document.examples import examples
from svmviz.window import messages
from svmviz.window.files import files as files_module
from tests.choosing import choose

pytestmark = pytest.mark.display


def session(user):
    return user.window.stage.session


def test_the_title_is_what_was_generated(user):
    window = user.window
    assert window.files.name == "Untitled"
    choose(window.docks.column.data.dataset, "moons")
    assert window.files.name == "Two moons"
    assert window.windowTitle().startswith("Two moons")
    session(user).edit(session(user).document.moved([0], (0.3, 0.0)), "Move")
    assert window.files.name == "Two moons"
    session(user).undo_stack.setIndex(0)
    assert window.windowTitle().startswith("Untitled")


def test_the_title_goes_with_the_points_that_it_names(user):
    window, data, undo_stack = user.window, user.window.docks.column.data, session(user).undo_stack
    path, title = next(each for each in examples() if each.path.stem == "penguins")[:2]
    window.files.open_example(path, title)
    window.menus.actions["clear"].trigger()
    assert window.files.name == "Untitled"
    undo_stack.undo()
    assert window.files.name == title
    data.change_task()
    assert window.files.name == "Noisy sine"
    data.change_task()
    assert window.files.name == title
    data.choose_dataset(1)
    data.choose_dataset(1)
    assert window.files.name == data.dataset_title == "Two moons"
    undo_stack.undo()
    assert window.files.name == data.dataset_title == "Two clouds"


def test_a_table_names_its_points_until_others_are_generated(user, tmp_path, monkeypatch):
    path = tmp_path / "v1.2.csv"
    path.write_text("a,b,kind\n0,0,no\n1,1,yes\n0,1,no\n1,0,yes\n")
    for module in (files_module, limits):
        monkeypatch.setattr(module, "MAX_SHOWN_POINTS", 3)
    monkeypatch.setattr(user.window.messages, "may_sample", lambda *_: True)
    proposed = []
    monkeypatch.setattr(
        messages, "ask_save_path", lambda *words: proposed.append(words[2]) or ("", "")
    )
    user.window.files.open(str(path))
    user.until(lambda: user.window.files.name == "v1.2.csv")
    assert user.window.files.path is None
    user.window.files.ask_save()
    assert proposed[0].endswith("v1.2.svmviz")
    choose(user.window.docks.column.data.dataset, "moons")
    assert user.window.files.name == "Two moons"


def test_a_column_of_settings_that_is_gone_is_told_nothing(user):
    window = user.window
    # That of a presentation is deleted with it.
    delete(window._make_settings())
    with capture_exceptions() as exceptions:
        window.files.title_changed.emit("penguins.csv")
    assert exceptions == []
