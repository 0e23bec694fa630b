"""The risk panel: learning curve and distribution are those of the library, with their words."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solvers.selection.procedures import learning_curve, repeated_hold_out
from svmviz.panels.selection.risk.risk_panel import RiskPanel
from svmviz.selection.background_search import State
from svmviz.selection.risk_studies import LEARNING, SPLITS
from svmviz.widgets.charts.histogram import Histogram
from tests.choosing import choose
from tests.stages import moons, sine


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def compute(qtbot, panel, kind, repeats):
    choose(panel.kind, kind)
    type_into(panel.view.repeats.field, str(repeats))
    panel.view.bar.button.click()
    qtbot.waitUntil(lambda: panel.view.model.search.state is State.DONE)
    return panel.view


@pytest.mark.parametrize("document", [moons(60), sine(40)], ids=["classes", "regression"])
def test_both_studies_are_those_of_the_library(qtbot, open_stage, show, document):
    stage = open_stage(document)
    panel = show(RiskPanel(stage), 420, 700)
    assert "train the model on more and more points" in panel.view.words.text()
    assert not panel.view.chart.isVisible()
    problem = document.problem()
    view = compute(qtbot, panel, LEARNING, 5)
    sizes = view.model.sizes
    assert sizes[-1] == problem.n - round(0.2 * problem.n)
    expected = [
        r.risk
        for r in learning_curve(problem, document.method, sizes=sizes, repeats=5, stratified=True)
    ]
    assert view.model.risk.ravel().tolist() == expected
    factor = 1.0 if document.is_regression else 100.0
    means = factor * np.array(expected).reshape(5, -1).mean(axis=0)
    spreads = factor * np.array(expected).reshape(5, -1).std(axis=0, ddof=1)
    curve = view.curves.curves[0]
    assert np.allclose(curve.mean, means)
    assert np.allclose(curve.spread, spreads)
    assert view.words.text().startswith(
        f"With {sizes[-1]} training points (20\xa0% left out, class shares kept): validation "
    )

    view = compute(qtbot, panel, SPLITS, 30)
    found = np.array(
        [r.risk for r in repeated_hold_out(problem, document.method, repeats=30, stratified=True)]
    )
    assert view.model.risk.ravel().tolist() == found.tolist()
    assert view.histogram.counts.sum() == 30
    assert "over 30 splits (20\xa0% left out, class shares kept)" in view.words.text()
    assert "the risks are correlated" in view.words.text()
    # The other study is still there.
    choose(panel.kind, LEARNING)
    assert panel.view.chart.isVisible()

    stage.session.edit(stage.session.document.removed([0]), "Erase")
    for kind in (LEARNING, SPLITS):
        choose(panel.kind, kind)
        assert not panel.view.chart.isVisible()
        assert "have changed since" in panel.view.words.text()
    stage.session.undo_stack.undo()
    assert panel.view.chart.isVisible()


def test_after_a_change_of_task_the_risk_is_one_of_the_new_task(qtbot, open_stage, show):
    """Choose a risk, change the task, and see the panel before and after its new frame."""
    stage = open_stage(moons(60))
    panel = show(RiskPanel(stage), 420, 700)
    view = panel.view
    view.plan.stratified.click()
    # Clicking stores the plan with the risk that the form shows.
    assert view.model.settings.plan.risk == "zero-one"
    stage.session.edit(sine(40), "Regression")
    # The frame that the panel shows may still be of the earlier task.
    for task in ("classification", "regression"):
        view.refresh(task)
    assert view.model.settings.plan.risk == ""
    assert not view.model.settings.plan.stratified
    assert view.plan.risk.value == "absolute"
    compute(qtbot, panel, SPLITS, 5)
    assert np.isfinite(panel.view.model.risk).all()


def test_bad_input_is_one_sentence(qtbot, open_stage, show):
    panel = show(RiskPanel(open_stage(moons(60))), 420, 700)
    view = panel.view
    for field, text, sentence in (
        (view.repeats.field, "many", "The number of splits must be a whole number: got 'many'."),
        (view.repeats.field, "0", "There can be 1 to 2,000 splits: got 0."),
        (view.repeats.field, "3", ""),
        (view.plan.test.field, "60", "The training part would be empty: the other parts take all"),
        (view.plan.test.field, "0.001", "The test part would be empty: 0.001 of 60 points rounds"),
    ):
        type_into(field, text)
        view.bar.button.click()
        assert view.error_label.text().startswith(sentence)
        assert view.error_label.isVisible() == bool(sentence)
        # While a search runs, the button pauses it.
        qtbot.waitUntil(lambda: not view.model.search.is_active)


def test_bars_lie_between_the_multiples_of_a_step(qtbot, show):
    chart = show(Histogram())
    chart.show_sample(np.array([0.0, 5.0, 5.0, 10.0]), 5.0)
    assert chart.edges.tolist() == [-2.5, 2.5, 7.5, 12.5, 17.5]
    assert chart.counts.tolist() == [1, 2, 1, 0]
    for sample in (np.full(3, 0.2), np.zeros(2), np.array([np.nan, 1.0]), np.arange(100.0)):
        chart.show_sample(sample)
        assert chart.counts.sum() == np.isfinite(sample).sum()
        assert (np.diff(chart.edges) > 0).all()
    chart.show_sample(np.arange(0.0, 300.0), 1.0)
    assert chart.counts.sum() == 300
    assert len(chart.counts) <= 27
    # Values whose squares would overflow are left out.
    chart.show_sample(np.array([1e308, -1e308, 1e150, 1.0, 2.0]))
    assert chart.counts.sum() == 3
