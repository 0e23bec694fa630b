"""With weights of the classes the panels of a step show the C of each point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, Linear
from solvers.problem.certificate import BOUND
from svmviz.base.notation import of_keys
from svmviz.panels.objective.budget_panel import BudgetPanel
from svmviz.panels.objective.loss_panel import LossPanel
from svmviz.panels.step.alpha_chart import AlphaChart
from svmviz.panels.step.kkt_panel import KktPanel
from svmviz.panels.step.pair_panel import PairPanel
from svmviz.plane.point_card import describe
from svmviz.selection.background_search import State
from svmviz.widgets.charts.chart_painter import ChartPainter
from tests.document.test_class_weights import unbalanced
from tests.waiting import go_to, settle

WEIGHTS = (0.5, 3.0)
LIMITS = [f"Cᵢ = 1 for {of_keys('a')}", f"Cᵢ = 6 for {of_keys('b')}"]


def weighted(kernel=RBF(0.7)):  # noqa: B008 - frozen
    return replace(unbalanced(), kernel=kernel, class_weights=WEIGHTS, methods=(SMO(),))


def test_kkt_has_a_staircase_per_weight(qtbot, open_stage, show):
    stage = open_stage(weighted())
    panel = show(KktPanel(stage))
    run = stage.session.runs[0]
    for step in (0, run.steps // 2, run.steps):
        go_to(qtbot, stage, step)
        lane = stage.feed.frame.lane
        assert panel.points[:, 1] == pytest.approx(lane.certificate.alpha)
    # At the end the heights of the points at their bound are those of the arms.
    at_bound = lane.certificate.kinds == BOUND
    caps = np.where(run.problem.y > 0, 2.0 * 3.0, 2.0 * 0.5)
    assert at_bound.any()
    assert panel.points[at_bound, 1] == pytest.approx(caps[at_bound])
    assert panel._caps == [(1.0, LIMITS[0]), (6.0, LIMITS[1])]
    assert "α = Cᵢ" in panel.counts.text()
    assert panel.words.text().startswith("KKT holds")
    panel.grab()


def test_the_box_of_a_pair_has_the_bounds_of_its_points(qtbot, open_stage, show):
    stage = open_stage(weighted())
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    boxes = set()
    for step in range(1, min(run.steps, 30)):
        go_to(qtbot, stage, step)
        pair = panel.pair
        assert pair.box == tuple(run.problem.bounds[[pair.i, pair.j]])
        ends = pair.ends_within(pair.low, pair.high)
        assert (ends >= -1e-12).all()
        assert (ends <= np.array(pair.box) + 1e-12).all()
        boxes.add(pair.box)
    assert len(boxes) > 1


def test_the_bars_have_a_line_per_bound(qtbot, open_stage, show):
    stage = open_stage(weighted())
    panel = show(AlphaChart(stage))
    settle(qtbot, stage)
    assert [words for _, words in panel.caps] == LIMITS
    panel.grab()
    lane = stage.feed.frame.lane
    i = int(np.argmax(lane.certificate.kinds == BOUND))
    card = describe(stage.feed.frame, i)
    assert card.notes[0] == "support vector at Cᵢ: α = Cᵢ"
    rows = dict(card.rows)
    assert rows["α"] == rows["Cᵢ = C · weight of the class"]


@pytest.mark.parametrize("weights", [(1.0, 1.05), (1.05, 1.0), (1.0, 1.0001), (0.5, 3.0)])
def test_the_names_of_near_bounds_do_not_overlap(qtbot, open_stage, show, weights, monkeypatch):
    stage = open_stage(replace(weighted(), class_weights=weights))
    boxes = []
    find = ChartPainter.level_rects

    def kept(*args, **options):
        boxes[:] = find(*args, **options)
        return boxes

    monkeypatch.setattr(ChartPainter, "level_rects", kept)
    for panel in (AlphaChart(stage), KktPanel(stage)):
        show(panel)
        settle(qtbot, stage)
        boxes.clear()
        panel.grab()
        (upper, high), (lower, low) = boxes
        assert upper.bottom() <= lower.top()
        assert float(high.split()[2]) >= float(low.split()[2])


def test_losses_and_budget_count_with_the_weights(qtbot, open_stage, show):
    stage = open_stage(weighted())
    losses = show(LossPanel(stage))
    settle(qtbot, stage)
    certificate, problem = stage.feed.frame.lane.certificate, stage.session.runs[0].problem
    total = float(certificate.slack @ np.where(problem.y > 0, 3.0, 0.5))
    assert losses.shown.objective.penalty == pytest.approx(2.0 * total)
    assert losses.shown.objective.primal == pytest.approx(certificate.primal)
    assert losses.shown.penalty_name == "C Σ s ξ"
    assert "Σ s ξ" in losses.forms.text()
    budget = show(BudgetPanel(stage), 340, 560)
    qtbot.waitUntil(lambda: budget.model.search.state is State.DONE)
    shown = [float(budget.numbers.text(name)) for name in ("step", "budget")]
    assert shown == pytest.approx([total, total], rel=1e-3)
    assert "s is the weight" in budget.words.text()


def test_a_linear_landscape_has_the_weights(qtbot, open_stage, show):
    from svmviz.panels.geometry.weight_space import best_primal

    for bias in ("free", "none"):
        document = replace(weighted(Linear()), bias=bias).problem()
        w = np.random.default_rng(0).normal(size=(5, 2))
        b = np.linspace(-30.0, 30.0, 60_001) if bias == "free" else np.zeros(1)
        f = w @ document.X.T
        weights = np.where(document.y > 0, 3.0, 0.5)
        for row, primal in zip(f, best_primal(document, w), strict=True):
            slack = np.maximum(0.0, 1.0 - document.y * (row + b[:, None]))
            half = 0.5 * w[np.flatnonzero((f == row).all(axis=1))[0]]
            expected = 2.0 * float(half @ half) + 2.0 * (slack @ weights).min()
            assert primal == pytest.approx(expected, abs=1e-2)
            assert primal <= expected + 1e-9
