"""The chart of the difference set: dots, hull, origin, and p - q with its supporting line."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from svmviz.base.strokes import polygon
from svmviz.panels.geometry.difference_study import DifferenceStudy
from svmviz.theme import BODY, look_of
from svmviz.widgets.charts.sketch import Range, Sketch

# Diameter of a difference, half the diagonal of p - q, radius of the ring, and half a stroke of the
# origin, px at scale 1.
DOT, DIAMOND, RING, CROSS = 3.5, 6.5, 9.0, 7.0


class DifferenceChart(Sketch):
    """All differences of points of different classes, with equal units on both axes."""

    def __init__(self) -> None:
        super().__init__(self._draw, "x1", "x2", equal=True, height=260.0)
        self.study: DifferenceStudy | None = None
        self._points: np.ndarray | None = None
        self._pair: tuple[int, int] | None = None
        self._highlighted: Collection[int] = ()
        self._selected: Collection[int] = ()

    def show_study(
        self,
        study: DifferenceStudy | None,
        points: np.ndarray | None,
        pair: tuple[int, int] | None,
    ) -> None:
        """Show a study, the points, shape (n, 2), and the pair of the step: class +1 first."""
        self.study, self._points, self._pair = study, points, pair
        if study is not None:
            places = np.concatenate([study.set.whole, np.zeros((1, 2))])
            (left, bottom), (right, top) = places.min(axis=0), places.max(axis=0)
            self.set_ranges(_padded(float(left), float(right)), _padded(float(bottom), float(top)))
        self.update()

    def mark(self, highlighted: Collection[int], selected: Collection[int]) -> None:
        """Mark the differences of highlighted and of selected points."""
        self._highlighted, self._selected = highlighted, selected
        self.update()

    def pair_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the pair whose difference is drawn at a position, of class +1 first."""
        if self.study is None:
            return None
        index = self.nearest(self.study.set.differences, x, y)
        if index is None:
            return None
        plus, minus = self.study.set.pairs[index].tolist()
        return plus, minus

    def difference_of(self, plus: int, minus: int) -> np.ndarray | None:
        """Return the difference of two points; None if it is no difference of the set."""
        points = self._points
        if points is None or max(plus, minus) >= len(points) or self.study is None:
            return None
        return points[plus] - points[minus]

    # Painting.

    def _draw(self, painter: QPainter, _sketch: Sketch) -> None:
        study = self.study
        if study is None:
            return
        self._draw_hulls(painter, study)
        self._draw_differences(painter, study)
        self._draw_marked(painter, study)
        self._draw_supporting_line(painter, study)
        origin = self.pixel(0.0, 0.0)
        self._draw_nearest(painter, study, origin)
        self._draw_origin(painter, origin)

    def _draw_hulls(self, painter: QPainter, study: DifferenceStudy) -> None:
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if study.set.reduced is not study.set.whole:
            painter.setPen(QPen(QColor(theme.muted), stroke(1.0), Qt.PenStyle.DotLine))
            painter.drawPolygon(polygon(self.to_pixels(study.set.whole)))
        fill = QColor(theme.accent)
        fill.setAlphaF(0.13)
        painter.setBrush(fill)
        painter.setPen(QPen(QColor(theme.accent), stroke(1.5)))
        painter.drawPolygon(polygon(self.to_pixels(study.set.reduced)))

    def _draw_differences(self, painter: QPainter, study: DifferenceStudy) -> None:
        look = look_of(self)
        # Many dots are paler, so that their crowd is not darker than what moves in it.
        colour = QColor(look.theme.axis)
        colour.setAlphaF(min(0.75, max(0.25, 16.0 / math.sqrt(len(study.set.pairs) + 1))))
        self._dots(painter, study.set.differences, colour, DOT)

    def _draw_marked(self, painter: QPainter, study: DifferenceStudy) -> None:
        """Draw the differences of selected and of highlighted points, and that of the step."""
        theme, pairs = look_of(self).theme, study.set.pairs
        for points, colour in ((self._selected, theme.focus), (self._highlighted, theme.text)):
            if not points:
                continue
            ends = np.isin(pairs, list(points))
            # Of one point, all its differences; of two points, the one of both.
            is_marked = ends.all(axis=1) if len(points) > 1 else ends.any(axis=1)
            self._dots(painter, study.set.differences[is_marked], QColor(colour), 2.0 * DOT)
        if self._pair is not None:
            difference = self.difference_of(*self._pair)
            if difference is not None:
                stroke = look_of(self).metrics.stroke
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(theme.highlight), stroke(2.5)))
                centre = self.pixel(*difference.tolist())
                painter.drawEllipse(centre, stroke(6.5), stroke(6.5))

    def _dots(self, painter: QPainter, places: np.ndarray, colour: QColor, size: float) -> None:
        pen = QPen(colour, look_of(self).metrics.stroke(size))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        if len(places):
            painter.drawPoints(polygon(self.to_pixels(places)))

    def _draw_supporting_line(self, painter: QPainter, study: DifferenceStudy) -> None:
        """Draw the line that is perpendicular to p - q and touches the hull of the differences."""
        lines = study.hulls.lines
        if lines is None:
            return
        look = look_of(self)
        foot = self.to_pixels(lines.gap * lines.unit)[0]
        # Units are equal on both axes, and y grows upwards, so this is a right angle on screen.
        along = np.array([lines.unit[1], lines.unit[0]])
        reach = self.plot.width() + self.plot.height()
        painter.setPen(
            QPen(QColor(look.theme.text), look.metrics.stroke(1.25), Qt.PenStyle.DashLine)
        )
        start, end = foot - reach * along, foot + reach * along
        painter.drawLine(QPointF(*start.tolist()), QPointF(*end.tolist()))

    def _draw_nearest(self, painter: QPainter, study: DifferenceStudy, origin: QPointF) -> None:
        """Draw the goal, a ring, and p - q, a diamond that a line joins to the origin."""
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if not study.hulls.meeting:
            painter.setPen(QPen(QColor(theme.text), stroke(1.5)))
            goal = self.pixel(*study.set.nearest.point.tolist())
            painter.drawEllipse(goal, stroke(RING), stroke(RING))
        if study.difference is None:
            return
        place = self.pixel(*study.difference.tolist())
        painter.setPen(QPen(QColor(theme.text), stroke(2.5)))
        painter.drawLine(QLineF(origin, place))
        reach = stroke(DIAMOND)
        corners = ((0, -reach), (reach, 0), (0, reach), (-reach, 0))
        painter.setPen(QPen(QColor(theme.card), stroke(1.5)))
        painter.setBrush(QColor(theme.highlight))
        painter.drawPolygon(QPolygonF([place + QPointF(*corner) for corner in corners]))
        self._write(painter, "p − q", place, place - origin)

    def _draw_origin(self, painter: QPainter, origin: QPointF) -> None:
        away = QPointF(0.0, 1.0)
        if self.study is not None and self.study.difference is not None:
            away = origin - self.pixel(*self.study.difference.tolist())
        self._write(painter, "0", origin, away)
        look = look_of(self)
        reach = look.metrics.stroke(CROSS)
        painter.setPen(QPen(QColor(look.theme.text), look.metrics.stroke(2.5)))
        painter.drawLine(origin - QPointF(reach, 0.0), origin + QPointF(reach, 0.0))
        painter.drawLine(origin - QPointF(0.0, reach), origin + QPointF(0.0, reach))

    def _write(self, painter: QPainter, words: str, place: QPointF, away: QPointF) -> None:
        """Write words beside a place, in the direction ``away``, within the plot."""
        look = look_of(self)
        painter.setFont(look.font(BODY, 650))
        measure = painter.fontMetrics()
        width, height = measure.horizontalAdvance(words), measure.height()
        length = math.hypot(away.x(), away.y())
        direction = away / length if length > 0.0 else QPointF(0.0, 1.0)
        gap = look.metrics.stroke(DIAMOND + 6.0)
        centre = place + QPointF(
            direction.x() * (0.5 * width + gap), direction.y() * (0.5 * height + gap)
        )
        left = min(max(centre.x() - 0.5 * width, self.plot.left() + 2), self.plot.right() - width)
        top = min(max(centre.y() - 0.5 * height, self.plot.top()), self.plot.bottom() - height)
        backing = QColor(look.theme.card)
        backing.setAlphaF(0.8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(backing)
        painter.drawRoundedRect(QRectF(left - 3, top, width + 6, height), 3.0, 3.0)
        painter.setPen(QColor(look.theme.text))
        painter.drawText(QPointF(left, top + measure.ascent()), words)


def _padded(low: float, high: float) -> Range:
    edge = 0.08 * ((high - low) or 1.0)
    return low - edge, high + edge
