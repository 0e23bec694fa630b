"""The themes: light and dark, each also with high contrast.

The window around the plane is near-neutral slate, so that data stand out by their hue. The colours
of the classes come from a palette (`svmviz.colours.palettes`), as does the colour of the marks of
the step, which marks nothing else. With high contrast, text has a contrast of 7 (WCAG AAA), and
lines are black or white. Every colour is ``"#rrggbb"``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from svmviz.colours.palettes import PALETTES, VERMILION, ClassColours


@dataclass(frozen=True)
class Theme:
    """Named colours for the window and for the plane.

    ``palette`` is the name of the palette of the classes, ``label`` the theme's name for people.
    ``positive`` and ``negative`` fill the points of the classes +1 and -1, or of both sides of a
    machine (`with_sides`); ``classes`` are the colours of up to six classes, and ``rest`` is that
    of a side of several classes. ``*_edge`` outlines a
    point of the class, so that it is visible on field and band. ``*_field`` fills the side of the
    boundary on which the class is predicted, and ``*_band`` that half of the margin band.
    ``ring`` outlines support vectors. ``highlight`` marks the points of the step, and
    ``highlight_halo`` is painted around these marks. ``sunken`` is the background of input fields.
    ``series`` are the colours of the lanes of a race and of the curves in charts; they differ from
    those of the classes and ``highlight``.
    """

    name: str
    palette: str
    label: str
    is_dark: bool
    has_high_contrast: bool

    # the window: backgrounds, lines, and widgets under the mouse
    window: str
    panel: str
    card: str
    sunken: str
    line: str
    line_strong: str
    hover: str
    pressed: str

    # text and controls
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    accent_soft: str
    on_accent: str
    focus: str

    # states of a badge
    good: str
    good_soft: str
    warning: str
    warning_soft: str
    bad: str
    bad_soft: str

    # the plane
    plane: str
    grid: str
    axis: str
    positive: str
    positive_edge: str
    positive_field: str
    positive_band: str
    negative: str
    negative_edge: str
    negative_field: str
    negative_band: str
    classes: tuple[str, ...]
    rest: str
    boundary: str
    margin: str
    slack: str
    ring: str
    highlight: str
    highlight_halo: str
    series: tuple[str, ...]


LIGHT = Theme(
    name="light",
    palette=VERMILION.name,
    label="Light",
    is_dark=False,
    has_high_contrast=False,
    window="#eef0f3",
    panel="#f7f8fa",
    card="#ffffff",
    sunken="#ffffff",
    line="#dce0e6",
    line_strong="#7e8795",
    hover="#e6e9ee",
    pressed="#d9dee6",
    text="#171b22",
    muted="#545d6b",
    disabled="#9aa2ae",
    accent="#2b3754",
    accent_hover="#3b4a70",
    accent_soft="#dfe5f1",
    on_accent="#ffffff",
    focus="#4a63b0",
    good="#14663c",
    good_soft="#d9f0e2",
    warning="#7a4d00",
    warning_soft="#fdecc8",
    bad="#a61b29",
    bad_soft="#fbdfe0",
    plane="#ffffff",
    grid="#e9ecf0",
    axis="#545d6b",
    boundary="#171b22",
    margin="#2e3642",
    slack="#4f5866",
    ring="#171b22",
    series=("#00796b", "#7a3b86", "#8a6100", "#3d4653"),
    **VERMILION.light.on("#ffffff"),
)

DARK = Theme(
    name="dark",
    palette=VERMILION.name,
    label="Dark",
    is_dark=True,
    has_high_contrast=False,
    window="#101318",
    panel="#171b21",
    card="#1e232b",
    sunken="#12151a",
    line="#2d343e",
    line_strong="#6c7685",
    hover="#272d37",
    pressed="#323a46",
    text="#eef1f5",
    muted="#a3adba",
    disabled="#646d7a",
    accent="#cbd6ee",
    accent_hover="#e2e9f7",
    accent_soft="#303a4f",
    on_accent="#171b22",
    focus="#8fa8ee",
    good="#6fd79b",
    good_soft="#173527",
    warning="#f2c164",
    warning_soft="#3b2e12",
    bad="#ff9a9a",
    bad_soft="#43201f",
    plane="#14171c",
    grid="#222831",
    axis="#a3adba",
    boundary="#f4f6f9",
    margin="#cdd4dd",
    slack="#aab4c1",
    ring="#f4f6f9",
    series=("#4cc9b5", "#b894ea", "#f1e17a", "#a3adba"),
    **VERMILION.dark.on("#14171c", is_dark=True),
)

BLACK_ON_WHITE = Theme(
    name="contrast-light",
    palette=VERMILION.name,
    label="High contrast, light",
    is_dark=False,
    has_high_contrast=True,
    window="#ffffff",
    panel="#ffffff",
    card="#ffffff",
    sunken="#ffffff",
    line="#6b6b6b",
    line_strong="#000000",
    hover="#e3e3e3",
    pressed="#cfcfcf",
    text="#000000",
    muted="#262626",
    disabled="#6b6b6b",
    accent="#001b66",
    accent_hover="#00309c",
    accent_soft="#cfdfff",
    on_accent="#ffffff",
    focus="#0033cc",
    good="#004020",
    good_soft="#e0f5e8",
    warning="#4a2d00",
    warning_soft="#fff0d0",
    bad="#7a0012",
    bad_soft="#ffe5e5",
    plane="#ffffff",
    grid="#d0d0d0",
    axis="#000000",
    boundary="#000000",
    margin="#000000",
    slack="#262626",
    ring="#000000",
    series=("#004d44", "#4a1560", "#604300", "#262626"),
    **VERMILION.light.on("#ffffff", "#000000"),
)

WHITE_ON_BLACK = Theme(
    name="contrast-dark",
    palette=VERMILION.name,
    label="High contrast, dark",
    is_dark=True,
    has_high_contrast=True,
    window="#000000",
    panel="#000000",
    card="#000000",
    sunken="#000000",
    line="#9a9a9a",
    line_strong="#ffffff",
    hover="#262626",
    pressed="#383838",
    text="#ffffff",
    muted="#dedede",
    disabled="#9a9a9a",
    accent="#ffe566",
    accent_hover="#fff1a8",
    accent_soft="#403800",
    on_accent="#000000",
    focus="#4dd2ff",
    good="#8affb8",
    good_soft="#00260f",
    warning="#ffd75e",
    warning_soft="#2b2000",
    bad="#ffb8b8",
    bad_soft="#330008",
    plane="#000000",
    grid="#333333",
    axis="#ffffff",
    boundary="#ffffff",
    margin="#ffffff",
    slack="#dedede",
    ring="#ffffff",
    series=("#5fe3ce", "#cdb0f7", "#f3e58a", "#c9d1db"),
    **VERMILION.dark.on("#000000", "#ffffff", is_dark=True),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK, BLACK_ON_WHITE, WHITE_ON_BLACK)}


@cache
def theme_of(name: str, palette: str = VERMILION.name) -> Theme:
    """Return a theme, by its key in THEMES, with a palette, by its key in PALETTES."""
    theme = THEMES[name]
    if palette == theme.palette:
        return theme
    colours = _palette_colours(replace(theme, palette=palette))
    ink = theme.boundary if theme.has_high_contrast else ""
    made = colours.on(theme.plane, ink, is_dark=theme.is_dark)
    return replace(theme, palette=palette, **made)


@cache
def with_sides(theme: Theme, positive: tuple[int, ...], negative: tuple[int, ...]) -> Theme:
    """Return a theme whose positive and negative colours are those of a machine's sides.

    A side of one class has the colour of this class, and a side of several classes that of the
    rest; if both have several, the positive side has the colour of its first class.

    Parameters
    ----------
    theme : Theme
    positive, negative : tuple of int
        The classes of both sides, from 0.
    """
    is_grey = theme.palette == "grey"
    if is_grey and len(positive) + len(negative) > 2:
        # Among six greys, one for the rest would not be told apart.
        positive, negative = (0,), (1,)
    fills = [theme.classes[side[0]] for side in (positive, negative)]
    if len(negative) > 1:
        fills[1] = theme.rest
    elif len(positive) > 1:
        fills[0] = theme.rest
    if fills == [theme.positive, theme.negative]:
        return theme
    colours = _palette_colours(theme)
    ink = theme.boundary if theme.has_high_contrast else ""
    sides = replace(colours, positive=fills[0], negative=fills[1])
    made = sides.on(theme.plane, ink, is_dark=theme.is_dark) | {"classes": theme.classes}
    if is_grey:
        # Fields of two greys hardly differ, unless their shares are chosen for them.
        made = {name: c for name, c in made.items() if not name.endswith(("_field", "_band"))}
    return replace(theme, **made)


def _palette_colours(theme: Theme) -> ClassColours:
    palette = PALETTES[theme.palette]
    return palette.dark if theme.is_dark else palette.light


def similar_theme(*, is_dark: bool, has_high_contrast: bool) -> Theme:
    """Return the theme that is dark or not, with high contrast or not."""
    wanted = is_dark, has_high_contrast
    return next(t for t in THEMES.values() if (t.is_dark, t.has_high_contrast) == wanted)
