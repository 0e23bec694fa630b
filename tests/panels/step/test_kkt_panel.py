"""The KKT panel draws the certificate's own numbers at every step."""

import dataclasses
import math

import numpy as np
import pytest

from solvers import SMO, InteriorPoint, Pegasos, WorkingSet, certify
from svmviz.document.document import Penalty
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.step.kkt_panel import LIMITS, MIN_WIDTH, KktPanel
from svmviz.widgets.charts.chart_painter import ChartPainter
from tests.stages import eight, moons, sine
from tests.waiting import go_to

every_method = pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=300)], ids="SP")


def counts(panel):
    """A line for each kind: its condition, and its points."""
    return panel.counts.text().splitlines()


@every_method
def test_points_stand_at_y_f_and_alpha(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    for step in np.random.default_rng(1).integers(0, run.steps + 1, 6).tolist():
        go_to(qtbot, stage, step)
        found = certify(run.problem, run.at(step).expansion)
        x, y = panel.points.T
        margins = run.problem.y * found.decision
        low, high = panel.chart.ranges[0]
        edge = 0.01 * (high - low)
        assert np.allclose(x, np.clip(margins, low + edge, high - edge))
        below = found.alpha <= run.problem.C
        assert np.array_equal(y[below], found.alpha[below])
        off = found.violation > stage.feed.frame.lane.kkt_tolerance
        assert np.array_equal(panel.violates, off)
        assert panel.words.text().startswith(f"{off.sum():,} of" if off.any() else "KKT holds")


@pytest.mark.parametrize("method", [SMO(), WorkingSet(), InteriorPoint()], ids="SWI")
def test_a_regression_stands_at_residual_and_beta(qtbot, open_stage, show, method):
    stage = open_stage(sine(methods=(method,)))
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    problem = run.problem
    steps = np.random.default_rng(1).integers(0, run.steps + 1, 4).tolist()
    for step in [*steps, 0, *steps[::-1]]:
        go_to(qtbot, stage, step)
        f = run.at(step).expansion
        residual, beta = problem.y - f(problem.X), f.beta
        assert np.allclose(panel.points[:, 0], residual, atol=1e-9)
        assert np.allclose(panel.points[:, 1], beta, atol=1e-12)
        # The staircase, in words of its own.
        edge, C = problem.epsilon, problem.C
        low = np.select(
            [beta == -C, beta < 0, beta == 0, beta < C], [-np.inf, -edge, -edge, edge], edge
        )
        high = np.select(
            [beta == -C, beta < 0, beta == 0, beta < C], [-edge, -edge, edge, edge], np.inf
        )
        wrong = np.maximum(0.0, np.maximum(low - residual, residual - high))
        near = stage.feed.frame.lane.kkt_tolerance
        clear = np.abs(wrong - near) > 1e-9
        assert np.array_equal(panel.violates[clear], (wrong > near)[clear])
        drawn = np.abs(panel.nearest_x - panel.points[:, 0])
        assert np.allclose(drawn, wrong, atol=1e-9)
        (left, right), (bottom, top) = panel.chart.ranges
        assert left == -right
        assert bottom == -top
        assert np.abs(residual).max() <= right
        assert top >= C
    go_to(qtbot, stage, run.steps)
    assert panel.words.text().startswith("KKT holds")
    beta = run.expansion.beta
    first, free, last = counts(panel)
    assert first == f"β = 0: |y − f(x)| ≤ ε · {int((beta == 0.0).sum())} points"
    assert free.startswith("0 < |β| < C: |y − f(x)| = ε · ")
    assert last.startswith(f"|β| = C: |y − f(x)| ≥ ε · {int((np.abs(beta) == C).sum())} point")


@every_method
def test_segments_are_as_long_as_the_violations(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    for step in np.random.default_rng(4).integers(0, run.steps + 1, 5).tolist():
        go_to(qtbot, stage, step)
        lane = stage.feed.frame.lane
        low, high = panel.chart.ranges[0]
        edge = 0.01 * (high - low)
        inside = (panel.points[:, 0] > low + edge) & (panel.points[:, 0] < high - edge)
        drawn = np.abs(panel.nearest_x - panel.points[:, 0])[inside]
        assert np.allclose(drawn, lane.certificate.violation[inside], atol=1e-9)


def test_at_the_optimum_all_are_on_the_line(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = show(KktPanel(stage))
    assert not panel.violates.any()
    assert panel.words.text().startswith("KKT holds")
    assert counts(panel) == ["α = 0: y f(x) ≥ 1 · 5 points", "α > 0: y f(x) = 1 · 3 points"]
    soft = dataclasses.replace(stage.session.document, penalty=Penalty("C", 1.0))
    stage.session.edit(soft, "soft")
    qtbot.waitUntil(
        lambda: (
            counts(panel)
            == [
                "α = 0: y f(x) ≥ 1 · 5 points",
                "0 < α < C: y f(x) = 1 · 3 points",
                "α = C: y f(x) ≤ 1 · 0 points",
            ]
        )
    )


@every_method
def test_the_range_fits_the_points_and_moves_rarely(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    ranges = set()
    for step in range(0, run.steps + 1, max(1, run.steps // 40)):
        go_to(qtbot, stage, step)
        low, high = panel.chart.ranges[0]
        ranges.add((low, high))
        found = certify(run.problem, run.at(step).expansion)
        x = np.clip(np.append(run.problem.y * found.decision, 1.0), *LIMITS)
        assert low <= x.min()
        assert x.max() <= high
        # Most of the range is used.
        assert max(x.max() - x.min(), MIN_WIDTH) > 0.25 * (high - low)
    assert len(ranges) < 10


def test_a_range_grows_at_once_and_shrinks_late():
    fitted = FittedRange(0.2)
    low, high = fitted.follow(1, -1.0, 1.0)
    assert low <= -1.0 < 1.0 <= high
    assert fitted.follow(1, -0.5, 0.5) == (low, high)
    assert fitted.follow(1, -1.0, 3.0)[1] >= 3.0
    narrow = fitted.follow(1, 0.0, 0.1)
    assert narrow[1] - narrow[0] < 0.5
    assert fitted.follow(2, 5.0, 5.0) != narrow


def test_hover_highlights_and_click_selects(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = show(KktPanel(stage))
    lone = int(np.argmax(panel.points[:, 1]))
    panel.chart.hovered.emit(*panel.points[lone])
    lit = stage.spotlight.index
    assert np.array_equal(panel.points[lit], panel.points[lone])
    panel.chart.pressed.emit(*panel.points[lone])
    assert stage.session.selection == {lit}
    panel.chart.left.emit()
    assert stage.spotlight.index is None


def test_the_panel_lists_the_points_that_may_rise_and_fall(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(SMO(),)))
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    go_to(qtbot, stage, 0)
    assert "αy may rise: 2, 3, 6, 8; smallest E = f − y:" in panel.candidates.text()
    for step in range(min(run.steps, 5)):
        go_to(qtbot, stage, step)
        event = run.at(step + 1).event
        rise, fall = panel.candidates.text().split(". αy may fall: ")
        tied = rise.rsplit("(", 1)[1].rstrip(")").split(", ")
        assert f"{event.values['i'] + 1}" in tied
        assert f"{event.values['j'] + 1}" in fall.split(";")[0].split(", ")


def test_other_methods_list_none(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(InteriorPoint(),), penalty=Penalty("C", 1.0)))
    panel = show(KktPanel(stage))
    go_to(qtbot, stage, 1)
    assert not panel.candidates.isVisible()


def test_the_worst_point_is_highlighted_while_the_panel_is_read(qtbot, open_stage, show):
    stage = open_stage(moons(40))
    panel = show(KktPanel(stage))
    stage.playback.seek(3)
    qtbot.waitUntil(lambda: panel.lane is not None and panel.lane.step == 3)
    worst = int(panel.lane.certificate.violation.argmax())
    qtbot.waitUntil(lambda: stage.spotlight.named == (worst,))
    assert f"point {worst + 1}," in panel.words.text()
    panel.hide()
    assert stage.spotlight.named == ()


def test_the_label_of_a_bound_above_the_chart_is_beside_the_line(
    qtbot, open_stage, show, monkeypatch
):
    stage = open_stage(eight(penalty=Penalty("C", 1e6)))
    panel = show(KktPanel(stage))
    places = {}
    monkeypatch.setattr(
        ChartPainter, "text", lambda _, text, point, *args, **options: places.update({text: point})
    )
    for low, high in ((0.8, 4.0), (-4.0, 1.2)):
        panel.chart.set_ranges((low, high), panel.chart.ranges[1])
        panel.chart.grab()
        (text,) = places
        # The vertical segment is at y f(x) = 1.
        assert text.endswith("is above")
        assert places[text][0] == (high if high - 1.0 > 1.0 - low else low)
