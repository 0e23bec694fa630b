"""The layers of a map: quantities that its colours can show (risk, spread, support vectors)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmviz.base.words import number
from svmviz.selection.cells import Cells

# A colour scale ends at most at this multiple of the upper quartile of the values. Without this
# limit, one huge risk would give all other cells the same colour.
MAX_QUARTILE_FACTOR = 4.0


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
            "Support",
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
