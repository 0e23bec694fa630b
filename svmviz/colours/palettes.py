"""Palettes: the colours of up to six classes, and that of the marks of a step.

In each palette the classes and the marks differ for normal vision, under protanopia, deuteranopia
and tritanopia, and in grey, since their lightness differs too (tests/colours/test_palettes.py has
the distances). The shapes of the classes differ in every palette.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from svmviz.colours.contrast import mix

# Fractions of the colour of a class in its field and in its band, on light and on dark planes. The
# remainder is the colour of the plane.
FIELD_SHARE, BAND_SHARE = 0.14, 0.3
# Fraction of black, or on dark planes of white, in the outline of a point.
EDGE_SHARE, DARK_EDGE_SHARE = 0.4, 0.7


@dataclass(frozen=True)
class ClassColours:
    """Colours of the classes, and of the marks of a step, each ``"#rrggbb"``.

    ``positive`` and ``negative`` are those of two classes, or of the first two of more; ``others``
    are those of the third to the sixth. ``rest`` is that of all classes that are not told apart.
    ``field_shares`` are the fractions of the colours of both classes in their fields.
    """

    positive: str
    negative: str
    highlight: str
    others: tuple[str, str, str, str]
    rest: str
    field_shares: tuple[float, float] = (FIELD_SHARE, FIELD_SHARE)

    def on(self, plane: str, ink: str = "", *, is_dark: bool = False) -> dict[str, Any]:
        """Return the colours of a `Theme` that follow from these, by name.

        Parameters
        ----------
        plane : str
            The colour of the empty plane.
        ink : str
            The colour of outlines of points; by default, a shade of their class.
        is_dark : bool
            Whether the plane is dark.
        """
        colours: dict[str, Any] = {"highlight": self.highlight, "highlight_halo": plane}
        colours["classes"] = (self.positive, self.negative, *self.others)
        colours["rest"] = self.rest
        for name, share in zip(("positive", "negative"), self.field_shares, strict=True):
            fill = getattr(self, name)
            colours[name] = fill
            colours[f"{name}_edge"] = ink or edge_of(fill, is_dark=is_dark)
            colours[f"{name}_field"] = mix(plane, fill, share)
            colours[f"{name}_band"] = mix(plane, fill, BAND_SHARE)
        return colours


def edge_of(fill: str, *, is_dark: bool) -> str:
    """Return the colour of the outline of a point, on a dark or a light plane."""
    return mix(fill, "#ffffff", DARK_EDGE_SHARE) if is_dark else mix(fill, "#000000", EDGE_SHARE)


@dataclass(frozen=True)
class ClassPalette:
    """A palette with its name in files and on the command line, and its name for people."""

    name: str
    label: str
    light: ClassColours
    dark: ClassColours


# Blue and vermilion are those of Okabe and Ito, moved apart in lightness.
VERMILION = ClassPalette(
    "vermilion",
    "Blue and vermilion",
    light=ClassColours(
        "#0b6ab4", "#e2721f", "#a3006b", ("#58cd91", "#a295f7", "#555114", "#ad6680"), "#96999e"
    ),
    dark=ClassColours(
        "#2b7fe0", "#f79a4d", "#ff4a99", ("#1adbb3", "#cf167c", "#6b5b10", "#f6c8f7"), "#96999e"
    ),
)
PALETTES = {
    palette.name: palette
    for palette in (
        VERMILION,
        ClassPalette(
            "gold",
            "Indigo and gold",
            light=ClassColours(
                "#4f49b4",
                "#b48e00",
                "#ca265e",
                ("#20d68a", "#178e95", "#c98efd", "#487223"),
                "#a8abb0",
            ),
            dark=ClassColours(
                "#5f6ce6",
                "#d0ae3f",
                "#f6548e",
                ("#3eaba8", "#9e355c", "#347a03", "#d2c5fb"),
                "#787b80",
            ),
        ),
        ClassPalette(
            "green",
            "Violet and green",
            light=ClassColours(
                "#742cc9",
                "#30a020",
                "#c1376b",
                ("#d49e7c", "#53cdcc", "#855c33", "#a289f7"),
                "#72757a",
            ),
            dark=ClassColours(
                "#8c5ad6",
                "#5fc94c",
                "#ec6090",
                ("#a77b59", "#dac9fa", "#3e6618", "#b04166"),
                "#96999e",
            ),
        ),
        ClassPalette(
            "grey",
            "Dark and light grey",
            # Greys have no hue, so fields with equal fractions would hardly differ.
            light=ClassColours(
                "#4c4f55",
                "#979288",
                "#cc218d",
                ("#c9c6be", "#717277", "#2b2d32", "#b1ada4"),
                "#979288",
                field_shares=(0.185, 0.09),
            ),
            dark=ClassColours(
                "#6d747e",
                "#c4bfb5",
                "#fb57b5",
                ("#e3dfd7", "#4a4f57", "#989a9c", "#848990"),
                "#c4bfb5",
                field_shares=(0.1, 0.19),
            ),
        ),
    )
}
