"""Frames with the decision of all machines, beside those of the machine looked at alone.

``bench/run.py decision``: the time of the frame thread per step, and that of painting, of clouds of
three and six classes in a plane of 900 x 640 px.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from solvers import RBF, Run
from solvers.data.datasets import PointSet
from solvers.problem.machines import REDUCTIONS, machines_of
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.studies import is_unfinished, with_studies
from svmviz.frames.viewport import Grid, Viewport
from svmviz.plane.overlays import studies_for
from svmviz.playback.requests import COARSE, FINE

STEPS, PER_CLASS = 40, 30
VIEWPORT = Viewport(-4.0, 4.0, -2.8, 2.8, 900 / 640, 900.0)


def main() -> None:
    """Print one line for each number of classes, reduction and grid."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    _application = QGuiApplication.instance() or QGuiApplication([])
    for k in (3, 6):
        for reduction in REDUCTIONS:
            for name, grid in (
                ("moving", VIEWPORT.grid(COARSE, moving=True)),
                ("at rest", VIEWPORT.grid(FINE)),
            ):
                _compare(clouds(k, reduction), name, grid)


def clouds(k: int, reduction: str) -> Document:
    """Return k clouds in a circle, and the machines of a reduction."""
    rng, angles = np.random.default_rng(0), 2.0 * np.pi * np.arange(k) / k
    labels = np.arange(k * PER_CLASS) % k
    centres = 2.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    points = centres[labels] + rng.normal(0.0, 0.8, (len(labels), 2))
    data = PointSet(points, labels, tuple("ABCDEF"[:k]), ("x", "y"))
    document = Document(data=data, kernel=RBF(0.5))
    assert document.many is not None
    return document.with_many(document.many.with_machines(machines_of(reduction, k)))


def _compare(document: Document, name: str, grid: Grid) -> None:
    run = Run(document.problem(), document.method)
    run.advance(10_000)
    steps = np.linspace(1, run.steps, STEPS).astype(int).tolist()
    times, paints = {}, {}
    for options in (ViewOptions(), ViewOptions(decision=True)):
        reader, studies = LaneReader(run, None), studies_for(document, options)

        def frame_at(step: int, reader=reader, studies=studies) -> Frame:
            lane = reader.read(step, grid, document.factors)
            frame = with_studies(Frame(document, (lane,)), (run,), studies)
            while is_unfinished(frame.studies):
                frame = with_studies(Frame(document, (lane,)), (run,), studies)
            return frame

        frame = frame_at(steps[0])
        times[options.decision] = _median(frame_at, steps)
        paints[options.decision] = _painting(frame, options)
    machine, decision = times[False], times[True]
    assert document.many is not None
    print(
        f"{document.many.k} classes, {document.many.reduction}, {name}: frames {machine:.1f} ms "
        f"for the machine, {decision:.1f} ms for the decision ({decision / machine:.2f} times); "
        f"painting {paints[False]:.1f} and {paints[True]:.1f} ms"
    )


def _median(work: Callable[[int], object], steps: list[int]) -> float:
    times = []
    for step in steps:
        start = time.perf_counter()
        work(step)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def _painting(frame: Frame, options: ViewOptions) -> float:
    from PySide6.QtGui import QImage, QPainter

    from svmviz.camera.camera import Camera
    from svmviz.plane.draw import draw_plane
    from svmviz.plane.paint.axes import with_axes
    from svmviz.plane.paint.canvas import Canvas
    from svmviz.plane.paint.style import Style

    camera = with_axes(Camera().showing(*VIEWPORT[:4]), 900, 640, 1.0)
    canvas = Canvas(frame, camera, Style(options=options))
    image = QImage(900, 640, QImage.Format.Format_RGB32)

    def paint(_step: int) -> None:
        with QPainter(image) as painter:
            draw_plane(painter, canvas)

    return _median(paint, list(range(20)))
