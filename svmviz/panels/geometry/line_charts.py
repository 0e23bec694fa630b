"""The two charts of the Line panel: the margin over the direction of w, and the axis of w."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from solvers.geometry.lines import Line
from svmviz.base.strokes import draw_polyline
from svmviz.plane.line_study import ANGLES, LineStudy
from svmviz.theme import CAPTION, look_of
from svmviz.widgets.charts.sketch import Range, Sketch

# Radius of a point on the axis of w, and of a dot on the curve, px at scale 1.
POINT, DOT = 3.5, 5.0
# Heights of the two rows of points on the axis of w, from 0 to 1.
ROW_OF_CLASS = {1.0: 0.7, -1.0: 0.3}


class AngleChart(Sketch):
    """The largest margin of a line for each direction of w, over half a turn.

    The dot is the line of the study. It lies below the curve if b is not the best one.
    """

    def __init__(self) -> None:
        super().__init__(self._draw, "direction of w", "margin", height=210.0)
        self.study: LineStudy | None = None
        self.set_ticks(0, [(float(t), f"{t}°") for t in range(0, 181, 45)])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range of margins is that of all directions."""
        self.study = study
        if study.margins is not None:
            low = min(float(study.margins.min()), study.margin, 0.0)
            self.set_ranges((0.0, 180.0), _padded(low, max(float(study.margins.max()), 0.0), 0.2))
        self.update()

    def _draw(self, painter: QPainter, _sketch: Sketch) -> None:
        study = self.study
        if study is None or study.margins is None:
            return
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        zero = self.pixel(0.0, 0.0).y()
        painter.setPen(QPen(QColor(theme.line_strong), stroke(1.0), Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(self.plot.left(), zero, self.plot.right(), zero))
        degrees = np.degrees(ANGLES)
        painter.setPen(QPen(QColor(theme.series[1]), stroke(2.0)))
        draw_polyline(painter, self.to_pixels(np.column_stack([degrees, study.margins])))
        if study.best is not None and study.best_margin is not None:
            top = self.pixel(degrees_of(study.best), study.best_margin)
            self._write_beside(painter, "best", top)
            self._dot(painter, top, theme.muted)
        here = degrees_of(study.line)
        largest = self.pixel(here, float(np.interp(here, degrees, study.margins)))
        reached = self.pixel(here, study.margin)
        painter.setPen(QPen(QColor(theme.text), stroke(1.25), Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(largest, reached))
        self._dot(painter, reached, theme.series[1])

    def _write_beside(self, painter: QPainter, words: str, place: QPointF) -> None:
        """Write words above a dot or, in a low chart, right or left of it."""
        painter.setFont(look_of(self).font(CAPTION, 600))
        painter.setPen(QColor(look_of(self).theme.muted))
        measure, gap = painter.fontMetrics(), look_of(self).metrics.stroke(DOT + 3.0)
        width = measure.horizontalAdvance(words)
        left, base = place.x() - 0.5 * width, place.y() - gap
        if base - measure.ascent() < self.plot.top():
            has_room = place.x() + gap + width < self.plot.right()
            left = place.x() + gap if has_room else place.x() - gap - width
            base = place.y() + 0.35 * measure.ascent()
        left = min(max(left, self.plot.left() + 2), self.plot.right() - width - 2)
        painter.drawText(QPointF(left, base), words)

    def _dot(self, painter: QPainter, place: QPointF, colour: str) -> None:
        stroke = look_of(self).metrics.stroke
        painter.setPen(QPen(QColor(look_of(self).theme.card), stroke(1.5)))
        painter.setBrush(QColor(colour))
        painter.drawEllipse(place, stroke(DOT), stroke(DOT))


class AxisChart(Sketch):
    """The points projected on the axis of w, one row per class, the gap between them, and -b."""

    def __init__(self) -> None:
        super().__init__(self._draw, "⟨w, x⟩ / ‖w‖", "", height=140.0)
        self.study: LineStudy | None = None
        # Indices of the points that have an outline.
        self.marked: Collection[int | None] = ()
        self.set_ticks(1, [])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range is that of the projections and of the line."""
        self.study = study
        positions = [*(study.points @ study.line.unit).tolist(), study.line.offset]
        self.set_ranges(_padded(min(positions), max(positions), 0.06), (0.0, 1.0))
        self.update()

    def point_at(self, x: float, y: float) -> int | None:
        """Return the index of the point at a position of the chart."""
        return None if self.study is None else self.nearest(self._places(self.study), x, y)

    @staticmethod
    def _places(study: LineStudy) -> np.ndarray:
        heights = np.where(study.labels > 0, ROW_OF_CLASS[1.0], ROW_OF_CLASS[-1.0])
        return np.column_stack([study.points @ study.line.unit, heights])

    def _draw(self, painter: QPainter, _sketch: Sketch) -> None:
        study = self.study
        if study is None:
            return
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        if study.gap is not None:
            ends = sorted((study.gap.low, study.gap.high))
            left, right = (self.pixel(end, 0.5).x() for end in ends)
            colour = theme.good_soft if study.gap.margin > 0.0 else theme.bad_soft
            box = QRectF(left, self.plot.top(), right - left, self.plot.height())
            painter.fillRect(box, QColor(colour))
        for index, (x, y) in enumerate(self.to_pixels(self._places(study)).tolist()):
            is_marked = index in self.marked
            is_positive = study.labels[index] > 0
            painter.setBrush(QColor(theme.positive if is_positive else theme.negative))
            edge = theme.text if is_marked else theme.card
            painter.setPen(QPen(QColor(edge), stroke(2.0 if is_marked else 0.75)))
            size = stroke(POINT)
            if is_positive:
                painter.drawEllipse(QPointF(x, y), size, size)
            else:
                painter.drawRect(QRectF(x - size, y - size, 2 * size, 2 * size))
        offset = self.pixel(study.line.offset, 0.5).x()
        painter.setPen(QPen(QColor(theme.series[1]), stroke(2.5)))
        painter.drawLine(QLineF(offset, self.plot.top(), offset, self.plot.bottom()))


def degrees_of(line: Line) -> float:
    """Return the direction of w in degrees, from 0 to below 180: opposite ones are the same."""
    return math.degrees(math.atan2(line.w[1], line.w[0])) % 180.0


def _padded(low: float, high: float, share: float) -> Range:
    edge = share * ((high - low) or 1.0)
    return low - edge, high + edge
