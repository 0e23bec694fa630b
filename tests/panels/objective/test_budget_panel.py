"""The Budget panel: dragging C along the path, or the budget, changes the penalty once."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solvers import InteriorPoint, Linear, solve
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document, Penalty
from svmviz.document.user_line import UserLine
from svmviz.panels.objective.budget_panel import BudgetPanel
from svmviz.panels.objective.slice_panel import SlicePanel
from svmviz.plane import line_study
from svmviz.selection import budget_model
from svmviz.selection.background_search import State
from svmviz.widgets.charts.chart_painter import ChartPainter
from tests.stages import eight

LEFT = Qt.MouseButton.LeftButton


def cloud(n=40, **changes):
    data = DATASETS["gaussians"].generate(n, 0.9, 0)
    return Document(**{"data": data, "kernel": Linear(), "penalty": Penalty("C", 1.0), **changes})


def shown(qtbot, show, stage):
    """A panel with the whole path."""
    panel = show(BudgetPanel(stage), 340, 560)
    qtbot.waitUntil(lambda: panel.model.search.state is State.DONE)
    return panel


def place(chart, x, y):
    pixel = chart.area.pixel(x, y)
    return QPoint(round(pixel.x()), round(pixel.y()))


def drag(chart, start, end):
    QTest.mousePress(chart.viewport(), LEFT, pos=place(chart, *start))
    for share in (0.3, 0.7, 1.0):
        x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
        chart.pressed.emit(x, y)
    QTest.mouseRelease(chart.viewport(), LEFT, pos=place(chart, *end))


@pytest.mark.parametrize("make", [BudgetPanel, SlicePanel])
def test_the_own_line_is_not_drawn_beside_a_panel_that_says_nothing_of_it(open_stage, show, make):
    line = UserLine((1.0, 0.4), 0.3)
    stage = open_stage(cloud(user_line=line))

    def is_drawn():
        return line_study.is_shown(stage.session.document, stage.view.drawn)

    assert is_drawn()
    panel = show(make(stage), 340, 560)
    assert not is_drawn()
    # Who moves it by a tool sees it.
    stage.session.edit(replace(stage.session.document, user_line=replace(line, b=0.5)), "Move line")
    assert is_drawn()
    stage.session.undo_stack.undo()
    assert not is_drawn()
    panel.hide()
    assert is_drawn()


def slack_of(document):
    return float(solve(document.problem(), InteriorPoint(tol=1e-9)).certificate.slack.sum())


def test_the_dot_is_at_the_slack_of_C(qtbot, open_stage, show):
    stage = open_stage(cloud())
    panel = shown(qtbot, show, stage)
    assert len(panel.model.points) == 43
    x, M = panel.chart.here
    assert 10.0**x == pytest.approx(1.0)
    assert pytest.approx(slack_of(stage.session.document), rel=1e-3) == M
    assert (np.diff(panel.chart.path[:, 1]) <= 1e-3).all()


def test_C_is_dragged_along_the_path(qtbot, open_stage, show):
    stage = open_stage(cloud())
    panel = shown(qtbot, show, stage)
    drag(panel.chart, panel.chart.here, (-1.5, 20.0))
    document, undo = stage.session.document, stage.session.undo_stack
    assert pytest.approx(10.0**-1.5) == document.C
    assert (undo.count(), undo.undoText()) == (1, "Change C")
    # Interpolated at first, and then solved for this C.
    assert panel.chart.here[1] == pytest.approx(slack_of(document), rel=0.05)
    exact = pytest.approx(slack_of(document), rel=1e-3)
    qtbot.waitUntil(lambda: panel.chart.here[1] == exact)
    undo.undo()
    assert stage.session.document.C == 1.0


def test_C_follows_the_budget(qtbot, open_stage, show):
    stage = open_stage(cloud())
    panel = shown(qtbot, show, stage)
    x, M = panel.chart.here
    low = panel.chart.ranges[0][0]
    assert panel.chart.holds_budget(low + 0.3, M)
    assert not panel.chart.holds_budget(x, M)
    drag(panel.chart, (low + 0.3, M), (low + 0.3, 12.0))
    undo = stage.session.undo_stack
    qtbot.waitUntil(lambda: undo.count() == 1)
    assert undo.undoText() == "Change budget"
    assert slack_of(stage.session.document) == pytest.approx(12.0, rel=1e-3)
    assert panel.chart.here[1] == pytest.approx(12.0, rel=1e-3)


@pytest.mark.parametrize("C", [0.002, 0.05, 1.0, 50.0, 5000.0])
def test_the_budget_is_written_clear_of_the_curve(qtbot, open_stage, show, monkeypatch, C):
    boxes, usual = [], ChartPainter.text

    def note(paint, text, point, colour, shift=(0.0, 0.0), **options):
        if text.startswith(("M = ", "C = ")):
            boxes.append(paint.text_rect(text, point, shift))
        usual(paint, text, point, colour, shift, **options)

    monkeypatch.setattr(ChartPainter, "text", note)
    # Apart, M is nearly 0 for a large C.
    data = DATASETS["blobs"].generate(40, 0.5, 5)
    panel = shown(qtbot, show, open_stage(cloud(data=data, penalty=Penalty("C", C))))
    chart = panel.chart
    boxes.clear()
    chart.grab()
    box, other = boxes
    assert not box.intersects(other)
    curve = chart.area.to_pixels(chart.path)
    x = np.linspace(box.left(), box.right(), 20)
    y = np.interp(x, *curve.T)
    # The curve is the only line there, 2.5 px wide.
    assert not ((y > box.top() - 1.0) & (y < box.bottom() + 1.0)).any()


def test_a_budget_beyond_the_path_is_its_end(qtbot, open_stage, show):
    stage = open_stage(eight(kernel=Linear()))
    panel = shown(qtbot, show, stage)
    low, M = panel.chart.ranges[0][0], panel.chart.here[1]
    drag(panel.chart, (low + 0.3, M), (low + 0.3, 1e9))
    assert stage.session.undo_stack.count() == 1
    assert pytest.approx(1e-3) == stage.session.document.C


def test_other_points_make_another_path(qtbot, open_stage, show):
    stage = open_stage(cloud())
    panel = shown(qtbot, show, stage)
    before = [point.slack for point in panel.model.points]
    document = stage.session.document
    stage.session.edit(document.moved([0], (5.0, 0.0)), "Move")
    qtbot.waitUntil(lambda: panel.model.search.state is State.DONE and not panel.model.is_stale)
    assert [point.slack for point in panel.model.points] != before
    # Another penalty keeps the path, and adds a point.
    points = panel.model.points
    stage.session.edit(replace(stage.session.document, penalty=Penalty("C", 2.0)), "C")
    qtbot.waitUntil(lambda: 2.0 in [point.C for point in panel.model.points])
    assert [point for point in panel.model.points if point.C != 2.0] == points


def test_a_long_path_is_asked_for_and_can_be_cancelled(qtbot, open_stage, show, monkeypatch):
    monkeypatch.setattr(budget_model, "MAX_UNASKED", 10)
    stage = open_stage(cloud())
    panel = show(BudgetPanel(stage), 340, 560)
    assert panel.bar.isVisible()
    assert not panel.model.points
    QTest.mouseClick(panel.bar.button, LEFT)
    panel.model.search.cancel()
    assert panel.model.search.state is State.CANCELLED
    QTest.mouseClick(panel.bar.button, LEFT)
    qtbot.waitUntil(lambda: panel.model.search.state is State.DONE)
    assert len(panel.model.points) == 43


def test_a_hard_margin_has_no_budget(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = shown(qtbot, show, stage)
    assert panel.chart.here is None
    assert panel.words.text().startswith("The hard margin")
