"""The band differs from the plane around it, also in grey; its edges are smooth."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from solvers import RBF
from solvers.data.datasets import DATASETS
from svmviz.colours.contrast import contrast
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import band_tints, draw_band, draw_boundary, draw_margins, shades
from svmviz.plane.paint.style import Style
from svmviz.theme import DARK, LIGHT
from tests.plane.frames import fitted, lane_of, solved

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
# Place of f = 1 among the colours: f / (0.3 + f).
MARGIN = round(127.5 + 127.5 / 1.3)


def colour(theme, shading, place):
    return f"#{int(shades(theme, shading)[place]) & 0xFFFFFF:06x}"


@BOTH
@pytest.mark.parametrize("shading", ["sure", "band"])
def test_the_band_differs_from_the_plane_in_brightness_alone(theme, shading):
    below, above = band_tints(theme, shading)
    for place in range(MARGIN, 256, 6):
        assert contrast(above, colour(theme, shading, place)) > 1.09
        assert contrast(below, colour(theme, shading, 255 - place)) > 1.09


@BOTH
def test_strong_is_far_from_0_or_in_the_band(theme):
    for shading in ("sure", "band"):
        for tint, place in zip(band_tints(theme, shading), (255 - MARGIN, MARGIN), strict=True):
            outside = contrast(theme.plane, colour(theme, shading, place))
            assert (outside > contrast(theme.plane, tint)) == (shading == "sure")


@BOTH
@pytest.mark.parametrize("shading", ["sure", "band"])
def test_shades_rise_from_the_plane_to_either_side(theme, shading):
    distances = [contrast(theme.plane, colour(theme, shading, place)) for place in range(256)]
    assert distances[:128] == sorted(distances[:128], reverse=True)
    assert distances[128:] == sorted(distances[128:])
    assert max(distances[127:129]) < 1.05


@BOTH
def test_the_tube_has_one_tint_whatever_the_shading(theme):
    tints = {band_tints(theme, shading, "regression") for shading in ("sure", "band")}
    ((below, above),) = tints
    assert below == above


def painted(canvas, field, contours):
    """Return the pixels of the band, and of the contours if wanted, shape (height, width, 4)."""
    camera = canvas.camera
    image = QImage(round(camera.width), round(camera.height), QImage.Format.Format_RGB32)
    image.fill(QColor(canvas.style.theme.plane))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_band(painter, canvas, field)
        if contours:
            draw_margins(painter, canvas, field)
            draw_boundary(painter, canvas, field)
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4).astype(int)


@BOTH
def test_the_edges_of_the_band_are_smooth_with_and_without_contours(theme):
    """The vector style is smooth everywhere, so it is what the picture on screen must look like."""
    document = Document(DATASETS["moons"].generate(60, 0.4, 2), RBF(2.0), Penalty("C", 1.0))
    camera = fitted(document)
    frame = solved(document, camera)
    field = lane_of(frame).shown_field
    for contours in (True, False):
        style = Style(theme=theme, options=ViewOptions(contours=contours, shading="band"))
        canvas = Canvas(frame, camera, style)
        found = painted(canvas, field, contours)
        smooth = painted(canvas.with_style(vector=True), field, contours)
        changes = np.abs(found - smooth).max(axis=2)
        # A smooth edge differs from a rough one by up to 36. With contours, only pixels at the ends
        # of the pieces of a line differ.
        assert np.mean(changes > 12) < (2e-4 if contours else 1e-9)
