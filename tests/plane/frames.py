"""Frames for tests, made without threads."""

import numpy as np

from solvers import solve
from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.plane.paint.axes import with_axes


def points(places, labels, *names) -> PointSet:
    return PointSet(np.asarray(places, dtype=float), np.asarray(labels), *names)


def lane_of(frame: Frame) -> Lane:
    assert frame.lane is not None
    return frame.lane


def fitted(document: Document, width=800, height=600, scale=1.0) -> Camera:
    return with_axes(Camera().fitted(document.data.points), width, height, scale)


def solved(document: Document, camera: Camera, step=None, nodes=128) -> Frame:
    run = solve(document.problem(), document.method)
    grid = Grid(*camera.view, nodes, nodes)
    return make_frame(document, (run,), run.steps if step is None else step, grid)
