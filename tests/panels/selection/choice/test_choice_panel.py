"""The Model choice panel leads through the procedure, fills Split and Map, and tests once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from solvers import SMO, Linear, solve
from svmviz.document.document import Document
from svmviz.document.held_out import Shares
from svmviz.document.source import Source
from svmviz.document.splitting import split, with_fresh_test
from svmviz.frames.part_risks import percent
from svmviz.panels.selection.choice.choice_panel import ChoicePanel
from svmviz.panels.selection.choice.choice_words import (
    PARTS,
    RETRAIN,
    SEARCH,
    STEP_WORDS,
    TAKE,
    TEST,
    TEST_USED,
)
from svmviz.panels.selection.share_buttons import THREE_PARTS
from svmviz.selection.map_model import map_of
from tests.stages import moons
from tests.waiting import settle

THIRDS, USUAL = THREE_PARTS
SOURCE = Source("moons", 0.3, 4)


def press(qtbot, stage, panel, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, stage)
    qtbot.waitUntil(lambda: not panel.model.search.is_active)


def test_the_whole_procedure(qtbot, open_stage, show):
    stage = open_stage(Document(SOURCE.draw(100), Linear(), methods=(SMO(),), source=SOURCE))
    session = stage.session
    panel = show(ChoicePanel(stage), 360, 700)
    assert panel.words.text() == STEP_WORDS[PARTS]
    press(qtbot, stage, panel, panel.bar.button)
    assert "no validation points" in panel.error_label.text()
    press(qtbot, stage, panel, panel.shares.buttons[USUAL])
    assert panel.sizes.text() == "70 training · 10 validation · 20 test"
    assert panel.shares.buttons[USUAL].isChecked()
    assert panel.words.text() == STEP_WORDS[SEARCH]
    assert not panel.error_label.text()
    press(qtbot, stage, panel, panel.bar.button)
    assert panel.words.text() == STEP_WORDS[TAKE]
    best = panel.model.best
    assert len(panel.results.rows) == 3
    assert best.risk == min(found.risk for found in panel.model.best_of.values())
    assert not panel.retrain.isEnabled()
    press(qtbot, stage, panel, panel.take)
    assert panel.words.text() == STEP_WORDS[RETRAIN]
    document = session.document
    assert (document.kernel.name, document.C) == (best.candidate.kernel.name, best.values["C"])
    the_map = map_of(session, stage.searches)
    qtbot.waitUntil(lambda: not the_map.search.is_active)
    assert the_map.cells.numbers(the_map.best).risk == best.risk
    assert not the_map.is_stale
    press(qtbot, stage, panel, panel.retrain)
    assert (session.document.n, len(session.document.held_out.validation)) == (80, 0)
    # All points were training points before they were divided.
    assert panel.words.text() == TEST_USED
    qtbot.waitUntil(lambda: stage.feed.panel_frame.document is session.document)
    press(qtbot, stage, panel, panel.test)
    held_out = session.document.held_out
    assert held_out.seen
    expansion = solve(session.document.problem(), session.document.method).expansion
    wrong = held_out.test.labels * expansion(held_out.test.points) <= 0.0
    assert held_out.at_opening in (None, pytest.approx(wrong.mean()))
    assert not panel.test.isEnabled()
    # Each step but the test is one undo entry.
    assert session.undo_stack.count() == 3


def test_fresh_test_points_give_an_honest_error(qtbot, open_stage, show):
    whole = Document(SOURCE.draw(100), Linear(), methods=(SMO(),), source=SOURCE)
    stage = open_stage(with_fresh_test(split(whole, Shares(0.2, 0.2)), None))
    panel = show(ChoicePanel(stage), 360, 700)
    for button in (panel.bar.button, panel.take, panel.retrain):
        press(qtbot, stage, panel, button)
    assert panel.words.text() == STEP_WORDS[TEST]
    qtbot.waitUntil(lambda: stage.feed.panel_frame.document is stage.session.document)
    qtbot.waitUntil(lambda: stage.feed.panel_frame.lane is not None)
    press(qtbot, stage, panel, panel.test)
    opened = stage.session.document.held_out.at_opening
    assert panel.words.text().startswith(f"Error at the opening: {percent(opened)}")


def test_results_of_other_points_are_not_taken(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Linear()))
    panel = show(ChoicePanel(stage), 360, 700)
    press(qtbot, stage, panel, panel.shares.buttons[THIRDS])
    press(qtbot, stage, panel, panel.bar.button)
    assert panel.take.isEnabled()
    press(qtbot, stage, panel, panel.shares.buttons[USUAL])
    assert panel.words.text() == STEP_WORDS[SEARCH]
    assert not panel.take.isEnabled()
    for box in panel.kernels.boxes.values():
        box.setChecked(False)
    press(qtbot, stage, panel, panel.bar.button)
    assert panel.error_label.text() == "Choose at least one kernel and one method."
