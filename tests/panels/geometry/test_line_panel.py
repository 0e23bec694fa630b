"""The Line panel says how good a line is, and turns, shifts and scales it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solvers import Linear
from solvers.geometry.lines import widest_street
from svmviz.base.resources import path as asset
from svmviz.base.words import number
from svmviz.document.user_line import UserLine
from svmviz.io.open_and_save import open_scene
from svmviz.panels.geometry.line_panel import LinePanel, degrees_of, rule
from svmviz.plane.line_study import ANGLES
from tests.stages import eight, moons

LINE = UserLine((0.6, 1.0), -0.2)


def shown(qtbot, show, stage):
    panel = show(LinePanel(stage), 320, 900)
    qtbot.waitUntil(lambda: panel.shown is not None)
    return panel


def press(chart, x, y):
    place = chart.area.pixel(x, y)
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(place.x()), round(place.y()))
    )


def follow(qtbot, stage, panel):
    """Wait until the panel shows the line of the document."""
    qtbot.waitUntil(lambda: panel.shown.user_line == stage.session.document.user_line)


def test_a_button_lays_the_first_line(qtbot, open_stage, show):
    stage = open_stage(eight(kernel=Linear()))
    panel = show(LinePanel(stage), 320, 900)
    assert panel.lay.isVisible()
    assert not panel.angles.isVisible()
    QTest.mouseClick(panel.lay, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert panel.shown.margin > 0.0
    assert panel.words.text().startswith("The line separates the classes.")
    assert not panel.lay.isVisible()


def test_the_rule_of_the_penguins_is_in_grams():
    document = open_scene(str(asset("scenes/own-line.svmviz"))).document
    assert rule(document) == "On the line, body mass (g) = 250 · bill depth (mm) + 400."
    upright = replace(document, user_line=UserLine((1.0, 0.0), -17.0))
    assert rule(upright) == ""
    plain = replace(eight(kernel=Linear()), user_line=UserLine((1.0, 2.0), 3.0))
    assert rule(plain) == "On the line, x₂ = −0.5 · x₁ − 1.5."


def test_numbers_are_those_of_the_formulas(qtbot, open_stage, show):
    document = replace(moons(60, kernel=Linear()), user_line=LINE, scaling="each")
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    points, y = document.data.points / document.factors, document.data.labels
    w = np.array(LINE.w) * document.factors
    f = points @ w + LINE.b
    slack = np.maximum(0.0, 1.0 - y * f).sum()
    expected = {
        "margin": (y * f).min() / np.linalg.norm(w),
        "slack": slack,
        "primal": 0.5 * w @ w + document.C * slack,
        "run": stage.feed.frame.lane.certificate.primal,
    }
    for key, value in expected.items():
        assert panel.numbers.text(key).split(",")[0] == number(float(value)), key
    widest = widest_street(points, y).margin(points, y)
    assert panel.numbers.text("margin").endswith(f", best {number(widest)}")
    for k in (0, 90, 200, 360):
        u = np.array([math.cos(ANGLES[k]), math.sin(ANGLES[k])])
        widths = [
            (side * points[y > 0] @ u).min() - (side * points[y < 0] @ u).max() for side in (1, -1)
        ]
        assert panel.shown.margins[k] == pytest.approx(0.5 * max(widths))


def test_the_curve_turns_the_line_and_the_axis_shifts_it(qtbot, open_stage, show):
    stage = open_stage(replace(eight(kernel=Linear()), user_line=LINE))
    panel = shown(qtbot, show, stage)
    norm, undo = panel.shown.line.norm, stage.session.undo_stack
    press(panel.angles, 120.0, 0.0)
    follow(qtbot, stage, panel)
    assert degrees_of(panel.shown.line) == pytest.approx(120.0, abs=1.5)
    assert panel.shown.line.norm == pytest.approx(norm)
    assert undo.undoText() == "Turn line"
    press(panel.axis, 0.9, 0.5)
    follow(qtbot, stage, panel)
    assert panel.shown.line.offset == pytest.approx(0.9, abs=0.05)
    assert undo.undoText() == "Shift line"
    assert undo.count() == 2


def test_kappa_changes_w_and_b_alike(qtbot, open_stage, show):
    stage = open_stage(replace(eight(kernel=Linear()), user_line=LINE))
    panel = shown(qtbot, show, stage)
    panel.scale.released.emit(replace(panel.scale.instance, kappa=1.0))
    follow(qtbot, stage, panel)
    line, study = stage.session.document.user_line, panel.shown
    assert line.b / line.w[0] == pytest.approx(LINE.b / LINE.w[0])
    values = study.labels * study.values
    size = values.min() if values.min() > 0 else np.abs(values).mean()
    assert size == pytest.approx(1.0)
    assert panel.scale.instance.kappa == pytest.approx(1.0)


def test_what_is_drawn_is_switched_and_undone(qtbot, open_stage, show):
    stage = open_stage(replace(eight(kernel=Linear()), user_line=LINE))
    panel = shown(qtbot, show, stage)
    panel.parts.controls["parallels"].click()
    assert stage.session.document.user_line.parts.parallels
    stage.session.undo_stack.undo()
    assert not stage.session.document.user_line.parts.parallels
    qtbot.waitUntil(lambda: not panel.parts.instance.parallels)
    # Two clicks before a frame shows the first one.
    panel.parts.controls["parallels"].click()
    panel.parts.controls["pair"].click()
    parts = stage.session.document.user_line.parts
    assert parts.parallels
    assert parts.pair
