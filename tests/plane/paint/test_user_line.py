"""The names beside the user's line, and the arrow w."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmviz.base.resources import path
from svmviz.document.user_line import LineParts, UserLine
from svmviz.frames.frame import Frame
from svmviz.io.open_and_save import open_scene
from svmviz.plane.line_study import LineStudyMaker
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.user_line import names_of_user_line
from tests.plane.frames import fitted, points

pytestmark = pytest.mark.usefixtures("qapp")


def names(document, camera, style):
    study = LineStudyMaker().study_of(document)
    found = names_of_user_line(Canvas(Frame(document), camera, style), study)
    return {name.words: name.box for name in found}


@pytest.mark.parametrize(
    ("size", "scale"), [((654, 520), 1.0), ((1160, 620), 1.0), ((650, 500), 2.0)]
)
def test_the_arrow_is_where_no_point_hides_its_head(size, scale):
    document = open_scene(path("scenes/own-line.svmviz")).document
    camera, style = fitted(document, *size, scale), replace(Style(), scale=scale)
    box = names(document, camera, style)["w"]
    centre = np.array([box.center().x(), box.center().y()])
    pixels = camera.to_pixels(document.data.points)
    assert np.hypot(*(pixels - centre).T).min() > 12.0 * scale


def test_among_points_everywhere_it_is_in_the_middle():
    grid = np.stack(np.meshgrid(np.arange(40.0), np.arange(40.0)), axis=-1).reshape(-1, 2)
    labels = np.where(grid[:, 0] < 20.0, -1, 1)
    document = replace(
        open_scene(path("scenes/own-line.svmviz")).document,
        data=points(grid, labels),
        user_line=UserLine((1.0, 0.0), -19.5),
    )
    camera = fitted(document)
    box = names(document, camera, Style())["w"]
    assert box.center().y() == pytest.approx(camera.top + 0.5 * camera.plot_height, abs=5.0)
    assert box.left() > camera.to_pixels(np.array([[19.5, 20.0]]))[0, 0]


def test_a_line_out_of_sight_has_no_arrow():
    document = open_scene(path("scenes/own-line.svmviz")).document
    parts = LineParts(parallels=True, pair=True, origin=True)
    document = replace(document, user_line=UserLine((0.0, 1.0), -1e6, parts))
    assert not {"w", "|b| / ‖w‖ = 1e6"} & set(names(document, fitted(document), Style()))
