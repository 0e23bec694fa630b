"""Painting of the marks of a chart: curves, dots, bars, rules and texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from svmviz.base.bulk_drawing import draw_lines, draw_rectangles
from svmviz.base.strokes import draw_polyline, polygon
from svmviz.theme import LABEL, TEXT, Look, Theme
from svmviz.widgets.charts.dots import draw_dots, draw_rings
from svmviz.widgets.charts.plot_area import PlotArea

SOLID, DASHED, DOTTED = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine
# Pixels are clipped to this distance from the widget. The painter's arithmetic is imprecise beyond.
MAX_STROKE = 1e5
# A place or a direction: (x, y) in the coordinates of the chart.
Place = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class ChartPainter:
    """A painter of marks whose positions are in the coordinates of a chart.

    Colours are ``#rrggbb``, mostly those of :attr:`theme`; lengths such as widths and diameters are
    px at scale 1. For drawings that no method offers, use :attr:`painter`, whose unit is px of the
    widget; ``area`` converts positions.

    Attributes
    ----------
    painter : QPainter
        Antialiased, and clipped to the plot.
    area : PlotArea
    look : Look
    """

    painter: QPainter
    area: PlotArea
    look: Look

    @property
    def theme(self) -> Theme:
        """The colours of the window, or of the exported figure."""
        return self.look.theme

    def px(self, length: float) -> float:
        """Convert a length at scale 1 to px."""
        return self.look.metrics.stroke(length)

    def set_pen(
        self,
        colour: str,
        width: float = 2.0,
        style: Qt.PenStyle = SOLID,
        opacity: float = 1.0,
    ) -> None:
        """Draw lines in this colour, width and style; the ends of solid lines are round."""
        pen = QPen(self._colour(colour, opacity), self.px(width), style)
        if style == SOLID:
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    # Lines.

    def curve(
        self, points: np.ndarray, colour: str, width: float = 2.0, style: Qt.PenStyle = SOLID
    ) -> None:
        """Draw a line through points, shape (m, 2), interrupted where one is not finite."""
        self.set_pen(colour, width, style)
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        is_finite = np.isfinite(points).all(axis=1)
        for part in np.split(points, np.flatnonzero(np.diff(is_finite)) + 1):
            if len(part) > 1 and np.isfinite(part[0]).all():
                pixels = np.clip(self.area.to_pixels(part), -MAX_STROKE, MAX_STROKE)
                if style == SOLID:
                    draw_polyline(self.painter, pixels)
                else:
                    # The curve is drawn in one piece, because each piece would begin with a new
                    # dash.
                    self.painter.drawPolyline(polygon(pixels))

    def segments(self, starts: np.ndarray, ends: np.ndarray, colour: str) -> None:
        """Draw a line from each start to its end, both of shape (m, 2)."""
        self.set_pen(colour, 1.0)
        pixels = np.column_stack([self.area.to_pixels(starts), self.area.to_pixels(ends)])
        draw_lines(self.painter, np.clip(pixels, -MAX_STROKE, MAX_STROKE))

    def rule(
        self,
        value: float,
        colour: str,
        width: float = 1.5,
        style: Qt.PenStyle = SOLID,
        *,
        vertical: bool = True,
        text: str = "",
    ) -> None:
        """Draw a line over the whole plot at a value of x, or of y if not ``vertical``.

        ``text`` is beside the upper end of a vertical line, and above the right end of another.
        """
        rect, gap = self.area.rect, self.px(4.0)
        self.set_pen(colour, width, style)
        place = self.area.pixel(value, value)
        if vertical:
            self.painter.drawLine(QLineF(place.x(), rect.top(), place.x(), rect.bottom()))
        else:
            self.painter.drawLine(QLineF(rect.left(), place.y(), rect.right(), place.y()))
        if not text:
            return
        box = QRectF(QPointF(), self._text_size(text))
        if vertical:
            fits = place.x() + gap + box.width() < rect.right()
            box.moveTopLeft(QPointF(place.x() + gap, rect.top() + 1.0))
            if not fits:
                box.moveRight(place.x() - gap)
        else:
            box.moveBottomRight(QPointF(rect.right() - gap, place.y() - 1.0))
        self._write(box, text, colour)

    def arrow(self, start: Place, end: Place, colour: str, width: float = 2.0) -> None:
        """Draw an arrow from start to end, both (x, y); none if it would be shorter than 1 px."""
        tail, tip = self.area.pixel(*start), self.area.pixel(*end)
        line = QLineF(tip, tail)
        if line.length() < 1.0:
            return
        head = min(self.px(6.0 + 1.6 * width), line.length())
        toward = (tail - tip) / line.length()
        beside = QPointF(-toward.y(), toward.x()) * 0.42
        self.set_pen(colour, width)
        # The line ends inside the head, whose tip would otherwise be as broad as the line.
        self.painter.drawLine(QLineF(tail, tip + toward * 0.8 * head))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
        corners = [tip, tip + (toward + beside) * head, tip + (toward - beside) * head]
        self.painter.drawPolygon(QPolygonF(corners))

    def right_angle(self, corner: Place, one: Place, other: Place) -> None:
        """Mark a right angle at a corner (x, y), between two directions (x, y)."""
        at, (right, up) = self.area.pixel(*corner), self.area.pixel(0.0, 0.0).toTuple()
        arms = []
        for x, y in (one, other):
            end = self.area.pixel(x, y)
            length = math.hypot(end.x() - right, end.y() - up)
            if length == 0.0:
                return
            arms.append(QPointF(end.x() - right, end.y() - up) * (self.px(9.0) / length))
        self.set_pen(self.theme.muted, 1.5)
        self.painter.drawPolyline(QPolygonF([at + arms[0], at + arms[0] + arms[1], at + arms[1]]))

    # Areas.

    def band(self, low: float, high: float, colour: str, opacity: float = 1.0) -> None:
        """Fill the plot between two values of x."""
        rect = self.area.rect
        left, right = self.area.pixel(low, 0.0).x(), self.area.pixel(high, 0.0).x()
        self.painter.fillRect(
            QRectF(left, rect.top(), right - left, rect.height()), self._colour(colour, opacity)
        )

    def ribbon(
        self, x: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str, opacity: float = 0.2
    ) -> None:
        """Fill the area between two curves over x, all of shape (m,)."""
        outline = np.concatenate([np.column_stack([x, high]), np.column_stack([x, low])[::-1]])
        self.fill(outline, colour, opacity)

    def fill(self, corners: np.ndarray, colour: str, opacity: float = 1.0) -> None:
        """Fill the polygon with these corners, shape (m, 2)."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self._colour(colour, opacity))
        pixels = np.clip(self.area.to_pixels(corners), -MAX_STROKE, MAX_STROKE)
        self.painter.drawPolygon(polygon(pixels))

    def bars(
        self,
        x: np.ndarray,
        height: np.ndarray,
        width: np.ndarray | float,
        colour: str,
        *,
        base: np.ndarray | float = 0.0,
        edge: bool = False,
    ) -> None:
        """Draw bars from ``base`` to ``height``, with their middles at x; arrays of shape (m,).

        ``width`` is in units of x. Widths are whole px and at least 1 px, and so are heights unless
        a bar ends at its base. With ``edge``, only the outlines of the bars are drawn.
        """
        x, height = np.asarray(x, dtype=np.float64), np.asarray(height, dtype=np.float64)
        base = np.broadcast_to(base, x.shape)
        unit = self.area.rect.width() / (self.area.x[1] - self.area.x[0])
        # Widths are rounded separately from positions, so that bars of equal width get equal px.
        widths = np.maximum(np.rint(np.broadcast_to(width, x.shape) * unit), 1.0)
        middles, tops = self.area.to_pixels(np.column_stack([x, height])).T
        tops = np.rint(tops)
        feet = np.rint(self.area.to_pixels(np.column_stack([x, base]))[:, 1])
        tops = np.where(tops == feet, feet - np.sign(height - base), tops)
        lefts = np.rint(middles - 0.5 * widths)
        boxes = np.column_stack([lefts, np.minimum(tops, feet), widths, np.abs(feet - tops)])
        self.set_pen(colour, 2.5)
        if not edge:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(QColor(colour))
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_rectangles(self.painter, boxes)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    # Points.

    def dots(
        self,
        points: np.ndarray,
        colour: str,
        size: float = 11.0,
        *,
        edge: str | None = None,
        opacity: float = 1.0,
    ) -> None:
        """Draw discs of one colour at points, shape (m, 2), with an edge in another colour."""
        pixels = self.area.to_pixels(points)
        # A broad pen with round ends draws each point as a disc, and one call draws all of them.
        for disc_colour, disc_size in ((edge, size + 1.5), (colour, size - 1.5 * bool(edge))):
            if disc_colour is not None:
                self.set_pen(disc_colour, disc_size, opacity=opacity)
                self.painter.drawPoints(polygon(pixels))

    def points(
        self, points: np.ndarray, labels: np.ndarray, size: float = 8.0, opacity: float = 1.0
    ) -> None:
        """Draw data points, shape (m, 2), in the colours and shapes of their classes."""
        draw_dots(self.painter, self.area.to_pixels(points), labels, size, self.look, opacity)

    def triangles(self, x: np.ndarray, y: np.ndarray, colour: str, size: float) -> None:
        """Draw triangles whose tops touch points at x and y, each of shape (m,)."""
        half = 0.5 * self.px(size)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
        for left, top in self.area.to_pixels(np.column_stack([x, y])).tolist():
            corners = [(left - half, top + 2 * half), (left, top), (left + half, top + 2 * half)]
            self.painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def diamond(self, point: Place, colour: str, size: float) -> None:
        """Draw a diamond, edged in the colour of the background, at a point (x, y)."""
        place, reach = self.area.pixel(*point), 0.5 * self.px(size)
        corners = ((0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0))
        self.set_pen(self.theme.card, 1.5)
        self.painter.setBrush(QColor(colour))
        self.painter.drawPolygon(QPolygonF([place + QPointF(*corner) for corner in corners]))

    def rings(
        self, points: np.ndarray, colour: str, size: float = 14.0, width: float = 2.0
    ) -> None:
        """Draw rings around points, shape (m, 2)."""
        draw_rings(self.painter, self.area.to_pixels(points), colour, size, self.look, width)

    def arrow_beyond(self, point: Place, colour: str) -> bool:
        """If a point is outside the plot, draw an arrow to it at the edge of the plot.

        Return whether the point is outside.
        """
        place, rect = self.area.pixel(*point), self.area.rect
        if rect.contains(place):
            return False
        size = self.px(7.0)
        edge = QPointF(
            min(max(place.x(), rect.left() + 2 * size), rect.right() - 2 * size),
            min(max(place.y(), rect.top() + 2 * size), rect.bottom() - 2 * size),
        )
        direction = math.atan2(place.y() - edge.y(), place.x() - edge.x())
        corners = [
            edge + QPointF(math.cos(direction + angle), math.sin(direction + angle)) * size * length
            for angle, length in ((0.0, 1.6), (2.3, 1.2), (-2.3, 1.2))
        ]
        self.painter.setPen(QPen(QColor(self.theme.card), self.px(1.5)))
        self.painter.setBrush(QColor(colour))
        self.painter.drawPolygon(QPolygonF(corners))
        return True

    # Texts.

    def mark_rect(self, point: Place, diameter: float) -> QRectF:
        """Return the square around a mark at a point, px; its diameter is in px at scale 1."""
        half = 0.5 * self.px(diameter)
        centre = self.area.pixel(*point)
        return QRectF(centre, centre).adjusted(-half, -half, half, half)

    def text_rect(
        self,
        text: str,
        point: Place,
        shift: tuple[float, float] = (0.0, 0.0),
        *,
        small: bool = False,
    ) -> QRectF:
        """Return the rectangle of a text inside the plot, px, with its centre near a point (x, y).

        ``shift`` is added to the centre: to the right and down, px at scale 1. If there is no room
        for a text above the point, it is beside the point.
        """
        box = QRectF(QPointF(), self._text_size(text, small=small))
        inner = self.area.rect.adjusted(2.0, 1.0, -2.0, -1.0)
        centre = self.area.pixel(*point)
        box.moveCenter(centre + QPointF(*map(self.px, shift)))
        if shift[1] < 0.0 and shift[0] == 0.0 and box.top() < inner.top():
            gap = 0.5 * box.width() - self.px(0.6 * shift[1])
            has_room = centre.x() + gap + 0.5 * box.width() < inner.right()
            box.moveCenter(centre + QPointF(gap if has_room else -gap, 0.0))
        box.moveLeft(max(inner.left(), min(box.left(), inner.right() - box.width())))
        box.moveTop(max(inner.top(), min(box.top(), inner.bottom() - box.height())))
        return box

    def text(
        self,
        text: str,
        point: Place,
        colour: str,
        shift: tuple[float, float] = (0.0, 0.0),
        *,
        on_card: bool = False,
        small: bool = False,
    ) -> None:
        """Write a text into :meth:`text_rect`; with ``on_card``, over the colour of the card.

        A ``small`` text is as small as the numbers of the axes.
        """
        box = self.text_rect(text, point, shift, small=small)
        if on_card:
            self.painter.fillRect(box, self._colour(self.theme.card, 0.8))
        self._write(box, text, colour, small=small)

    def level_rects(
        self, levels: Sequence[tuple[Place, str]], *, above: bool = False
    ) -> list[tuple[QRectF, str]]:
        """Return the rectangles of texts beside levels, the highest first; none overlap.

        Each text is at its place (x, y), or just above it; one that has no room below the text of a
        higher level stands below its own level.
        """
        rects: list[tuple[QRectF, str]] = []
        for place, text in sorted(levels, key=lambda level: -level[0][1]):
            box, level = self.text_rect(text, place), self.area.pixel(*place).y()
            if above:
                box.moveTop(max(self.area.rect.top() + 1.0, level - 1.0 - box.height()))
            if rects and box.top() < (edge := rects[-1][0].bottom()):
                box.moveTop(max(edge, level + 1.0))
            rects.append((box, text))
        return rects

    def level_texts(
        self, levels: Sequence[tuple[Place, str]], colour: str, *, above: bool = False
    ) -> None:
        """Write texts into :meth:`level_rects`, over the colour of the card if they are several."""
        for box, text in self.level_rects(levels, above=above):
            if len(levels) > 1:
                self.painter.fillRect(box, self._colour(self.theme.card, 0.8))
            self._write(box, text, colour)

    def _write(self, box: QRectF, text: str, colour: str, *, small: bool = False) -> None:
        self.painter.setFont(self._font(small=small))
        self.painter.setPen(QColor(colour))
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.look.letters(text))

    def _font(self, *, small: bool) -> QFont:
        return self.look.font(LABEL if small else TEXT)

    def _text_size(self, text: str, *, small: bool = False) -> QSizeF:
        measure = QFontMetricsF(self._font(small=small))
        return QSizeF(measure.horizontalAdvance(self.look.letters(text)) + 4.0, measure.height())

    def _colour(self, colour: str, opacity: float) -> QColor:
        result = QColor(colour)
        result.setAlphaF(opacity)
        return result
