import pytest

from solvers import BadInput
from svmviz.export.page import AXIS_TYPE, PRESETS, FigureSize, Length, page_of, read_length
from svmviz.theme import LABEL


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [("86mm", 86, "mm"), ("8.6 cm", 8.6, "cm"), ("960", 960, "px"), (".5in", 0.5, "in")],
)
def test_lengths(text, value, unit):
    assert read_length(text) == Length(value, unit)


@pytest.mark.parametrize("text", ["", "mm", "-3mm", "0", "0mm", "1e3mm", "8 6mm", "86 km", "nan"])
def test_what_is_no_length(text):
    with pytest.raises(ValueError, match="is not a length"):
        read_length(text)


def test_a_page_in_px():
    page = page_of(Length(1280, "px"), Length(960, "px"))
    assert (page.width, page.height, page.paper) == (1280, 960, None)
    assert page.millimetres == pytest.approx((338.667, 254.0), abs=1e-3)


def test_a_page_on_paper_has_300_px_per_inch():
    page = page_of(Length(8.6, "cm"), Length(60, "mm"))
    assert (page.width, page.height) == (1016, 709)
    assert page.millimetres == (86.0, 60.0)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (Length(0.4, "px"), Length(10, "px")),
        (Length(1e6, "px"), Length(10, "px")),
        (Length(30_000, "px"), Length(30_000, "px")),
        (Length(3_000, "mm"), Length(10, "mm")),
        (Length(0.01, "mm"), Length(10, "mm")),
        (Length(1e8, "cm"), Length(1e8, "cm")),
    ],
)
def test_sizes_that_no_picture_has(width, height):
    with pytest.raises(BadInput, match="1 to 32,000 pixels per side"):
        page_of(width, height)


def test_type_has_the_size_that_is_asked_for():
    assert AXIS_TYPE == LABEL
    for page in (FigureSize(1280, 960), FigureSize.on_paper(86, 60)):
        assert page.scale(9.0) * AXIS_TYPE / page.dpi * 72 == pytest.approx(9.0)
    # In proportion otherwise.
    assert FigureSize(1920, 1440).scale() == 2.0
    assert FigureSize.on_paper(86, 60).scale() == FigureSize.on_paper(86, 60).scale(8.0)


def test_presets_are_pages():
    for preset in PRESETS.values():
        assert preset.page.width >= 900
        assert preset.title
    assert PRESETS["slide"].page.width * 9 == PRESETS["slide"].page.height * 16
