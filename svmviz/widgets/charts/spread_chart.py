"""Curves of means with a band of their spread, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from svmviz.theme import look_of
from svmviz.widgets.charts.chart import ZOOM_TIP, Chart
from svmviz.widgets.charts.chart_painter import DASHED, SOLID, ChartPainter
from svmviz.widgets.charts.legend import CurveEntry, Legend
from svmviz.widgets.charts.plot_area import LINEAR, LOGARITHMIC, WHOLE
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip

# If a curve has fewer points than this, each has a dot. The dots of more points would merge.
MAX_DOTS = 30


@dataclass(frozen=True, eq=False)
class SpreadCurve:
    """Curve of means, with a band from ``mean - spread`` to ``mean + spread``.

    Attributes
    ----------
    name : str
    mean, spread : arrays, shape (m,)
        Where the mean is NaN, the curve has no point; where the spread is NaN, the band has no
        width.
    dashed : bool
    """

    name: str
    mean: np.ndarray
    spread: np.ndarray
    dashed: bool = False


class SpreadChart(Column):
    """Chart of several curves over common values, and a legend above it.

    Parameters
    ----------
    x_label, y_label : str
    height : float
        Preferred height, px at scale 1.
    """

    def __init__(self, x_label: str = "", y_label: str = "", height: float = 150.0) -> None:
        super().__init__(gap=0.5)
        self.curves: tuple[SpreadCurve, ...] = ()
        # Positions of the points, and of the marked value.
        self._x, self._marked, self._mark_name = np.zeros(0), float("nan"), ""
        self.legend = self.add(Legend())
        self.chart = self.add(Chart(self._paint, x_label, y_label, height=height), 1)
        set_tip(self.chart, ZOOM_TIP)

    def show_curves(
        self,
        curves: Sequence[SpreadCurve],
        values: Sequence[float],
        *,
        logarithmic: bool = False,
        whole: bool = False,
        marked: float | None = None,
        mark_name: str = "",
    ) -> None:
        """Show other curves.

        Parameters
        ----------
        curves : sequence of SpreadCurve
        values : sequence of m floats
            The common values, ascending.
        logarithmic : bool
            Whether the axis of the values is logarithmic; the values are then above 0.
        whole : bool
            Whether the values are integers.
        marked : float, optional
            A value at which a vertical line with the name ``mark_name`` is drawn.
        """
        convert = np.log10 if logarithmic else np.asarray
        x = self._x = convert(np.array(values, dtype=float))
        self.curves, self._mark_name = tuple(curves), mark_name
        self._marked = float(convert(marked)) if marked is not None else float("nan")
        theme = look_of(self).theme
        self.legend.show_entries(
            tuple(
                CurveEntry(curve.name, theme.series[k], style=DASHED if curve.dashed else SOLID)
                for k, curve in enumerate(self.curves)
            )
        )
        margin = 0.03 * (x[-1] - x[0]) or 0.1
        self.chart.set_kinds(LOGARITHMIC if logarithmic else WHOLE if whole else LINEAR, LINEAR)
        self.chart.set_ranges((float(x[0] - margin), float(x[-1] + margin)), (0.0, self._top()))
        self.chart.update()

    def _top(self) -> float:
        """Return the upper end of the vertical axis."""
        tops = [curve.mean + np.nan_to_num(curve.spread) for curve in self.curves]
        highest = max((float(np.nanmax(top)) for top in tops if np.isfinite(top).any()), default=0)
        return 1.08 * highest if highest > 0.0 else 1.0

    def _paint(self, paint: ChartPainter) -> None:
        for curve, colour in zip(self.curves, paint.theme.series, strict=False):
            finite = np.isfinite(curve.mean)
            x, mean, spread = self._x[finite], curve.mean[finite], curve.spread[finite]
            spread = np.nan_to_num(spread)
            if spread.any():
                paint.ribbon(x, mean - spread, mean + spread, colour)
            points = np.column_stack([x, mean])
            paint.curve(points, colour, 2.5, DASHED if curve.dashed else SOLID)
            if len(x) < MAX_DOTS:
                paint.dots(points, colour, 5.0)
        if np.isfinite(self._marked):
            paint.rule(self._marked, paint.theme.text, text=self._mark_name)
