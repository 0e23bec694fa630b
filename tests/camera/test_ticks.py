import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.camera.ticks import linear_ticks, log_ticks, nice_step, power_text, round_up


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.integers(-9, 9), st.integers(2, 20))
def test_ticks_lie_inside_and_have_different_texts(low, span, power, most):
    low, high = low * 10.0**power, (low + span) * 10.0**power
    ticks = linear_ticks(low, high, most)
    edge = 1e-6 * (high - low)
    assert len(ticks.values) <= most + 1
    assert all(low - edge <= value <= high + edge for value in ticks.values)
    assert list(ticks.values) == sorted(set(ticks.values))
    assert len(set(ticks.labels)) == len(ticks.labels) == len(ticks.values)
    # Two ticks at least, however the steps fall, if three were allowed.
    assert len(ticks.values) >= min(2, most // 3)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")),
        (3000, 6500, ("3,000", "4,000", "5,000", "6,000")),
        (5e-7, 2e-6, ("0.5·10⁻⁶", "1.0·10⁻⁶", "1.5·10⁻⁶", "2.0·10⁻⁶")),
        (-2e-7, 2e-7, ("−2·10⁻⁷", "−1·10⁻⁷", "0", "1·10⁻⁷", "2·10⁻⁷")),
        (1000000.0, 1000000.0041, ("1,000,000.000", "1,000,000.001", "1,000,000.002",
                                  "1,000,000.003", "1,000,000.004")),
        (-1e9, 1e9, ("−1.0·10⁹", "−0.5·10⁹", "0", "0.5·10⁹", "1.0·10⁹")),
    ],
)  # fmt: skip
def test_labels(low, high, labels):
    assert linear_ticks(low, high, 5).labels == labels


def test_a_range_of_whole_steps_has_one_tick_more_than_steps():
    assert linear_ticks(0, 10, 5).values == (0, 2, 4, 6, 8, 10)
    assert linear_ticks(1, 11, 5).values == (2, 4, 6, 8, 10)


def test_ticks_are_the_nearest_floats():
    for exponent in (-22, 22):
        last = linear_ticks(0, float(f"7e{exponent}"), 7).values[-1]
        assert last == float(f"7e{exponent}")
    assert linear_ticks(0, 1, 10).values == (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_no_ticks_where_there_is_no_range():
    assert linear_ticks(1, 1, 5).values == ()
    assert linear_ticks(math.nan, 1, 5).values == ()


def test_ticks_of_the_smallest_and_of_the_largest_numbers():
    assert linear_ticks(0.0, 5e-324, 4).labels == ("0",)
    assert linear_ticks(0.0, 3e-307, 4).labels[:2] == ("0", "1·10⁻³⁰⁷")
    assert len(linear_ticks(0.0, 1e308, 4).values) > 2


def test_ticks_of_counts_are_whole():
    assert linear_ticks(0, 2, 10, whole=True).values == (0, 1, 2)
    assert linear_ticks(0, 2, 10).values[1] == 0.2


@pytest.mark.parametrize(
    ("low", "high"), [(-9, 3), (0.1, 2.9), (1.02, 1.4), (2.30, 2.32), (-0.3, 0.2), (-14, 8)]
)
def test_log_ticks_say_at_least_two_numbers(low, high):
    ticks = log_ticks(low, high, 3)
    numbered = [label for label in ticks.labels if label]
    assert 2 <= len(numbered) <= 6
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks.values)
    assert len(set(numbered)) == len(numbered)


def test_numbers_of_powers():
    assert [power_text(k) for k in (-5, -2, 0, 3, 6)] == ["10⁻⁵", "0.01", "1", "1,000", "10⁶"]
    assert power_text(5 + math.log10(2)) == "2·10⁵"


def test_round_numbers():
    assert round_up(0.3) == 0.5
    assert round_up(5.0) == 5.0
    assert round_up(5e-324) == pytest.approx(5e-308)
    assert round_up(1e-300) == pytest.approx(1e-300)
    assert nice_step(10, 5) == 2
