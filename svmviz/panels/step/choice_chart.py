"""The chart of the points that a method chooses from: at their error E, or at (E, rise of D).

The points come from a beat, a part of a step. If the beat has predicted the rise of the dual for
each point, points are drawn at (E, rise). Otherwise they are drawn at E, each group in a row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF

from solvers.run.beats import Beat, ComparedPoints, short
from svmviz.base.words import tidied
from svmviz.panels.fitted_range import FittedRange
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter

# Diameter of a dot, and of the ring around a point that the method selects, px at scale 1. In this
# file *selected* means selected by the method, not by the user.
DOT, RING = 9.0, 19.0
# From a position to the middle of the text above it, px at scale 1.
ABOVE = 0.0, -19.0
# Of more points than this, those that the method does not select and that have no number beside
# them are smaller, by this factor.
MAX_LARGE, SMALL = 12, 0.5
# In each group, at most this many points, those with the largest rises, have their numbers beside
# them.
MAX_NAMED = 3
# Space above the largest rise, for the number of its point, as a fraction of the rise.
SPACE_ABOVE = 0.25


class ChoiceChart(Chart):
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

    def show_beat(self, beat: Beat, labels: np.ndarray, run: int, is_regression: bool) -> None:
        """Show the points that a beat compares.

        Parameters
        ----------
        beat : Beat
        labels : array, shape (n,)
            Labels of all points.
        run : int
            Number of the run. Within a run the axis of E rarely changes.
        is_regression : bool
            Whether the errors contain the tube: ``f - y + eps`` of an alpha*, ``f - y - eps`` of an
            alpha.
        """
        self.groups, self._labels_of_points = beat.compared, labels
        axis = "E = f − y ± ε" if is_regression else "E = f − y"
        # The range contains 0, which is E of every free point at the optimum.
        errors = [0.0, *(error for group in self.groups for error in group.errors)]
        x = self._error_range.follow(run, min(errors), max(errors))
        rises = [rise for group in self.groups for rise in group.rises]
        if rises:
            self.set_labels(axis, "rise of D")
            self.set_ticks(1, None)
            top = max(*rises, 1e-300)
            self.set_ranges(x, (-0.08 * top, (1.0 + SPACE_ABOVE) * top))
        else:
            count = len(self.groups)
            self.set_labels(axis, "")
            self.set_ticks(
                1, [(count - 1.0 - row, group.name) for row, group in enumerate(self.groups)]
            )
            self.set_ranges(x, (-0.7, count - 0.3))
        self.update()

    def _group_positions(self, row: int) -> np.ndarray:
        """Return the positions of a group's points in the units of the axes, shape (m, 2)."""
        group = self.groups[row]
        level = 0.0 if self.has_rises else len(self.groups) - 1.0 - row
        heights = group.rises or [level] * len(group.errors)
        return np.column_stack([np.array(group.errors), np.array(heights)]).reshape(-1, 2)

    def _large(self, row: int) -> np.ndarray:
        """Return which points of a group are large, a mask, shape (m,)."""
        group = self.groups[row]
        mask = np.full(len(group.points), len(self.points) <= MAX_LARGE)
        largest = np.argsort(-np.array(group.rises), kind="stable")[:MAX_NAMED]
        for index in largest.tolist() if group.rises else self._ends(group):
            mask[index] = True
        return mask

    @staticmethod
    def _ends(group: ComparedPoints) -> set[int]:
        """Return the point that the method selects; without one, those with the extreme errors."""
        if group.selected is not None:
            return {group.selected}
        return {int(pick(group.errors)) for pick in (np.argmin, np.argmax) if group.points}

    @property
    def has_rises(self) -> bool:
        """Whether the vertical axis is the rise of the dual."""
        return any(group.rises for group in self.groups)

    # Painting.

    def _paint_choice(self, paint: ChartPainter) -> None:
        highlight = paint.theme.highlight
        for row, group in enumerate(self.groups):
            positions = self._group_positions(row)
            if group.selected is not None:
                paint.rule(float(positions[group.selected, 0]), highlight, style=DASHED)
            labels, large = self._labels_of_points[list(group.points)], self._large(row)
            paint.points(positions[~large], labels[~large], SMALL * DOT)
            paint.points(positions[large], labels[large], DOT)
            if group.selected is not None:
                paint.rings(positions[[group.selected]], highlight, RING, 2.5)
        if self.has_rises:
            self._name_largest(paint)
        else:
            self._name_selected(paint)

    def _name_selected(self, paint: ChartPainter) -> None:
        """Write the numbers of the selected points and, if they are two, the difference of their E.

        In a group without a selected point, the points with the smallest and the largest error get
        their numbers.
        """
        theme, errors_of_selected = paint.theme, []
        for row, group in enumerate(self.groups):
            colour = theme.text
            if group.selected is not None:
                colour = theme.highlight
                errors_of_selected.append(group.errors[group.selected])
            for index in self._ends(group):
                position = self._group_positions(row)[index].tolist()
                self._write(paint, f"{group.points[index] + 1}", position, colour)
        if len(errors_of_selected) == 2:
            first, second = errors_of_selected
            paint.curve(np.array([[first, 0.5], [second, 0.5]]), theme.highlight)
            text = tidied(short(second - first))
            self._write(paint, text, (0.5 * (first + second), 0.5), theme.text)

    def _name_largest(self, paint: ChartPainter) -> None:
        """Write the numbers of the points with the largest rises, as far as they do not overlap.

        The numbers hide no large dot and no ring of another point.
        """
        taken_rects: list[QRectF] = []
        for row, group in enumerate(self.groups):
            positions = self._group_positions(row)
            marks = [
                (index, paint.mark_rect(positions[index].tolist(), RING if is_ringed else DOT))
                for index in np.flatnonzero(self._large(row)).tolist()
                for is_ringed in [index == group.selected]
            ]
            order = np.argsort(-positions[:, 1], kind="stable")[:MAX_NAMED].tolist()
            for index in order:
                text, position = f"{group.points[index] + 1}", positions[index].tolist()
                box = paint.text_rect(text, position, ABOVE)
                others = [*taken_rects, *(mark for owner, mark in marks if owner != index)]
                if not any(box.intersects(other) for other in others):
                    taken_rects.append(box)
                    is_selected = index == group.selected
                    colour = paint.theme.highlight if is_selected else paint.theme.text
                    self._write(paint, text, position, colour)

    def _write(
        self, paint: ChartPainter, text: str, position: Sequence[float], colour: str
    ) -> None:
        paint.text(text, position, colour, ABOVE, on_card=True)
