"""Tooltips of the legend above the plot."""

import math

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from solvers import SMO, Hulls, Linear, Pegasos, solve
from svmviz.document.document import Penalty
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend import entries
from svmviz.plane.paint.legend_marks import OPEN, SLACK, VIOLATION, MarkEntry, tip_of
from svmviz.plane.paint.style import Style
from svmviz.theme import LIGHT
from tests.plane.frames import fitted, solved
from tests.stages import eight, moons, sine
from tests.waiting import settle

SCENES = {
    "soft": eight(),
    "curved": moons(),
    "hard": eight(penalty=Penalty("C", math.inf), kernel=Linear()),
    "pegasos": eight(methods=(Pegasos(max_steps=3),)),
    "hulls": eight(methods=(Hulls(),)),
    "regression": sine(),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_mark_has_a_meaning(qapp, name):
    document = SCENES[name]
    camera = fitted(document)
    frame = solved(document, camera)
    found = entries(Canvas(frame, camera, Style(LIGHT)))
    tips = [tip_of(entry, frame.lane) for entry in found]
    # Slack is explained where there is some.
    assert name != "hard" or not {SLACK, OPEN} & {entry.mark for entry in found}
    assert len(tips) >= 4
    assert all(tip.endswith(".") for tip in tips)
    assert len(set(tips)) == len(tips)
    assert all(("β" in tip) == (name == "regression") for tip in tips if "α" in tip or "β" in tip)


def test_the_legend_of_the_plane_shows_its_tooltips(qtbot, stage, view):
    settle(qtbot, stage)
    seen = {view.tip_at(x, 12) for x in range(view.width())}
    assert len(seen) >= 5
    assert any("0 < α < C" in tip for tip in seen)
    assert view.tip_at(400, 300) == ""
    x = next(x for x in range(view.width()) if "The wider it is" in view.tip_at(x, 12))
    place = QPoint(x + 3, 12)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, view.mapToGlobal(place))
    QApplication.sendEvent(view, event)
    qtbot.waitUntil(lambda: "boundary" in QToolTip.text())
    QToolTip.hideText()


@pytest.mark.parametrize(("C", "text"), [(10.0, "slack ξ"), (math.inf, VIOLATION)])
def test_strokes_are_slack_or_what_a_hard_margin_does_not_allow(qapp, C, text):
    document = eight(penalty=Penalty("C", C), methods=(SMO(),))
    camera = fitted(document)
    # At the first step some points are within the margin.
    frame = solved(document, camera, step=1)
    assert frame.lane.certificate.slack.max() > 0.1
    found = [e for e in entries(Canvas(frame, camera, Style(LIGHT))) if e.mark == SLACK]
    assert [entry.text for entry in found] == [text]
    assert ("hard" in tip_of(found[0], frame.lane)) == (math.inf == C)


@pytest.mark.parametrize("is_wide", [False, True])
def test_a_stroke_with_an_open_end_is_explained_where_there_is_one(qapp, is_wide):
    document = eight(kernel=Linear(), penalty=Penalty("C", 1e-3))
    camera = fitted(document)
    frame = solved(document, camera)
    slope = math.hypot(*frame.lane.expansion.w)
    # With a small C the margin is wide, and its lines leave the plane.
    if is_wide:
        half, run = 3.0 / slope, solve(document.problem(), document.method)
        frame = make_frame(document, (run,), run.steps, Grid(-half, half, -half, half, 64, 64))
    found = [e for e in entries(Canvas(frame, camera, Style(LIGHT))) if e.mark == OPEN]
    assert len(found) == (not is_wide)
    assert "only the direction" in tip_of(MarkEntry(OPEN, ""), frame.lane)
