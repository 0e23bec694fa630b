"""The layers of a map, which are quantities that its colours can show, and the ramp of its colours.

The lightness of the ramp differs from low to high values, even in a grey print.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from svmviz.base.words import number
from svmviz.colours.contrast import channels, contrast, mix
from svmviz.selection.cells import Cells
from svmviz.theme import Theme

# A colour scale ends at most at this multiple of the upper quartile of the values. Without this
# limit, one huge risk would give all other cells the same colour.
MAX_QUARTILE_FACTOR = 4.0
# Number of colours of the ramp.
SHADES = 128


@dataclass(frozen=True)
class MapLayer:
    """A quantity that the colours of the cells can show.

    Attributes
    ----------
    name, label, tip : str
        Key, name on screen, and tooltip.
    values_of : callable(Cells) -> array, shape (rows, columns)
        Returns the value of the quantity in each cell.
    """

    name: str
    label: str
    tip: str
    values_of: Callable[[Cells], np.ndarray]


LAYERS = {
    layer.name: layer
    for layer in (
        MapLayer("risk", "Risk", "Mean risk on the parts left out.", lambda cells: cells.risk),
        MapLayer(
            "spread",
            "Spread",
            "Sample standard deviation of the risks of the parts.",
            lambda cells: cells.spread,
        ),
        MapLayer(
            "support",
            "Support vectors",
            "Mean number of support vectors.",
            lambda cells: cells.support,
        ),
    )
}


def limits_of(values: np.ndarray) -> tuple[float, float]:
    """Return the ends of the colour scale for some values; infinite values and NaN are ignored."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    high = min(high, max(MAX_QUARTILE_FACTOR * float(np.quantile(finite, 0.75)), low))
    return (low, high) if high > low else (low, low + (abs(low) or 1.0))


def value_text(value: float, layer: str, percent: bool) -> str:
    """Return the text of the number in a cell.

    Parameters
    ----------
    value : float
    layer : str
        A key of LAYERS.
    percent : bool
        Whether the value is a fraction, which is written in whole percent without the sign.
    """
    if not math.isfinite(value):
        return ""
    if layer == "support":
        return f"{value:.0f}"
    return f"{100.0 * value:.0f}" if percent else number(value, 2)


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
