"""Palettes: the colours of both classes, and that of the marks of a step.

In each palette the classes and the marks differ for normal vision, under protanopia, deuteranopia
and tritanopia, and in grey, since their lightness differs too (tests/colours/test_palettes.py has
the distances). The shapes of the classes differ in every palette.
"""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.colours.contrast import mix

# Fractions of the colour of a class in its field and in its band, on light and on dark planes. The
# remainder is the colour of the plane.
FIELD_SHARE, BAND_SHARE = 0.14, 0.3
# Fraction of black, or on dark planes of white, in the outline of a point.
EDGE_SHARE, DARK_EDGE_SHARE = 0.4, 0.7


@dataclass(frozen=True)
class ClassColours:
    """Colours of the classes +1 and -1, and of the marks of a step, each ``"#rrggbb"``.

    ``field_shares`` are the fractions of the colours of the classes in their fields.
    """

    positive: str
    negative: str
    highlight: str
    field_shares: tuple[float, float] = (FIELD_SHARE, FIELD_SHARE)

    def on(self, plane: str, ink: str = "", *, is_dark: bool = False) -> dict[str, str]:
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
        colours = {"highlight": self.highlight, "highlight_halo": plane}
        shade = ("#ffffff", DARK_EDGE_SHARE) if is_dark else ("#000000", EDGE_SHARE)
        for name, share in zip(("positive", "negative"), self.field_shares, strict=True):
            fill = getattr(self, name)
            colours[name] = fill
            colours[f"{name}_edge"] = ink or mix(fill, *shade)
            colours[f"{name}_field"] = mix(plane, fill, share)
            colours[f"{name}_band"] = mix(plane, fill, BAND_SHARE)
        return colours


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
    light=ClassColours("#0b6ab4", "#e2721f", "#a3006b"),
    dark=ClassColours("#2b7fe0", "#f79a4d", "#ff4a99"),
)
PALETTES = {
    palette.name: palette
    for palette in (
        VERMILION,
        ClassPalette(
            "gold",
            "Indigo and gold",
            light=ClassColours("#4f49b4", "#b48e00", "#ca265e"),
            dark=ClassColours("#5f6ce6", "#d0ae3f", "#f6548e"),
        ),
        ClassPalette(
            "green",
            "Violet and green",
            light=ClassColours("#742cc9", "#30a020", "#c1376b"),
            dark=ClassColours("#8c5ad6", "#5fc94c", "#ec6090"),
        ),
        ClassPalette(
            "grey",
            "Dark and light grey",
            # Greys have no hue, so fields with equal fractions would hardly differ.
            light=ClassColours("#4c4f55", "#979288", "#cc218d", field_shares=(0.185, 0.09)),
            dark=ClassColours("#6d747e", "#c4bfb5", "#fb57b5", field_shares=(0.1, 0.19)),
        ),
    )
}
