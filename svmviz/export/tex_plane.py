"""A plane as an axis of pgfplots, with coordinates in data units if TeX is precise enough."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera
from svmviz.colours.contrast import mix
from svmviz.export.figure import set_hints
from svmviz.export.shapes import painted_shapes
from svmviz.export.tex_shapes import Styles, ToTex, page_coordinate, write_shapes
from svmviz.export.tex_words import tex
from svmviz.frames.frame import Field
from svmviz.plane.draw import FIELD, GRID, POINTS, Layer, layers, without_margin
from svmviz.plane.paint.axes import NAME_LEFT, TICK_LENGTH, name_row, ticks_of
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.decision import pixels_of
from svmviz.plane.paint.field import shades_of
from svmviz.plane.paint.legend import draw_counts, draw_names, lay_out
from svmviz.plane.paint.style import faded
from svmviz.theme import LABEL

# The legend has the number of points beside each name. These counts are moved to the right by this
# distance, px at scale 1, because the letters of the names have other widths in TeX.
COUNT_SHIFT = 3.0
# TeX computes with five digits. So data units are used only if the length of each axis is between
# 1 / MAX_RATIO and MAX_RATIO, and more than MIN_SHARE times the largest absolute value on the axis.
# Otherwise coordinates are px from the lower left corner of the plot.
MAX_RATIO, MIN_SHARE = 1e4, 1e-3


@dataclass(frozen=True)
class TexAxis:
    """Conversion from px of a plane to the coordinates of its ``axis`` environment in pgfplots."""

    camera: Camera

    @property
    def in_data(self) -> bool:
        """Whether coordinates are in data units, and not px from the lower left corner."""
        left, right, bottom, top = self.camera.view
        return all(
            high - low > MIN_SHARE * max(abs(low), abs(high))
            and 1.0 / MAX_RATIO < high - low < MAX_RATIO
            for low, high in ((left, right), (bottom, top))
        )

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the axis, in its coordinates."""
        if self.in_data:
            return self.camera.view
        return 0.0, self.camera.plot_width, 0.0, self.camera.plot_height

    def numbers(self, x: float, y: float) -> tuple[str, str]:
        """Convert a position from px of the plane to x and y of the axis, as text for TeX."""
        camera = self.camera
        left, right, bottom, top = self.limits
        axis_x = left + (x - camera.left) / camera.plot_width * (right - left)
        axis_y = top - (y - camera.top) / camera.plot_height * (top - bottom)
        return _rounded(axis_x, right - left), _rounded(axis_y, top - bottom)

    def coordinate(self, x: float, y: float) -> str:
        """Convert a position from px of the plane to a coordinate of the axis, "(x,y)" in TeX."""
        return "({},{})".format(*self.numbers(x, y))

    def tick(self, value: float, upright: bool) -> str:
        """Return the coordinate of a tick on the x axis, or on the y axis if ``upright``.

        ``value`` is in data units.
        """
        left, right, bottom, top = self.camera.view
        low, high = (bottom, top) if upright else (left, right)
        begin, end = self.limits[2:] if upright else self.limits[:2]
        return _rounded(begin + (value - low) / (high - low) * (end - begin), end - begin)


def _rounded(value: float, span: float) -> str:
    """Return a number as text, rounded to a unit of at most 1e-5 ``span``, the axis's length."""
    decimals = max(0, 5 - math.floor(math.log10(span)))
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def write_plane(
    canvas: Canvas, left: int, top: int, styles: Styles, image_name: str
) -> tuple[list[str], QImage | None]:
    """Return the commands for a plane.

    Parameters
    ----------
    canvas : Canvas
        The contents of the plane.
    left, top : int
        Position of the upper left corner of the plane, px of the page.
    styles : Styles
        The styles used so far; new ones are added.
    image_name : str
        File name of the image of the field.

    Returns
    -------
    lines : list of str
    image : QImage or None
        The image of the field; None if the field is hidden or consists of filled bands. The
        decision of several machines is always an image.
    """
    canvas, axis, lane = without_margin(canvas.with_sizes()), TexAxis(canvas.camera), canvas.lane
    lines, image, is_decision = [], None, canvas.decision is not None
    for layer in layers(canvas):
        if layer.name == FIELD and lane is not None and (is_decision or not canvas.style.bands):
            image = field_image(lane.field, canvas)
            lines += _image_command(axis, image_name)
        elif layer.name == GRID:
            lines += _grid(axis, canvas, styles)
        else:
            lines += _layer(layer, canvas, styles, axis.coordinate)
    legend = write_legend(canvas, left, top, styles)
    return [*legend, *_axis(canvas, axis, left, top, styles), *lines, r"\end{axis}"], image


def _layer(layer: Layer, canvas: Canvas, styles: Styles, to_tex: ToTex) -> list[str]:
    def paint(painter: QPainter) -> None:
        set_hints(painter)
        layer.draw(painter)

    size = (math.ceil(canvas.camera.width), math.ceil(canvas.camera.height))
    shapes = [replace(shape, clip=None) for shape in painted_shapes(paint, size)]
    lines = write_shapes(shapes, layer.name, styles, to_tex, tables=layer.name == POINTS)
    return [f"% {layer.name}", *lines] if lines else []


def _image_command(axis: TexAxis, name: str) -> list[str]:
    left, right, bottom, top = axis.limits
    box = (
        f"xmin={_rounded(left, right - left)}, xmax={_rounded(right, right - left)}, "
        f"ymin={_rounded(bottom, top - bottom)}, ymax={_rounded(top, top - bottom)}"
    )
    return ["% field", rf"\addplot graphics[{box}] {{{name}}};"]


def field_image(field: Field, canvas: Canvas) -> QImage:
    """Return the field as an image that fits the plot exactly.

    The outer nodes of the grid lie on the edges of the plot. With one pixel per node, the outer
    halves of the outer pixels would lie outside the plot, so they are cut off.
    """
    decision = canvas.decision
    if decision is None:
        pixels = shades_of(canvas.style)[field.shades]
    else:
        pixels = pixels_of(decision.regions(field), canvas.style.theme)
    rows, columns = pixels.shape
    nodes = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
    ignore, smooth = (
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    fine = nodes.scaled(2 * columns, 2 * rows, ignore, smooth)
    return fine.copy(1, 1, 2 * columns - 2, 2 * rows - 2)


def _grid(axis: TexAxis, canvas: Canvas, styles: Styles) -> list[str]:
    style = canvas.style
    colour = faded(style.theme.axis, 0.13)
    style_name = styles.name_style(
        "grid line",
        f"draw={styles.name_colour(colour.name())}, draw opacity={colour.alphaF():.2f}, "
        f"line width={styles.length(style.hairline)}",
    )
    columns, rows = ticks_of(canvas)
    left, right, bottom, top = axis.limits
    x0, x1 = _rounded(left, right - left), _rounded(right, right - left)
    y0, y1 = _rounded(bottom, top - bottom), _rounded(top, top - bottom)
    tick_xs = [axis.tick(value, False) for value in columns.values]
    tick_ys = [axis.tick(value, True) for value in rows.values]
    lines = [rf"\draw[{style_name}] ({x},{y0}) -- ({x},{y1});" for x in tick_xs]
    return ["% grid", *lines, *(rf"\draw[{style_name}] ({x0},{y}) -- ({x1},{y});" for y in tick_ys)]


def _axis(canvas: Canvas, axis: TexAxis, left: int, top: int, styles: Styles) -> list[str]:
    """Return the beginning of the axis: its position, limits, ticks and names."""
    camera, style = canvas.camera, canvas.style
    length = styles.length
    columns, rows = ticks_of(canvas)
    x0, x1, y0, y1 = axis.limits
    edge_colour = styles.name_colour(mix(style.theme.plane, style.theme.axis, 0.5))
    size = LABEL * style.scale * styles.unit
    font = rf"\sffamily\fontsize{{{size:.2f}bp}}{{{1.2 * size:.2f}bp}}\selectfont"
    number_style = f"font={font}, text={styles.name_colour(style.theme.axis)}"
    axis_style = "plane axis"
    styles.axes[axis_style] = (
        "scale only axis, clip marker paths=true, tick align=outside, tick pos=left, "
        f"axis line style={{draw={edge_colour}, line width={length(style.hairline)}}}, "
        f"tick style={{draw={edge_colour}, line width={length(style.hairline)}}}, "
        f"major tick length={length(TICK_LENGTH * style.scale)}, "
        f"tick label style={{{number_style}}}, scaled ticks=false"
    )
    # The corner is given in bp, with a negative y, because pgfplots ignores that y of the page
    # points down.
    plot_bottom = top + camera.top + camera.plot_height
    corner = f"({length(left + camera.left)},{length(-plot_bottom)})"
    lines = [
        rf"\begin{{axis}}[{axis_style}, at={{{corner}}}, anchor=south west,",
        f"  width={length(camera.plot_width)}, height={length(camera.plot_height)},",
        f"  xmin={_rounded(x0, x1 - x0)}, xmax={_rounded(x1, x1 - x0)}, "
        f"ymin={_rounded(y0, y1 - y0)}, ymax={_rounded(y1, y1 - y0)},",
    ]
    if not style.axes:
        return [*lines, "  xtick=\\empty, ytick=\\empty]"]
    names = [tex(title) for title, _ in axis_units(canvas.data, canvas.document.is_regression)]
    name_style = f"font={font}, text={styles.name_colour(style.theme.text)}, inner sep=0"
    # Distance of the name of x from the lower edge of the plot, and of the name of y from the left
    # edge of the plot, px.
    below = (camera.height - camera.top - camera.plot_height) - 6.0 * style.scale
    beside = camera.left - NAME_LEFT * style.scale
    return [
        *lines,
        *_labels("x", [axis.tick(v, False) for v in columns.values], columns.labels),
        *_labels("y", [axis.tick(v, True) for v in rows.values], rows.labels),
        f"  xlabel={{{names[0]}}}, xlabel style={{{name_style}, "
        f"at={{(axis description cs:0.5,0)}}, anchor=base, yshift=-{length(below)}}},",
        f"  ylabel={{{names[1]}}}, ylabel style={{{name_style}, rotate=-90, anchor=base west, "
        f"at={{(axis description cs:0,1)}}, xshift=-{length(beside)}, "
        f"yshift={length(camera.top - 0.5 * name_row(canvas) - 4.0 * style.scale)}}}]",
    ]


def _labels(letter: str, ticks: list[str], labels: tuple[str, ...]) -> list[str]:
    texts = ",".join(f"{{{tex(label)}}}" for label in labels)
    return [f"  {letter}tick={{{','.join(ticks)}}}, {letter}ticklabels={{{texts}}},"]


def write_legend(canvas: Canvas, left: int, top: int, styles: Styles) -> list[str]:
    """Return the commands for the legend, the rows above the plot or the strip of a race."""
    camera, style, legend = canvas.camera, canvas.style, lay_out(canvas)

    def paint_names(painter: QPainter) -> None:
        set_hints(painter)
        painter.translate(left, top)
        draw_names(painter, legend, style)

    def paint_counts(painter: QPainter) -> None:
        # The counts are moved to the right, because letters of TeX have other widths.
        painter.translate(left + COUNT_SHIFT * style.scale, top)
        draw_counts(painter, legend, style)

    size = (left + math.ceil(camera.width), top + math.ceil(camera.height))
    names, counts = (painted_shapes(paint, size) for paint in (paint_names, paint_counts))
    lines = write_shapes(names, "legend", styles, page_coordinate)
    lines += write_shapes(counts, "legend count", styles, page_coordinate)
    return ["% legend", *lines] if lines else []
