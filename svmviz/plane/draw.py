"""Painting the plane, layer by layer; the window and every export use the same functions.

Everything is painted in px of the device. All widths, fonts and sizes are multiplied by
``Style.scale``. No pen is cosmetic, since a cosmetic pen has the same width at every scale. So
pictures of any size and format look the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtGui import QPainter

from svmviz.plane.overlays import draw_overlays, names_of_overlays, write_overlays
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import field as paint_field
from svmviz.plane.paint import labels as paint_labels
from svmviz.plane.paint import legend as paint_legend
from svmviz.plane.paint import points as paint_points
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.decision import draw_boundaries, draw_regions
from svmviz.plane.paint.field import draw_bands
from svmviz.plane.paint.ground import draw_ground
from svmviz.plane.paint.held_out import draw_held_out, draw_left_out
from svmviz.plane.paint.own_ground import draw_own_ground, write_sentence
from svmviz.plane.paint.pen import draw_strokes
from svmviz.plane.paint.slack import draw_slack
from svmviz.plane.paint.weight_arrows import draw_arrows, names_of_arrows

# Names of the layers that the TeX export writes in a special way, such as the points as a table.
FIELD, GRID, POINTS = "field", "grid", "point"


def draw_plane(painter: QPainter, canvas: Canvas) -> None:
    """Paint a canvas on any device. This fills ``camera.width`` x ``camera.height`` px."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    canvas = without_margin(canvas.with_sizes())
    legend = paint_legend.lay_out(canvas)
    draw_ground(painter, canvas, legend)
    painter.setClipRect(canvas.plot)
    for layer in layers(canvas):
        layer.draw(painter)
    painter.setClipping(False)
    paint_axes.draw_edge(painter, canvas)
    paint_legend.draw_counts(painter, legend, canvas.style)
    painter.restore()


def without_margin(canvas: Canvas) -> Canvas:
    """Return the canvas without what does not belong to its shades, or hides what is explained.

    With the decision of several machines it is margin and slack, which are those of one machine;
    with the probability it is the band, whose tints would hide the shades. While a step of many
    points is explained it is slack, whose strokes would cover the points that are compared.
    """
    lane, options = canvas.frame.lane, canvas.style.options
    if lane is not None and lane.shown_beat is not None and paint_points.is_crowd(canvas):
        options = replace(options, sticks=False)
    if canvas.shows_probability:
        options = replace(options, band=False)
    elif canvas.decision is not None:
        options = replace(options, band=False, sticks=False)
    return canvas.with_style(options=options) if options != canvas.style.options else canvas


class Layer(NamedTuple):
    """A layer of the plot.

    Attributes
    ----------
    name : str
        Name of the layer in exported files.
    draw : callable(QPainter)
        Paints the layer.
    """

    name: str
    draw: Callable[[QPainter], None]


def layers(canvas: Canvas) -> list[Layer]:
    """Return the layers of the plot, from bottom to top, for a canvas with sizes."""
    canvas = without_margin(canvas)
    names, arrow_names = names_of_overlays(canvas), []
    options = canvas.style.options
    # The field of the frame is shown even if the points are newer than the frame.
    fielded = canvas.frame.lane if canvas.document.has_coordinates else None
    draw_shades = draw_bands if canvas.style.bands else paint_field.draw_shades
    draw_boundary = paint_field.draw_boundary
    decision = None if fielded is None else canvas.decision
    if decision is not None:
        draw_shades = partial(draw_regions, study=decision)
        draw_boundary = partial(draw_boundaries, study=decision)
    add = _Layers(canvas)
    # In regression f is a curve over x, and there are no classes to shade.
    if fielded is not None and options.field and not canvas.document.is_regression:
        add(FIELD, draw_shades, fielded.shown_field)
    if fielded is not None and options.band and canvas.has_margin:
        add("band", paint_field.draw_band, fielded.shown_field)
    if options.grid:
        add(GRID, paint_axes.draw_grid)
    if fielded is not None and options.contours and canvas.has_margin and decision is None:
        add("contour", paint_field.draw_margins, fielded.shown_field)
    add("overlay", draw_overlays)
    if canvas.newest is None and canvas.document.held_out is not None:
        add("held-out point", draw_held_out)
    if canvas.drawn.many is not None:
        add("left-out point", draw_left_out)
    _add_points(add, canvas, decision is not None)
    # The boundary is painted after the points, since many points would hide it.
    if fielded is not None and options.contours:
        add("contour", draw_boundary, fielded.shown_field)
    if canvas.lane is not None and options.contours and not (canvas.has_margin or decision):
        arrow_names = names_of_arrows(canvas, canvas.lane)
        add("weights", draw_arrows, canvas.lane, arrow_names)
    add("step mark", paint_points.draw_highlights)
    add("label", paint_labels.draw_labels, [name.box for name in (*names, *arrow_names)])
    add("overlay name", write_overlays, names)
    if canvas.lane is not None and (options.field or options.contours):
        add("note", write_sentence, canvas.lane.shown_field)
    if options.strokes and (options.pen or canvas.style.on_screen):
        add("stroke", draw_strokes)
    return add.layers


class _Layers:
    """The layers of a canvas, to which a call adds one."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.layers: list[Layer] = []

    def __call__(self, name: str, draw: Callable[..., None], *values: Any) -> None:
        self.layers.append(Layer(name, lambda painter: draw(painter, self._canvas, *values)))


def _add_points(add: _Layers, canvas: Canvas, decided: bool) -> None:
    """Add the points with what belongs to them: grounds, halos and slack."""
    options, lane = canvas.style.options, canvas.lane
    if lane is not None and options.field:
        if canvas.data.items is not None:
            add("value", paint_field.draw_values, lane)
        if not decided:
            add("own ground", draw_own_ground, lane)
    if lane is not None and options.alpha_area:
        add("halo", paint_points.draw_halos, lane)
    add(POINTS, paint_points.draw_quiet_points)
    if lane is not None and options.sticks and canvas.has_margin:
        add("slack", draw_slack, lane)
    add(POINTS, paint_points.draw_support_vectors)
