"""A point that is highlighted or selected in one view is so in all views."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from solvers import SMO, Hulls, Linear, Pegasos
from svmviz.document.user_line import UserLine
from svmviz.frames.studies import is_unfinished
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.geometry.weight_panel import WeightPanel, line_of
from svmviz.panels.registry import PANELS
from svmviz.panels.selection.folds.folds_panel import FoldsPanel
from svmviz.panels.selection.map.map_panel import MapPanel
from svmviz.panels.selection.risk.risk_panel import RiskPanel
from svmviz.panels.selection.split.split_panel import SplitPanel
from svmviz.plane.widget import PlaneView
from svmviz.playback.requests import FINE
from svmviz.theme import active
from svmviz.widgets.formula import FormulaView
from tests.stages import eight, moons, sine
from tests.time_limits import wait_for
from tests.waiting import go_to

DOCUMENTS = {
    "linear": eight(),
    "rbf": moons(40),
    "hulls": eight(methods=(Hulls(algorithm="mdm"),)),
    "race": eight(methods=(SMO(), Pegasos(max_steps=60))),
    "regression": sine(30),
}
CASES = [
    (name, panel)
    for name, document in DOCUMENTS.items()
    for panel, spec in PANELS.items()
    if spec.fits(document)
]


def picture(widget):
    """What the widget shows once its formulas, which another process typesets, are there."""

    def is_typeset():
        QApplication.processEvents()
        return all(view.is_ready for view in widget.findChildren(FormulaView))

    wait_for(is_typeset)
    QApplication.processEvents()
    return widget.grab().toImage()


def marked_everywhere(stage, widget, points):
    """Whether highlighting each of some points changes the picture, and selecting it."""
    changed = []
    for point in points:
        # Once it was lit, a table has scrolled to the point, and formulas have made room.
        stage.spotlight.highlight(point)
        picture(widget)
        stage.spotlight.highlight(None)
        plain = picture(widget)
        stage.spotlight.highlight(point)
        lit = picture(widget)
        stage.spotlight.highlight(None)
        assert picture(widget) == plain
        stage.session.select({point})
        selected = picture(widget)
        stage.session.select(())
        changed.append((lit != plain, selected != plain))
    return changed


def marks_points(widget):
    """Whether a panel shows points of the run that could be lit.

    Split has a list of held-out points alone; Map, Risk and Folds show points of other runs.
    """
    if isinstance(widget, SplitPanel | MapPanel | RiskPanel | FoldsPanel):
        return False
    return not isinstance(widget, FramePanel) or type(widget).mark is not FramePanel.mark


@pytest.mark.parametrize(("name", "panel"), CASES)
def test_a_lit_point_and_a_selected_one_are_seen(qtbot, open_stage, show, name, panel):
    user_line = UserLine((1.0, 0.5), 0.0) if panel == "line" else None
    stage = open_stage(replace(DOCUMENTS[name], user_line=user_line))
    widget = PANELS[panel].make(stage)
    qtbot.addWidget(widget)
    if not marks_points(widget):
        return
    show(widget, 420, 480)
    step = max(1, stage.session.runs[0].steps // 2)
    # Neighbouring steps concern different points and parts; what is drawn of them is one painter.
    for shown in (step, step - 1, step + 1) if name == "linear" else (step,):
        go_to(qtbot, stage, shown)
        lane = stage.feed.frame.lane
        if panel == "pair" and shown == 0:
            continue
        # Those that take part, which every picture of points has.
        some = lane.event.touched[:2] if lane.event else ()
        if panel in ("loss", "slice"):
            # The optimum is searched in the background.
            qtbot.waitUntil(lambda: stage.feed.frame.studies)
            qtbot.waitUntil(lambda: not is_unfinished(stage.feed.frame.studies))
        if panel == "sums":
            # Other points have no term.
            some = lane.expansion.support[:2].tolist()
        if panel == "hulls":
            # Its study is first computed in the background.
            qtbot.waitUntil(lambda: widget.shown is not None)
            some = np.flatnonzero(widget.shown.weights > 0)[:2].tolist()
        assert all(all(pair) for pair in marked_everywhere(stage, widget, some))


@pytest.mark.parametrize("lane", [0, 1])
def test_every_plane_of_a_race_highlights_the_point(qtbot, open_stage, show, lane):
    stage = open_stage(DOCUMENTS["race"])
    widget = show(PlaneView(stage, lane), 500, 400)

    def at_rest():
        grid = stage.feed.frame.lane.field.grid
        return max(grid.columns, grid.rows) == FINE

    qtbot.waitUntil(at_rest)
    QApplication.processEvents()
    assert marked_everywhere(stage, widget, [0, 5]) == [(True, True)] * 2


def test_a_point_is_a_line_of_weights(qtbot, open_stage, show):
    stage = open_stage(eight(kernel=Linear()))
    panel = show(WeightPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None)
    lane = stage.feed.frame.lane
    problem, b = lane.problem, lane.expansion.bias
    for point in range(problem.n):
        ends = line_of(problem, b, point, panel.chart.ranges)
        for share in (0.0, 0.3, 1.0):
            w = ends[0] + share * (ends[1] - ends[0])
            assert problem.y[point] * (w @ problem.X[point] + b) == pytest.approx(1.0)
    stage.session.select({1, 4})
    stage.spotlight.highlight(4)
    assert panel.marked == ((1, active().theme.focus), (4, active().theme.text))
    assert "point 5" in panel.key.text()


def test_a_pair_is_lit_in_the_plane_and_in_panels(qtbot, open_stage, show):
    stage = open_stage(DOCUMENTS["hulls"])
    widgets = [show(PlaneView(stage), 500, 400)]
    widgets += [show(PANELS[name].make(stage), 420, 480) for name in ("alpha", "kkt")]
    qtbot.waitUntil(lambda: stage.feed.frame.lane.field.grid.columns == FINE)
    for widget in widgets:
        stage.spotlight.highlight(2)
        first = picture(widget)
        stage.spotlight.highlight(2, 4)
        assert stage.spotlight.points == (2, 4)
        assert picture(widget) != first
        stage.spotlight.highlight(2)
        assert picture(widget) == first
    changes = []
    stage.spotlight.changed.connect(lambda: changes.append(stage.spotlight.points))
    stage.spotlight.highlight(2, 2)
    assert not changes
    stage.spotlight.highlight(None)
    assert changes == [()]
