"""The Difference set panel shows p - q of every step, and lights pairs of points."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solvers import SMO, Hulls, Linear
from solvers.data.datasets import DATASETS
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.panels.geometry.difference_panel import MAX_DRAWN, DifferencePanel
from svmviz.panels.registry import PANELS
from tests.stages import eight, moons
from tests.waiting import go_to


def shown(qtbot, show, stage):
    panel = show(DifferencePanel(stage), 360, 480)
    qtbot.waitUntil(lambda: panel.shown is not None)
    return panel


def all_differences(points, labels):
    """All differences, shape (n+ n-, 2)."""
    pairs = points[labels > 0][:, None, :] - points[labels < 0][None, :, :]
    return pairs.reshape(-1, 2)


@pytest.mark.parametrize("algorithm", ["pairwise", "mdm", "wolfe"])
@pytest.mark.parametrize("scaling", ["none", "each"])
def test_it_shows_p_minus_q_of_each_step(qtbot, open_stage, show, algorithm, scaling):
    document = eight(methods=(Hulls(algorithm=algorithm),), scaling=scaling)
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    run = stage.session.runs[0]
    y, points = run.problem.y, run.problem.X
    for step in (*range(1, min(run.steps, 12) + 1), run.steps, 1):
        go_to(qtbot, stage, step)
        beta = run.at(step).expansion.beta
        sums = [np.abs(beta[y == side]).sum() for side in (1, -1)]
        if not min(sums) > 0.0:
            assert panel.shown.difference is None
            continue
        p, q = (np.abs(beta[y == side]) @ points[y == side] / np.abs(beta[y == side]).sum()
                for side in (1, -1))  # fmt: skip
        assert np.allclose(panel.shown.difference, p - q)
        length = math.hypot(*(p - q))
        assert f"‖p − q‖ = {number(length)}" in panel.numbers.text()
        u = (p - q) / length
        gap = (all_differences(points, y) @ u).min()
        assert panel.shown.hulls.lines.gap == pytest.approx(gap, abs=1e-9)
        assert np.hypot(*panel.shown.set.nearest.point) == pytest.approx(
            panel.shown.set.nearest.distance
        )
        assert gap - 1e-9 <= panel.shown.set.nearest.distance <= length + 1e-9
    go_to(qtbot, stage, run.steps)
    assert np.allclose(panel.shown.difference, panel.shown.set.nearest.point, atol=5e-3)
    assert panel.words.text().startswith("p − q is the point nearest to the origin.")


def test_a_difference_lights_its_two_points(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(Hulls(),)))
    panel = shown(qtbot, show, stage)
    data = stage.session.document.data
    plus, minus = panel.shown.set.pairs[5].tolist()
    assert data.labels[[plus, minus]].tolist() == [1, -1]
    difference = data.points[plus] - data.points[minus]
    place = panel.chart.area.pixel(*difference.tolist())
    spot = QPoint(round(place.x()), round(place.y()))
    QTest.mouseMove(panel.chart.viewport(), spot + QPoint(60, 60))
    QTest.mouseMove(panel.chart.viewport(), spot)
    qtbot.waitUntil(lambda: stage.spotlight.points == (plus, minus))
    x, y = difference.tolist()
    assert panel.numbers.text() == f"x{plus + 1} − x{minus + 1} = ({number(x)}, {number(y)})"
    QTest.mouseClick(panel.chart.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert stage.session.selection == {plus, minus}
    stage.spotlight.highlight(None)
    assert panel.numbers.text().startswith("‖p − q‖")


def test_other_methods_show_the_optimum_and_hulls_that_meet_hold_the_origin(
    qtbot, open_stage, show
):
    panel = shown(qtbot, show, open_stage(eight(methods=(SMO(),))))
    assert np.allclose(panel.shown.difference, (0.0, 2.0))
    assert panel.numbers.text() == "‖p − q‖ = 2"
    meeting = shown(qtbot, show, open_stage(moons(40, kernel=Linear())))
    assert meeting.words.text().startswith("The origin lies in the hull of the differences")
    assert meeting.shown.set.nearest.distance < 0.0
    assert PANELS["difference-set"].fits(eight())
    assert not PANELS["difference-set"].fits(moons())


def test_reduced_hulls_have_a_difference_of_their_own(qtbot, open_stage, show):
    data = DATASETS["gaussians"].generate(60, 0.8, 1)
    method = Hulls(algorithm="wolfe", mu=0.15)
    panel = shown(qtbot, show, open_stage(Document(data, Linear(), methods=(method,))))
    study = panel.shown
    assert np.allclose(study.difference, study.set.nearest.point, atol=2e-2)
    assert study.set.nearest.distance > 0.0
    assert study.set.whole is not study.set.reduced
    assert np.ptp(study.set.reduced, axis=0).max() < np.ptp(study.set.whole, axis=0).max()


def test_a_choice_of_many_differences_is_drawn_and_counted(qtbot, open_stage, show):
    data = DATASETS["gaussians"].generate(200, 0.2, 1)
    document = Document(data, Linear(), methods=(Hulls(algorithm="mdm"),))
    panel = shown(qtbot, show, open_stage(document))
    found = panel.shown.set
    y = data.labels
    assert found.count == (y > 0).sum() * (y < 0).sum() > MAX_DRAWN
    assert len(found.pairs) <= MAX_DRAWN
    assert (y[found.pairs[:, 0]] == 1).all()
    assert (y[found.pairs[:, 1]] == -1).all()
    assert f"{len(found.pairs):,} of {found.count:,} differences" in panel.numbers.text()
    # The hull is that of all of them.
    u = np.array([0.6, -0.8])
    differences = all_differences(data.points, y) @ u
    assert (found.whole @ u).max() == pytest.approx(differences.max())
