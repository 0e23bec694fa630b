"""The model card shows the numbers of the model, under names that fit the method."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solvers import RBF, SMO, CoordinateAscent, Linear, Perceptron
from svmviz.base.words import number
from svmviz.base.words import read_number as read
from svmviz.document.document import Penalty
from svmviz.panels.controls.model.model_card import ModelCard
from svmviz.panels.controls.model.model_sheets import CURVED_ROWS, LINE_ROWS, SHEETS, line_texts
from tests.stages import eight, moons, sine
from tests.waiting import go_to, settle


def test_model_card_of_a_line(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(SMO(tol=1e-9),)))
    panel = show(ModelCard(stage))
    assert panel.head.text("margin") == "1"
    assert panel.head.text("nearest") == "1"
    assert panel.head.text("width") == "2"
    assert panel.rows.text("total") == "3 of 8"
    assert panel.rows.text("norm") == "1"
    assert panel.sheet.head == LINE_ROWS
    line = panel.head
    stage.session.edit(moons(), "curved")
    settle(qtbot, stage)
    assert not line.isVisible()
    assert panel.head.isVisible()
    certificate = stage.session.runs[0].certificate
    assert panel.rows.text("free") == str(certificate.count(1))


@pytest.mark.parametrize("kernel", [Linear(), RBF(1.0)], ids=["line", "curve"])
def test_before_the_optimum_the_nearest_point_has_another_distance_than_the_margin_lines(
    qtbot, open_stage, show, kernel
):
    stage = open_stage(eight(kernel=kernel, methods=(SMO(tol=1e-9),)))
    panel = show(ModelCard(stage))
    go_to(qtbot, stage, 1)
    certificate = stage.feed.frame.lane.certificate
    y = stage.session.document.data.labels
    nearest = (y * certificate.decision).min() / certificate.norm
    assert nearest < 0.9 / certificate.norm
    assert panel.head.text("margin") == number(1 / certificate.norm)
    assert panel.head.text("nearest") == number(nearest)
    names = {key: name for key, name, _ in panel.sheet.head}
    assert names["margin"] == "margin 1 / ‖w‖"


def test_model_card_uses_data_units_if_one_number_scales_both_axes(qtbot, open_stage, show):
    from dataclasses import replace

    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = show(ModelCard(stage))
    exact = panel.head.text("margin")
    stage.session.edit(replace(stage.session.document, scaling="common"), "scale")
    settle(qtbot, stage)
    assert read(panel.head.text("margin")) == pytest.approx(read(exact), rel=1e-3)
    assert panel.units.text() == "In data units."
    stage.session.edit(replace(stage.session.document, scaling="each"), "scale")
    settle(qtbot, stage)
    assert "scaled units" in panel.units.text()


@pytest.mark.parametrize("kernel", [Linear(), RBF(1.0)])
def test_the_norm_with_a_regularised_bias_is_what_its_tooltip_says(open_stage, show, kernel):
    document = moons(kernel=kernel, bias="augmented", methods=(CoordinateAscent(),))
    stage = open_stage(document)
    panel = show(ModelCard(stage))
    lane = stage.feed.frame.lane
    of_w = math.sqrt(lane.certificate.norm**2 - lane.expansion.bias**2)
    is_linear = kernel == Linear()
    assert not is_linear or number(of_w) != number(lane.certificate.norm)
    assert panel.rows.text("norm") == number(of_w if is_linear else lane.certificate.norm)
    # So 1 / ||w|| of the head and this row belong together.
    assert read(panel.head.text("margin")) * read(panel.rows.text("norm")) == pytest.approx(
        1.0, rel=1e-3
    )
    tip = next(tip for key, _, tip in panel.sheet.rows if key == "norm")
    assert tip.startswith("Length of w. If f is not linear: in the feature space, and of (w, b)")


def test_model_card_of_a_curved_boundary(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelCard(stage))
    certificate = stage.feed.frame.lane.certificate
    assert panel.sheet.head == CURVED_ROWS
    assert panel.head.text("margin") == number(1 / certificate.norm)
    assert panel.head.text("width") == number(2 / certificate.norm)
    assert panel.head.text("b") == number(stage.feed.frame.lane.expansion.bias)
    assert "feature space" in panel.units.text()
    labels = stage.session.document.data.labels
    wrong = np.count_nonzero(labels * certificate.decision <= 0)
    assert panel.rows.text("errors") == f"{wrong} of 80"
    assert panel.rows.text("slack") == number(float(certificate.slack.sum()))
    go_to(qtbot, stage, 0)
    assert panel.head.text("margin") == "–"


@pytest.mark.parametrize("kernel", [Linear(), RBF(2.0)], ids=["line", "curve"])
def test_model_card_of_a_regression(qtbot, open_stage, show, kernel):
    stage = open_stage(sine(kernel=kernel, scaling="each", methods=(SMO(tol=1e-6),)))
    panel = show(ModelCard(stage))
    run = stage.session.runs[0]
    for step in (run.steps, run.steps // 2, 0):
        go_to(qtbot, stage, step)
        f, problem = run.at(step).expansion, run.problem
        beta, C = f.beta, problem.C
        assert panel.sheet is SHEETS["regression", kernel == Linear(), True]
        assert panel.head.text("b") == number(f.bias)
        assert panel.head.text("epsilon") == "0.15"
        assert panel.rows.text("total") == f"{np.count_nonzero(beta)} of 60"
        assert panel.rows.text("bound") == str(np.count_nonzero(np.abs(beta) == C))
        assert panel.rows.text("free") == str(np.count_nonzero((beta != 0) & (np.abs(beta) < C)))
        slack = np.maximum(0.0, np.abs(problem.y - f(problem.X)) - 0.15)
        assert read(panel.rows.text("slack")) == pytest.approx(slack.sum(), rel=1e-3, abs=1e-9)
        assert panel.rows.text("errors") == f"{np.count_nonzero(slack > 1.001e-6)} of 60"
    if kernel == Linear():
        go_to(qtbot, stage, run.steps)
        # The slope between two places of the curve, in data units.
        scale = stage.session.document.factors[0]
        rise = np.diff(run.expansion(np.array([[1.0], [2.0]]) / scale))[0]
        assert read(panel.head.text("w")) == pytest.approx(rise, rel=1e-3)


@pytest.mark.parametrize("kernel", [Linear(), RBF(2.0)], ids=["line", "curve"])
def test_model_card_of_a_method_that_maximizes_no_margin(qtbot, open_stage, show, kernel):
    stage = open_stage(eight(kernel=kernel, methods=(Perceptron(),)))
    panel = show(ModelCard(stage))
    run = stage.session.runs[0]
    certificate = run.certificate
    names = {key: name for key, name, _ in (*panel.sheet.head, *panel.sheet.rows)}
    assert "margin" not in " ".join(names.values())
    assert "support vectors" not in names.values()
    nearest = (run.problem.y * certificate.decision).min() / certificate.norm
    assert panel.head.text("nearest") == number(nearest)
    assert panel.head.text("level") == number(1.0 / certificate.norm)
    assert panel.rows.text("total") == f"{np.count_nonzero(certificate.alpha)} of 8"
    stage.session.edit(eight(kernel=kernel), "SMO")
    settle(qtbot, stage)
    assert panel.head.text("margin") == number(stage.session.runs[0].certificate.margin)


def test_components_far_from_one_share_a_power_of_ten():
    texts = line_texts((-1.234e-5, 2.345e-4), 3.0)
    assert texts["w"] == "(−0.123, 2.345)·10⁻⁴"
    assert line_texts((1.5e6, 0.0), 0.0)["w"] == "(1.5, 0)·10⁶"
    assert line_texts((0.5, -12.25), 0.0)["w"] == "(0.5, −12.25)"


def test_the_model_card_of_a_perceptron_has_novikoffs_bound(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(Perceptron(),)))
    panel = show(ModelCard(stage))
    qtbot.waitUntil(lambda: panel.rows.text("novikoff") == "11.61")
    run = stage.session.runs[0]
    assert panel.rows.text("radii") == "3.407, 1"
    assert panel.rows.text("mistakes") == number(np.abs(run.expansion.beta).sum())
    go_to(qtbot, stage, 0)
    assert panel.rows.text("mistakes") == "0"
    assert panel.rows.text("novikoff") == "11.61"
