"""The panel in the docstring of Chart works as it stands there."""

import inspect

import numpy as np
from PySide6.QtCore import QPoint

from svmviz.document.document import Document
from svmviz.panels.frame_panel import FramePanel
from svmviz.widgets.charts.chart import Chart
from tests.stages import moons
from tests.waiting import go_to, settle


def test_the_panel_in_the_docstring_draws_highlights_and_selects(qtbot, open_stage, show):
    text = inspect.getdoc(Chart).partition("::\n")[2].partition("\n\nThe wheel")[0]
    names = {"np": np, "Chart": Chart, "FramePanel": FramePanel}
    exec(inspect.cleandoc(text), names)
    stage = open_stage(moons())
    panel = show(names["HingePanel"](stage))
    go_to(qtbot, stage, 7)
    lane = stage.feed.frame.lane
    slack = np.maximum(0.0, 1.0 - lane.problem.y * lane.certificate.decision)
    np.testing.assert_allclose(panel.points[:, 1], slack)
    empty = panel.chart.grab().toImage()
    lone = int(np.argmax(slack))
    place = panel.chart.area.pixel(*panel.points[lone]).toPoint()
    qtbot.mouseMove(panel.chart.viewport(), place + QPoint(1, 1))
    qtbot.waitUntil(lambda: stage.spotlight.index is not None)
    assert np.allclose(panel.points[stage.spotlight.index], panel.points[lone])
    stage.session.edit(Document(), "Clear")
    settle(qtbot, stage)
    assert panel.points.shape == (0, 2)
    assert panel.chart.grab().toImage() != empty
