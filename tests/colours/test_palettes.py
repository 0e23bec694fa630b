"""Every palette in every theme: what must be told apart differs for every eye, and in grey."""

from __future__ import annotations

from dataclasses import fields

import pytest

from svmviz.colours.contrast import contrast
from svmviz.colours.palettes import PALETTES
from svmviz.colours.themes import THEMES, Theme, similar_theme, theme_of
from tests.colour_vision import VISIONS, distance

ALL = [theme_of(theme, palette) for theme in THEMES for palette in PALETTES]
each_theme = pytest.mark.parametrize("theme", ALL, ids=lambda of: f"{of.name}-{of.palette}")
each_vision = pytest.mark.parametrize("vision", VISIONS)
PLANES = ("plane", "positive_field", "positive_band", "negative_field", "negative_band")
# Smallest differences (CIEDE2000) between roles: in colour, with any kind of vision, and in grey.
# Two colours side by side are told apart from a difference of about 2. Boundary, support vectors'
# rings and the point under the mouse share the ink: a line, rings, and an outline.
BOUNDS = {
    ("positive", "negative"): (26.0, 15.0),
    ("positive", "highlight"): (13.0, 6.5),
    ("negative", "highlight"): (14.0, 9.0),
    ("positive", "boundary"): (16.5, 16.5),
    ("negative", "boundary"): (14.0, 12.0),
    ("highlight", "boundary"): (18.0, 18.0),
    ("positive", "margin"): (8.0, 8.0),
    ("negative", "margin"): (11.0, 4.5),
    ("highlight", "margin"): (10.5, 10.0),
    ("positive_field", "negative_field"): (5.0, 1.2),
    ("positive_band", "negative_band"): (5.0, 2.9),
    ("positive_field", "positive_band"): (4.5, 4.5),
    ("negative_field", "negative_band"): (3.8, 3.8),
    ("positive", "positive_band"): (22.0, 22.0),
    ("negative", "negative_band"): (20.0, 19.5),
}


@each_vision
@each_theme
def test_roles_differ(theme: Theme, vision: str):
    for (first, second), bounds in BOUNDS.items():
        found = distance(getattr(theme, first), getattr(theme, second), vision)
        bound = bounds[vision == "grey"]
        assert found >= bound, f"{first} and {second}: {found:.1f} < {bound}"


@each_theme
def test_curves_and_lanes_differ_from_the_classes(theme: Theme):
    # The grey lane is a colour of its own in all palettes but the grey one.
    lanes = theme.series[:-1] if theme.palette == "grey" else theme.series
    for lane in lanes:
        for sign in ("positive", "negative"):
            assert distance(lane, getattr(theme, sign), "normal") >= 11.5, f"{lane}, {sign}"


def test_a_theme_keeps_all_but_the_classes_and_marks():
    grey, usual = theme_of("dark", "grey"), THEMES["dark"]
    changed = {f.name for f in fields(Theme) if getattr(grey, f.name) != getattr(usual, f.name)}
    colours = PALETTES["grey"].dark.on(usual.plane, is_dark=True)
    assert changed == {"palette", *colours} - {"highlight_halo"}
    assert theme_of("dark", usual.palette) is usual


def test_each_wish_has_its_theme():
    for theme in THEMES.values():
        wish = {"is_dark": theme.is_dark, "has_high_contrast": theme.has_high_contrast}
        assert similar_theme(**wish) is theme


@pytest.mark.parametrize("theme", [t for t in ALL if t.has_high_contrast], ids=lambda t: t.palette)
def test_high_contrast_is_high(theme: Theme):
    for ink in ("text", "muted", "accent", "good", "warning", "bad", *theme.series):
        colour = getattr(theme, ink, ink)
        for surface in ("window", "panel", "card", "sunken", "hover"):
            assert contrast(colour, getattr(theme, surface)) >= 7, f"{ink} on {surface}"
    for line in ("line", "line_strong", "disabled"):
        assert contrast(getattr(theme, line), theme.card) >= 4.5
    for mark in ("boundary", "margin", "ring", "positive_edge", "negative_edge"):
        for plane in PLANES:
            assert contrast(getattr(theme, mark), getattr(theme, plane)) >= 7, f"{mark} on {plane}"
