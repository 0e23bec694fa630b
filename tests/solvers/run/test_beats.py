"""Beats and pseudo-code, whatever the method."""

import pytest

from solvers.run.beats import (
    MAX_STRONG,
    Beat,
    PseudoCode,
    lines_of,
    pseudo_code,
    short,
    short_distinct,
    strong_or_light,
    subscript,
)


def test_pseudo_code_is_read_from_lines_with_labels():
    code = pseudo_code("A paper", "\n  | repeat\n a |   first\n b |     second\n")
    assert isinstance(code, PseudoCode)
    assert [(line.label, line.text) for line in code.lines] == [
        ("", "repeat"),
        ("a", "  first"),
        ("b", "    second"),
    ]
    assert [line.label for line in code.without("a").lines] == ["", "b"]
    with pytest.raises(KeyError, match="c"):
        code.without("c")
    with pytest.raises(ValueError, match="without a label and a bar"):
        pseudo_code("A paper", "repeat")


def test_lines_of_several_beats_are_those_of_all():
    beats = (Beat("A", "A.", lines=(("a", "1"),)), Beat("B", "B.", lines=(("b", "2"), ("c", ""))))
    assert lines_of(beats) == {"a": "1", "b": "2", "c": ""}


def test_numbers_that_differ_look_different():
    assert short(-0.0) == "0"
    assert short_distinct([1.0, 2.0]) == ["1", "2"]
    assert short_distinct([1.2951, 1.296]) == ["1.295", "1.296"]
    assert short_distinct([1.0, 1.0, 2.0]) == ["1", "1", "2"]
    # A difference of rounding error is not shown.
    assert short_distinct([0.1 + 0.2, 0.3]) == ["0.3", "0.3"]


def test_many_points_are_marked_lightly():
    assert strong_or_light([3, 1, 3]) == ((3, 1), ())
    many = tuple(range(MAX_STRONG + 1))
    assert strong_or_light(many) == ((), many)


def test_an_index_has_small_digits():
    assert subscript(120) == "₁₂₀"
