"""The plane of weights: P is minimised over b, and the path is that of the run."""

import dataclasses
import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from scipy.optimize import minimize_scalar

from solvers import (
    SMO,
    Cursor,
    InteriorPoint,
    Linear,
    Pegasos,
    Problem,
    Subgradient,
    certify,
)
from svmviz.document.document import Penalty
from svmviz.panels.geometry.weight_panel import WeightPanel
from svmviz.panels.geometry.weight_space import (
    best_primal,
    compute_landscape,
    snapped,
    support_at,
    taken_at,
)
from svmviz.panels.registry import PANELS
from svmviz.theme import active
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.plot_area import PlotArea
from tests.stages import eight, moons
from tests.waiting import go_to

every_bias = pytest.mark.parametrize("bias", ["free", "none", "augmented"])


def primal(problem, w, b):
    """P by its definition."""
    norm = w @ w + (b * b if problem.bias == "augmented" else 0.0)
    return 0.5 * norm + problem.C * np.maximum(0, 1 - problem.y * (problem.X @ w + b)).sum()


@every_bias
def test_the_bias_is_the_best_one(bias):
    rng = np.random.default_rng(3)
    for _ in range(20):
        X = rng.normal(size=(12, 2))
        y = np.where(rng.random(12) < 0.4, 1.0, -1.0)
        y[:2] = 1, -1
        problem = Problem(X, y, Linear(), C=float(rng.choice([0.01, 1.0, 30.0])), bias=bias)
        w = rng.normal(size=2) * rng.choice([0.1, 1, 10])
        if bias == "none":
            least = primal(problem, w, 0.0)
        else:
            # Convex in b, with a kink at each jump: the least is at one, or between two.
            jumps = np.sort(y - X @ w)
            spans = zip([jumps[0] - 60, *jumps], [*jumps, jumps[-1] + 60], strict=True)
            found = (
                minimize_scalar(lambda b: primal(problem, w, b), bounds=span, method="bounded")  # noqa: B023
                for span in spans
                if span[1] > span[0]
            )
            least = min(result.fun for result in found)
        assert best_primal(problem, w[None])[0] == pytest.approx(least, rel=1e-4, abs=1e-6)


def test_a_hard_margin_has_no_p_if_nothing_separates():
    problem = eight(penalty=Penalty("C", math.inf)).problem()
    # The optimum is w = (0, 1); less of it does not separate by a margin of 1.
    values = best_primal(problem, np.array([[0.0, 1.0], [0.0, 0.99], [0.0, 2.0], [0.0, -1.0]]))
    assert values.tolist() == [0.5, math.inf, 2.0, math.inf]
    landscape = compute_landscape(problem, np.array([0.0, 1.0]), 2.0)
    assert np.isinf(landscape.values).any()
    assert len(landscape.contours)


@pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=700)], ids="SP")
def test_the_path_is_that_of_the_run(qtbot, open_stage, show, method):
    stage = open_stage(moons(kernel=Linear(), methods=(method,)))
    panel = show(WeightPanel(stage))
    run = stage.session.runs[0]
    for step in (0, 1, 45, run.steps):
        go_to(qtbot, stage, step)
        qtbot.waitUntil(lambda: panel.shown is not None)
        study = panel.shown
        assert np.allclose(study.path[0], 0.0)
        assert np.allclose(study.path[-1], run.at(step).expansion.w, rtol=1e-12, atol=1e-12)
        if step:
            assert np.allclose(study.path[-2], run.at(step - 1).expansion.w)
        if isinstance(method, Pegasos):
            twin = dataclasses.replace(method, average=True)
            beta, _ = twin.expand(run.problem, Cursor(run).state(step))
            assert np.allclose(study.other[-1], beta @ run.problem.X)
            assert study.radius == pytest.approx(1 / math.sqrt(run.problem.lam))
        else:
            assert study.other is None
    end = run.at(run.steps).expansion
    best = best_primal(run.problem, end.w[None])[0]
    assert best <= certify(run.problem, end).primal * (1 + 1e-9)


def test_only_for_linear_kernels():
    fits = PANELS["weight-space"].fits
    assert fits(eight())
    assert not fits(moons())


def test_the_whole_ball_of_pegasos_is_visible(qtbot, open_stage, show):
    method = Pegasos(max_steps=700, project=True)
    stage = open_stage(moons(kernel=Linear(), methods=(method,)))
    panel = show(WeightPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None)
    radius = panel.shown.radius
    assert radius == pytest.approx(1 / math.sqrt(stage.session.runs[0].problem.lam))
    for low, high in panel.chart.ranges:
        assert low < -radius < radius < high
    # All iterates are in the ball, and so in view.
    assert np.hypot(*panel.shown.path.T).max() <= radius * (1 + 1e-9)


def test_a_ball_that_is_too_wide_is_named_in_words(qtbot, open_stage, show):
    method = Pegasos(max_steps=20_000, average=True, project=True)
    stage = open_stage(moons(kernel=Linear(), methods=(method,), penalty=Penalty("C", 100.0)))
    panel = show(WeightPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None and panel.key.text() != "")
    seen = math.hypot(*(max(abs(end) for end in ends) for ends in panel.chart.ranges))
    assert panel.shown.radius > seen
    assert panel.key.text().endswith("is outside the picture.")


def test_a_circle_beside_the_picture_is_named_in_words(qtbot, open_stage, show):
    stage = open_stage(moons(kernel=Linear(), methods=(Pegasos(max_steps=700, project=True),)))
    panel = show(WeightPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None and panel.key.text() != "")
    assert "circle: " in panel.key.text()
    # The picture is far from 0 on the first axis, or on both, on either side.
    far = 10.0 * panel.shown.radius
    beside, around = (far, far + 1.0), (-1.0, 1.0)
    for x, y in ((beside, around), (beside, (-far - 1.0, -far))):
        panel.chart.set_ranges(x, y)
        panel.mark()
        assert panel.key.text().endswith("is outside the picture.")


def test_an_arrow_inside_points_to_a_place_beyond_the_edge():
    plot = QRectF(20, 20, 200, 100)
    for place, edge in ((QPointF(900, 70), "right"), (QPointF(120, -5000), "top")):
        image = QImage(QSize(240, 140), QImage.Format.Format_RGB32)
        image.fill(0xFFFFFF)
        painter = QPainter(image)
        # The coordinates of the chart are px, from the top down.
        area = PlotArea(plot, (plot.left(), plot.right()), (plot.bottom(), plot.top()))
        assert ChartPainter(painter, area, active()).arrow_beyond(place.toTuple(), "#ff0000")
        painter.end()
        red = [
            QPointF(x, y)
            for x in range(240)
            for y in range(140)
            if image.pixelColor(x, y).getRgb()[:3] == (255, 0, 0)
        ]
        assert len(red) > 30
        assert all(plot.contains(place) for place in red)
        near = {"right": max(p.x() for p in red), "top": 240 - min(p.y() for p in red)}[edge]
        assert near > 200


def test_a_step_from_far_away_is_visible(open_stage, show, qtbot):
    stage = open_stage(moons(kernel=Linear(), methods=(InteriorPoint(),)))
    panel = show(WeightPanel(stage))
    go_to(qtbot, stage, 0)
    qtbot.waitUntil(lambda: panel.shown is not None and len(panel.shown.path) == 1)
    place = panel.chart.area.pixel(*panel.shown.path[-1].tolist())
    assert not panel.chart.area.rect.contains(place)
    picture = panel.chart.grab().toImage()
    colours = {
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    }
    assert active().theme.highlight.lower() in colours


@every_bias
def test_lines_support_the_primal(bias):
    rng = np.random.default_rng(5)
    for _ in range(10):
        X = rng.normal(size=(14, 2))
        y = np.where(X @ rng.normal(size=2) + 0.6 * rng.normal(size=14) > 0, 1.0, -1.0)
        y[:2] = 1, -1
        problem = Problem(X, y, Linear(), C=float(rng.choice([0.1, 1.0, 5.0])), bias=bias)
        w = rng.normal(size=2)
        at_kink = snapped(problem, w, 10.0)
        for place in (w, at_kink):
            support = support_at(problem, place)
            here = best_primal(problem, place[None])[0]
            v = place + rng.normal(size=(300, 2)) * 10.0 ** rng.uniform(-3, 1, (300, 1))
            for share in (0.0, 0.3, 1.0):
                g = support.gradient(share)
                least = here + (v - place) @ g
                assert (best_primal(problem, v) >= least - 1e-8 * (1 + here)).all()
        if bias == "none":
            assert support.at_kink


def test_a_kink_is_pressed_and_its_line_turned(qtbot, open_stage, show):
    document = moons(40, kernel=Linear(), methods=(Subgradient(rate="root", max_steps=20),))
    stage = open_stage(document)
    panel = show(WeightPanel(stage), 400, 460)
    go_to(qtbot, stage, 8)
    qtbot.waitUntil(lambda: panel.support is not None)
    lane = stage.feed.frame.lane
    assert panel.support.w.tolist() == panel.shown.path[-1].tolist()
    assert "pink: the step" in panel.key.text()
    # The step goes against the sub-gradient that is drawn, scaled by its size.
    after = stage.session.runs[0].at(9).expansion.w
    taken = taken_at(lane.problem, panel.support.w, lane.expansion.bias)
    assert after - panel.support.w == pytest.approx(
        -math.hypot(*(after - panel.support.w)) / math.hypot(*taken) * taken, rel=1e-6
    )
    (left, right), (bottom, top) = panel.chart.ranges
    w = snapped(lane.problem, np.array([0.5 * (left + right), 0.5 * (bottom + top)]), 1e9)
    panel.chart.pressed.emit(*w)
    panel.chart.released.emit()
    assert panel.support.w == pytest.approx(w)
    tip = panel._tip(panel.support.gradient(panel.share))
    if panel.support.at_kink:
        panel.chart.pressed.emit(*panel.chart.area.to_data(tip))
        start = panel.support.w
        panel.chart.pressed.emit(*(start - panel.support.ends[1]))
        panel.chart.released.emit()
        assert panel.share == 1.0
        assert panel.support.w is start
    # The next step is followed again.
    frame = go_to(qtbot, stage, 9)
    qtbot.waitUntil(lambda: panel.support.w == pytest.approx(panel.shown.path[-1]))
    assert frame.lane.step == 9


def test_other_methods_have_no_supporting_line(qtbot, open_stage, show):
    panel = show(WeightPanel(open_stage(eight())))
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert panel.support is None


def test_a_race_shows_where_the_other_lanes_are(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(SMO(), Pegasos(max_steps=40))))
    panel = show(WeightPanel(stage))
    qtbot.waitUntil(lambda: panel.shown is not None)
    ((number, w),) = panel._others
    assert number == 1
    assert w == pytest.approx(stage.feed.frame.lanes[1].expansion.w)
