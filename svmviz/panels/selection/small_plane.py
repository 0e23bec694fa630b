"""Painting of small planes: the model of a part that was left out, or of a cell of the map."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from solvers.problem.certificate import Certificate
from svmviz.base.bulk_drawing import draw_lines, draw_rectangles
from svmviz.base.strokes import draw_polyline
from svmviz.camera.camera import Camera
from svmviz.colours.contrast import mix
from svmviz.document.document import Document
from svmviz.frames.frame import Field, Frame
from svmviz.plane.paint.atlases import mark_atlas, mark_numbers
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.crowd import FULL_SIZE_SPACING, round_size, spacing
from svmviz.plane.paint.field import draw_band, draw_margins, draw_shades
from svmviz.plane.paint.roles import PLAIN, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import MARKS, Look
from svmviz.widgets.charts.dots import draw_dots

# If points are left out, all points are painted small and pale, with this opacity, and the points
# left out are painted over them.
PALE_OPACITY = 0.5
# Diameter of a pale point relative to the radius of the mark of a point left out, and minimum and
# maximum of this diameter, px at scale 1.
PALE_SIZE, MIN_PALE_SIZE, MAX_PALE_SIZE = 0.95, 1.6, 5.0
# Up to this number of pale points, and of errors, are antialiased; more would take too long. If
# there are more errors, the small crosses on their marks (SMALL_CROSS) are not drawn at all.
MAX_SMOOTH_POINTS, MAX_SMOOTH_ERRORS = 2_000, 300
# If there are more pale points than this, about this number of them are painted; all of them would
# fill the picture.
MAX_PALE_POINTS = 20_000
# An error has a large cross, on which its mark is painted. The cross is CROSS times as large as the
# mark, see below. But a mark whose radius is smaller than
# min(MIN_CROSS_RADIUS, MAX_CROSS_FRACTION * height of the picture) gets the cross of a mark with
# this radius. MIN_CROSS_RADIUS is in px at scale 1.
MIN_CROSS_RADIUS, MAX_CROSS_FRACTION = 5.5, 0.045
# The large cross is painted twice: first with wide lines in the colour of the plane, then with
# narrow lines in the colour of text. CROSS is half its diagonal, CROSS_EDGE the width of the wide
# lines, CROSS_WIDTH that of the narrow lines; all relative to the radius of the mark.
CROSS, CROSS_WIDTH, CROSS_EDGE = 2.1, 0.65, 1.15
# The small cross, which is painted on the mark of an error: half its diagonal and the width of its
# lines, relative to the radius of the mark.
SMALL_CROSS, SMALL_CROSS_WIDTH = 0.72, 0.32
# Minimum radius of the mark of a point left out, px at scale 1.
MIN_RADIUS = 3.0
# Height, px at scale 1, of a picture with lines and marks of the same sizes as on the plane of the
# window.
FULL_SIZE_HEIGHT = 320.0
# Minimum factor on the widths of lines in pictures lower than FULL_SIZE_HEIGHT, and maximum factor
# on lines and marks in higher pictures.
MIN_LINE_FACTOR, MAX_FACTOR = 0.6, 1.6
# If two boundaries are drawn, the lower one is grey: the colour of boundaries, mixed with this
# fraction of the colour of the plane.
GREY_SHARE = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class SmallCanvas(Canvas):
    """The canvas of a small plane, on which each picture paints its own field and points.

    The frame has no lanes. ``style.size`` sets the size of the marks of points left out.

    Attributes
    ----------
    look : Look
        Theme and metrics of the widget.
    certificate : Certificate, optional
        The roles of the points, and which are misclassified, if they are to be shown.
    """

    look: Look
    certificate: Certificate | None = None

    @classmethod
    def of(
        cls, document: Document, camera: Camera, style: Style, look: Look, left_out: int
    ) -> SmallCanvas:
        """Return the canvas of a picture in which ``left_out`` points are left out.

        The more points are left out, the smaller are their marks.
        """
        relative_height = camera.height / (FULL_SIZE_HEIGHT * look.metrics.controls)
        enlargement = min(MAX_FACTOR, max(1.0, relative_height))
        style = replace(style, scale=enlargement * style.scale)
        area = camera.plot_width * camera.plot_height
        pixels = camera.to_pixels(document.data.points)
        mark_size = 1.0
        if len(pixels):
            # `spacing` returns the root of the area per point. The points left out are fewer, so
            # the area for each of them is larger.
            typical_spacing = spacing(pixels, area, style.scale)
            left_out_spacing = typical_spacing * (len(pixels) / max(1, left_out)) ** 0.5
            mark_size = max(left_out_spacing / FULL_SIZE_SPACING, MIN_RADIUS / MARKS.point_radius)
        style = replace(style, size=round_size(mark_size))
        return cls(Frame(document), camera, style, look=look)

    @property
    def line_factor(self) -> float:
        """Factor on the widths of lines in low pictures, at most 1.

        In high pictures ``style.scale`` enlarges lines and marks.
        """
        relative_height = self.camera.height / (FULL_SIZE_HEIGHT * self.look.metrics.controls)
        return min(1.0, max(MIN_LINE_FACTOR, relative_height))

    @property
    def radius(self) -> float:
        """Radius of the mark of a point left out, px at scale 1."""
        return ROLES[PLAIN].radius(self.style.size)

    @property
    def pale_size(self) -> float:
        """Diameter of a pale point for `draw_dots`, which multiplies it by the scale of ``look``.

        The enlargement of marks in high pictures is included.
        """
        enlargement = self.style.scale / self.look.metrics.controls
        return enlargement * min(MAX_PALE_SIZE, max(MIN_PALE_SIZE, PALE_SIZE * self.radius))

    @property
    def _certificate(self) -> Certificate | None:
        return self.certificate

    def pixels(self, rows: np.ndarray) -> np.ndarray:
        """Return the positions of the points with these indices, px, shape (m, 2)."""
        return self.camera.to_pixels(self.document.data.points[rows])


def draw_ground(painter: QPainter, canvas: SmallCanvas, field: Field | None) -> None:
    """Paint the background of a picture: shades of f, the band between the margins, the margins.

    Without a field the background is one colour.
    """
    camera, style = canvas.camera, canvas.style
    whole_picture = QRectF(0.0, 0.0, camera.width, camera.height)
    painter.fillRect(whole_picture, QColor(style.theme.plane))
    if field is None:
        return
    painter.setClipRect(whole_picture)
    if not canvas.document.is_regression:
        draw_shades(painter, canvas, field)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_band(painter, canvas, field)
    draw_margins(painter, canvas, field, MARKS.margin_width * canvas.line_factor)


def draw_training(painter: QPainter, canvas: SmallCanvas) -> None:
    """Draw all points, small and pale. Points left out are drawn over them."""
    data = canvas.document.data
    pixels = canvas.camera.to_pixels(data.points)
    if len(pixels) <= MAX_SMOOTH_POINTS:
        draw_dots(painter, pixels, data.labels, canvas.pale_size, canvas.look, PALE_OPACITY)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    for label, colour in ((1, canvas.style.theme.positive), (-1, canvas.style.theme.negative)):
        painter.setBrush(faded(colour, PALE_OPACITY))
        centres = pixels[data.labels == label][:: -(-len(pixels) // MAX_PALE_POINTS)]
        side = np.full_like(centres, MIN_PALE_SIZE * canvas.style.scale)
        draw_rectangles(painter, np.hstack([centres - 0.5 * side, side]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def draw_boundary(
    painter: QPainter, canvas: SmallCanvas, boundary: list[np.ndarray], *, grey: bool = False
) -> None:
    """Draw the contour f = 0 of a model.

    Parameters
    ----------
    painter : QPainter
    canvas : SmallCanvas
    boundary : list of arrays, shape (m, 2)
        The contour, in data units.
    grey : bool
        Whether to draw it in grey, because another contour will be drawn over it.
    """
    theme, style = canvas.style.theme, canvas.style
    colour = mix(theme.boundary, theme.plane, GREY_SHARE) if grey else theme.boundary
    painter.setPen(style.pen(colour, MARKS.boundary_width * canvas.line_factor))
    for line in boundary:
        draw_polyline(painter, canvas.camera.to_pixels(line))


def draw_left_out(
    painter: QPainter,
    canvas: SmallCanvas,
    rows: np.ndarray,
    wrong: np.ndarray,
    decision: np.ndarray,
) -> None:
    """Draw points that were left out: large marks, with a large and a small cross at each error.

    Parameters
    ----------
    painter : QPainter
    canvas : SmallCanvas
    rows : int array, shape (m,)
        Indices of the points.
    wrong : bool array, shape (m,)
        Whether each of these points is misclassified; not used in a regression.
    decision : array, shape (m,)
        f at these points, used only in a regression: a line joins each point to its value of f.
    """
    data, style, marks = canvas.document.data, canvas.style, canvas.marks[rows]
    pixels = canvas.pixels(rows)
    if canvas.document.is_regression:
        ends = np.column_stack([data.points[rows, 0], decision])
        painter.setPen(style.pen(style.theme.slack, 1.5 * canvas.line_factor))
        draw_lines(painter, np.hstack([pixels, canvas.camera.to_pixels(ends)]))
    errors = pixels[wrong] if not canvas.document.is_regression else pixels[:0]
    cross, edge = style.theme.text, style.theme.plane
    draw_crosses(painter, canvas, errors, CROSS, {edge: CROSS_EDGE, cross: CROSS_WIDTH})
    kinds = canvas.mark_kinds
    numbers = mark_numbers(np.full(len(rows), PLAIN), marks, kinds)
    mark_atlas(style.of_marks, kinds).draw(painter, style, pixels, numbers)
    if len(errors) <= MAX_SMOOTH_ERRORS:
        draw_crosses(painter, canvas, errors, SMALL_CROSS, {edge: SMALL_CROSS_WIDTH})


def draw_crosses(
    painter: QPainter, canvas: SmallCanvas, pixels: np.ndarray, size: float, lines: dict[str, float]
) -> None:
    """Draw a cross at each error.

    A large cross is drawn before the mark, so that the mark covers its middle and shows the class.
    A small cross is drawn on the mark.

    Parameters
    ----------
    painter : QPainter
    canvas : SmallCanvas
    pixels : array, shape (m, 2)
        Positions of the errors.
    size : float
        Half a diagonal, relative to the radius of a mark. A cross with ``size > 1`` is a large one.
    lines : dict of str to float
        Widths of the lines by colour, relative to the radius of a mark, in painting order.
    """
    radius = canvas.radius * canvas.style.scale
    if size > 1.0:
        min_radius = MIN_CROSS_RADIUS * canvas.style.scale
        radius = max(radius, min(min_radius, MAX_CROSS_FRACTION * canvas.camera.height))
    offset = size * radius * 0.7071
    low, high = pixels - offset, pixels + offset
    falling = np.hstack([low, high])
    rising = np.column_stack([low[:, 0], high[:, 1], high[:, 0], low[:, 1]])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(pixels) <= MAX_SMOOTH_ERRORS)
    for colour, width in lines.items():
        painter.setPen(
            QPen(QColor(colour), width * radius, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        draw_lines(painter, np.vstack([falling, rising]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def draw_ring(painter: QPainter, canvas: SmallCanvas, row: int) -> None:
    """Draw a ring around a point that is left out."""
    style = canvas.style
    x, y = canvas.pixels(np.array([row]))[0].tolist()
    radius = MARKS.highlight_radius * style.scale * max(0.6, canvas.line_factor)
    painter.setBrush(faded(style.theme.highlight_halo, 0.5))
    for colour, width in (
        (style.theme.highlight_halo, MARKS.highlight_halo),
        (style.theme.highlight, MARKS.highlight_width),
    ):
        painter.setPen(style.pen(colour, width * max(0.6, canvas.line_factor)))
        painter.drawEllipse(QPointF(x, y), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
