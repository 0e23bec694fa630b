"""Contrast of text, outlines and marks by WCAG 2.2, in every theme with every palette."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields

import pytest

from svmviz.colours.contrast import contrast, mix
from svmviz.colours.palettes import PALETTES
from svmviz.colours.themes import LIGHT, THEMES, Theme, theme_of

SURFACES = ("window", "panel", "card", "sunken", "hover", "accent_soft")
FIELDS = ("plane", "positive_field", "positive_band", "negative_field", "negative_band")
NO_COLOURS = ("name", "palette", "label", "is_dark", "has_high_contrast")
ALL = [theme_of(theme, palette) for theme in THEMES for palette in PALETTES]


@pytest.mark.parametrize("theme", ALL, ids=lambda of: f"{of.name}-{of.palette}")
class TestContrast:
    @pytest.mark.parametrize("ink", ["text", "muted", "accent", "good", "warning", "bad"])
    def test_text_is_aa_on_every_surface(self, theme: Theme, ink: str):
        for surface in SURFACES:
            ratio = contrast(getattr(theme, ink), getattr(theme, surface))
            assert ratio >= 4.5, f"{ink} on {surface}: {ratio:.2f}"

    @pytest.mark.parametrize(
        "pair",
        [
            ("good", "good_soft"),
            ("warning", "warning_soft"),
            ("bad", "bad_soft"),
            ("on_accent", "accent"),
            ("on_accent", "accent_hover"),
            ("text", "pressed"),
            ("muted", "pressed"),
            ("axis", "plane"),
        ],
        ids="/".join,
    )
    def test_text_is_aa_on_its_own_ground(self, theme: Theme, pair: tuple[str, str]):
        assert contrast(*(getattr(theme, name) for name in pair)) >= 4.5

    @pytest.mark.parametrize("ink", ["line_strong", "focus"])
    def test_outlines_of_controls_are_seen(self, theme: Theme, ink: str):
        for surface in ("window", "panel", "card", "sunken"):
            assert contrast(getattr(theme, ink), getattr(theme, surface)) >= 3

    @pytest.mark.parametrize(
        "mark",
        ["positive_edge", "negative_edge", "boundary", "margin", "slack", "ring", "highlight"],
    )
    def test_marks_are_seen_on_every_field(self, theme: Theme, mark: str):
        for field in FIELDS:
            assert contrast(getattr(theme, mark), getattr(theme, field)) >= 3, field

    def test_curves_and_the_pair_are_readable_on_cards(self, theme: Theme):
        assert all(contrast(colour, theme.card) >= 4.5 for colour in theme.series)
        assert contrast(theme.highlight, theme.card) >= 4.5

    def test_classes_are_seen_on_cards_and_their_names_readable(self, theme: Theme):
        for sign in ("positive", "negative"):
            assert contrast(getattr(theme, sign), theme.card) >= 3
            assert contrast(getattr(theme, f"{sign}_edge"), theme.card) >= 4.5

    def test_the_band_is_a_shade_stronger_than_the_field(self, theme: Theme):
        for sign in ("positive", "negative"):
            field, band = (getattr(theme, f"{sign}_{part}") for part in ("field", "band"))
            assert contrast(theme.plane, band) > contrast(theme.plane, field) + 0.1

    def test_every_colour_is_written_out(self, theme: Theme):
        for field in fields(theme):
            value = getattr(theme, field.name)
            for colour in value if isinstance(value, tuple) else (value,):
                if field.name not in NO_COLOURS:
                    assert re.fullmatch("#[0-9a-f]{6}", colour), field.name


def test_theme_is_frozen():
    with pytest.raises(FrozenInstanceError):
        LIGHT.text = "#000000"  # type: ignore[misc]


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    with pytest.raises(ValueError, match="red"):
        contrast("red", "#ffffff")
    with pytest.raises(ValueError, match=r"1\.5"):
        mix("#000000", "#ffffff", 1.5)
