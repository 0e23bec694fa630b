"""A ramp of colours from low to high values, whose lightness differs even in a grey print."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from svmviz.colours.contrast import channels, contrast, mix
from svmviz.theme import Theme

# Number of colours of the ramp.
SHADES = 128


def end_and_middle_colours(theme: Theme) -> tuple[str, str, str]:
    """Return the colours of the lowest value, the middle of the range and the highest value."""
    hue = theme.series[0]
    return mix(theme.card, hue, 0.10), mix(theme.card, hue, 0.75), mix(hue, theme.text, 0.72)


@lru_cache(maxsize=2)
def palette(theme: Theme) -> list[tuple[QColor, QColor]]:
    """Return SHADES colours of the ramp, from low to high, each with the colour of text on it."""
    names = [colour_of(theme, k / (SHADES - 1)) for k in range(SHADES)]
    return [(QColor(name), QColor(text_colour_on(theme, name))) for name in names]


def colour_of(theme: Theme, fraction: float) -> str:
    """Return the colour of a value; ``fraction`` is 0 for the lowest and 1 for the highest."""
    low, middle, high = end_and_middle_colours(theme)
    fraction = min(max(fraction, 0.0), 1.0)
    if fraction < 0.5:
        return mix(low, middle, 2.0 * fraction)
    return mix(middle, high, 2.0 * fraction - 1.0)


def text_colour_on(theme: Theme, colour: str) -> str:
    """Return the colour of text on a colour of the ramp: the one with more contrast."""
    return max((theme.text, theme.card), key=lambda ink: contrast(ink, colour))


@lru_cache(maxsize=2)
def ramp_image(theme: Theme) -> QImage:
    """Return the ramp as an image one pixel high, the lowest value at the left."""
    pixels = np.full((1, SHADES, 4), 255, dtype=np.uint8)
    pixels[0, :, :3] = [channels(colour_of(theme, k / (SHADES - 1))) for k in range(SHADES)]
    return QImage(pixels.data, SHADES, 1, 4 * SHADES, QImage.Format.Format_RGBX8888).copy()
