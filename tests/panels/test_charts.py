"""Charts show the solver's own numbers, keep their ranges, and answer the mouse."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication

from solvers import SMO, Linear, Pegasos, Perceptron
from svmviz.base.words import read_number as read
from svmviz.document.document import Penalty
from svmviz.frames.lane_reader import LaneReader
from svmviz.panels.objective.objective_chart import ObjectiveChart
from svmviz.panels.step.alpha_bars import AlphaAxis, Bars
from svmviz.panels.step.alpha_chart import AlphaChart
from svmviz.panels.step.kkt_panel import KktPanel
from svmviz.panels.step.pair_panel import PairPanel
from svmviz.widgets.charts import legend as legend_module
from tests.stages import eight, moons
from tests.waiting import go_to, settle
from tests.zooming import double_click, drag, turn_wheel


def place_of(chart, x, y) -> QPoint:
    """A place of a chart's own coordinates in px of the widget."""
    return chart.area.pixel(x, y).toPoint()


def drawn_alpha(panel, n) -> np.ndarray:
    """Return alpha of each point, read from the bars."""
    alpha, middles = np.zeros(n), panel.bars.marks_of(range(n))[0]
    for name in ("positive", "negative"):
        row = panel.rows[name]
        for x, height in zip(row.x, row.height, strict=True):
            alpha[int(np.argmin(np.abs(middles - x)))] = height
    return alpha


def test_bars_are_the_solvers_alpha(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(AlphaChart(stage))
    run = stage.session.runs[0]
    rng = np.random.default_rng(0)
    for step in [*rng.integers(1, run.steps, 5).tolist(), run.steps]:
        go_to(qtbot, stage, int(step))
        alpha = run.problem.y * run.at(int(step)).expansion.beta
        assert np.array_equal(drawn_alpha(panel, 80), alpha)
        # At the end no points of a step are marked, as on the plane.
        touched = run.at(int(step)).event.touched if step < run.steps else ()
        x, _ = panel.bars.marks_of(touched)
        assert set(panel.rows["touched"].x) == set(x)


def test_bars_glide_from_step_to_step_and_words_change_at_once(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(AlphaChart(stage))
    run = stage.session.runs[0]
    go_to(qtbot, stage, 6)
    frame = stage.feed.frame
    factors, grid = frame.document.factors, frame.lane.field.grid
    reader = LaneReader(run)
    stage.feed.panel_frame_changed.emit(replace(frame, lanes=(reader.read(7, grid, factors, 0.0),)))
    ends = [run.problem.y * run.at(step).expansion.beta for step in (6, 7)]
    for share in (0.0, 0.5):
        lane = reader.read(7, grid, factors, share)
        stage.feed.frame_changed.emit(replace(frame, lanes=(lane,)))
        expected = (1.0 - share) * ends[0] + share * ends[1]
        np.testing.assert_allclose(drawn_alpha(panel, 80), expected)
        assert lane.event is not None
        touched = list(lane.event.touched)
        np.testing.assert_allclose(panel.rows["touched"].height, expected[touched])
        assert f"{np.count_nonzero(ends[1])} of 80" in panel.words.text()


def test_range_stays_from_step_to_step(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(AlphaChart(stage))
    chart = panel.chart
    go_to(qtbot, stage, 0)
    before = chart.ranges
    for step in (1, 7, 20, stage.playback.length):
        go_to(qtbot, stage, step)
        assert chart.ranges == before
    assert before[1][1] > 10.0
    assert panel.caps == [(10.0, "C = 10")]
    assert panel.chart.ranges[1][1] > 10.0


@pytest.mark.parametrize("panel_class", [AlphaChart, KktPanel, PairPanel])
def test_the_axis_of_alpha_is_that_of_the_whole_run_at_each_step(
    qtbot, open_stage, show, panel_class
):
    stage = open_stage(moons(methods=(SMO(pair="platt"),), penalty=Penalty("C", 20.0)))
    panel = show(panel_class(stage))
    run = stage.session.runs[0]
    largest = [float(np.abs(run.at(step).expansion.beta).max()) for step in range(run.steps + 1)]
    # The first alphas are far below C, the last ones are not.
    assert min(value for value in largest if value) < 2.0
    assert max(largest) > 10.0
    chart = panel.square if panel_class is PairPanel else panel.chart
    tops = set()
    for step in (*range(1, run.steps, max(1, run.steps // 12)), run.steps):
        go_to(qtbot, stage, step)
        # With equal units, the square of the Pair panel is wider or higher than it must be.
        ends = [high for _, high in chart.ranges[panel_class is not PairPanel :]]
        tops.add(round(min(ends), 9))
    assert len(tops) == 1
    # A panel that is opened in the middle has the same axis before any alpha is above 0.
    go_to(qtbot, stage, 0)
    other = show(panel_class(stage))
    if panel_class is not PairPanel:
        assert {round(other.chart.ranges[1][1], 9)} == tops


def test_a_bound_far_above_all_alphas_is_named_and_not_the_end_of_the_axis(qtbot, open_stage, show):
    stage = open_stage(moons(penalty=Penalty("C", 1e6)))
    panel = show(AlphaChart(stage))
    tops = set()
    for step in (0, 1, 9, stage.playback.length):
        go_to(qtbot, stage, step)
        tops.add(panel.chart.ranges[1][1])
    assert len(tops) == 1
    assert max(tops) < 1e5
    assert panel.caps == [(1e6, "C = 1,000,000")]
    assert panel.chart.ranges[1][1] < 1e6


def test_hard_margin_has_no_line_at_C(open_stage, show):
    panel = show(AlphaChart(open_stage(eight(penalty=Penalty("C", math.inf)))))
    assert panel.caps == []


def test_alpha_above_C_stays_visible_and_is_named(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(Pegasos(max_steps=500),)))
    panel = show(AlphaChart(stage))
    go_to(qtbot, stage, 1)
    assert "above C" in panel.words.text()
    top = panel.chart.ranges[1][1]
    assert 10.0 < panel.rows["touched"].height.max() < top


def test_hover_highlights_and_click_selects(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(AlphaChart(stage))
    alpha = stage.feed.frame.lane.certificate.alpha
    index = int(np.argmax(alpha))
    at = place_of(panel.chart, panel.bars.marks_of([index])[0][0], 0.5 * alpha[index])
    qtbot.mouseMove(panel.chart.viewport(), at)
    qtbot.waitUntil(lambda: stage.spotlight.index == index)
    assert f"Point {index + 1}:" in panel.words.text()
    qtbot.mouseClick(panel.chart.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert stage.session.selection == {index}
    stage.spotlight.highlight(None)
    assert "points have" in panel.words.text()


def test_many_points_share_bars():
    rng = np.random.default_rng(1)
    labels = np.where(rng.random(5000) < 0.3, 1, -1).astype(np.int8)
    alpha = np.where(rng.random(5000) < 0.2, rng.random(5000), 0.0)
    bars = Bars(labels)
    bars.fit(300.0)
    assert bars.points_per_bar > 1
    for name, _, width, highest in bars.class_bars(alpha):
        own = alpha[labels > 0] if name == "positive" else alpha[labels < 0]
        assert highest.max() == own.max()
        assert len(highest) < np.count_nonzero(own)
        assert width.max() <= bars.points_per_bar
    x, _ = bars.marks_of([int(np.argmax(alpha))])
    assert bars.point_at(float(x[0]), alpha) == int(np.argmax(alpha))
    assert bars.point_at(-5.0, alpha) is None


@pytest.mark.parametrize("labels", [[], [1], [-1, -1], [1, -1, 1]])
def test_bars_of_few_points(labels):
    bars = Bars(np.array(labels, dtype=np.int8))
    alpha = np.arange(len(labels)) + 1.0
    bars.fit(300.0)
    assert sum(len(x) for _, x, *_ in bars.class_bars(alpha)) == len(labels)
    for k in range(len(labels)):
        assert bars.point_at(float(bars.marks_of([k])[0][0]), alpha) == k


def test_scale_only_grows_within_a_run():
    scale, tops = AlphaAxis(), []
    for alpha in (0.0, 600.0, 20.0, 5.0):
        scale.follow(1, 10.0, alpha)
        tops.append(scale.top)
    assert tops[0] == 10.0
    assert tops[1:] == [tops[1]] * 3
    heights = scale.to_height(np.array([0.0, 5.0, 10.0, 100.0, 600.0]))
    assert (np.diff(heights) > 0).all()
    assert heights[1] == 5.0
    assert heights[-1] <= scale.top
    scale.follow(2, 1e6, 3.0)
    assert scale.top == 5.0


# Objective


def test_curves_are_certificates_of_the_run(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ObjectiveChart(stage))
    length = stage.playback.length
    qtbot.waitUntil(lambda: panel.curves and len(panel.curves.steps) == length + 1)
    items, run = panel.curves, stage.session.runs[0]
    from solvers import certify

    for step in np.random.default_rng(0).integers(1, length, 6).tolist():
        certificate = certify(run.problem, run.at(step).expansion)
        assert 10 ** items.primal[step] == pytest.approx(certificate.primal)
        assert 10 ** items.dual[step] == pytest.approx(certificate.dual)
        assert 10 ** items.gap[step] == pytest.approx(certificate.gap)
        go_to(qtbot, stage, step)
        assert panel.values.cursor_x == step
        shown = [read(entry.value) for entry in panel.legend.entries]
        assert shown == pytest.approx(
            [certificate.primal, certificate.dual, certificate.gap, certificate.kkt], rel=1e-3
        )


@pytest.mark.parametrize("size", [(1070, 220), (320, 320), (320, 230)])
@pytest.mark.parametrize("raced", [False, True])
def test_charts_of_the_objective_are_high_enough_to_be_read(qtbot, open_stage, show, size, raced):
    methods = (SMO(), Pegasos(max_steps=60)) if raced else (SMO(),)
    panel = show(ObjectiveChart(open_stage(eight(methods=methods))), 320, 320)
    qtbot.waitUntil(lambda: panel.curves and len(panel.curves.steps) > 1)
    panel.resize(*size)
    QApplication.processEvents()
    beside, alone = size[0] > 1000, size[1] < 300 and size[0] < 1000
    shown = [chart for chart in (panel.values, panel.gaps) if chart.isVisible()]
    assert all(chart.area.rect.height() > (100 if beside or alone else 80) for chart in shown)
    assert len(shown) == (1 if alone else 2)
    assert (panel.gaps.x() > panel.values.x()) == beside or alone
    # The curve of the gap is in a chart that is seen, and all of it in its range.
    chart, gap = panel.values if panel.gaps.isHidden() else panel.gaps, panel.curves.gap
    low, high = chart.ranges[1]
    assert low < np.nanmin(gap) <= np.nanmax(gap) < high


def test_ranges_hold_the_whole_curve_and_stay(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ObjectiveChart(stage))
    length = stage.playback.length
    qtbot.waitUntil(lambda: panel.curves and len(panel.curves.steps) == length + 1)
    before = [c.ranges for c in (panel.values, panel.gaps)]
    assert before[0][0] == (0.0, float(length))
    finite = panel.curves.gap[np.isfinite(panel.curves.gap)]
    assert before[1][1][0] <= finite.min()
    assert before[1][1][1] >= finite.max()
    for step in (0, 3, length):
        go_to(qtbot, stage, step)
    assert [c.ranges for c in (panel.values, panel.gaps)] == before


def test_click_and_drag_seek(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ObjectiveChart(stage))
    qtbot.waitUntil(lambda: panel.values.ranges[0][1] > 10)
    for chart in (panel.values, panel.gaps):
        (_, _), (low, high) = chart.ranges
        viewport = chart.viewport()
        at = place_of(chart, 12, (low + high) / 2)
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
        assert abs(stage.playback.player.reading - 12) <= 1
        # While the whole is shown, a drag goes to each step that it crosses.
        drag(qtbot, chart, at, place_of(chart, 20, (low + high) / 2) - at)
        assert abs(stage.playback.player.reading - 20) <= 1


def test_a_zoomed_chart_keeps_its_part_and_a_double_click_shows_the_whole(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ObjectiveChart(stage), 420, 420)
    qtbot.waitUntil(lambda: panel.values.ranges[0][1] > 10)
    go_to(qtbot, stage, 7)
    whole, chart = panel.values.ranges, panel.values
    turn_wheel(chart, place_of(chart, 20, sum(whole[1]) / 2), 360)
    zoomed = chart.ranges
    assert zoomed[0][1] - zoomed[0][0] < 0.9 * (whole[0][1] - whole[0][0])
    assert panel.gaps.ranges[0] == pytest.approx(zoomed[0])
    for step in (8, 9, 7):
        go_to(qtbot, stage, step)
    assert chart.ranges == zoomed
    at = place_of(chart, sum(zoomed[0]) / 2, sum(zoomed[1]) / 2)
    drag(qtbot, chart, at, QPoint(30, 0))
    assert chart.ranges[0][0] < zoomed[0][0]
    assert stage.playback.player.reading == 7
    # The first of two clicks goes to its step, and the second one back.
    double_click(qtbot, chart, at)
    assert chart.ranges == whole
    assert panel.gaps.ranges[0] == pytest.approx(whole[0])
    assert stage.playback.player.reading == 7


def test_infeasible_methods_show_the_best_bound(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(Pegasos(max_steps=2000),)))
    panel = show(ObjectiveChart(stage))
    qtbot.waitUntil(lambda: [len(c.steps) > 200 for c in stage.feed.curves] == [True])
    assert "repaired" in panel.legend.entries[1].name
    bound = panel.curves.dual
    assert (np.diff(bound[np.isfinite(bound)]) >= 0).all()


def test_infinite_primal_breaks_nothing(qtbot, open_stage, show):
    stage = open_stage(moons(kernel=Linear(), penalty=Penalty("C", math.inf)))
    panel = show(ObjectiveChart(stage))
    go_to(qtbot, stage, min(5, stage.playback.length))
    assert "∞" in panel.legend.entries[0].value
    for chart in (panel.values, panel.gaps):
        assert np.isfinite(chart.ranges).all()


def test_the_lane_in_focus_of_a_race_is_drawn(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(), Pegasos(max_steps=60))))
    panel = show(ObjectiveChart(stage))
    settle(qtbot, stage)
    for lane, name in ((0, "dual D"), (1, "best bound so far (repaired α)"), (0, "dual D")):
        stage.playback.set_focus(lane)
        steps = stage.session.runs[lane].steps
        qtbot.waitUntil(lambda steps=steps: panel.curves and len(panel.curves.steps) == steps + 1)
        qtbot.waitUntil(lambda name=name: panel.legend.entries[1].name == name)
        assert len(panel.legend.entries) == 4


def test_legend_entries_have_tooltips(qtbot, open_stage, show, monkeypatch):
    panel = show(ObjectiveChart(open_stage(moons())), 420, 420)
    legend, shown = panel.legend, []
    monkeypatch.setattr(legend_module, "show_tip", lambda _place, text, _of: shown.append(text))
    assert len(legend.entries) == 4
    for entry in legend.entries:
        assert entry.tip
    for y in range(2, legend.height(), 4):
        place = QPoint(30, y)
        help_event = QHelpEvent(QEvent.Type.ToolTip, place, legend.mapToGlobal(place))
        QCoreApplication.sendEvent(legend, help_event)
    assert legend.entries[0].tip in shown
    assert legend.entry_at(QPointF(30, legend.height() + 100.0)) is None


def test_lone_bars_are_wide_and_neighbours_stay_apart():
    labels = np.ones(120, dtype=np.int8)
    bars, alpha = Bars(labels), np.zeros(120)
    alpha[[3, 60, 61, 100]] = 1.0
    bars.fit(250.0)
    px = 250.0 / np.ptp(bars.extent)
    (_, middles, widths, _), _ = bars.class_bars(alpha)
    lefts, rights = middles - 0.5 * widths, middles + 0.5 * widths
    assert (rights[:-1] < lefts[1:]).all()
    assert (px * widths[[0, 3]] > 4.5).all()
    assert np.allclose(widths[[1, 2]], 0.8)
    # A mark is at least as wide as the bar that it marks.
    assert (bars.marks_of([3, 60])[1] >= widths[:2]).all()


def test_the_bars_of_a_perceptron_count_mistakes(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(Perceptron(),)))
    panel = show(AlphaChart(stage))
    run = stage.session.runs[0]
    counts = np.abs(run.expansion.beta)
    assert np.array_equal(drawn_alpha(panel, 8), counts)
    total, points = int(counts.sum()), np.count_nonzero(counts)
    mistakes = "1 mistake" if total == 1 else f"{total} mistakes"
    assert panel.words.text() == f"{mistakes} at {points} of 8 points."
    go_to(qtbot, stage, 0)
    assert panel.words.text() == "No mistakes so far."
    stage.spotlight.highlight(2)
    assert panel.words.text() == "Point 3: 0 mistakes"
