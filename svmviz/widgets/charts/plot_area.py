"""The rectangle of a chart in which data is drawn, with the ranges of its axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from svmviz.camera.camera import MAX_PIXEL
from svmviz.camera.ticks import linear_ticks, log_ticks
from svmviz.theme import LABEL, Look

Range = tuple[float, float]
# Position and text of each tick.
TickPairs = list[tuple[float, str]]
MakeTicks = Callable[[int], TickPairs]

# Kinds of an axis: numbers, exponents of ten that are labelled with their powers, whole numbers.
LINEAR, LOGARITHMIC, WHOLE = "linear", "logarithmic", "whole"


def widened(limits: Range) -> Range:
    """Return a range; one without width, as of equal values, is widened on both sides."""
    low, high = limits
    edge = 0.0 if high > low else 0.5 * abs(low) or 0.5
    return low - edge, high + edge


@dataclass(frozen=True)
class PlotArea:
    """The map from the coordinates of a chart to px.

    Attributes
    ----------
    rect : QRectF
        The rectangle in which data is drawn, px of the widget.
    x, y : (float, float)
        The ranges of the axes.
    """

    rect: QRectF = field(default_factory=lambda: QRectF(0.0, 0.0, 1.0, 1.0))
    x: Range = (0.0, 1.0)
    y: Range = (0.0, 1.0)

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Convert points from the coordinates of the chart to px, shape (m, 2).

        The results are clipped to the range from -MAX_PIXEL to MAX_PIXEL, where Qt's integers do
        not overflow.
        """
        (left, right), (bottom, top), rect = self.x, self.y, self.rect
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        # If the range is so small that its ends are equal numbers, this computes 0 / 0.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            # Divide by the width of the range first: for a tiny range, px per unit may be infinite.
            x = rect.left() + (points[:, 0] - left) / (right - left) * rect.width()
            y = rect.bottom() - (points[:, 1] - bottom) / (top - bottom) * rect.height()
        return np.clip(np.nan_to_num(np.column_stack([x, y])), -MAX_PIXEL, MAX_PIXEL)

    def pixel(self, x: float, y: float) -> QPointF:
        """Convert a point from the coordinates of the chart to px."""
        return QPointF(*self.to_pixels(np.array([[x, y]]))[0].tolist())

    def to_data(self, position: QPointF) -> tuple[float, float]:
        """Convert a position from px to the coordinates of the chart."""
        (left, right), (bottom, top), rect = self.x, self.y, self.rect
        x = left + (position.x() - rect.left()) * ((right - left) / rect.width())
        y = bottom + (rect.bottom() - position.y()) * ((top - bottom) / rect.height())
        return x, y

    def nearest(self, points: np.ndarray, x: float, y: float, reach: float) -> int | None:
        """Return the index of the point nearest to (x, y); None if none is within ``reach`` px."""
        if not len(points):
            return None
        centre = self.pixel(x, y)
        distances = np.hypot(*(self.to_pixels(points) - (centre.x(), centre.y())).T)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= reach else None


def ticks_of(kind: str, limits: Range) -> MakeTicks:
    """Return the function that makes the ticks of an axis of a kind, from its maximum number."""
    if kind == LOGARITHMIC:
        return lambda most: log_ticks(*limits, most).pairs
    return lambda most: linear_ticks(*limits, most, whole=kind == WHOLE).pairs


def fitting_ticks(make: MakeTicks, length: float, look: Look, *, vertical: bool) -> TickPairs:
    """Return position and text of the ticks of an axis, as many as their texts leave room for.

    Parameters
    ----------
    make : callable(int)
        Returns about this number of ticks.
    length : float
        Length of the axis, px.
    look : Look
        The look that gives the size of the texts.
    vertical : bool
    """
    measure = QFontMetricsF(look.font(LABEL))

    def ticks(room: float) -> TickPairs:
        return make(int(max(2.0, length / room)))

    if vertical:
        return ticks(2.4 * measure.height())
    found = ticks(2.0 * measure.horizontalAdvance("0.000"))
    needed = 1.3 * max((measure.horizontalAdvance(text) for _, text in found), default=0.0)
    return ticks(needed) if needed * len(found) > length else found
