"""Curves of means with a band of their spread, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from svmviz.base.strokes import polygon
from svmviz.theme import BODY, look_of
from svmviz.widgets.charts.legend import CurveEntry, Legend
from svmviz.widgets.charts.sketch import Range, Sketch
from svmviz.widgets.column import Column

# Opacity of the band around a curve.
BAND_OPACITY = 0.2


@dataclass(frozen=True, eq=False)
class SpreadCurve:
    """Curve of means, with a band from ``mean - spread`` to ``mean + spread``.

    Attributes
    ----------
    name : str
    x, mean, spread : arrays, shape (m,)
        Where the mean is NaN, the curve has no point; where the spread is NaN, the band has no
        width.
    dashed : bool
    """

    name: str
    x: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    dashed: bool = False


class SpreadChart(Column):
    """Chart of several curves with a common horizontal axis, and a legend above it.

    Parameters
    ----------
    x_label, y_label : str
    height : float
        Preferred height, px at scale 1.
    """

    def __init__(self, x_label: str = "", y_label: str = "", height: float = 150.0) -> None:
        super().__init__(gap=0.5)
        self.curves: tuple[SpreadCurve, ...] = ()
        self._line: float | None = None
        self._line_name = ""
        self.legend = self.add(Legend())
        self.sketch = self.add(Sketch(self._paint, x_label, y_label, height=height), 1)

    def show_curves(
        self,
        curves: Sequence[SpreadCurve],
        x: Range,
        ticks: list[tuple[float, str]] | None,
        line: float | None = None,
        line_name: str = "",
    ) -> None:
        """Show other curves.

        Parameters
        ----------
        curves : sequence of SpreadCurve
        x : (float, float)
            Range of the horizontal axis.
        ticks : list of (float, str) or None
            Ticks of the horizontal axis; None for round numbers.
        line : float, optional
            Position of a vertical line with the name ``line_name``.
        """
        self.curves, self._line, self._line_name = tuple(curves), line, line_name
        look = look_of(self)
        styles = {True: Qt.PenStyle.DashLine, False: Qt.PenStyle.SolidLine}
        self.legend.show_entries(
            tuple(
                CurveEntry(curve.name, look.theme.series[k], style=styles[curve.dashed])
                for k, curve in enumerate(self.curves)
            )
        )
        self.sketch.set_ticks(0, ticks)
        self.sketch.set_ranges(x, (0.0, self._top()))
        self.sketch.update()

    def _top(self) -> float:
        """Return the upper end of the vertical axis."""
        tops = [curve.mean + np.nan_to_num(curve.spread) for curve in self.curves]
        highest = max((float(np.nanmax(top)) for top in tops if np.isfinite(top).any()), default=0)
        return 1.08 * highest if highest > 0.0 else 1.0

    def _paint(self, painter: QPainter, sketch: Sketch) -> None:
        look = look_of(self)
        for k, curve in enumerate(self.curves):
            finite = np.isfinite(curve.mean)
            x, mean = curve.x[finite], curve.mean[finite]
            spread = np.nan_to_num(curve.spread[finite])
            colour = QColor(look.theme.series[k])
            if spread.any():
                edges = np.concatenate([mean + spread, (mean - spread)[::-1]])
                outline = np.column_stack([np.concatenate([x, x[::-1]]), edges])
                colour.setAlphaF(BAND_OPACITY)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawPolygon(_polygon(sketch, outline))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            style = Qt.PenStyle.DashLine if curve.dashed else Qt.PenStyle.SolidLine
            pen = QPen(QColor(look.theme.series[k]), look.metrics.stroke(2.5), style)
            painter.setPen(pen)
            line = _polygon(sketch, np.column_stack([x, mean]))
            painter.drawPolyline(line)
            # Each point has a dot if there are few points. The dots of many points would merge.
            if len(x) < 30:
                dot = QPen(pen.color(), look.metrics.stroke(5.0))
                dot.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(dot)
                painter.drawPoints(line)
        if self._line is not None:
            self._paint_line(painter, sketch, self._line)

    def _paint_line(self, painter: QPainter, sketch: Sketch, x: float) -> None:
        look, plot = look_of(self), sketch.plot
        line_x = sketch.pixel(x, 0.0).x()
        painter.setPen(QPen(QColor(look.theme.text), look.metrics.stroke(1.5)))
        painter.drawLine(QPointF(line_x, plot.top()), QPointF(line_x, plot.bottom()))
        if not self._line_name:
            return
        measure = QFontMetricsF(look.font(BODY))
        width, gap = measure.horizontalAdvance(self._line_name) + 2, look.metrics.px(4)
        left = line_x + gap
        if left + width > plot.right():
            left = line_x - gap - width
        box = QRectF(left, plot.top() + 1.0, width, measure.height())
        painter.setFont(look.font(BODY))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._line_name)


def _polygon(sketch: Sketch, points: np.ndarray) -> QPolygonF:
    return polygon(sketch.to_pixels(points))
