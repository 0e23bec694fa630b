"""The themes: light and dark, each also with high contrast.

The window around the plane is near-neutral slate, so that data stand out by their hue. The colours
of the classes come from a palette (`svmviz.colours.palettes`), as does the colour of the marks of
the step, which marks nothing else. With high contrast, text has a contrast of 7 (WCAG AAA), and
lines are black or white. Every colour is ``"#rrggbb"``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

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


# The colours of the themes, in the order of THEMES: light, dark, and both with high contrast. Those
# of the classes follow from the palette.
_COLOURS: dict[str, tuple[Any, Any, Any, Any]] = {
    # the window: backgrounds, lines, and widgets under the mouse
    "window": ("#eef0f3", "#101318", "#ffffff", "#000000"),
    "panel": ("#f7f8fa", "#171b21", "#ffffff", "#000000"),
    "card": ("#ffffff", "#1e232b", "#ffffff", "#000000"),
    "sunken": ("#ffffff", "#12151a", "#ffffff", "#000000"),
    "line": ("#dce0e6", "#2d343e", "#6b6b6b", "#9a9a9a"),
    "line_strong": ("#7e8795", "#6c7685", "#000000", "#ffffff"),
    "hover": ("#e6e9ee", "#272d37", "#e3e3e3", "#262626"),
    "pressed": ("#d9dee6", "#323a46", "#cfcfcf", "#383838"),
    # text and controls
    "text": ("#171b22", "#eef1f5", "#000000", "#ffffff"),
    "muted": ("#545d6b", "#a3adba", "#262626", "#dedede"),
    "disabled": ("#9aa2ae", "#646d7a", "#6b6b6b", "#9a9a9a"),
    "accent": ("#2b3754", "#cbd6ee", "#001b66", "#ffe566"),
    "accent_hover": ("#3b4a70", "#e2e9f7", "#00309c", "#fff1a8"),
    "accent_soft": ("#dfe5f1", "#303a4f", "#cfdfff", "#403800"),
    "on_accent": ("#ffffff", "#171b22", "#ffffff", "#000000"),
    "focus": ("#4a63b0", "#8fa8ee", "#0033cc", "#4dd2ff"),
    # states of a badge
    "good": ("#14663c", "#6fd79b", "#004020", "#8affb8"),
    "good_soft": ("#d9f0e2", "#173527", "#e0f5e8", "#00260f"),
    "warning": ("#7a4d00", "#f2c164", "#4a2d00", "#ffd75e"),
    "warning_soft": ("#fdecc8", "#3b2e12", "#fff0d0", "#2b2000"),
    "bad": ("#a61b29", "#ff9a9a", "#7a0012", "#ffb8b8"),
    "bad_soft": ("#fbdfe0", "#43201f", "#ffe5e5", "#330008"),
    # the plane
    "plane": ("#ffffff", "#14171c", "#ffffff", "#000000"),
    "grid": ("#e9ecf0", "#222831", "#d0d0d0", "#333333"),
    "axis": ("#545d6b", "#a3adba", "#000000", "#ffffff"),
    "boundary": ("#171b22", "#f4f6f9", "#000000", "#ffffff"),
    "margin": ("#2e3642", "#cdd4dd", "#000000", "#ffffff"),
    "slack": ("#4f5866", "#aab4c1", "#262626", "#dedede"),
    "ring": ("#171b22", "#f4f6f9", "#000000", "#ffffff"),
    "series": (
        ("#00796b", "#7a3b86", "#8a6100", "#3d4653"),
        ("#4cc9b5", "#b894ea", "#f1e17a", "#a3adba"),
        ("#004d44", "#4a1560", "#604300", "#262626"),
        ("#5fe3ce", "#cdb0f7", "#f3e58a", "#c9d1db"),
    ),
}


def _themes() -> Iterator[Theme]:
    names = {"light": "Light", "dark": "Dark"}
    names |= {f"contrast-{name}": f"High contrast, {name}" for name in ("light", "dark")}
    for number, (name, label) in enumerate(names.items()):
        own = {role: colours[number] for role, colours in _COLOURS.items()}
        is_dark = name.endswith("dark")
        palette = VERMILION.dark if is_dark else VERMILION.light
        has_high_contrast = name.startswith("contrast")
        ink = own["boundary"] if has_high_contrast else ""
        own |= palette.on(own["plane"], ink, is_dark=is_dark)
        yield Theme(name, VERMILION.name, label, is_dark, has_high_contrast, **own)


THEMES = {theme.name: theme for theme in _themes()}
LIGHT, DARK = THEMES["light"], THEMES["dark"]


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
