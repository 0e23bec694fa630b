"""The two sets of colours.

The window around the plane is near-neutral slate, so that data stand out by their hue. Classes are
blue and vermilion of the Okabe-Ito palette, which colour-blind people distinguish. Magenta marks
only the points of the step shown. Every colour is ``"#rrggbb"``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Named colours for the window and for the plane.

    ``positive`` and ``negative`` fill the points of the classes +1 and -1. ``*_edge`` outlines a
    point of the class, so that it is visible on field and band. ``*_field`` fills the side of the
    boundary on which the class is predicted, and ``*_band`` that half of the margin band.
    ``ring`` and ``ring_bound`` are the rings of support vectors with alpha below its bound and at
    its bound. ``highlight`` marks the points of the step, and ``highlight_halo`` is painted around
    these marks. ``sunken`` is the background of input fields. ``series`` are the colours of the
    lanes of a race and of the curves in charts; they differ from those of the classes and
    ``highlight``.
    """

    name: str
    is_dark: bool

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
    boundary: str
    margin: str
    slack: str
    ring: str
    ring_bound: str
    highlight: str
    highlight_halo: str
    series: tuple[str, ...]


LIGHT = Theme(
    name="light",
    is_dark=False,
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
    positive="#0072b2",
    positive_edge="#00456e",
    positive_field="#dcebf6",
    positive_band="#bcd9ed",
    negative="#d55e00",
    negative_edge="#803800",
    negative_field="#fce8db",
    negative_band="#f6cfb3",
    boundary="#171b22",
    margin="#3d4653",
    slack="#4f5866",
    ring="#171b22",
    ring_bound="#171b22",
    highlight="#b4006a",
    highlight_halo="#ffffff",
    series=("#00796b", "#7447a6", "#8a6100", "#3d4653"),
)

DARK = Theme(
    name="dark",
    is_dark=True,
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
    positive="#45a9e6",
    positive_edge="#c3e4fa",
    positive_field="#152735",
    positive_band="#1d3d55",
    negative="#f4803a",
    negative_edge="#ffdcc5",
    negative_field="#33211a",
    negative_band="#553222",
    boundary="#f4f6f9",
    margin="#b4bdc9",
    slack="#aab4c1",
    ring="#f4f6f9",
    ring_bound="#f4f6f9",
    highlight="#ff2ea6",
    highlight_halo="#14171c",
    series=("#4cc9b5", "#b894ea", "#e0b354", "#a3adba"),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
