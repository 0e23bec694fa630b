"""Texts of ticks."""

import pytest

from svmviz.widgets.charts.chart_ticks import linear_ticks, round_up, tick_texts


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.0, 3.0, ["0", "1", "2", "3"]),
        (14.5181, 14.5189, ["14.5182", "14.5184", "14.5186", "14.5188"]),
        (-14.5189, -14.5186, ["−14.52", "", "", ""]),
        (3.03112345671, 3.03112345674, ["3.031", "", "", ""]),
    ],
)
def test_no_two_ticks_have_the_same_text(low, high, texts):
    assert tick_texts(linear_ticks(low, high, 4)) == texts


def test_values_that_are_equal_have_one_text():
    assert tick_texts([1.0, 1.0]) == ["1", ""]
    assert tick_texts([]) == []


def test_ticks_of_the_smallest_and_of_the_largest_numbers():
    assert round_up(5e-324) == pytest.approx(5e-308)
    assert round_up(1e-300) == pytest.approx(1e-300)
    assert linear_ticks(0.0, 5e-324, 4) == [0.0]
    assert tick_texts(linear_ticks(0.0, 3e-307, 4))[0] == "0"
    assert len(linear_ticks(0.0, 1e308, 4)) > 2
