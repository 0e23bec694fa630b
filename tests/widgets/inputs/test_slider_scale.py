"""Positions and numbers are converted both ways; the number shown is that of the position."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.widgets.inputs.slider_scale import INFINITY_GAP, Track

WIDE = Track(1e-3, 1e4, endless=True)


@given(st.floats(1e-3, 1e4))
def test_position_is_the_nearest(value: float):
    back = WIDE.value(WIDE.position(value))
    assert back == pytest.approx(value, rel=0.03)


@given(st.integers(0, WIDE.steps))
def test_number_at_a_position_stays_there(position: int):
    assert abs(WIDE.position(WIDE.value(position)) - position) <= 1


def test_ends_powers_of_ten_and_infinity_are_exact():
    assert WIDE.value(0) == 1e-3
    assert WIDE.value(WIDE.steps) == 1e4
    assert WIDE.value(WIDE.steps + 1) == 1e4
    assert WIDE.value(WIDE.last) == math.inf
    assert WIDE.position(math.inf) == WIDE.last == WIDE.steps + INFINITY_GAP
    for power in range(-3, 5):
        assert WIDE.value(WIDE.position(10.0**power)) == 10.0**power
    assert len(WIDE.ticks()) == 9


@pytest.mark.parametrize("track", [Track(1, 1000, whole=True), Track(1, 10, False, whole=True)])
def test_whole_numbers_are_all_reached_by_notches(track: Track):
    value, seen = track.minimum, {track.minimum}
    while value < min(track.maximum, 20):
        value = track.value(track.position(value) + track.notch(value))
        seen.add(value)
    assert seen >= set(range(1, 11))
    assert not track.holds(2.5)


def test_linear_track_reaches_below_zero():
    track = Track(-5, 5, logarithmic=False)
    assert track.value(track.position(0)) == 0
    assert track.value(0) == -5
    assert track.position(0) in track.ticks()


@pytest.mark.parametrize(
    ("ends", "logarithmic", "said"),
    [((0, 1), True, "above 0"), ((2, 1), False, "minimum < maximum"), ((1, math.inf), True, "inf")],
)
def test_bad_ranges_are_refused(ends, logarithmic: bool, said: str):
    with pytest.raises(ValueError, match=said):
        Track(ends[0], ends[1], logarithmic)


def test_track_holds_its_range_only():
    assert WIDE.holds(math.inf)
    assert not WIDE.holds(-math.inf)
    assert not WIDE.holds(1e5)
    assert not WIDE.holds(math.nan)
    assert not Track(1, 2).holds(math.inf)


def test_short_range_still_has_fine_steps():
    track = Track(1, 2)
    assert track.steps >= 100
    assert track.value(track.steps) == 2
    assert track.value(track.position(1.5)) == pytest.approx(1.5, rel=0.01)


def test_stops_are_one_two_and_five_times_powers_of_ten():
    values = [WIDE.value(stop) for stop in WIDE.stops()]
    assert values[:5] == [0.001, 0.002, 0.005, 0.01, 0.02]
    assert values[-3:] == [5000.0, 10_000.0, math.inf]
    assert len(values) == 3 * 7 + 1 + 1
    # Ends count even if they are no round numbers.
    odd = Track(0.3, 70.0)
    assert [odd.value(stop) for stop in odd.stops()] == [0.3, 0.5, 1, 2, 5, 10, 20, 50, 70]
    whole = Track(4, 2000, whole=True)
    assert [whole.value(stop) for stop in whole.stops()][:4] == [4, 5, 10, 20]
    assert Track(0, 1, logarithmic=False).stops() == ()


@given(st.sampled_from([WIDE, Track(1e-9, 1e3), Track(0.3, 70.0), Track(4, 2000, whole=True)]))
def test_a_stop_is_where_its_number_is(track: Track):
    for stop in track.stops():
        assert track.position(track.value(stop)) == stop


def test_only_wide_scales_have_numbers():
    assert list(WIDE.numbers().values()) == [
        *("0.001", "0.01", "0.1", "1", "10", "100", "1,000", "10⁴", "∞")
    ]
    assert all(WIDE.value(p) == 10.0 ** (k - 3) for k, p in enumerate(list(WIDE.numbers())[:-1]))
    assert Track(1, 1000).numbers() == {}
    assert Track(0, 1e6, logarithmic=False).numbers() == {}


@pytest.mark.parametrize(
    ("value", "above", "below"),
    [(3.0, 5.0, 2.0), (5.0, 10.0, 2.0), (1e6, math.inf, 5e5), (1e9, math.inf, 1e6)],
)
def test_stops_beside_a_number(value, above, below):
    track = Track(1e-3, 1e6, endless=True)
    assert (track.stop_beside(value, up=True), track.stop_beside(value, up=False)) == (above, below)


def test_there_is_no_stop_beyond_the_ends():
    track = Track(1e-3, 1e6, endless=True)
    assert track.stop_beside(1e-3, up=False) is None
    assert track.stop_beside(math.inf, up=True) is None
    assert Track(0.0, 1.0, logarithmic=False).stop_beside(0.5, up=True) is None
