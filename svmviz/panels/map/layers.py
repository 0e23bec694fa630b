"""The quantities that the colours of a map can show: risk, spread, support vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmviz.base.words import number
from svmviz.selection.cells import Cells

# A colour scale ends at most at this multiple of the upper quartile. Without this limit, one huge
# risk would give all other cells the same colour.
MAX_REACH = 4.0


@dataclass(frozen=True)
class MapLayer:
    """A quantity that the colours of the cells can show.

    Attributes
    ----------
    name, label, tip : str
        Key, name on screen, and tooltip.
    of : callable(Cells) -> array, shape (rows, columns)
        Returns the values of the quantity.
    """

    name: str
    label: str
    tip: str
    of: Callable[[Cells], np.ndarray]


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
    """Return the ends of the colour scale for the finite ones of these values."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    high = min(high, max(MAX_REACH * float(np.quantile(finite, 0.75)), low))
    return (low, high) if high > low else (low, low + (abs(low) or 1.0))


def written(value: float, layer: str, percent: bool) -> str:
    """Return the text of a number in a cell; with ``percent``, a fraction in whole percent."""
    if not math.isfinite(value):
        return ""
    if layer == "support":
        return f"{value:.0f}"
    return f"{100.0 * value:.0f}" if percent else number(value, 2)
