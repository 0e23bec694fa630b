"""The dashed line of logistic regression: when it is drawn, where, and how scenes keep it."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import RBF, Linear
from solvers.problem.smooth_losses import logistic_regression
from svmviz.base.background import Pending
from svmviz.camera.camera import Camera
from svmviz.document.view_options import ViewOptions
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.plane.logistic_study import LogisticStudyMaker, line_of
from svmviz.plane.overlays import OVERLAYS, studies_for
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.logistic import _ends
from svmviz.plane.paint.style import Style
from tests.stages import eight, moons, sine


def test_the_line_is_where_f_is_0_also_with_scaled_axes(open_stage, qtbot):
    stage = open_stage(moons(60, kernel=Linear(), scaling="each"))
    document, frame = stage.session.document, stage.feed.frame
    study, results = LogisticStudyMaker(), []

    def is_found():
        results[:] = study(frame, stage.session.runs)
        return not isinstance(results[0], Pending)

    qtbot.waitUntil(is_found)
    f = logistic_regression(frame.lane.problem)
    assert results[0] == line_of(frame.lane.problem)
    camera = Camera(0.3, 0.2, 4.0, 3.0)
    ends = _ends(Canvas(frame, camera, Style()), results[0])
    pixels = ends[0] + np.linspace(0.0, 1.0, 5)[:, None] * (ends[1] - ends[0])
    places = np.array([camera.to_data(*pixel) for pixel in pixels])
    assert f(places / document.factors) == pytest.approx(np.zeros(5), abs=1e-6)
    # The same problem is not solved again.
    assert study(frame, stage.session.runs)[0] is results[0]


def test_it_is_shown_with_the_linear_kernel_only_and_kept_in_scenes():
    on = ViewOptions(logistic=True)
    key = OVERLAYS["logistic"].key
    assert key in studies_for(eight(), on)
    assert key not in studies_for(eight(), ViewOptions())
    assert key not in studies_for(eight(kernel=RBF(1.0)), on)
    assert key not in studies_for(sine(), on)
    assert read_scene(write_scene(Scene(eight(), on))).options.logistic
    # Programs that do not know the line open a scene without it.
    assert "logistic" not in write_scene(Scene(eight(), ViewOptions()))
    assert "ridge" not in write_scene(Scene(eight(), on))
