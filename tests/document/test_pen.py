"""Strokes of the pen and their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import BadInput
from svmviz.document.pen import COLOURS, MAX_PLACES, Stroke, read_stroke

NUMBERS = st.floats(-1e100, 1e100, allow_nan=False)
STROKES = st.builds(
    Stroke,
    st.sampled_from(COLOURS),
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=9).map(tuple),
)


@given(STROKES)
def test_a_text_gives_the_same_stroke(stroke):
    assert read_stroke(stroke.text) == stroke


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with its colour, green or violet: got ''"),
        ("red 1 2", "got 'red'"),
        ("green", "two numbers, x and y"),
        ("green 1 2 3", "two numbers, x and y"),
        ("green" + " 1 2" * (MAX_PLACES + 1), "1 to 1,000 places"),
        ("violet 1 two", "got 'two'"),
        ("violet 1 nan", "got 'nan'"),
        ("violet 1 1e999", "got '1e999'"),
        ("violet 1 " + "x" * 10_000, "has numbers for its coordinates"),
    ],
)
def test_a_bad_stroke_is_refused_in_one_sentence(text, words):
    with pytest.raises(BadInput, match=words) as refusal:
        read_stroke(text)
    assert len(str(refusal.value)) < 200
