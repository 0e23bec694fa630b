"""Every palette in every theme: what must be told apart differs for every eye, and in grey."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, permutations

import pytest

from svmviz.colours.contrast import contrast
from svmviz.colours.palettes import PALETTES
from svmviz.colours.themes import THEMES, Theme, similar_theme, theme_of, with_sides
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


# The same for six classes: between two of them, from the rest, from the marks of a step, and from
# the boundary. Greys differ as much as six can between the plane and the boundary; their shapes
# and names tell them apart.
@each_vision
@each_theme
def test_six_classes_differ(theme: Theme, vision: str):
    is_grey = theme.palette == "grey"
    between = 5.7 if is_grey else {"normal": 25.0, "grey": 4.5}.get(vision, 13.0)
    for first, second in combinations(theme.classes, 2):
        assert distance(first, second, vision) >= between, f"{first}, {second}"
    for colour in theme.classes:
        if vision != "grey":
            assert distance(colour, theme.highlight, vision) >= (5.9 if is_grey else 8.6), colour
            assert distance(colour, theme.boundary, vision) >= (5.8 if is_grey else 10.0), colour
            assert is_grey or distance(colour, theme.rest, vision) >= 9.3, colour
        assert distance(colour, theme.plane, vision) >= (10.0 if is_grey else 13.5), colour
    assert theme.classes[:2] == (theme.positive, theme.negative)


@each_vision
@each_theme
def test_sides_of_a_machine_differ(theme: Theme, vision: str):
    for positive, negative in permutations(range(6), 2):
        sided = with_sides(theme, (positive,), (negative,))
        assert sided.positive == theme.classes[positive]
        assert sided.negative == theme.classes[negative]
        assert sided.classes == theme.classes
        fields = distance(sided.positive_field, sided.negative_field, vision)
        # In grey, only the boundary between them tells all fields apart.
        assert fields >= (0.0 if vision == "grey" else 1.3), (positive, negative, fields)
    against_rest = with_sides(theme, (2,), (0, 1, 3))
    if theme.palette == "grey":
        assert against_rest is theme
    else:
        assert (against_rest.positive, against_rest.negative) == (theme.classes[2], theme.rest)
    assert with_sides(theme, (0,), (1,)) is theme
    assert with_sides(against_rest, (0,), (1,)) == theme


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
