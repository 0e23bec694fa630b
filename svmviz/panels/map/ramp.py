"""Colours of a quantity from low to high, by lightness, so that they differ in grey too."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from svmviz.theme import Theme
from svmviz.theme.contrast import channels, contrast, mix

SHADES = 128


def stops(theme: Theme) -> tuple[str, str, str]:
    """Return the colours of the lowest value, the middle and the highest value."""
    hue = theme.series[0]
    return mix(theme.card, hue, 0.10), mix(theme.card, hue, 0.75), mix(hue, theme.text, 0.72)


@lru_cache(maxsize=2)
def palette(theme: Theme) -> list[tuple[QColor, QColor]]:
    """Return SHADES colours of the ramp, from low to high, each with that of text on it."""
    names = [colour_of(theme, k / (SHADES - 1)) for k in range(SHADES)]
    return [(QColor(name), QColor(ink_on(theme, name))) for name in names]


def colour_of(theme: Theme, share: float) -> str:
    """Return the colour of a value, given by its position from 0 (lowest) to 1 (highest)."""
    low, middle, high = stops(theme)
    share = min(max(share, 0.0), 1.0)
    if share < 0.5:
        return mix(low, middle, 2.0 * share)
    return mix(middle, high, 2.0 * share - 1.0)


def ink_on(theme: Theme, colour: str) -> str:
    """Return the colour of text that is readable on a colour of the ramp."""
    return max((theme.text, theme.card), key=lambda ink: contrast(ink, colour))


@lru_cache(maxsize=2)
def ramp_image(theme: Theme) -> QImage:
    """Return the ramp as an image one pixel high, the lowest value at the left."""
    pixels = np.full((1, SHADES, 4), 255, dtype=np.uint8)
    pixels[0, :, :3] = [channels(colour_of(theme, k / (SHADES - 1))) for k in range(SHADES)]
    return QImage(pixels.data, SHADES, 1, 4 * SHADES, QImage.Format.Format_RGBX8888).copy()
