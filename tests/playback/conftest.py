"""A stage whose run has ended, for tests of the position and of the frames."""

from __future__ import annotations

import pytest

from svmviz.stage.stage import Stage
from tests.playback.waiting import wait_for_end
from tests.stages import moons


@pytest.fixture
def stage(qtbot):
    stage = Stage.of(moons())
    stage.feed.set_viewport(-3.0, 3.0, -2.0, 2.0, 1.5)
    wait_for_end(stage, qtbot)
    yield stage
    stage.close()
