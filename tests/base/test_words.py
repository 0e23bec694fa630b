"""Names and numbers for people, the same everywhere."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.data.datasets import PointSet
from svmviz.base.words import (
    MAX_NAME,
    BeyondDouble,
    axis_titles,
    class_title,
    class_titles,
    count,
    mantissa,
    number,
    read_number,
    shown_name,
    tidied,
    typed_form,
    vector_text,
)
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend import entries
from svmviz.plane.paint.style import Style


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.12345, "0.1235"),
        (-3, "−3"),
        (1e-9, "1·10⁻⁹"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
        (-0.0, "0"),
        (1e15, "1·10¹⁵"),
        (1234.5678, "1,235"),
        (12345.678, "12,350"),
        (12345, "12,345"),
        (-20_000, "−20,000"),
        (0.99996, "1"),
        (9999.96, "10,000"),
        (-1.5e-7, "−1.5·10⁻⁷"),
    ],
)
def test_numbers_for_people(value, text):
    assert number(value) == text


@given(st.floats(-1e300, 1e300, allow_subnormal=False))
def test_a_number_can_be_read_back_to_four_digits(value):
    assert read_number(number(value)) == pytest.approx(value, rel=6e-4)


@given(st.integers(-(10**7) + 1, 10**7 - 1))
def test_a_whole_number_is_read_back_exactly(value):
    assert read_number(number(value)) == value


@given(st.floats(-1e300, 1e300, allow_subnormal=False))
def test_the_form_in_which_a_number_is_typed_means_the_same(value):
    typed = typed_form(number(value))
    assert float(typed) == read_number(number(value))
    assert set(typed) <= set("0123456789.e-")


@pytest.mark.parametrize("text", ["∞ hard margin", "off", "–", "", "nan 1"])
def test_words_in_a_field_stay(text):
    assert typed_form(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0,5", 0.5),
        ("0,125", 0.125),
        ("12,5", 12.5),
        ("1,234", 1234),
        ("−2,000,000", -2e6),
        ("1,234.5", 1234.5),
        (" 1e3 ", 1000),
        ("10 000", 10_000),
        ("1.5·10⁻⁷", 1.5e-7),
        ("10⁻⁷", 1e-7),
        ("∞ hard margin", math.inf),
        ("∞ hard", math.inf),
        ("Hard margin", math.inf),
        ("inf", math.inf),
        ("Infinity", math.inf),
        ("−2", -2),
        ("1/5", 0.2),
        ("−3 / 4", -0.75),
        ("1.5/2", 0.75),
    ],
)
def test_typing_is_understood(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "nan",
        "1..2",
        "1,2,3",
        "510⁻⁷",
        "·10⁻",
        "10⁻⁻7",
        "info",
        "hardly",
        "inf 3",
        "1/0",
        "1/",
        "/2",
        "1/2/3",
        "inf/2",
        "1/inf",
    ],
)
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError, match=r"not a number|could not convert"):
        read_number(text)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "10⁴⁰⁰", "1e300/1e-300"])
def test_numbers_beyond_a_double_are_not_infinity(text):
    with pytest.raises(BeyondDouble):
        read_number(text)


def test_counts_have_commas_and_a_true_minus():
    assert count(1234567) == "1,234,567"
    assert count(-1000) == "−1,000"


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("no pair violates by more than 1e-05.", "no pair violates by more than 1·10⁻⁵."),
        ("rises by 2.5e+07, from -3.2 to -1e-06", "rises by 2.5·10⁷, from −3.2 to −1·10⁻⁶"),
        ("y·f = 5.7e+02 and -1.25e+06", "y·f = 570 and −1,250,000"),
        ("a second-order choice of 3-5 pairs", "a second-order choice of 3-5 pairs"),
        ("Step 12: pair (7, 31).", "Step 12: pair (7, 31)."),
    ],
)
def test_sentences_of_solvers_are_tidied(plain, shown):
    assert tidied(plain) == shown


@pytest.mark.parametrize(
    ("name", "title"),
    [("-1", "−1"), ("+1", "+1"), ("-1.5", "−1.5"), ("Gen-too", "Gen-too"), ("-x", "-x")],
)
def test_titles_of_classes(name, title):
    assert class_title(name) == title


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        (("-1", "1"), ("−1", "+1")),
        (("-1", "+1"), ("−1", "+1")),
        (("0", "1"), ("0", "1")),
        (("-1", "2"), ("−1", "2")),
        (("Adelie", "Gentoo"), ("Adelie", "Gentoo")),
    ],
)
def test_titles_of_both_classes(names, titles):
    assert class_titles(PointSet(np.eye(2), np.array([-1, 1]), names)) == titles


def test_names_are_shown_on_one_line_and_short():
    assert shown_name("Adelie") == "Adelie"
    assert shown_name("a\x1b[31m\u202eb") == r"a\x1b[31m\u202eb"
    for name in ("x" * 100_000, "\x1b" * 100_000, "begin" + "x" * 61 + "end"):
        assert len(shown_name(name)) <= MAX_NAME
    assert shown_name("begin" + "x" * 100_000 + "end").startswith("begin")
    assert shown_name("begin" + "x" * 100_000 + "end").endswith("xend")
    assert shown_name("x" * MAX_NAME) == "x" * MAX_NAME


def test_titles_of_axes():
    data = PointSet(np.eye(2), np.array([-1, 1]), axis_names=("bill_depth_mm", "y" * 1000))
    assert axis_titles(data)[0] == "bill depth (mm)"
    assert len(axis_titles(data)[1]) == MAX_NAME - 1


@pytest.mark.parametrize(
    ("names", "names_shown"), [(("0", "1"), ["class 0", "class 1"]), (("-1", "1"), ["−1", "+1"])]
)
def test_the_legend_separates_a_class_from_the_number_of_its_points(names, names_shown):
    data = PointSet(np.eye(2), np.array([-1, 1]), names)
    canvas = Canvas(Frame(Document(data)), Camera(), Style())
    assert [entry.text for entry in entries(canvas)] == names_shown


def test_mantissas_of_the_smallest_numbers():
    assert mantissa(5e-324, -324) == pytest.approx(4.94, abs=0.01)
    assert mantissa(0.0, -324) == 0.0
    assert mantissa(-2.5e99, 100) == pytest.approx(-0.25)


@pytest.mark.parametrize(
    ("vector", "text"),
    [
        ((3.456e-9, 1.0), "(0, 1)"),
        ((-3.456e-9, -2.0), "(0, −2)"),
        ((3.456e-7, 1.0), "(3.456·10⁻⁷, 1)"),
        # Coordinates of different units: small ones count.
        ((1e6, 1e-6), "(1,000,000, 1·10⁻⁶)"),
        ((0.0, 0.0), "(0, 0)"),
    ],
)
def test_noise_beside_other_entries_is_0(vector, text):
    assert vector_text(vector) == text


def test_points_without_names_have_x_and_y_in_a_regression():
    data = PointSet(np.zeros((2, 2)), np.array([1, -1]))
    assert axis_titles(data) == ("x₁", "x₂")
    assert axis_titles(data, is_regression=True) == ("x", "y")
    named = replace(data, axis_names=("time", "load"))
    assert axis_titles(named, is_regression=True) == ("time", "load")
