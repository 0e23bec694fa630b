"""A live stage for each test, closed at its end; for tests of panels, widgets and frames."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from svmviz.stage.stage import Stage
from svmviz.theme import LIGHT, apply


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


def settle(qtbot, stage: Stage) -> None:
    """Wait until the document shown is solved to its end, and its end is on screen."""

    def shown() -> bool:
        session, lane = stage.session, stage.feed.frame.lane
        if stage.session.trouble and session.solved is session.document:
            return bool(stage.feed.frame.trouble)
        solved = session.solved is session.document and bool(session.runs)
        return solved and lane is not None and lane.run == session.runs[0].number and lane.at_end

    qtbot.waitUntil(shown)


def go_to(qtbot, stage: Stage, step: int) -> None:
    """Show a step."""
    stage.playback.seek_step(step)

    def shown() -> bool:
        lane = stage.feed.frame.lane
        return lane is not None and lane.step == step

    qtbot.waitUntil(shown)


def complete_curves(qtbot, stage: Stage) -> None:
    """Wait until the curves of all runs are known to their ends."""

    def known() -> bool:
        curves = stage.feed.curves
        return len(curves) == len(stage.session.runs) > 0 and all(c.complete for c in curves)

    qtbot.waitUntil(known)


def come_to_rest(qtbot, stage: Stage) -> None:
    """Wait until the playback asks for nothing more, not even for a finer picture."""
    qtbot.waitUntil(lambda: not stage.feed._timer.isActive())


@pytest.fixture
def show(qtbot):
    """Show a widget in a size."""
    # Away from it, for a row under the mouse is lit: another test may have left it there.
    QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())

    def show_one(widget, width=420, height=320):
        qtbot.addWidget(widget)
        widget.resize(width, height)
        widget.show()
        qtbot.waitExposed(widget)
        return widget

    return show_one
