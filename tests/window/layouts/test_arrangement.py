"""Arrangements as data: panels added, removed, limited, merged, stored."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.panels.registry import PANELS
from svmviz.window.layouts.arrangement import (
    MAX_TABS,
    Arrangement,
    Place,
    from_json,
    limited,
    to_json,
)
from svmviz.window.layouts.layout import ANCHORS, LAYOUTS, SETTINGS, at_right
from tests.stages import eight

EXPLORE = at_right(0.22, {(SETTINGS,): 0.5, ("alpha",): 0.5})


def places(arrangement, area="right"):
    return [place.names for column in arrangement.columns[area] for place in column]


def test_a_panel_opens_beside_the_chart_and_never_in_front_of_the_settings():
    opened = EXPLORE.opened("kkt", ANCHORS)
    assert places(opened) == [(SETTINGS,), ("alpha", "kkt")]
    assert opened.fronts == (SETTINGS, "kkt")
    assert opened.opened("alpha", ANCHORS).fronts == (SETTINGS, "alpha")
    alone = at_right(0.22, {(SETTINGS,): 1.0}).opened("kkt", ANCHORS)
    assert places(alone) == [(SETTINGS,), ("kkt",)]
    assert sum(place.height for place in alone.places) == pytest.approx(1.0)


def test_a_panel_below_the_plane_gets_an_area_of_its_own():
    opened = EXPLORE.opened("table", ANCHORS, below=True)
    assert places(opened, "bottom") == [("table",)]
    assert places(opened) == places(EXPLORE)
    assert places(opened.without_bottom([], ANCHORS)) == [(SETTINGS,), ("alpha", "table")]


def test_the_first_panel_below_another_one_is_enlarged_alone():
    heights = [place.height for place in EXPLORE.enlarged("alpha").places]
    assert heights == pytest.approx([0.44, 0.56])
    assert EXPLORE.enlarged(SETTINGS) == EXPLORE


def test_a_row_of_too_many_tabs_loses_those_unused_longest_but_no_anchor():
    names = (SETTINGS, *"abcdef")
    recent = ["f", "a", "c", "b", "e", "d"]
    kept = limited(Place(names, "f"), MAX_TABS, recent, ANCHORS)
    assert kept.names == (SETTINGS, "a", "b", "c", "f")
    assert kept.front == "f"


def test_rows_that_would_be_too_low_become_tabs_with_the_one_used_last_in_front():
    low = EXPLORE.merged(600.0, 345.0, ["alpha"])
    assert places(low) == [(SETTINGS, "alpha")]
    assert low.fronts == ("alpha",)
    assert EXPLORE.merged(700.0, 345.0, []) == EXPLORE


def test_places_without_panels_count_for_nothing():
    three = at_right(0.3, {("a",): 0.2, (): 0.5, ("b",): 0.3})
    assert places(three) == [("a",), ("b",)]
    assert three.shape == at_right(0.5, {("a",): 0.4, ("b",): 0.6}).shape
    assert places(three.merged(800.0, 345.0, [])) == [("a", "b")]
    assert places(three.merged(900.0, 345.0, [])) == [("a",), ("b",)]
    # A panel that is opened takes the place that is empty.
    assert places(three.opened("c", ("a", "b"))) == [("a",), ("c",), ("b",)]
    assert not Arrangement((Place(),), {"right": 0.3}).columns


@given(
    st.permutations(["alpha", "kkt", "step", SETTINGS]),
    st.integers(1, 4),
    st.integers(0, 1),
    st.floats(0.0, 1.0),
)
def test_what_is_stored_comes_back(names, cut, column, share):
    both = (Place(tuple(names[:cut]), area="left"), Place(tuple(names[cut:]), "", "left", column))
    arrangement = Arrangement(both, {"left": share})
    text = json.dumps(to_json(arrangement))
    assert from_json(json.loads(text), {*PANELS, SETTINGS}) == arrangement
    # A panel that this version does not have is left out.
    known = from_json(json.loads(text), {"kkt"})
    assert known is not None
    assert known.names == ("kkt",)


def stored(**changes):
    place = {"names": ["kkt"], "front": "", "area": "right", "column": 0, "width": 1, "height": 1}
    return {"places": [place | changes], "shares": {"right": 0.2}}


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        [],
        {"right": 1},
        {"places": [], "shares": 3},
        {"places": [1], "shares": {}},
        {"places": [], "shares": {"right": 7.0}},
        stored(names=["kkt", "kkt"]),
        stored(names=3),
        stored(area=[]),
        stored(area="middle"),
        stored(column="x"),
        stored(column=float("inf")),
        stored(height=float("nan")),
    ],
)
def test_nonsense_that_is_stored_is_refused(value):
    found = from_json(value, PANELS)
    assert found is None or not found.names
    good = from_json(stored(), PANELS)
    assert good is not None
    assert good.names == ("kkt",)


def test_each_layout_has_known_panels_once_and_at_most_as_many_tabs_as_fit():
    known = {*PANELS, *ANCHORS}
    for layout in LAYOUTS.values():
        assert layout.forms[-1].min_height == 0.0
        assert layout.forms[-1].min_width == 0.0
        for form in layout.forms:
            arrangement = form.arrangement
            assert set(arrangement.names) <= known
            assert len(set(arrangement.names)) == len(arrangement.names)
            assert all(len(place.names) <= MAX_TABS for place in arrangement.places)
            assert set(arrangement.shares) == {place.area for place in arrangement.places}
            for columns in arrangement.columns.values():
                assert len(columns) <= 2
                assert sum(column[0].width for column in columns) == pytest.approx(1.0)


def test_the_first_start_shows_settings_and_one_chart():
    names = LAYOUTS["explore"].arrangement_for(eight(), 1280, 800).names
    assert names[0] == SETTINGS
    assert len(names) == 2
