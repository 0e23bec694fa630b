"""Classes are renamed in the card Data: one undo entry, no new run, a sentence on a bad name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from svmviz.base.words import MAX_NAME, class_titles
from svmviz.document.held_out import Shares
from svmviz.document.source import Source
from svmviz.document.splitting import split
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.panels.controls.settings.data_panel import DataPanel
from tests.stages import clouds, eight, sine
from tests.waiting import settle


@pytest.fixture
def stage(open_stage):
    return open_stage(split(clouds(3), Shares(0.0, 0.3)))


@pytest.fixture
def names(stage, show):
    panel = show(DataPanel(stage), 400, 900)
    panel.more.open(True)
    return panel.names


def rename(qtbot, field, text, key=Qt.Key.Key_Return):
    field.field.setFocus()
    field.field.selectAll()
    qtbot.keyClicks(field.field, text)
    qtbot.keyClick(field.field, key)


def shown(names):
    return [field.field.text() for field in names.fields if not field.isHidden()]


def test_a_name_is_one_undo_entry_and_the_runs_go_on(qtbot, stage, names):
    settle(qtbot, stage)
    session, before = stage.session, stage.session.document
    runs = session.runs
    assert shown(names) == ["a", "b", "c"]
    rename(qtbot, names.fields[2], "  Große  Katze ")
    assert session.document.class_names == ("a", "b", "Große Katze")
    assert session.runs is runs
    assert not session.waiting
    assert session.undo_stack.undoText() == "Rename class"
    scene = read_scene(write_scene(Scene(session.document)))
    assert scene.document == session.document
    rename(qtbot, names.fields[1], "x")
    assert session.document.held_out.test.class_names == ("x", "a")
    for _ in range(2):
        session.undo_stack.undo()
    assert session.document == before
    assert shown(names) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" ", "A class needs a name."),
        ("b", "Another class has the name"),
        ("n" * (MAX_NAME + 1), f"A name has at most {MAX_NAME} characters, and this one has 61."),
    ],
)
def test_a_bad_name_is_refused_in_a_sentence(qtbot, stage, names, text, sentence):
    rename(qtbot, names.fields[0], text)
    assert names.fields[0].error_text.startswith(sentence)
    assert stage.session.undo_stack.count() == 0
    qtbot.keyClick(names.fields[0].field, Qt.Key.Key_Escape)
    assert shown(names) == ["a", "b", "c"]


def test_of_two_classes_the_positive_one_comes_first(qtbot, stage, names):
    stage.session.reset(eight())
    assert shown(names) == ["+1", "-1"]
    rename(qtbot, names.fields[0], "<b>yes</b>")
    document = stage.session.document
    assert class_titles(document.data) == ("−1", "<b>yes</b>")
    stage.session.reset(sine())
    assert not names.isVisible()


def test_renamed_points_are_still_those_of_their_generator(qtbot, stage, names):
    source = Source("blobs", 0.4, 0, 3)
    stage.session.reset(replace(clouds(3), data=source.draw(30), source=source, many=None))
    rename(qtbot, names.fields[0], "cats")
    assert stage.session.document.source == source
    panel = next(w for w in _parents(names) if isinstance(w, DataPanel))
    panel.noise.set_value(0.8)
    document, _ = panel.generated()
    assert document.class_names[0] == "cats"
    assert document.all_points.points.tolist() != stage.session.document.all_points.points.tolist()


def _parents(widget):
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


def test_an_opened_test_part_stays_opened_with_its_error(qtbot, stage, names):
    stage.session.open_test_part(0.25)
    rename(qtbot, names.fields[0], "cats")
    held_out = stage.session.document.held_out
    assert (held_out.seen, held_out.at_opening) == (True, 0.25)
