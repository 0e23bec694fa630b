"""A stage whose run has ended, for tests of the position and of the frames."""

from __future__ import annotations

import pytest

from svmviz.stage.stage import Stage
from tests.stages import moons
from tests.waiting import settle


@pytest.fixture
def stage(qtbot):
    stage = Stage.of(moons())
    stage.feed.set_viewport(-3.0, 3.0, -2.0, 2.0, 1.5)
    settle(qtbot, stage)
    yield stage
    stage.close()
