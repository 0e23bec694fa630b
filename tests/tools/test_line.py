"""Laying, shifting, turning and removing the user's line, by real mouse events."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt

from svmviz.tools.line import visible_ends
from tests.plane_fixtures import RIGHT


def angle(line):
    return math.degrees(math.atan2(line.w[1], line.w[0]))


@pytest.fixture
def laid(stage, view, mouse, qtbot):
    qtbot.waitUntil(lambda: not stage.session.waiting)
    view.show_tool("line")
    mouse.drag((0, -1.5), (0, 0), (0, 1.5))
    return stage.session


def test_a_drag_lays_it_and_no_run_begins(laid, qtbot, stage):
    line = laid.document.user_line
    assert abs(line.w[1]) < 1e-9 * abs(line.w[0])
    assert line.b == pytest.approx(0.0, abs=1e-9)
    assert laid.undo_stack.undoText() == "Draw line"
    numbers = [run.number for run in laid.runs]
    laid.undo_stack.undo()
    assert laid.document.user_line is None
    laid.undo_stack.redo()
    assert laid.document.user_line == line
    assert [run.number for run in laid.runs] == numbers
    assert not laid.waiting
    qtbot.waitUntil(lambda: stage.feed.frame.document is laid.document)


def test_dragging_it_shifts_it(laid, mouse):
    before = laid.document.user_line
    mouse.drag((0, 0), (0.2, 0), (0.5, 0))
    after = laid.document.user_line
    assert after.w == before.w
    assert -after.b / after.w[0] == pytest.approx(0.5, abs=0.02)
    assert laid.undo_stack.undoText() == "Shift line"
    assert not laid.previewing


def test_dragging_a_handle_turns_it_about_its_middle(laid, view, mouse):
    before = laid.document.user_line
    handle = view._mouse.tool.feedback.handles[0]
    x, y = view.camera.to_data(*handle)
    mouse.drag((x, y), (x + 0.1, y), (y, y) if abs(y) < 1 else (x + 0.4, y))
    after = laid.document.user_line
    assert laid.undo_stack.undoText() == "Turn line"
    assert math.hypot(*after.w) == pytest.approx(math.hypot(*before.w))
    assert 3 < abs(angle(after) - angle(before)) < 80
    middle = np.mean([view.camera.to_data(*end) for end in visible_ends(before, view.camera)], 0)
    assert middle @ after.w + after.b == pytest.approx(0.0, abs=0.02)


def test_a_click_beside_a_handle_lays_no_other_line(laid, view, mouse):
    before, count = laid.document.user_line, laid.undo_stack.count()
    x, y = view._mouse.tool.feedback.handles[0]
    beside = view.camera.to_data(x + 20.0, y)
    moved = view.camera.to_data(x + 32.0, y + 9.0)
    mouse.drag(beside, moved)
    assert laid.document.user_line == before
    assert laid.undo_stack.count() == count
    mouse.drag((1.0, 1.0), (-1.0, -1.0))
    assert laid.document.user_line != before


def test_a_right_click_removes_it(laid, mouse):
    mouse.press(mouse.at(0.4, 0.4), RIGHT)
    mouse.release(mouse.at(0.4, 0.4), RIGHT)
    assert laid.document.user_line is None
    assert laid.undo_stack.undoText() == "Remove line"


def test_the_hand_shows_what_can_be_dragged(laid, view, mouse):
    mouse.move(mouse.at(0, 0))
    assert view.cursor().shape() == Qt.CursorShape.OpenHandCursor
    mouse.move(mouse.at(0.6, 0))
    assert view.cursor().shape() == Qt.CursorShape.CrossCursor


def test_the_playback_stays_where_it_is(laid, stage, mouse):
    stage.playback.seek_step(1)
    mouse.press(mouse.at(0, 0))
    mouse.move(mouse.at(0.3, 0))
    assert not laid.previewing
    assert stage.playback.lane_steps == (1,)
    mouse.release(mouse.at(0.3, 0))
    assert stage.playback.lane_steps == (1,)
