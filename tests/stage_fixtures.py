"""A live stage for each test, closed at its end; for tests of panels, widgets and frames."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from svmviz.stage.stage import Stage
from svmviz.theme import LIGHT, apply
from tests.waiting import settle


@pytest.fixture
def open_stage(qtbot, qapp: QApplication):
    """Open stages; each waits until its run has ended and is shown."""
    apply(qapp, LIGHT, 1.0)
    stages: list[Stage] = []

    def open_one(document=None) -> Stage:
        stage = Stage.of(document)
        stages.append(stage)
        if stage.session.document.n:
            settle(qtbot, stage)
        return stage

    yield open_one
    for stage in stages:
        stage.close()


@pytest.fixture
def show(qtbot):
    """Show a widget in a size."""
    # Away from it, for a row under the mouse is lit: another test may have left it there.
    QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())

    def show_one(widget, width=420, height=320):
        qtbot.addWidget(widget)
        widget.resize(width, height)
        with qtbot.waitExposed(widget):
            widget.show()
        return widget

    return show_one
