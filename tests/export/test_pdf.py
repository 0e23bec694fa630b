import re
import zlib

import numpy as np
import pytest

from svmviz.export import FORMATS
from svmviz.export.page import Length
from svmviz.export.pdf import pdf_of
from tests.export.renderers import by_pdfium, points_of_pdf
from tests.export.scenes import make


@pytest.fixture(scope="module")
def content(qapp):
    return pdf_of(make("classification"))


def objects_with(content, words):
    return [one for one in re.findall(rb"\d+ 0 obj.*?endobj", content, re.DOTALL) if words in one]


@pytest.mark.parametrize(
    ("width", "height", "points"),
    [
        (Length(1280, "px"), Length(960, "px"), (960.0, 720.0)),
        (Length(333, "px"), Length(777, "px"), (249.75, 582.75)),
        (Length(86, "mm"), Length(60, "mm"), (243.7795, 170.0787)),
        (Length(17.8, "cm"), Length(10, "cm"), (504.5669, 283.4646)),
    ],
)
def test_the_page_is_as_large_as_the_figure(qapp, width, height, points):
    content = pdf_of(make("classification", width=width, height=height))
    assert points_of_pdf(content) == pytest.approx(points, abs=0.01)
    pixels = by_pdfium(content, 800)
    # The figure fills the page: it is white at the edges, and nothing is cut off.
    assert (pixels[0] == 255).all()
    assert (pixels[-2] == 255).all()


def test_fonts_are_embedded(content):
    fonts = objects_with(content, b"/FontDescriptor")
    assert fonts
    assert len(objects_with(content, b"/FontFile")) >= len(
        [one for one in fonts if b"/Type /FontDescriptor" in one]
    )


def test_images_are_lossless(content):
    images = objects_with(content, b"/Subtype /Image")
    assert len(images) == 1
    assert b"/FlateDecode" in images[0]
    assert b"DCTDecode" not in content
    data = re.search(rb"stream\r?\n(.*?)endstream", images[0], re.DOTALL)[1]
    size = [int(re.search(rb"/%s (\d+)" % key, images[0])[1]) for key in (b"Width", b"Height")]
    assert len(zlib.decompress(data)) >= 3 * size[0] * size[1]


def test_bands_need_no_image(qapp):
    content = pdf_of(make("classification", field="bands"))
    assert objects_with(content, b"/Subtype /Image") == []
    assert len(np.unique(by_pdfium(content, 400).reshape(-1, 3), axis=0)) > 20


def test_a_file_that_exists_is_replaced(qapp, tmp_path):
    path = tmp_path / "a.pdf"
    path.write_text("older")
    FORMATS[".pdf"].save(path, make("classification"))
    assert path.read_bytes().startswith(b"%PDF")
