"""The panel of the split: every control is one edit, and the drawer opens once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from svmviz.document.held_out import TEST, TRAINING, VALIDATION, Shares
from svmviz.document.source import Source
from svmviz.document.splitting import split
from svmviz.frames.part_risks import error_sentence
from svmviz.panels.selection.split.drawer import LOCKED, NO_SPLIT, USED
from svmviz.panels.selection.split.split_panel import SplitPanel
from svmviz.session import edits
from tests.stages import moons
from tests.waiting import settle

SOURCE = Source("moons", 0.2, 0)


@pytest.fixture
def stage(open_stage):
    return open_stage(split(moons(source=SOURCE), Shares(0.2, 0.25)))


def click(qtbot, stage, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, stage)


def used(document):
    return replace(document, held_out=replace(document.held_out, used=True))


def errors(panel):
    return [label.text() for label in panel.table.errors]


def test_shares_draw_again_and_stratified_are_edits(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(SplitPanel(stage), 320, 600)
    session = stage.session
    assert panel.words.text() == NO_SPLIT
    assert not panel.drawer.isEnabled()
    panel.sliders[TEST].released.emit(0.0)
    assert session.document.held_out is None
    panel.sliders[TEST].set_value(25.0)
    panel.sliders[TEST].moved.emit(25.0)
    assert session.previewing
    panel.sliders[TEST].released.emit(25.0)
    settle(qtbot, stage)
    # All points were for training before.
    assert session.document == used(split(moons(), Shares(0.0, 0.25)))
    assert (panel.words.text(), panel.table.badge.text) == (USED, "used")
    assert session.undo_stack.count() == 1
    click(qtbot, stage, panel.again)
    assert session.document == used(split(moons(), Shares(0.0, 0.25, seed=1)))
    panel.stratified.click()
    settle(qtbot, stage)
    shares = Shares(0.0, 0.25, seed=1, stratified=False)
    assert session.document == used(split(moons(), shares))
    assert [label.text() for label in panel.table.counts] == ["60", "–", "20"]
    assert errors(panel)[1:] == ["–", "locked"]
    # A part that cannot be drawn: the sentence says why, and nothing changes.
    before = session.document
    panel.sliders[TEST].set_value(0.4)
    panel.sliders[TEST].released.emit(0.4)
    assert "rounds to none" in panel.words.text()
    assert session.document is before
    session.undo_stack.undo()
    assert panel.stratified.isChecked()


def test_the_drawer_opens_once_and_fresh_points_lock_it_again(qtbot, stage, show):
    panel = show(SplitPanel(stage), 320, 600)
    assert (panel.words.text(), panel.table.badge.text) == (LOCKED, "honest")
    assert errors(panel)[TEST] == "locked"
    runs = stage.session.runs
    qtbot.mouseClick(panel.drawer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: errors(panel)[TEST] != "locked")
    shown = errors(panel)[TEST].partition(" (")[0]
    assert stage.session.runs is runs
    assert panel.table.badge.text == "seen"
    assert f"Error at the opening: {shown}, an honest estimate." in panel.words.text()
    frame = stage.feed.panel_frame
    assert "already used" not in error_sentence(frame.document, frame.lane)
    assert not panel.drawer.isEnabled()
    click(qtbot, stage, panel.again)
    assert (panel.words.text(), panel.table.badge.text) == (USED, "seen")
    stage.session.undo_stack.undo()
    settle(qtbot, stage)
    assert panel.table.badge.text == "seen"
    click(qtbot, stage, panel.fresh)
    assert panel.words.text().startswith(f"The model was tuned to {shown} on the old test points.")
    assert (errors(panel)[TEST], panel.table.badge.text) == ("locked", "honest")
    qtbot.mouseClick(panel.drawer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: errors(panel)[TEST] != "locked")
    on_fresh = errors(panel)[TEST].partition(" (")[0]
    assert panel.words.text().startswith(
        f"Error on the old test points, by which the model was tuned: {shown}. "
        f"On 200 fresh points: {on_fresh}."
    )


def test_selected_points_move_to_a_part(qtbot, stage, show):
    panel = show(SplitPanel(stage), 320, 600)
    session = stage.session
    assert not panel.moves[TEST].isEnabled()
    session.select([0, 1], [0])
    assert panel.chosen.text() == "Move 3 points to:"
    click(qtbot, stage, panel.moves[TEST])
    held_out = session.document.held_out
    assert (session.document.n, len(held_out.validation), len(held_out.test)) == (42, 15, 23)
    session.select([], range(15))
    click(qtbot, stage, panel.moves[TRAINING])
    session.select([0])
    click(qtbot, stage, panel.moves[VALIDATION])
    held_out = session.document.held_out
    assert (session.document.n, len(held_out.validation), len(held_out.test)) == (56, 1, 23)
    assert session.undo_stack.count() == 3
    # Other edits leave the parts alone; "Clear" removes them too.
    edits.select_all(session)
    edits.delete_selection(session)
    assert len(session.document.all_points) == 24
    edits.clear(session)
    assert session.document.held_out is None


def test_points_without_a_source_have_no_fresh_ones(qtbot, open_stage, show):
    stage = open_stage(split(moons(), Shares(0.2, 0.25)))
    panel = show(SplitPanel(stage), 320, 600)
    assert not panel.fresh.isEnabled()
    assert "need a source" in panel.fresh.toolTip()


def test_usual_shares_are_one_click(qtbot, open_stage, show):
    stage = open_stage(moons(60))
    panel = show(SplitPanel(stage), 320, 700)
    sizes = {"50/50": (30, 0, 30), "80/20": (48, 0, 12), "90/10": (54, 0, 6)}
    sizes |= {"⅓ ⅓ ⅓": (20, 20, 20), "70/10/20": (42, 6, 12)}
    buttons = {one.label: button for row in panel.usual for one, button in row.buttons.items()}
    assert list(buttons) == list(sizes)
    for number, (label, expected) in enumerate(sizes.items(), start=1):
        click(qtbot, stage, buttons[label])
        document = stage.session.document
        held_out = document.held_out
        assert (document.n, len(held_out.validation), len(held_out.test)) == expected
        assert [name for name, button in buttons.items() if button.isChecked()] == [label]
        assert stage.session.undo_stack.count() == number
    # A second click changes nothing, and the button stays pressed.
    click(qtbot, stage, buttons["70/10/20"])
    assert stage.session.document is document
    assert buttons["70/10/20"].isChecked()
    stage.session.undo_stack.undo()
    assert buttons["⅓ ⅓ ⅓"].isChecked()
