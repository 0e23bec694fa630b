"""The Dual landscape panel: the run climbs to the highest place of the feasible region."""

import numpy as np
import pytest

from solvers import SMO, Linear
from solvers.data.datasets import PointSet
from svmviz.document.document import Document, Penalty
from svmviz.panels.duality.landscape_panel import LandscapePanel
from svmviz.panels.registry import PANELS
from tests.stages import eight, sine

POINTS = np.array([[0.0, 0.0], [2.0, 0.5], [1.0, 2.0], [3.0, 2.0]])


def few(labels, **changes):
    data = PointSet(POINTS[: len(labels)], np.array(labels, dtype=np.int8))
    base = {"data": data, "kernel": Linear(), "penalty": Penalty("C", 1.0), "methods": (SMO(),)}
    return Document(**{**base, **changes})


@pytest.mark.parametrize("labels", [(1, -1), (1, -1, 1), (1, -1, -1, 1), (1, 1, 1, -1)])
def test_the_way_stays_in_the_region_and_ends_at_the_top(open_stage, show, qtbot, labels):
    stage = open_stage(few(labels))
    panel = show(LandscapePanel(stage), 420, 420)
    qtbot.waitUntil(lambda: panel.shown is not None)
    shown, lane = panel.shown, stage.feed.frame.lane
    heights = shown.slice.values(shown.path)
    if len(labels) < 4:
        assert (np.diff(heights) >= -1e-12).all()
        assert shown.slice.feasible(shown.path, 1e-12).all()
    assert heights[-1] == pytest.approx(lane.certificate.dual)
    plain = panel.chart.grab().toImage()
    stage.playback.go_to_start()
    qtbot.waitUntil(lambda: panel.shown is not None and len(panel.shown.path) == 1)
    assert panel.chart.grab().toImage() != plain


def test_the_sentence_says_what_follows_and_what_is_fixed(open_stage, show, qtbot):
    stage = open_stage(few((1, 1, 1, -1)))
    panel = show(LandscapePanel(stage), 420, 420)
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert "α₄ = α₁ + α₂ + α₃, because Σ α y = 0" in panel.words.text()
    assert "The slice is at α₃ = " in panel.words.text()


def test_it_is_offered_for_few_points_of_two_classes():
    spec = PANELS["dual-landscape"]
    assert spec.fits(few((1, -1)))
    assert not spec.fits(eight())
    assert not spec.fits(sine(4))
