"""The plane, from bottom to top: one set of painting functions for the window and every export.

Everything is painted in device space with pens, fonts and sizes times one scale, never with
cosmetic pens, so that pictures of any size and format match.
"""

from __future__ import annotations

from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.overlays import draw_overlays
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import field as paint_field
from svmviz.plane.paint import labels as paint_labels
from svmviz.plane.paint import legend as paint_legend
from svmviz.plane.paint import points as paint_points
from svmviz.plane.paint.ground import draw_ground
from svmviz.plane.paint.slack import draw_sticks
from svmviz.plane.paint.style import Style


def draw_plane(
    painter: QPainter,
    frame: Frame,
    camera: Camera,
    style: Style,
    newest: PointSet | None = None,
) -> None:
    """Paint a frame.

    Parameters
    ----------
    painter : QPainter
        On any device; ``camera.width`` x ``camera.height`` of its px are filled.
    frame : Frame
    camera : Camera
        With room for the axes; see ``paint_axes.arrange``.
    style : Style
    newest : PointSet, optional
        Points to be shown, without rings, in place of the frame's own: for the moment in which
        a slow solver is behind the hand.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    data = frame.document.data if newest is None else newest
    lane = frame.lane if newest is None else None
    task, shown = frame.document.task, style.options.legend
    legend = paint_legend.lay_out(data, lane, camera, style, task) if shown else ()
    draw_ground(painter, data, legend, camera, style)
    painter.setClipRect(paint_axes.plot_rectangle(camera))
    _draw_function(painter, frame.lane, camera, style)
    if newest is None:
        draw_overlays(painter, frame, camera, style, names=False)
    _draw_data(painter, data, lane, camera, style)
    if newest is None:
        draw_overlays(painter, frame, camera, style, names=True)
    painter.setClipping(False)
    paint_axes.draw_edge(painter, camera, style)
    paint_legend.draw_counts(painter, legend, camera, style)
    painter.restore()


def _draw_function(painter: QPainter, lane: Lane | None, camera: Camera, style: Style) -> None:
    """What depends on f alone, and the grid, which lies between its layers."""
    shown = style.options
    # In regression f is a curve over x: the plane has two sides of it, but no classes.
    if lane is not None and shown.field and lane.problem.task == "classification":
        paint_field.draw_shades(painter, lane.field, camera, style)
    if lane is not None and shown.band:
        paint_field.draw_band(painter, lane.field, camera, style, lane.problem.task)
    if shown.grid:
        paint_axes.draw_grid(painter, camera, style)
    if lane is not None and shown.contours:
        paint_field.draw_contours(painter, lane.field, camera, style)


def _draw_data(
    painter: QPainter, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> None:
    """What belongs to the points."""
    shown = style.options
    if lane is not None and shown.alpha_area:
        paint_points.draw_halos(painter, data, lane, camera, style)
    if lane is not None and shown.sticks:
        draw_sticks(painter, lane, camera, style)
    paint_points.draw_points(painter, data, lane, camera, style)
    paint_points.draw_standouts(painter, data, lane, camera, style)
    paint_labels.draw_labels(painter, data, lane, camera, style)
