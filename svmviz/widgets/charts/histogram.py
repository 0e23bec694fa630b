"""A histogram of a sample, with its mean and its sample standard deviation."""

from __future__ import annotations

import math

import numpy as np

from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter

# Maximum number of bars, not counting the empty bar at each end.
MAX_BARS = 24
# Larger values are left out, since their squares overflow.
MAX_SIZE = 1e150
# Opacity of the band of one standard deviation around the mean.
BAND_OPACITY = 0.18


class Histogram(Chart):
    """Histogram of a sample, with a line at its mean.

    A band around the line shows one sample standard deviation on each side.

    Parameters
    ----------
    x_label, y_label : str
    height : float
        Preferred height, px at scale 1.
    """

    def __init__(self, x_label: str = "", y_label: str = "", height: float = 220.0) -> None:
        super().__init__(self._paint_sample, x_label, y_label, height=height)
        self.counts = np.zeros(0, dtype=np.int64)
        self.edges = np.zeros(1)
        # Mean and sample standard deviation; NaN if there are too few values.
        self._mean = self._spread = math.nan

    def show_sample(self, values: np.ndarray, step: float = 0.0) -> None:
        """Show the values of a sample that are at most MAX_SIZE in size.

        If all values are multiples of one number, ``step`` is that number; otherwise it is 0.
        """
        finite = values[np.abs(values) <= MAX_SIZE]
        self.edges = _edges(finite, step)
        self.counts = np.histogram(finite, self.edges)[0]
        self._mean = float(finite.mean()) if len(finite) else math.nan
        self._spread = float(finite.std(ddof=1)) if len(finite) > 1 else math.nan
        highest = float(self.counts.max(initial=1))
        self.set_ranges((float(self.edges[0]), float(self.edges[-1])), (0.0, 1.25 * highest))
        self.update()

    def _paint_sample(self, paint: ChartPainter) -> None:
        if not self.counts.any():
            return
        middles, theme = 0.5 * (self.edges[:-1] + self.edges[1:]), paint.theme
        # A gap of 1 px between two bars.
        gap = paint.px(1.0) * (self.edges[-1] - self.edges[0]) / paint.area.rect.width()
        paint.bars(middles, self.counts, np.diff(self.edges) - gap, theme.series[0])
        text = "mean"
        if math.isfinite(self._spread):
            low, high = self._mean - self._spread, self._mean + self._spread
            paint.band(low, high, theme.text, BAND_OPACITY)
            text = "mean ± spread"
        paint.rule(self._mean, theme.text, 2.0, text=text)


def _edges(values: np.ndarray, step: float) -> np.ndarray:
    """Return the edges of the bars; if ``step`` > 0, they are halfway between its multiples."""
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    if step > 0.0:
        first, last = round(low / step), round(high / step)
        width = math.ceil((last - first + 1) / MAX_BARS)
        bars = (last - first) // width + 1
        # One empty bar on each side, but none below 0.
        return (first - 0.5 + width * np.arange(-(first >= width), bars + 2)) * step
    # If all values are equal, they are in the middle one of three bars.
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        half = 0.5 * (abs(low) or 1.0)
        return np.array([low - half, low - half / 3, low + half / 3, low + half])
    return np.histogram_bin_edges(values, min(MAX_BARS, max(5, round(math.sqrt(len(values))))))
