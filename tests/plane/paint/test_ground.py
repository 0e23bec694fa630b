"""The ground is stored as a picture, which equals one painted directly."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter

from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ground import PictureCache
from svmviz.plane.paint.style import Style
from svmviz.theme import DARK, LIGHT
from tests.plane.frames import fitted, solved

MOONS = Document(data=DATASETS["moons"].generate(40, 0.2, 1))


def painted(frame, camera, style: Style) -> QImage:
    ratio = style.ratio
    size = (round(camera.width * ratio), round(camera.height * ratio))
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    draw_plane(painter, Canvas(frame, camera, style))
    painter.end()
    return image


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("scale", "ratio"), [(1.0, 1.0), (1.5, 1.0), (1.0, 2.0)])
def test_the_stored_picture_is_what_was_painted(qapp, theme, scale, ratio):
    camera = fitted(MOONS, scale=scale)
    style = Style(theme, scale=scale, ratio=ratio)
    frame = solved(MOONS, camera)
    first, second, third = (painted(frame, camera, style) for _ in range(3))
    assert first == second == third


def test_names_and_places_are_those_of_the_frame(qapp):
    camera, style = fitted(MOONS), Style()
    for _ in range(3):
        painted(solved(MOONS, camera), camera, style)
    named = replace(MOONS, data=replace(MOONS.data, axis_names=("length", "depth")))
    moved = camera.panned(30.0, 0.0)
    for document, where in ((named, camera), (MOONS, moved), (named, moved)):
        frame = solved(document, where)
        first, *others = (painted(frame, where, style) for _ in range(3))
        assert all(other == first for other in others)
        assert first != painted(solved(MOONS, camera), camera, style)


def test_the_numbers_of_the_legend_follow_each_step(qapp):
    camera, style = fitted(MOONS), Style()
    start, end = solved(MOONS, camera, 0), solved(MOONS, camera)
    for _ in range(3):
        painted(start, camera, style)
    # Where the row above the plot is, and nothing else.
    row = (0, 0, int(camera.width), int(camera.top) - 2)
    assert painted(start, camera, style).copy(*row) != painted(end, camera, style).copy(*row)


def test_what_is_drawn_only_once_is_not_stored(qapp):
    stored, drawn = PictureCache(2), []
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    painter = QPainter(image)

    def draw(key: str) -> None:
        stored.draw(painter, key, (8, 8), 1.0, lambda _painter: drawn.append(key))

    for key in "abcabc":
        draw(key)
    # Two are kept, so each was forgotten before it came again.
    assert drawn == list("abcabc")
    drawn.clear()
    for key in "dddd":
        draw(key)
    painter.end()
    assert drawn == ["d", "d"]
