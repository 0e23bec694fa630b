"""The points among which a beat chooses, at their errors E, or at their predicted rise of D.

Each group of points has a row. If a beat knows the predicted rises, points are at (E, rise).
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

DOT = 9.0
# Diameter of the ring around the one selected, px at scale 1.
RING = 19.0
# Number of candidates whose numbers are written, those with the largest rises.
MAX_NAMED = 3
# Space above the largest rise for its number, as a fraction of it.
ABOVE = 0.25


class ChoiceChart(Sketch):
    """A plot of the points that a beat compares."""

    def __init__(self) -> None:
        super().__init__(self._paint_choice, height=220.0)
        self.groups: tuple[ComparedPoints, ...] = ()
        self._labels_of_points = np.zeros(0)
        self._errors = FittedRange(1e-9)

    @property
    def points(self) -> np.ndarray:
        """Indices of the points drawn, shape (m,)."""
        return np.array([point for group in self.groups for point in group.points], dtype=np.int64)

    @property
    def places(self) -> np.ndarray:
        """Positions of these points in the units of the axes, shape (m, 2)."""
        parts = [self._places(row) for row in range(len(self.groups))]
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
        # With 0, where the errors of free points end.
        errors = [0.0, *(error for group in self.groups for error in group.errors)]
        x = self._errors.follow(run, min(errors), max(errors))
        rises = [rise for group in self.groups for rise in group.rises]
        if rises:
            self.set_labels("E = f − y", "rise of D")
            self.set_ticks(1, None)
            top = max(*rises, 1e-300)
            self.set_ranges(x, (-0.08 * top, (1.0 + ABOVE) * top))
        else:
            count = len(self.groups)
            self.set_labels("E = f − y", "")
            self.set_ticks(
                1, [(count - 1.0 - row, group.name) for row, group in enumerate(self.groups)]
            )
            self.set_ranges(x, (-0.7, count - 0.3))
        self.update()

    def _places(self, row: int) -> np.ndarray:
        """Return the places of a group, shape (m, 2)."""
        group = self.groups[row]
        level = 0.0 if self._rises else len(self.groups) - 1.0 - row
        heights = group.rises or [level] * len(group.errors)
        return np.column_stack([np.array(group.errors), np.array(heights)]).reshape(-1, 2)

    @property
    def _rises(self) -> bool:
        return any(group.rises for group in self.groups)

    # Painting.

    def _paint_choice(self, painter: QPainter, _sketch: Sketch) -> None:
        look = look_of(self)
        colour, width = QColor(look.theme.highlight), look.metrics.stroke(1.5)
        line = QPen(colour, width, Qt.PenStyle.DashLine)
        for row, group in enumerate(self.groups):
            places = self.to_pixels(self._places(row))
            if group.selected is not None:
                x = float(places[group.selected, 0])
                painter.setPen(line)
                painter.drawLine(QPointF(x, self.plot.top()), QPointF(x, self.plot.bottom()))
            labels = self._labels_of_points[list(group.points)]
            draw_dots(painter, places, labels, DOT)
            if group.selected is not None:
                draw_rings(painter, places[[group.selected]], look.theme.highlight, RING, 2.5)
        if self._rises:
            self._name_largest(painter)
        else:
            self._name_selected(painter)

    def _name_selected(self, painter: QPainter) -> None:
        """Write the numbers of the points selected, and by how much their errors differ.

        Of a group without one, the points at both ends are named.
        """
        chosen = [
            (row, group, group.selected)
            for row, group in enumerate(self.groups)
            if group.selected is not None
        ]
        px, colour = look_of(self).metrics.px, look_of(self).theme.highlight
        for row, group, first in chosen:
            place = self.pixel(*self._places(row)[first].tolist())
            self._write(painter, f"{group.points[first] + 1}", place, colour)
        for row, group in enumerate(self.groups):
            if group.selected is None and group.points:
                for k in {int(np.argmin(group.errors)), int(np.argmax(group.errors))}:
                    place = self.pixel(*self._places(row)[k].tolist())
                    self._write(painter, f"{group.points[k] + 1}", place, look_of(self).theme.text)
        if len(chosen) == 2:
            errors = [group.errors[first] for _, group, first in chosen]
            ends = [self.pixel(error, 0.5) for error in errors]
            painter.setPen(QPen(QColor(colour), look_of(self).metrics.stroke(2.0)))
            painter.drawLine(*ends)
            middle = (ends[0] + ends[1]) / 2.0 + QPointF(0.0, px(8))
            text = tidied(short(errors[1] - errors[0]))
            self._write(painter, text, middle, look_of(self).theme.text)

    def _name_largest(self, painter: QPainter) -> None:
        """Write the numbers of i and of the candidates with the largest rises."""
        theme, taken = look_of(self).theme, []
        for row, group in enumerate(self.groups):
            places = self._places(row)
            order = np.argsort(-places[:, 1], kind="stable")[:MAX_NAMED].tolist()
            for k in order:
                place, text = self.pixel(*places[k].tolist()), f"{group.points[k] + 1}"
                box = self._box(text, place)
                if not any(box.intersects(other) for other in taken):
                    taken.append(box)
                    colour = theme.highlight if k == group.selected else theme.text
                    self._write(painter, text, place, colour)

    def _box(self, text: str, place: QPointF) -> QRectF:
        """Return the rectangle of a text above a place, inside the plot."""
        look = look_of(self)
        measure, px = QFontMetricsF(look.font(BODY, 600)), look.metrics.px
        box = QRectF(0.0, 0.0, measure.horizontalAdvance(text) + px(4), measure.height())
        box.moveCenter(place)
        box.moveBottom(place.y() - px(0.5 * RING))
        room = self.plot.adjusted(px(2), px(1), -px(2), -px(1))
        box.moveLeft(max(room.left(), min(box.left(), room.right() - box.width())))
        box.moveTop(max(room.top(), box.top()))
        return box

    def _write(self, painter: QPainter, text: str, place: QPointF, colour: str) -> None:
        """Write a text above a place, inside the plot."""
        look, box = look_of(self), self._box(text, place)
        paper = QColor(look.theme.card)
        paper.setAlphaF(0.8)
        painter.fillRect(box, paper)
        painter.setFont(look.font(BODY, 600))
        painter.setPen(QColor(colour))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
