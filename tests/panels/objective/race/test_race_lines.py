"""Dots where the lanes are, flags where they have arrived, and the hint of a ready race."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from solvers import SMO, InteriorPoint, Pegasos
from svmviz.document.ready_races import READY_RACES
from svmviz.panels.objective.race.race_lines import Mark, paint_marks
from svmviz.panels.objective.race.race_panel import ALONE, RacePanel
from svmviz.theme import LIGHT
from tests.stages import moons

RACE = (SMO(), Pegasos(max_steps=800))


@pytest.fixture
def race(qtbot, open_stage, show):
    stage = open_stage(moons(methods=RACE))
    panel = show(RacePanel(stage), 700, 400)
    qtbot.waitUntil(lambda: panel.optimum is not None and panel.optimum.finished)
    qtbot.waitUntil(lambda: len(panel.lines) == 2)
    return stage, panel


def test_a_lane_has_a_dot_and_once_it_has_arrived_a_flag(race, qtbot):
    stage, panel = race
    smo = stage.session.runs[0]
    for reading, ended in ((5, False), (smo.steps - 1, False), (smo.steps, True), (700, True)):
        stage.playback.seek(reading)
        qtbot.waitUntil(lambda reading=reading: stage.feed.panel_frame.lanes[1].step == reading)
        first, second = panel.marks
        lane = stage.feed.panel_frame.lanes[0]
        assert first.x == pytest.approx(math.log10(min(reading, smo.steps)))
        distance = lane.certificate.primal - panel.optimum.value
        assert first.y == pytest.approx(math.log10(distance), abs=1e-6)
        assert (first.arrived, second.arrived) == (ended, False)
        text = panel.rows[0].title.text
        assert ("1st" in text) == ended
        assert (f"{smo.steps} steps" in text) == ended
    primals = [lane.certificate.primal for lane in stage.feed.panel_frame.lanes]
    assert primals[0] < primals[1]
    stage.playback.seek(20)
    qtbot.waitUntil(lambda: stage.feed.panel_frame.lanes[0].step == 20)
    leads = ["leads" in row.title.text for row in panel.rows[:2]]
    primals = [lane.certificate.primal for lane in stage.feed.panel_frame.lanes]
    assert leads == [primals[0] < primals[1], primals[1] < primals[0]]


def test_a_line_ends_at_its_flag_also_where_only_rounding_error_is_left(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(), InteriorPoint())))
    panel = show(RacePanel(stage), 700, 400)
    stage.playback.go_to_end()
    qtbot.waitUntil(lambda: panel.optimum is not None and panel.optimum.finished)
    qtbot.waitUntil(lambda: [curve.complete for curve in stage.feed.curves] == [True, True])
    qtbot.waitUntil(lambda: [mark.arrived for mark in panel.marks] == [True, True])
    low = panel.chart.area.y[0]
    for line, mark in zip(panel.lines, panel.marks, strict=True):
        assert line[-1] == pytest.approx((mark.x, mark.y), abs=1e-6)
        assert np.isfinite(line).all()
    assert panel.marks[1].y == pytest.approx(low)


@pytest.mark.parametrize("foot", [50.0, 95.0])
def test_a_flag_is_whole_at_the_right_edge(foot):
    corners = []
    area = SimpleNamespace(pixel=lambda x, y: QPointF(foot, 40.0), rect=QRectF(0, 0, 100, 60))
    painter = SimpleNamespace(setBrush=lambda _: None, drawPolygon=corners.extend)
    paint = SimpleNamespace(
        theme=LIGHT, area=area, painter=painter, px=float, set_pen=lambda *_: None
    )
    paint_marks(paint, [Mark(0.0, 0.0, 0, True)])
    assert max(corner.x() for corner in corners) <= 100.0
    assert max(abs(corner.x() - foot) for corner in corners) > 10.0


def test_a_flag_belongs_to_the_clock(race, qtbot):
    stage, panel = race
    stage.playback.set_clock("evaluations")
    stage.playback.go_to_end()
    smo = stage.session.runs[0]
    values = smo.trace.evaluations_at_step(smo.steps)
    qtbot.waitUntil(lambda: f"{values:,} kernel values" in panel.rows[0].title.text)
    assert panel.marks[0].x == pytest.approx(math.log10(values))


def test_a_ready_race_says_what_to_look_for(qtbot, open_stage, show):
    ready = next(race for race in READY_RACES if len(race.methods) == 4)
    stage = open_stage(moons(40, methods=ready.methods))
    panel = show(RacePanel(stage), 700, 400)
    assert panel.words.text() == ready.hint
    assert panel.words.isVisible()
    # There is no room for a fifth lane.
    assert not panel.more.isVisible()
    stage.session.edit(stage.session.document.with_methods((SMO(), SMO(pair="platt"))), "Fewer")
    qtbot.waitUntil(lambda: not panel.words.isVisible())
    assert panel.more.isVisible()
    stage.session.edit(stage.session.document.with_methods((SMO(),)), "One")
    qtbot.waitUntil(lambda: panel.words.text() == ALONE and panel.words.isVisible())
