"""The range of an axis, which contains all points and changes rarely."""

from __future__ import annotations

import math

from svmviz.camera.ticks import nice_step
from svmviz.widgets.charts.plot_area import Range

# The range shrinks if the points cover less than this fraction of it.
MIN_USED = 0.4


class FittedRange:
    """A range with round ends, which grows at once and shrinks only if most of it is empty.

    Parameters
    ----------
    min_width : float
        Minimum width of the range, in the units of the axis.
    """

    def __init__(self, min_width: float = 0.0) -> None:
        self._min_width = min_width
        self._run = 0
        self._range: Range | None = None

    def follow(self, run: int, low: float, high: float) -> Range:
        """Return a range that contains ``[low, high]``.

        The last range of this run is returned again on two conditions: it contains ``[low, high]``,
        and ``max(high - low, min_width)`` is at least ``MIN_USED`` of its width. ``run`` is the
        number of the run.
        """
        if run != self._run:
            self._run, self._range = run, None
        last = self._range
        width = max(high - low, self._min_width)
        fits = last is not None and last[0] <= low and high <= last[1]
        if last is None or not fits or width < MIN_USED * (last[1] - last[0]):
            self._range = last = _rounded(low, high, width)
        return last


def _rounded(low: float, high: float, width: float) -> Range:
    """Return a range with round ends, at least ``width`` wide, around ``[low, high]``."""
    middle = 0.5 * (low + high)
    step = nice_step(max(width, 1e-12), 10.0)
    # At least half a step is added at each end, so that no point lies on the edge.
    return (
        step * math.floor((middle - 0.5 * width) / step - 0.5),
        step * math.ceil((middle + 0.5 * width) / step + 0.5),
    )
