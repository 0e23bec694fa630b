"""The mapping from data units to pixels and back, without painting.

A camera stores the rectangle, in data units, that must be visible. This rectangle and the size of
the plot determine which section of the plane is shown. So if the window is made narrow and then
wide again, it shows the same section as before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from solvers.data.coordinates import MAX_COORDINATE
from svmviz.base.aspect import are_comparable

# Space around fitted points on each side, as a fraction of their range.
PADDING = 0.12
# Width and height of the data rectangle if there are no points, in data units.
EMPTY_SPAN = 6.0
# Limits of the spans and of the coordinates of the centre, in data units. Beyond them the
# arithmetic of the camera overflows, or a float64 has too few digits.
MIN_SPAN, MAX_SPAN = 1e-200, 1e200
MAX_CENTRE = 1e200
# Minimum span, as a fraction of the absolute value of the centre's coordinate.
MIN_SPAN_FRACTION = 1e-10
# Coordinates of pixels are clipped to at most this absolute value, px. Qt computes with integers of
# 32 bits, and aborts the process if a coordinate is NaN.
MAX_PIXEL = 1e9


@dataclass(frozen=True)
class Margins:
    """Space around the plot for axes and legend, in px."""

    left: float = 56.0
    top: float = 30.0
    right: float = 16.0
    bottom: float = 42.0


@dataclass(frozen=True)
class Camera:
    """A mapping from a rectangle in data units to a rectangle of pixels.

    Attributes
    ----------
    x, y : float
        Centre of the rectangle, in data units.
    span_x, span_y : float
        Width and height that must be visible, in data units. If ``equal``, one axis shows more
        where the shape of the plot requires it.
    width, height : float
        Size of the whole picture, in px.
    margins : Margins
        Space around the plot, in px.
    equal : bool
        Whether one unit has the same length on both axes.

    Raises
    ------
    ValueError
        If a number is not finite, or a span is not above 0.
    """

    x: float = 0.0
    y: float = 0.0
    span_x: float = EMPTY_SPAN
    span_y: float = EMPTY_SPAN
    width: float = 640.0
    height: float = 480.0
    margins: Margins = Margins()
    equal: bool = True

    def __post_init__(self) -> None:
        numbers = (self.x, self.y, self.span_x, self.span_y, self.width, self.height)
        if not (all(map(math.isfinite, numbers)) and min(self.span_x, self.span_y) > 0.0):
            raise ValueError(f"A camera needs finite numbers and spans above 0: got {numbers}.")

    # The plot, in px.

    @property
    def left(self) -> float:
        """Left edge of the plot, in px."""
        return self.margins.left

    @property
    def top(self) -> float:
        """Top edge of the plot, in px."""
        return self.margins.top

    @property
    def plot_width(self) -> float:
        """Width of the plot, in px; never below 1."""
        return max(1.0, self.width - self.margins.left - self.margins.right)

    @property
    def plot_height(self) -> float:
        """Height of the plot, in px; never below 1."""
        return max(1.0, self.height - self.margins.top - self.margins.bottom)

    def contains(self, px: float, py: float) -> bool:
        """Return whether a pixel lies in the plot."""
        is_within_x = self.left <= px <= self.left + self.plot_width
        return is_within_x and self.top <= py <= self.top + self.plot_height

    def inside(self, pixels: np.ndarray, reach: float = 0.0) -> np.ndarray:
        """Return a mask of pixels, shape (n, 2), in the plot or at most ``reach`` px outside."""
        low = np.array([self.left, self.top]) - reach
        high = np.array([self.left + self.plot_width, self.top + self.plot_height]) + reach
        within = (pixels >= low) & (pixels <= high)
        return within[:, 0] & within[:, 1]

    # Conversion.

    @property
    def units(self) -> tuple[float, float]:
        """Data units per px, along x and along y."""
        units_x, units_y = self.span_x / self.plot_width, self.span_y / self.plot_height
        larger = max(units_x, units_y)
        return (larger, larger) if self.equal else (units_x, units_y)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the section that the plot shows, in data units."""
        units_x, units_y = self.units
        half_x, half_y = 0.5 * units_x * self.plot_width, 0.5 * units_y * self.plot_height
        return self.x - half_x, self.x + half_x, self.y - half_y, self.y + half_y

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Return the pixels of points in data units, shape (n, 2), clipped to +-MAX_PIXEL."""
        units_x, units_y = self.units
        centre = (self.left + 0.5 * self.plot_width, self.top + 0.5 * self.plot_height)
        with np.errstate(over="ignore"):
            pixels = (np.asarray(points) - (self.x, self.y)) / (units_x, -units_y) + centre
        return np.clip(pixels, -MAX_PIXEL, MAX_PIXEL)

    def to_data(self, px: float, py: float) -> tuple[float, float]:
        """Return the position of a pixel in data units, clipped to +-MAX_COORDINATE."""
        x, y = self._data_at(px, py)
        limit = MAX_COORDINATE
        return min(max(x, -limit), limit), min(max(y, -limit), limit)

    def _data_at(self, px: float, py: float) -> tuple[float, float]:
        """Return the position of a pixel in data units, without limits."""
        units_x, units_y = self.units
        right = px - self.left - 0.5 * self.plot_width
        down = py - self.top - 0.5 * self.plot_height
        return self.x + right * units_x, self.y - down * units_y

    def to_round_data(self, px: float, py: float) -> tuple[float, float]:
        """Return the position of a pixel in data units, as numbers with few digits.

        It differs from the exact position by a tenth of a px at most. So a click adds a point at
        1.25, not at 1.2493150684931507.
        """
        x, y = (
            round(value, 1 - math.floor(math.log10(unit)))
            for value, unit in zip(self.to_data(px, py), self.units, strict=True)
        )
        return x, y

    # Moves. Each returns another camera.

    def resized(self, width: float, height: float, margins: Margins | None = None) -> Camera:
        """Return a camera for a picture of another size; the centre stays."""
        return replace(self, width=width, height=height, margins=margins or self.margins)

    def panned(self, right: float, down: float) -> Camera:
        """Return the camera after the picture has moved by ``right`` and ``down`` px.

        If panning would exceed the limits of a camera, return this camera.
        """
        units_x, units_y = self.units
        camera = replace(self, x=self.x - right * units_x, y=self.y + down * units_y)
        return camera if camera._is_within_limits() else self

    def zoomed(self, factor: float, px: float, py: float) -> Camera:
        """Return a camera with ``factor`` times the spans; the data at (px, py) stay there.

        A factor below 1 zooms in. If zooming would exceed the limits of a camera, return this
        camera.
        """
        x, y = self._data_at(px, py)
        camera = replace(
            self,
            x=x + (self.x - x) * factor,
            y=y + (self.y - y) * factor,
            span_x=self.span_x * factor,
            span_y=self.span_y * factor,
        )
        return camera if camera._is_within_limits() else self

    def with_equal(self, equal: bool) -> Camera:
        """Return a camera for the same rectangle of data with equal or free axes."""
        return replace(self, equal=equal)

    def fitted(self, points: np.ndarray, aspect: str = "auto") -> Camera:
        """Return the camera that shows all points with some space around them.

        Parameters
        ----------
        points : array, shape (n, 2)
            In data units; n may be 0.
        aspect : str
            "equal", "free" or "auto"; see ``ViewOptions``.
        """
        low, high = _bounds(points)
        ranges = high - low
        middle = low + 0.5 * ranges
        spans = _spans(ranges, middle)
        return replace(
            self,
            x=float(middle[0]),
            y=float(middle[1]),
            span_x=float(spans[0]),
            span_y=float(spans[1]),
            equal=has_equal_axes(aspect, points),
        )

    def showing(self, left: float, right: float, bottom: float, top: float) -> Camera:
        """Return the camera that shows at least a rectangle, clipped to the limits of a camera.

        The arguments are the edges of the rectangle, in data units.
        """
        x, span_x = _within_limits(left, right)
        y, span_y = _within_limits(bottom, top)
        return replace(self, x=x, y=y, span_x=span_x, span_y=span_y)

    def _is_within_limits(self) -> bool:
        for span, centre in ((self.span_x, self.x), (self.span_y, self.y)):
            if not _min_span(centre) <= span <= MAX_SPAN or abs(centre) > MAX_CENTRE:
                return False
        return True


def has_equal_axes(aspect: str, points: np.ndarray) -> bool:
    """Return whether one unit has the same length in px on both axes, for an aspect option.

    With "auto", the axes are equal if the ranges of the points along both axes have similar sizes,
    or if a range is 0 because the points lie on a horizontal or vertical line.
    """
    if aspect != "auto":
        return aspect == "equal"
    low, high = _bounds(points)
    return are_comparable(high - low)


def _min_span(centre: float) -> float:
    """Return the smallest span around a centre in which float64 numbers distinguish pixels."""
    return max(MIN_SPAN, MIN_SPAN_FRACTION * abs(centre))


def _within_limits(low: float, high: float) -> tuple[float, float]:
    """Return centre and span of the range from low to high, clipped to the limits of a camera."""
    # Halve both numbers before adding them, since the sum of two large numbers overflows.
    centre = min(max(0.5 * low + 0.5 * high, -MAX_CENTRE), MAX_CENTRE)
    half = min(0.5 * high - 0.5 * low, 0.5 * MAX_SPAN)
    return centre, max(2.0 * half, _min_span(centre))


def _bounds(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the minimum and the maximum of each coordinate, shape (2,) each; 0 without points."""
    points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not len(points):
        return np.zeros(2), np.zeros(2)
    # Take one axis at a time, since numpy takes ten times as long for both at once.
    low, high = np.array([(axis.min(), axis.max()) for axis in points.T]).T
    limit = MAX_COORDINATE
    return np.clip(low, -limit, limit), np.clip(high, -limit, limit)


def _spans(ranges: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Return the span of each axis, shape (2,), for the ranges of points around their ``middle``.

    An axis with range 0 gets the span of the other axis. If both ranges are 0, both spans are twice
    the larger absolute value of the coordinates of ``middle``, or ``EMPTY_SPAN`` if both
    coordinates are 0.
    """
    if ranges.max() > 0.0:
        spans = np.where(ranges > 0.0, ranges, ranges.max()) * (1.0 + 2.0 * PADDING)
    else:
        size = float(np.abs(middle).max())
        spans = np.full(2, 2.0 * size if size > 0.0 else EMPTY_SPAN)
    # The factor 10 leaves room for zooming in.
    return np.maximum(spans, np.maximum(MIN_SPAN, 10.0 * MIN_SPAN_FRACTION * np.abs(middle)))


def span_ratio(camera: Camera) -> float:
    """Return the width of the plot divided by its height, both in px."""
    return camera.plot_width / camera.plot_height
