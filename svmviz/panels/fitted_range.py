"""The range of an axis that contains all points, but changes rarely."""

from __future__ import annotations

import math

from svmviz.widgets.charts.chart_ticks import nice_step
from svmviz.widgets.charts.sketch import Range

# The range shrinks if the points need less than this fraction of it.
MIN_USED = 0.4


class FittedRange:
    """A range with round ends. It grows at once and shrinks only if most of it is empty.

    Parameters
    ----------
    min_width : float
        Minimum width of the range.
    """

    def __init__(self, min_width: float = 0.0) -> None:
        self._min_width = min_width
        self._run = 0
        self._range: Range | None = None

    def follow(self, run: int, low: float, high: float) -> Range:
        """Return a range that contains ``[low, high]``; a new run starts with a new range."""
        if run != self._run:
            self._run, self._range = run, None
        known = self._range
        width = max(high - low, self._min_width)
        fits = known is not None and known[0] <= low and high <= known[1]
        if known is None or not fits or width < MIN_USED * (known[1] - known[0]):
            self._range = known = _rounded(low, high, width)
        return known


def _rounded(low: float, high: float, width: float) -> Range:
    """Return a range about ``[low, high]`` of at least ``width``, with round ends."""
    middle = 0.5 * (low + high)
    step = nice_step(max(width, 1e-12), 10.0)
    # Half a step is added at each end, so that no point lies on the edge.
    return (
        step * math.floor((middle - 0.5 * width) / step - 0.5),
        step * math.ceil((middle + 0.5 * width) / step + 0.5),
    )
