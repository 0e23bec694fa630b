"""Held-out points in the plane: hollow, with a cross if misclassified, hidden if locked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import solve
from svmviz.camera.camera import Camera
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Viewport
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend import ERROR, HELD_OUT, entries
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
