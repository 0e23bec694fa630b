"""The chart of the Budget panel: the sum of slack over C, with the present C and budget."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPolygonF

from solvers.selection.budget_path import PathPoint
from svmviz.base.words import number
from svmviz.theme import look_of
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.charts.plot_area import LOGARITHMIC

# Diameter of the dot, and reach of the handles, px at scale 1.
DOT, REACH = 12.0, 12.0
# The axis of C has this range before there is a path, as exponents of ten.
DEFAULT_RANGE = (-3.0, 4.0)


class BudgetChart(Chart):
    """The regularisation path, a dot at the present C, and the budget as a level.

    A ring shows the slack of the step shown, which need not be on the path yet.
    """

    def __init__(self) -> None:
        super().__init__(self._draw, "C", "Σ ξ, the budget M", x=LOGARITHMIC, height=280.0)
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
        self.update()

    def holds_budget(self, x: float, y: float) -> bool:
        """Return whether a press takes hold of the level of the budget, and not of C."""
        if self.here is None:
            return False
        press, here = self.area.pixel(x, y), self.area.pixel(*self.here)
        reach = REACH * look_of(self).metrics.controls
        is_at_level = abs(press.y() - here.y()) <= reach
        return is_at_level and press.x() < here.x() - 1.5 * reach

    def cursor_for(self, x: float, y: float) -> Qt.CursorShape:
        """Return the cursor of the mouse, which shows what a press here would drag."""
        if self.here is None:
            return Qt.CursorShape.ArrowCursor
        shapes = Qt.CursorShape
        return shapes.SizeVerCursor if self.holds_budget(x, y) else shapes.SizeHorCursor

    def _draw(self, paint: ChartPainter) -> None:
        theme = paint.theme
        paint.curve(self.path, theme.series[1], 2.5)
        if self.here is None:
            return
        (x, y), left = self.here, paint.area.x[0]
        paint.curve(np.array([[left, y], [x, y], [x, 0.0]]), theme.muted, 1.25, DASHED)
        self._draw_handles(paint, paint.area.pixel(x, y))
        if self.step is not None:
            paint.rings(np.array([self.step]), theme.highlight, DOT + 6.0)
        paint.dots(np.array([self.here]), theme.series[1], DOT, edge=theme.card)
        self._write_budget(paint, f"M = {number(y)}")
        words = f"C = {number(10.0**x)}"
        width = paint.text_rect(words, self.here).width()
        side = 1.0 if paint.area.pixel(x, y).x() + width + DOT < paint.area.rect.right() else -1.0
        shift = side * (0.5 * width + DOT) / paint.px(1.0)
        paint.text(words, (x, 0.0), theme.text, (shift, -10.0))

    def _write_budget(self, paint: ChartPainter, words: str) -> None:
        """Write M at its level, clear of the curve: below, above, or else right of the dot."""
        assert self.here is not None
        place, here = (paint.area.x[0], self.here[1]), paint.area.pixel(*self.here)
        curve = paint.area.to_pixels(self.path).T
        for shift in ((0.0, 12.0), (0.0, -12.0)):
            box = paint.text_rect(words, place, shift)
            # There is no room if the box was moved back into the plot.
            has_room = abs(box.center().y() - here.y() - paint.px(shift[1])) < 1.0
            has_room = has_room and box.right() + paint.px(DOT) < here.x()
            high, low = np.interp([box.left(), box.right()], *curve)
            if has_room and (low < box.top() or high > box.bottom()):
                paint.text(words, place, paint.theme.text, shift)
                return
        shift = 0.5 * paint.text_rect(words, self.here).width() / paint.px(1.0) + DOT
        # Low down there is C.
        is_low = paint.area.rect.bottom() - here.y() < paint.px(30.0)
        paint.text(words, self.here, paint.theme.text, (shift, -28.0 if is_low else -10.0))

    def _draw_handles(self, paint: ChartPainter, here: QPointF) -> None:
        """Draw a triangle at each axis, at M and at C."""
        size, rect = 0.5 * paint.px(DOT), paint.area.rect
        paint.painter.setPen(Qt.PenStyle.NoPen)
        paint.painter.setBrush(QColor(paint.theme.text))
        for x, y, corners in (
            (rect.left(), here.y(), [(0.0, -size), (1.4 * size, 0.0), (0.0, size)]),
            (here.x(), rect.bottom(), [(-size, 0.0), (0.0, -1.4 * size), (size, 0.0)]),
        ):
            polygon = [QPointF(x + right, y + down) for right, down in corners]
            paint.painter.drawPolygon(QPolygonF(polygon))
