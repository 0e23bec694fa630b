"""A race: lanes come and go, all on one problem; distances are those of the certificates."""

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import (
    SMO,
    CoordinateAscent,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Sigmoid,
    WorkingSet,
    certify,
    solve,
)
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.frames.clocks import CLOCKS, EVALUATIONS, SECONDS
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.panels.objective.race.race_panel import READINGS, RacePanel
from svmviz.panels.objective.race.shared_problem import why_not
from svmviz.theme import LIGHT, apply
from tests.stages import moons
from tests.waiting import come_to_rest, settle

RACE = (SMO(), Pegasos(max_steps=800))


@pytest.fixture
def race(qtbot, open_stage, show):
    stage = open_stage(moons(methods=RACE))
    panel = show(RacePanel(stage), 460, 560)

    def complete() -> bool:
        curves = stage.feed.curves
        return len(curves) == 2 and all(curve.complete for curve in curves)

    qtbot.waitUntil(complete)

    # The search continues although nothing else changes.
    qtbot.waitUntil(lambda: panel.optimum is not None and panel.optimum.finished)
    return stage, panel


def test_the_curves_are_distances_to_the_optimum(race, qtbot):
    stage, panel = race
    problem = stage.session.runs[0].problem
    best = solve(problem, InteriorPoint(tol=1e-9)).certificate.dual
    assert panel.optimum.value == pytest.approx(best, rel=1e-7)
    for clock in CLOCKS.values():
        panel.clock.chosen.emit(clock.name)
        # A reading, not a step: in a short run several steps share a microsecond.
        reading = 3 + list(CLOCKS).index(clock.name)
        stage.playback.seek(reading)
        label = READINGS[clock.name]
        qtbot.waitUntil(lambda label=label: panel.readings.text() == label)
        for item, run in zip(panel.lines, stage.session.runs, strict=True):
            curve = next(c for c in stage.feed.curves if c.run == run.number)
            for place in (1, len(curve.steps) // 2, len(curve.steps) - 1):
                step = int(curve.steps[place])
                x, y = item[place]
                reading = clock.reading(run, step)
                if clock is SECONDS:
                    reading = 1e6 * run.trace.seconds_at_step(step)
                assert x == pytest.approx(math.log10(max(1, reading)))
                distance = certify(problem, run.at(step).expansion).primal - best
                if distance > 1e-6 * best:
                    assert 10.0**y == pytest.approx(distance, rel=1e-3)
    assert [row.title.text.split(":")[0] for row in panel.rows] == ["SMO", "Pegasos"]


def test_another_optimum_moves_lines_and_looks_up_no_step_again(race, monkeypatch):
    stage, panel = race
    looked, old = [], [item[:, 1].copy() for item in panel.lines]
    clock = replace(EVALUATIONS, reading=lambda run, step: looked.append(step) or step)
    monkeypatch.setitem(CLOCKS, "evaluations", clock)
    panel.clock.chosen.emit("evaluations")
    samples = sum(len(curve.steps) for curve in stage.feed.curves)
    looked.clear()
    panel._show_lines()
    assert len(looked) == samples
    panel.optimum = replace(panel.optimum, dual=0.5 * panel.optimum.value)
    panel._show_lines()
    assert len(looked) == samples
    assert all(not np.array_equal(item[:, 1], y) for item, y in zip(panel.lines, old, strict=True))


def test_a_click_moves_all_lanes(race, qtbot):
    stage, panel = race
    panel.clock.chosen.emit("evaluations")
    panel.chart.pressed.emit(math.log10(2000.0), 0.0)
    steps = EVALUATIONS.steps(stage.session.runs, 2000)
    qtbot.waitUntil(lambda: tuple(lane.step for lane in stage.feed.frame.lanes) == steps)
    assert panel.chart.cursor_x == pytest.approx(math.log10(2000.0), abs=1e-3)


def test_solvers_join_and_leave(race, qtbot):
    stage, panel = race
    panel.join(SMO(pair="maximal-violation"))
    settle(qtbot, stage)
    assert len(stage.session.runs) == 3
    assert sum(row.isVisible() for row in panel.rows) == 3
    panel.rows[1].remove.click()
    settle(qtbot, stage)
    assert [m.name for m in stage.session.document.methods] == ["smo", "smo"]
    assert stage.session.document.methods[1].pair == "maximal-violation"
    stage.session.undo_stack.undo()
    assert len(stage.session.document.methods) == 3


def test_a_method_that_cannot_join_has_a_reason():
    document = Document().with_methods((SMO(),))
    assert not why_not(document, Pegasos())
    assert "no problem in common" in why_not(document, CoordinateAscent())
    full = document.with_methods((SMO(),) * 4)
    assert "At most 4" in why_not(full, SMO())


def test_the_solver_panel_shows_the_lane_in_focus(race, show, qtbot):
    stage, panel = race
    settings = show(SolverPanel(stage))
    assert settings.method.value == "smo"
    panel.rows[1].title.pressed.emit()
    assert settings.method.value == "pegasos"
    settings.method.chosen.emit("subgradient")
    assert [m.name for m in stage.session.document.methods] == ["smo", "subgradient"]
    settings.method.chosen.emit("coordinate-ascent")
    assert [m.name for m in stage.session.document.methods] == ["smo", "subgradient"]
    assert "no problem in common" in settings.bias_words.text()
    assert settings.method.value == "subgradient"


def test_it_says_on_which_problem_and_against_what(race):
    stage, panel = race
    text = panel.problem.text()
    assert text.startswith("All solve one problem: C = 10, free bias b, not regularised.")
    assert text.endswith(f"P*\u00a0=\u00a0{number(panel.optimum.value)} (Interior point).")
    for row, lane in zip(panel.rows, stage.feed.frame.lanes, strict=True):
        apart = number(max(lane.certificate.primal - panel.optimum.value, 0.0), 2)
        assert f"minimum + {apart}" in row.title.text


def test_the_reference_rests_once_it_has_ended(race, qtbot):
    stage, _panel = race
    frames = []
    stage.feed.frame_changed.connect(frames.append)
    come_to_rest(qtbot, stage)
    frames.clear()
    qtbot.wait(300)
    assert not frames


def test_alone_it_invites(open_stage, show):
    panel = show(RacePanel(open_stage(moons())))
    assert panel.words.text().startswith("Add a second method")
    assert not panel.chart.isVisible()
    assert np.isclose(len(panel.lines), 0)


def test_with_an_indefinite_kernel_the_reference_is_a_converged_run(qtbot, open_stage, show):
    stage = open_stage(moons(60, kernel=Sigmoid(1.0, -1.0), methods=(SMO(), WorkingSet())))
    panel = show(RacePanel(stage), 460, 560)
    qtbot.waitUntil(lambda: panel.optimum is not None and panel.optimum.finished)
    problem = stage.session.runs[0].problem
    best = solve(problem, SMO(tol=1e-9))
    assert panel.optimum.value == pytest.approx(best.certificate.dual, rel=1e-6)
    assert "best known (SMO)" in panel.problem.text()


def test_the_label_of_the_chart_stays_whole_in_a_narrow_panel(race, qapp):
    _, panel = race
    try:
        apply(qapp, LIGHT, 1.0, 2.0)
        panel.resize(640, 900)
        qapp.processEvents()
        assert panel.axis.text()
        assert panel.axis.width() >= panel.axis.sizeHint().width()
        assert panel.clock.geometry().left() > panel.axis.geometry().right()
    finally:
        apply(qapp, LIGHT, 1.0)


def test_a_race_says_which_solver_solves_another_problem(qtbot, open_stage, show):
    """P of reduced hulls is no P of the race, so it has no distance and no line."""
    hulls = Hulls(algorithm="mdm", mu=0.05)
    stage = open_stage(moons(kernel=Linear(), methods=(SMO(), hulls)))
    panel = show(RacePanel(stage))
    qtbot.waitUntil(lambda: [curve.complete for curve in stage.feed.curves] == [True, True])
    qtbot.waitUntil(lambda: "Only SMO solves" in panel.problem.text())
    # The optimum, of which the rows tell the distance, is found in a thread of its own.
    qtbot.waitUntil(lambda: "another problem" in panel.rows[1].title.text)
    qtbot.waitUntil(lambda: "minimum + " in panel.rows[0].title.text)
    settle(qtbot, stage)
    qtbot.waitUntil(lambda: len(panel.lines) == 2)
    assert np.isnan(panel.lines[1][:, 1]).all()
    assert np.isfinite(panel.lines[0][:, 1]).any()
