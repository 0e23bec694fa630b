"""Painting the plane, layer by layer; the window and every export use the same functions.

Everything is painted in px of the device. All widths, fonts and sizes are multiplied by
``Style.scale``. No pen is cosmetic, since a cosmetic pen has the same width at every scale. So
pictures of any size and format look the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtGui import QPainter

from solvers.data.datasets import PointSet
from solvers.problem.certificate import ZERO
from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.overlays import draw_overlays, names_of_overlays, write_overlays
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import field as paint_field
from svmviz.plane.paint import labels as paint_labels
from svmviz.plane.paint import points as paint_points
from svmviz.plane.paint.bands import draw_bands
from svmviz.plane.paint.ground import draw_ground
from svmviz.plane.paint.held_out import draw_held_out
from svmviz.plane.paint.ink import ink_of, with_rings
from svmviz.plane.paint.legend import mark_legend as paint_legend
from svmviz.plane.paint.slack import draw_slack
from svmviz.plane.paint.style import Style

# Names of the layers that the TeX export writes in a special way, such as the points as a table.
FIELD, GRID, POINTS = "field", "grid", "point"


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
        A painter on any device. It fills ``camera.width`` x ``camera.height`` px.
    frame : Frame
    camera : Camera
        A camera with margins for the axes; see ``paint_axes.with_axes``.
    style : Style
    newest : PointSet, optional
        Points to draw instead of the points of the frame, if no frame of the newest points exists
        yet. They have no rings, since it is not known which of them are support vectors.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    data = frame.document.data if newest is None else newest
    lane = frame.lane if newest is None else None
    style = with_ink(style, data, lane, camera)
    legend = legend_of(frame, data, lane, camera, style)
    draw_ground(painter, data, legend, camera, style)
    painter.setClipRect(paint_axes.plot_rectangle(camera))
    for layer in layers(frame, camera, style, newest):
        layer.draw(painter)
    painter.setClipping(False)
    paint_axes.draw_edge(painter, camera, style)
    paint_legend.draw_counts(painter, legend, style)
    painter.restore()


def with_ink(style: Style, data: PointSet, lane: Lane | None, camera: Camera) -> Style:
    """Return the style with the units of the axes, and with marks and rings for these points.

    Their sizes suit the density of the points.
    """
    ink = ink_of(data, camera, style.scale, style.marks)
    ringed = data.points[paint_points.kinds_of(data, lane, style) != ZERO]
    (_, across), (_, up) = axis_units(data)
    ink = with_rings(ink, ringed, camera, style.scale)
    return replace(style, ink=ink, units=(across, up))


def legend_of(
    frame: Frame, data: PointSet, lane: Lane | None, camera: Camera, style: Style
) -> tuple[paint_legend.PlacedEntry, ...]:
    """Return the entries of the legend with their positions; () if the legend is hidden."""
    if not style.options.legend:
        return ()
    document = frame.document
    planes = frame.focus, len(document.methods)
    return paint_legend.lay_out(
        data, lane, camera, style, document.task, document.held_out, *planes
    )


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


def layers(
    frame: Frame, camera: Camera, style: Style, newest: PointSet | None = None
) -> list[Layer]:
    """Return the layers of the plot, from bottom to top.

    The arguments are those of `draw_plane`, with a style from `with_ink`.
    """
    data = frame.document.data if newest is None else newest
    lane = frame.lane if newest is None else None

    document, held_out, names = frame.document, [], []
    if newest is None:
        names = names_of_overlays(frame, camera, style)
    if newest is None and document.held_out is not None:
        held_out = [
            Layer("held-out point", lambda p: draw_held_out(p, document, lane, camera, style))
        ]
    boxes = [name.box for name in names]
    overlay = Layer("overlay", lambda p: draw_overlays(p, frame, camera, style))
    overlay_names = Layer("overlay name", lambda p: write_overlays(p, names, frame, camera, style))
    return [
        *_function_layers(frame.lane, document.has_coordinates, camera, style),
        *([overlay] if newest is None else []),
        *held_out,
        *_data_layers(data, lane, camera, style),
        # The boundary is painted after the points, since many points would hide it.
        *_boundary_layers(frame.lane, document.has_coordinates, camera, style),
        Layer("step mark", lambda p: paint_points.draw_highlights(p, data, lane, camera, style)),
        Layer("label", lambda p: paint_labels.draw_labels(p, data, lane, camera, style, boxes)),
        *([overlay_names] if newest is None else []),
    ]


def _function_layers(
    lane: Lane | None, has_coordinates: bool, camera: Camera, style: Style
) -> list[Layer]:
    """Return those of the layers field, band, grid and margins that the options show."""
    options = style.options
    grid = Layer(GRID, lambda p: paint_axes.draw_grid(p, camera, style))
    if lane is None or not has_coordinates:
        return [grid] if options.grid else []
    field, task = lane.shown_field, lane.problem.task
    draw_shades = draw_bands if style.bands else paint_field.draw_shades
    is_visible = {
        # In regression f is a curve over x, and there are no classes to shade.
        Layer(FIELD, lambda p: draw_shades(p, field, camera, style)): options.field
        and task == "classification",
        Layer("band", lambda p: paint_field.draw_band(p, field, camera, style, task)): options.band,
        grid: options.grid,
        Layer("contour", lambda p: paint_field.draw_margins(p, field, camera, style)): (
            options.contours
        ),
    }
    return [layer for layer, visible in is_visible.items() if visible]


def _boundary_layers(
    lane: Lane | None, has_coordinates: bool, camera: Camera, style: Style
) -> list[Layer]:
    if lane is None or not style.options.contours or not has_coordinates:
        return []
    field = lane.shown_field
    return [Layer("contour", lambda p: paint_field.draw_boundary(p, field, camera, style))]


def _data_layers(data: PointSet, lane: Lane | None, camera: Camera, style: Style) -> list[Layer]:
    """Return the halos, the slack and the points, which are painted before the boundary."""
    options, below = style.options, []
    if lane is not None and options.field and data.items is not None:
        f = lane.certificate.decision
        below.append(
            Layer("value", lambda p: paint_field.draw_values(p, data.points, f, camera, style))
        )
    if lane is not None and options.alpha_area:
        below.append(Layer("halo", lambda p: paint_points.draw_halos(p, data, lane, camera, style)))
    if lane is not None and options.sticks:
        below.append(Layer("slack", lambda p: draw_slack(p, data, lane, camera, style)))
    points = Layer(POINTS, lambda p: paint_points.draw_points(p, data, lane, camera, style))
    return [*below, points]
