"""The KKT panel draws the certificate's own numbers at every step."""

import math

import numpy as np
import pytest

from solvers import SMO, Pegasos, certify
from svmviz.document import Penalty
from svmviz.panels.kkt_panel import KktPanel
from svmviz.plane.hover import tolerance
from tests.panels.conftest import go_to
from tests.stages import eight, moons

every_method = pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=300)], ids="SP")


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
        low, high = panel.sketch.ranges[0]
        edge = 0.01 * (high - low)
        assert np.allclose(x, np.clip(margins, low + edge, high - edge))
        below = found.alpha <= run.problem.C
        assert np.array_equal(y[below], found.alpha[below])
        off = found.violation > tolerance(stage.playback.frame.lane)
        assert np.array_equal(panel.off, off)
        assert panel.words.text().startswith(f"{off.sum():,} of" if off.any() else "Every point")


def test_at_the_optimum_all_are_on_the_corner(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = show(KktPanel(stage))
    assert not panel.off.any()
    assert "optimal" in panel.words.text()
    assert panel.counts.text() == "α = 0: 5  ·  free: 3  ·  α = C: 0"


def test_hover_lights_and_click_selects(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = show(KktPanel(stage))
    lone = int(np.argmax(panel.points[:, 1]))
    panel.sketch.hovered.emit(*panel.points[lone])
    lit = stage.spotlight.index
    assert np.array_equal(panel.points[lit], panel.points[lone])
    panel.sketch.pressed.emit(*panel.points[lone])
    assert stage.session.selection == {lit}
    panel.sketch.left.emit()
    assert stage.spotlight.index is None
