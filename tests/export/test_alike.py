"""All formats show the same: other programs than Qt draw their lines at the same places."""

import re
import xml.etree.ElementTree as Tree

import pytest

from svmviz.base.words import axis_units
from svmviz.export.pdf import pdf_of
from svmviz.export.shapes import Words, shapes_of
from svmviz.export.svg import svg_of
from tests.export.renderers import apart, by_pdfium, by_resvg, text_of_pdf, to_array
from tests.export.scenes import CASES, TITLE, make

WIDTH = 1280


@pytest.fixture(scope="module", params=CASES)
def figure(request, qapp):
    return make(request.param)


def test_lines_coincide_within_a_pixel(figure):
    assert figure.size == (WIDTH, 960)
    pixels = to_array(figure.image())
    for other in (by_resvg(svg_of(figure), WIDTH), by_pdfium(pdf_of(figure), WIDTH)):
        assert other.shape == pixels.shape
        # What is left is the edge of a letter here and there.
        assert apart(pixels, other) < 0.002


def test_a_picture_of_another_step_does_not_coincide(qapp):
    pixels = to_array(make("classification").image())
    moved = make("classification")
    scene, _ = CASES["classification"]
    from svmviz.cli.render import figure_of
    from svmviz.export.figure_settings import FigureSettings

    moved = figure_of(scene, 14, FigureSettings(caption=True, title=TITLE))
    assert apart(pixels, by_resvg(svg_of(moved), WIDTH)) > 0.05


def test_all_texts_are_there(figure):
    words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
    expected = {
        TITLE,
        *(
            name
            for part in figure.parts
            for name, _ in axis_units(part.picture.frame.document.data)
        ),
    }
    assert expected <= set(words)
    named = [node.get("aria-label") for node in Tree.fromstring(svg_of(figure)).iter()]
    assert [name for name in named if name] == words
    text = text_of_pdf(pdf_of(figure))
    # A line may be broken in a PDF wherever it likes.
    squeezed = re.sub(r"\s", "", text)
    for word in words:
        assert re.sub(r"\s", "", word) in squeezed
