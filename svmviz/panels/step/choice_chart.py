"""The chart of the points that a method chooses from: at their error E, or at (E, rise of D).

The points come from a beat, a part of a step. If the beat has predicted the rise of the dual for
each point, points are drawn at (E, rise). Otherwise they are drawn at E, each group in a row.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from solvers.run.beats import Beat, ComparedPoints, short
from svmviz.base.words import tidied
from svmviz.panels.fitted_range import FittedRange
from svmviz.theme import BODY, look_of
from svmviz.widgets.charts.dots import draw_dots, draw_rings
from svmviz.widgets.charts.sketch import Sketch

# Diameter of a dot, and of the ring around a point that the method selects, px at scale 1. In this
# file *selected* means selected by the method, not by the user.
DOT, RING = 9.0, 19.0
# In each group, at most this many points, those with the largest rises, have their numbers beside
# them.
MAX_NAMED = 3
# Space above the largest rise, for the number of its point, as a fraction of the rise.
SPACE_ABOVE = 0.25


class ChoiceChart(Sketch):
    """A plot of the groups of points that a beat compares.

    Attributes
    ----------
    groups : tuple of ComparedPoints
    """

    def __init__(self) -> None:
        super().__init__(self._paint_choice, height=220.0)
        self.groups: tuple[ComparedPoints, ...] = ()
        self._labels_of_points = np.zeros(0)
        self._error_range = FittedRange(1e-9)

    @property
    def points(self) -> np.ndarray:
        """Indices of the points drawn, shape (m,)."""
        return np.array([point for group in self.groups for point in group.points], dtype=np.int64)

    @property
    def positions(self) -> np.ndarray:
        """Positions of the points drawn, shape (m, 2), in the units of the axes."""
        parts = [self._group_positions(row) for row in range(len(self.groups))]
        return np.concatenate(parts) if parts else np.zeros((0, 2))

    def show_beat(self, beat: Beat, labels: np.ndarray, run: int) -> None:
        """Show the points that a beat compares.

        Parameters
        ----------
        beat : Beat
        labels : array, shape (n,)
            Labels of all points.
        run : int
            Number of the run. Within a run the axis of E rarely changes.
        """
        self.groups, self._labels_of_points = beat.compared, labels
        # The range contains 0, which is E of every free point at the optimum.
        errors = [0.0, *(error for group in self.groups for error in group.errors)]
        x = self._error_range.follow(run, min(errors), max(errors))
        rises = [rise for group in self.groups for rise in group.rises]
        if rises:
            self.set_labels("E = f − y", "rise of D")
            self.set_ticks(1, None)
            top = max(*rises, 1e-300)
            self.set_ranges(x, (-0.08 * top, (1.0 + SPACE_ABOVE) * top))
        else:
            count = len(self.groups)
            self.set_labels("E = f − y", "")
            self.set_ticks(
                1, [(count - 1.0 - row, group.name) for row, group in enumerate(self.groups)]
            )
            self.set_ranges(x, (-0.7, count - 0.3))
        self.update()

    def _group_positions(self, row: int) -> np.ndarray:
        """Return the positions of a group's points in the units of the axes, shape (m, 2)."""
        group = self.groups[row]
        level = 0.0 if self._has_rises else len(self.groups) - 1.0 - row
        heights = group.rises or [level] * len(group.errors)
        return np.column_stack([np.array(group.errors), np.array(heights)]).reshape(-1, 2)

    @property
    def _has_rises(self) -> bool:
        """Whether the vertical axis is the rise of the dual."""
        return any(group.rises for group in self.groups)

    # Painting.

    def _paint_choice(self, painter: QPainter, _sketch: Sketch) -> None:
        look = look_of(self)
        colour, width = QColor(look.theme.highlight), look.metrics.stroke(1.5)
        dashed_pen = QPen(colour, width, Qt.PenStyle.DashLine)
        for row, group in enumerate(self.groups):
            pixels = self.to_pixels(self._group_positions(row))
            if group.selected is not None:
                x = float(pixels[group.selected, 0])
                painter.setPen(dashed_pen)
                painter.drawLine(QPointF(x, self.plot.top()), QPointF(x, self.plot.bottom()))
            labels = self._labels_of_points[list(group.points)]
            draw_dots(painter, pixels, labels, DOT)
            if group.selected is not None:
                draw_rings(painter, pixels[[group.selected]], look.theme.highlight, RING, 2.5)
        if self._has_rises:
            self._name_largest(painter)
        else:
            self._name_selected(painter)

    def _name_selected(self, painter: QPainter) -> None:
        """Write the numbers of the selected points and, if they are two, the difference of their E.

        In a group without a selected point, the points with the smallest and the largest error get
        their numbers.
        """
        selected_groups = [
            (row, group, group.selected)
            for row, group in enumerate(self.groups)
            if group.selected is not None
        ]
        px, colour = look_of(self).metrics.px, look_of(self).theme.highlight
        for row, group, index in selected_groups:
            position = self.pixel(*self._group_positions(row)[index].tolist())
            self._write(painter, f"{group.points[index] + 1}", position, colour)
        for row, group in enumerate(self.groups):
            if group.selected is None and group.points:
                for index in {int(np.argmin(group.errors)), int(np.argmax(group.errors))}:
                    position = self.pixel(*self._group_positions(row)[index].tolist())
                    text = f"{group.points[index] + 1}"
                    self._write(painter, text, position, look_of(self).theme.text)
        if len(selected_groups) == 2:
            errors = [group.errors[index] for _, group, index in selected_groups]
            ends = [self.pixel(error, 0.5) for error in errors]
            painter.setPen(QPen(QColor(colour), look_of(self).metrics.stroke(2.0)))
            painter.drawLine(*ends)
            middle = (ends[0] + ends[1]) / 2.0 + QPointF(0.0, px(8))
            text = tidied(short(errors[1] - errors[0]))
            self._write(painter, text, middle, look_of(self).theme.text)

    def _name_largest(self, painter: QPainter) -> None:
        """Write the numbers of the points with the largest rises, as far as they do not overlap."""
        theme, taken_rects = look_of(self).theme, []
        for row, group in enumerate(self.groups):
            positions = self._group_positions(row)
            order = np.argsort(-positions[:, 1], kind="stable")[:MAX_NAMED].tolist()
            for index in order:
                position = self.pixel(*positions[index].tolist())
                text = f"{group.points[index] + 1}"
                box = self._text_rect(text, position)
                if not any(box.intersects(other) for other in taken_rects):
                    taken_rects.append(box)
                    colour = theme.highlight if index == group.selected else theme.text
                    self._write(painter, text, position, colour)

    def _text_rect(self, text: str, position: QPointF) -> QRectF:
        """Return the rectangle of a text above a position, inside the plot, px."""
        look = look_of(self)
        measure, px = QFontMetricsF(look.font(BODY, 600)), look.metrics.px
        box = QRectF(0.0, 0.0, measure.horizontalAdvance(text) + px(4), measure.height())
        box.moveCenter(position)
        box.moveBottom(position.y() - px(0.5 * RING))
        inner = self.plot.adjusted(px(2), px(1), -px(2), -px(1))
        box.moveLeft(max(inner.left(), min(box.left(), inner.right() - box.width())))
        box.moveTop(max(inner.top(), box.top()))
        return box

    def _write(self, painter: QPainter, text: str, position: QPointF, colour: str) -> None:
        """Write a text above a position, px, inside the plot."""
        look, box = look_of(self), self._text_rect(text, position)
        background = QColor(look.theme.card)
        background.setAlphaF(0.8)
        painter.fillRect(box, background)
        painter.setFont(look.font(BODY, 600))
        painter.setPen(QColor(colour))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
