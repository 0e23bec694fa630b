"""Arrangements as data: panels added, removed, limited, merged, stored."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.panels.registry import PANELS
from svmviz.window.layouts.arrangement import (
    MAX_TABS,
    Area,
    Arrangement,
    Split,
    Tabs,
    columns_of,
    from_json,
    leaves_of,
    limited,
    to_json,
)
from svmviz.window.layouts.layout import ANCHORS, LAYOUTS, SETTINGS, arrangement_of
from tests.stages import eight

EXPLORE = Arrangement(
    {"right": Area(Split((Tabs((SETTINGS,)), Tabs(("alpha",))), (0.5, 0.5)), 0.22)}
)


def leaves(arrangement, side="right"):
    return [leaf.names for leaf in leaves_of(arrangement.areas[side].part)]


def test_a_panel_opens_beside_the_chart_and_never_in_front_of_the_settings():
    opened = EXPLORE.opened("kkt", ANCHORS)
    assert leaves(opened) == [(SETTINGS,), ("alpha", "kkt")]
    assert opened.fronts == (SETTINGS, "kkt")
    assert opened.opened("alpha", ANCHORS).fronts == (SETTINGS, "alpha")
    alone = Arrangement({"right": Area(Tabs((SETTINGS,)), 0.22)}).opened("kkt", ANCHORS)
    assert leaves(alone) == [(SETTINGS,), ("kkt",)]


def test_a_panel_below_the_plane_gets_an_area_of_its_own():
    opened = EXPLORE.opened("table", ANCHORS, below=True)
    assert leaves(opened, "bottom") == [("table",)]
    assert leaves(opened) == leaves(EXPLORE)


def test_a_row_of_too_many_tabs_loses_those_unused_longest_but_no_anchor():
    names = (SETTINGS, *"abcdef")
    recent = ["f", "a", "c", "b", "e", "d"]
    kept = limited(Tabs(names, "f"), MAX_TABS, recent, ANCHORS)
    assert kept.names == (SETTINGS, "a", "b", "c", "f")
    assert kept.front == "f"


def test_rows_that_would_be_too_low_become_tabs_with_the_one_used_last_in_front():
    low = EXPLORE.merged({"right": 600.0}, 345.0, ["alpha"])
    assert leaves(low) == [(SETTINGS, "alpha")]
    assert low.fronts == ("alpha",)
    assert EXPLORE.merged({"right": 700.0}, 345.0, []) == EXPLORE


def test_places_without_panels_vanish_and_the_others_share_their_room():
    three = Split((Tabs(("a",)), Tabs(), Tabs(("b",))), (0.2, 0.5, 0.3))
    compact = Arrangement({"left": Area(three, 0.3)}).compact().areas["left"].part
    assert isinstance(compact, Split)
    assert compact.shares == pytest.approx((0.4, 0.6))
    assert not Arrangement({"left": Area(Tabs(), 0.3)}).compact().areas


def parts(names):
    """Arrangements of these panels, at random."""
    leaf = st.permutations(names).map(lambda order: tuple(order))
    return leaf.flatmap(
        lambda order: st.integers(1, len(order)).flatmap(
            lambda cut: st.booleans().map(
                lambda across: (
                    Split((Tabs(order[:cut]), Tabs(order[cut:])), (0.25, 0.75), across)
                    if cut < len(order)
                    else Tabs(order)
                )
            )
        )
    )


@given(parts(["alpha", "kkt", "step", SETTINGS]), st.floats(0.0, 1.0))
def test_what_is_stored_comes_back(part, share):
    arrangement = Arrangement({"left": Area(part, share)})
    text = json.dumps(to_json(arrangement))
    assert from_json(json.loads(text), {*PANELS, SETTINGS}) == arrangement
    # A panel that this version does not have is left out.
    known = from_json(json.loads(text), {"kkt"})
    assert known is not None
    assert known.names == ("kkt",)


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        [],
        {"right": 1},
        {"right": {"share": "x", "part": {"tabs": [], "front": ""}}},
        {"right": {"share": 7.0, "part": {"tabs": ["kkt"], "front": ""}}},
        {"right": {"share": 0.2, "part": {"tabs": ["kkt", "kkt"], "front": ""}}},
        {"right": {"share": 0.2, "part": {"parts": [], "shares": [], "across": True}}},
    ],
)
def test_nonsense_that_is_stored_is_refused(value):
    found = from_json(value, PANELS)
    assert found is None or not found.names


def test_each_layout_has_known_panels_once_and_at_most_as_many_tabs_as_fit():
    known = {*PANELS, *ANCHORS}
    for layout in LAYOUTS.values():
        assert layout.forms[-1].min_height == 0.0
        assert layout.forms[-1].min_width == 0.0
        for form in layout.forms:
            arrangement = Arrangement(form.areas)
            assert set(arrangement.names) <= known
            assert len(set(arrangement.names)) == len(arrangement.names)
            for area in form.areas.values():
                assert all(len(leaf.names) <= MAX_TABS for leaf in leaves_of(area.part))
                assert columns_of(area.part) <= 2


def test_the_first_start_shows_settings_and_one_chart():
    names = arrangement_of(LAYOUTS["explore"], eight(), 1280, 800).names
    assert names[0] == SETTINGS
    assert len(names) == 2
