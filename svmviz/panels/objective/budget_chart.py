"""The chart of the Budget panel: the sum of slack over C, with the present C and budget."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from solvers.selection.budget_path import PathPoint
from svmviz.base.strokes import draw_polyline
from svmviz.base.words import number
from svmviz.theme import CAPTION, look_of
from svmviz.widgets.charts.chart_ticks import log_ticks, power_text
from svmviz.widgets.charts.sketch import Sketch

# Radius of the dot, and reach of the handles, px at scale 1.
DOT, REACH = 6.0, 12.0
# The axis of C has this range before there is a path, as exponents of ten.
DEFAULT_RANGE = (-3.0, 4.0)


class BudgetChart(Sketch):
    """The regularisation path, a dot at the present C, and the budget as a level.

    A ring shows the slack of the step shown, which need not be on the path yet.
    """

    def __init__(self) -> None:
        super().__init__(self._draw, "C", "Σ ξ, the budget M", height=280.0)
        # log10 C and slack of the points of the path, shape (m, 2).
        self.path = np.zeros((0, 2))
        # The same for the present C, and for the step shown; None without a path or a finite C.
        self.here: tuple[float, float] | None = None
        self.step: tuple[float, float] | None = None
        self.set_ranges(DEFAULT_RANGE, (0.0, 1.0))

    def show_path(
        self, points: list[PathPoint], C: float, slack: float | None, step: float | None
    ) -> None:
        """Show a path, the slack on it at C, and the slack of the step shown."""
        self.path = np.array([(math.log10(p.C), p.slack) for p in points]).reshape(-1, 2)
        self.here = None if slack is None else (math.log10(C), slack)
        can_show = step is not None and math.isfinite(C)
        self.step = (math.log10(C), step) if can_show and step is not None else None
        x = [*DEFAULT_RANGE, *self.path[:, 0].tolist(), *([self.here[0]] if self.here else [])]
        top = max(self.path[:, 1].max(initial=0.0), slack or 0.0) or 1.0
        left, right = min(x), max(x)
        self.set_ranges((left, right), (0.0, 1.12 * top))
        width = self.plot.width() / max(1.0, look_of(self).metrics.px(44))
        ticks = log_ticks(left, right, max(2.0, width))[0]
        self.set_ticks(0, [(tick, power_text(tick)) for tick in ticks])
        self.update()

    def holds_budget(self, x: float, y: float) -> bool:
        """Return whether a press takes hold of the level of the budget, and not of C."""
        if self.here is None:
            return False
        press, here = self.pixel(x, y), self.pixel(*self.here)
        reach = REACH * look_of(self).metrics.controls
        is_at_level = abs(press.y() - here.y()) <= reach
        return is_at_level and press.x() < here.x() - 1.5 * reach

    def cursor_for(self, x: float, y: float) -> Qt.CursorShape:
        """Return the shape of the mouse: it says what a press here would drag."""
        if self.here is None:
            return Qt.CursorShape.ArrowCursor
        shapes = Qt.CursorShape
        return shapes.SizeVerCursor if self.holds_budget(x, y) else shapes.SizeHorCursor

    def _draw(self, painter: QPainter, _sketch: Sketch) -> None:
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        pen = QPen(QColor(theme.series[1]), stroke(2.5), Qt.PenStyle.SolidLine)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        draw_polyline(painter, self.to_pixels(self.path))
        if self.here is None:
            return
        here = self.pixel(*self.here)
        painter.setPen(QPen(QColor(theme.muted), stroke(1.25), Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(self.plot.left(), here.y(), here.x(), here.y()))
        painter.drawLine(QLineF(here.x(), here.y(), here.x(), self.plot.bottom()))
        self._draw_handles(painter, here)
        if self.step is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.highlight), stroke(2.0)))
            painter.drawEllipse(self.pixel(*self.step), stroke(DOT + 3.0), stroke(DOT + 3.0))
        painter.setPen(QPen(QColor(theme.card), stroke(1.5)))
        painter.setBrush(QColor(theme.series[1]))
        painter.drawEllipse(here, stroke(DOT), stroke(DOT))

    def _draw_handles(self, painter: QPainter, here: QPointF) -> None:
        """Draw a triangle at each axis, at M and at C, with the number beside it."""
        assert self.here is not None
        look = look_of(self)
        size = look.metrics.stroke(DOT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.theme.text))
        left, bottom = self.plot.left(), self.plot.bottom()
        at_left = [(0.0, -size), (1.4 * size, 0.0), (0.0, size)]
        painter.drawPolygon(QPolygonF([QPointF(left + x, here.y() + y) for x, y in at_left]))
        at_bottom = [(-size, 0.0), (0.0, -1.4 * size), (size, 0.0)]
        painter.drawPolygon(QPolygonF([QPointF(here.x() + x, bottom + y) for x, y in at_bottom]))
        painter.setFont(look.font(CAPTION, 600))
        painter.setPen(QColor(look.theme.text))
        measure, gap = QFontMetricsF(painter.font()), look.metrics.px(4)
        above = max(here.y() - gap, self.plot.top() + measure.ascent())
        painter.drawText(QPointF(left + 2 * size + gap, above), f"M = {number(self.here[1])}")
        words = f"C = {number(10.0 ** self.here[0])}"
        x = here.x() + size + gap
        width = measure.horizontalAdvance(words)
        if x + width > self.plot.right():
            x = here.x() - size - gap - width
        painter.drawText(QPointF(x, bottom - gap), words)
