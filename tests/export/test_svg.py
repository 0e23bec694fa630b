import base64
import io
import re
import xml.etree.ElementTree as Tree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from svmviz.export import FORMATS
from svmviz.export.figure import Drawing, Figure
from svmviz.export.page import FigureSize
from svmviz.export.shapes import (
    Circle,
    Outline,
    Pixels,
    ShapeStyle,
    Words,
    as_decimal,
    join_pieces,
    read_shapes,
    shapes_of,
)
from svmviz.export.svg import style_attributes, subset, svg_of
from svmviz.theme.look import font_of
from tests.export.renderers import by_resvg
from tests.export.scenes import make


class Painted:
    """A part that a function paints."""

    title = ""

    def __init__(self, paint):
        self._paint = paint

    def paint(self, painter, width, height, drawing):
        self._paint(painter)


def painted(paint, size=(200, 100), **drawing):
    return Figure((Painted(paint),), FigureSize(*size), Drawing(**drawing))


@pytest.fixture(scope="module")
def plane(qapp):
    return make("classification")


def test_a_file_is_written_and_can_be_read(plane, tmp_path):
    FORMATS[".svg"].save(tmp_path / "a.svg", plane)
    root = Tree.parse(tmp_path / "a.svg").getroot()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "1280",
        "960",
        "0 0 1280 960",
    )
    assert [file.name for file in tmp_path.iterdir()] == ["a.svg"]


def test_the_same_figure_gives_the_same_bytes(plane):
    assert svg_of(plane) == svg_of(plane)


def test_a_size_on_paper(qapp):
    from svmviz.export.page import Length

    text = svg_of(make("classification", width=Length(86, "mm"), height=Length(6.05, "cm")))
    root = Tree.fromstring(text)
    assert (root.get("width"), root.get("height")) == ("86mm", "60.5mm")


def test_points_are_circles_and_lines_are_whole(plane):
    shapes = shapes_of(plane)
    assert sum(isinstance(shape, Circle) for shape in shapes) >= 25
    # A contour was painted in pieces of 24 corners.
    longest = max(len(shape.commands) for shape in shapes if isinstance(shape, Outline))
    assert longest > 100
    assert len(shapes) < 700


def test_the_field_is_one_image_or_bands(qapp, plane):
    assert sum(isinstance(shape, Pixels) for shape in shapes_of(plane)) == 1
    banded = make("classification", field="bands")
    assert not any(isinstance(shape, Pixels) for shape in shapes_of(banded))
    fills = {shape.look.fill for shape in shapes_of(banded) if isinstance(shape, Outline)}
    assert len(fills) > 8


def test_the_image_of_the_field_is_lossless(plane):
    image = next(shape for shape in shapes_of(plane) if isinstance(shape, Pixels))
    head, _, data = image.data.partition(",")
    assert head == "data:image/png;base64"
    assert not QImage.fromData(base64.b64decode(data)).isNull()


def test_what_is_clipped_is_not_drawn(qapp):
    def paint(painter):
        painter.setClipRect(QRectF(0, 0, 100, 100))
        painter.fillRect(QRectF(50, 20, 100, 50), QColor("#ff0000"))
        painter.setClipping(False)
        painter.fillRect(QRectF(150, 20, 20, 20), QColor("#00ff00"))

    pixels = by_resvg(svg_of(painted(paint)), 200)
    assert tuple(pixels[40, 80]) == (255, 0, 0)
    assert tuple(pixels[40, 120]) == (255, 255, 255)
    assert tuple(pixels[30, 160]) == (0, 255, 0)


def test_transforms_cosmetic_pens_and_dashes(qapp):
    def paint(painter):
        painter.translate(100, 50)
        painter.scale(10, 10)
        pen = QPen(QColor("#0000ff"), 4.0)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(QPointF(-8, 0), QPointF(8, 0))
        painter.setPen(QPen(QColor("#008800"), 0.4, Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(-8, 3), QPointF(8, 3))

    first, second = (s for s in shapes_of(painted(paint)) if s.look.stroke != "none")
    assert first.commands == (("M", ((20.0, 50.0),)), ("L", ((180.0, 50.0),)))
    assert first.look.width == pytest.approx(4.0)
    assert second.look.width == pytest.approx(4.0)
    assert second.look.dashes == pytest.approx((16.0, 8.0))
    pixels = by_resvg(svg_of(painted(paint)), 200)
    assert tuple(pixels[49, 100]) == (0, 0, 255)
    assert tuple(pixels[46, 100]) == (255, 255, 255)


def test_ellipses_polygons_and_turned_text(qapp):
    def paint(painter):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#112233"))
        painter.drawEllipse(QRectF(0, 0, 60, 30))
        painter.drawEllipse(QRectF(100, 0, 30, 30))
        painter.drawPolygon([QPointF(0, 50), QPointF(20, 50), QPointF(0, 70)])
        painter.setPen(QColor("#000000"))
        painter.setFont(font_of(20, 400, True))
        painter.translate(150, 90)
        painter.rotate(-90)
        painter.drawText(QPointF(0, 0), "a < b & c")

    figure = painted(paint)
    *_, ellipse, circle, polygon, words = shapes_of(figure)
    assert isinstance(circle, Circle)
    assert (circle.x, circle.y, circle.radius) == (115, 15, 15)
    assert len(ellipse.commands) >= 5
    assert polygon.commands[-1][0] == "Z"
    assert isinstance(words, Words)
    assert words.text == "a < b & c"
    pixels = by_resvg(svg_of(figure), 200)
    ink = np.argwhere(pixels.max(axis=2) < 120)
    turned = ink[ink[:, 1] > 132]
    # It runs upwards from its beginning.
    assert turned[:, 0].max() <= 90
    assert turned[:, 0].min() < 30
    assert turned[:, 1].max() <= 156
    assert tuple(pixels[15, 30]) == (0x11, 0x22, 0x33)


def test_embedded_text_brings_its_letters(qapp):
    text = svg_of(make("classification", svg_text="embedded"))
    root = Tree.fromstring(text)
    written = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "x₁" in written
    assert "aria-label" not in text
    faces = re.findall(r"font-weight:(\d+);src:url\(data:font/woff;base64,([^)]*)\)", text)
    assert {weight for weight, _ in faces} <= {"400", "500", "600"}
    letters = set()
    for _, data in faces:
        with TTFont(io.BytesIO(base64.b64decode(data))) as font:
            assert font.flavor == "woff"
            letters |= {chr(code) for code in font.getBestCmap()}
    assert {letter for word in written for letter in word} - {" "} <= letters
    # Only those that are used.
    assert "Q" not in letters


def test_a_subset_is_small_and_always_the_same(qapp):
    made = subset(400, "0123456789")
    assert len(made) < 8_000
    assert subset(400, "9876543210") == made


def test_transparent_figures_leave_the_page_as_it_is(qapp):
    clear = make("classification", transparent=True)
    assert clear.image().pixelColor(3, 3).alpha() == 0
    assert clear.image().pixelColor(640, 480).alpha() == 255
    fills = [s for s in shapes_of(clear) if isinstance(s, Outline) and s.look.fill == "#ffffff"]
    whole = [s for s in fills if ("M", ((0.0, 0.0),)) in s.commands]
    assert whole == []


def test_an_element_that_qt_does_not_write_is_refused():
    with pytest.raises(ValueError, match="marquee"):
        read_shapes(b'<svg xmlns="http://www.w3.org/2000/svg"><marquee fill="red"/></svg>')


def test_lines_of_two_looks_stay_two(qapp):
    def paint(painter):
        for colour in ("#ff0000", "#ff0000", "#00ff00"):
            painter.setPen(QPen(QColor(colour), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPolyline([QPointF(0, 0), QPointF(10, 0)])
            painter.drawPolyline([QPointF(10, 0), QPointF(20, 10)])
            painter.translate(20, 10)

    lines = [shape for shape in shapes_of(painted(paint)) if shape.look.stroke != "none"]
    assert [len(line.commands) for line in lines] == [5, 3]
    assert join_pieces(lines) == lines


def test_numbers_are_short():
    assert [as_decimal(value, 2) for value in (1.0, 1.23456, -0.5, 100.0, 0.004)] == [
        "1",
        "1.23",
        "-0.5",
        "100",
        "0",
    ]


def test_a_faint_opacity_is_not_rounded_to_0():
    look = ShapeStyle(fill="#000000", fill_opacity=0.004, stroke="#000000", stroke_opacity=0.125)
    text = style_attributes(look)
    assert 'fill-opacity="0.004"' in text
    assert 'stroke-opacity="0.125"' in text


def test_small_images_of_the_painter_keep_their_place(qapp):
    stripe = QImage(2, 1, QImage.Format.Format_RGB32)
    stripe.fill(QColor("#00ff00"))

    def paint(painter: QPainter):
        painter.translate(10, 0)
        painter.drawImage(QRectF(10, 10, 40, 20), stripe)

    image = next(s for s in shapes_of(painted(paint)) if isinstance(s, Pixels))
    assert image.box == (20, 10, 40, 20)
