"""A picture of the help with handles to drag, and numbers or words below its charts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QSizePolicy

from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.handle_chart import HandleChart
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.column import Column


class TriedPicture(Column):
    """A column with the charts and texts of a picture.

    Parameters
    ----------
    title : str
        Description for screen readers.
    """

    # Unlike other pictures, it is not painted in the background.
    is_ready = True

    def __init__(self, title: str) -> None:
        super().__init__(gap=1.0)
        self.setAccessibleName(f"Picture: {title}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def add_chart(
        self,
        draw: Callable[[ChartPainter], None],
        name: str,
        ranges: tuple[Range, Range],
        *,
        height: float,
        per_unit: int,
    ) -> HandleChart:
        """Add a chart whose handles stay in its ranges; for ``per_unit`` see `HandleChart`."""
        self._ranges = ranges
        chart = self.add(
            HandleChart(draw, name, equal=True, height=height, per_unit=per_unit, limit=self.limit)
        )
        chart.set_ranges(*ranges)
        return chart

    def limit(self, _index: int, place: np.ndarray) -> np.ndarray:
        """Return where a handle goes that is dragged to a place."""
        return np.clip(place, *np.transpose(self._ranges))
