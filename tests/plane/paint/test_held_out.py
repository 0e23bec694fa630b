"""Held-out points in the plane: hollow, with a cross if misclassified, hidden if locked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from solvers import solve
from solvers.problem.certificate import BOUND
from svmviz.camera.camera import Camera
from svmviz.document.held_out import TEST, Shares
from svmviz.document.splitting import split
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Viewport
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.held_out import draw_held_out_mark
from svmviz.plane.paint.legend import ERROR, HELD_OUT, entries
from svmviz.plane.paint.point_shapes import draw_mark
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from tests.stages import moons, sine

pytestmark = pytest.mark.usefixtures("qapp")
GRID = Viewport(-3.0, 3.0, -3.0, 3.0).grid(16, moving=False)


def picture_of(frame):
    return Picture(frame, (400, 300)).image()


@pytest.mark.parametrize("whole", [moons(), sine()], ids=["classification", "regression"])
def test_a_locked_test_part_leaves_no_trace_in_the_picture(whole):
    document = split(whole, Shares(0.0, 0.25))
    run = solve(document.problem(), document.method)
    frame = make_frame(document, (run,), run.steps, GRID)
    bare = replace(frame, document=replace(document, held_out=None))
    assert picture_of(frame) == picture_of(bare)
    seen = replace(document, held_out=replace(document.held_out, seen=True))
    assert picture_of(replace(frame, document=seen)) != picture_of(bare)
    drawn = entries(Canvas(replace(frame, document=seen), Camera(), Style()))
    assert [(one.text, one.count) for one in drawn if one.mark == HELD_OUT] == [
        ("test", len(document.held_out.test))
    ]
    assert not [
        one for one in entries(Canvas(Frame(document), Camera(), Style())) if one.mark == HELD_OUT
    ]


def test_an_error_is_crossed():
    document = split(moons(), Shares(0.25, 0.0))
    run = solve(document.problem(), document.method)
    frame = make_frame(document, (run,), run.steps, GRID)
    right = np.abs(frame.lane.held_out_values) * document.held_out.validation.labels
    images = []
    for place in range(2):
        held = right.copy()
        held[place] *= -1.0
        crossed = replace(frame, lanes=(replace(frame.lane, held_out_values=held),))
        images.append(picture_of(crossed))
        counts = [e.count for e in entries(Canvas(crossed, Camera(), Style())) if e.mark == ERROR]
        # Those of the training points, and this one.
        assert counts == [int((frame.lane.certificate.slack > 1.0).sum()) + 1]
    assert images[0] != images[1]


@pytest.mark.parametrize("label", [-1, 1])
@pytest.mark.parametrize("size", [1.0, 0.5, 0.125])
def test_a_test_point_is_not_taken_for_a_support_vector_at_its_cap(label, size):
    """A test point has a bar, upright; the mark of a cap is the same in all directions."""
    style = Style(size=size, scale=4.0)

    def turned_by(draw):
        """Return how much of its ink a quarter turn moves."""
        image = QImage(121, 121, QImage.Format.Format_Grayscale8)
        image.fill(QColor(style.theme.plane))
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(60.5, 60.5)
            draw(painter)
        grey = np.frombuffer(image.constBits(), np.uint8).reshape(121, -1)[:, :121].astype(float)
        return np.abs(grey - np.rot90(grey)).sum() / (255.0 - grey).sum()

    assert turned_by(lambda painter: draw_mark(painter, 0, 0, label, style, BOUND)) < 0.05
    changed = turned_by(
        lambda painter: draw_held_out_mark(painter, 0, 0, label, TEST, False, style)
    )
    assert changed > 0.07
