"""Points with all their labelings, and the lines that make these; points can be dragged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from solvers.geometry.lines import Line, labelings, separating_lines
from solvers.geometry.plane_hulls import convex_hull
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_text import StillText
from svmviz.window.help.tried_picture import TriedPicture

# Preferred heights of the plane and of the small planes, px at scale 1, and ranges of the plane.
HEIGHT, SMALL_HEIGHT = 150.0, 96.0
RANGES = (0.0, 8.0), (0.0, 3.5)
# The first places of the four points. At first, only the first three points are shown.
FIRST = np.array([[2.0, 1.0], [6.0, 0.75], [4.5, 2.75], [3.25, 1.5]])
COUNTS = [(str(n), f"{n} points") for n in (2, 3, 4)]
# Diameter of a point in the plane and in a small plane, px at scale 1.
SIZE, SMALL_SIZE = 13.0, 6.0
# Free space around the points of a small plane, and around the small plane, as fractions of its
# side. Minimum side of the part of the plane that it shows, in units of the plane.
EDGE, GAP, LEAST = 0.22, 0.05, 2.0
FILL_OPACITY = 0.3
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class LabelingChart(Chart):
    """All labelings as small planes; each labeling is above its opposite.

    Signals
    -------
    chosen(int)
        The user has clicked the small plane of this labeling, or chosen it by the arrow keys.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(self._draw, zooms=False, height=SMALL_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Labelings")
        for axis in (0, 1):
            self.set_ticks(axis, [])
        self.points, self.labels = FIRST[:1], labelings(1)
        self.lines: Sequence[Line | None] = (None, None)
        self.index = 0
        self.pressed.connect(self._on_pressed)

    def show_labelings(
        self, points: np.ndarray, labels: np.ndarray, lines: Sequence[Line | None], index: int
    ) -> None:
        """Show all labelings of points, and mark the one that the plane shows."""
        self.points, self.labels, self.lines, self.index = points, labels, lines, index
        self.set_ranges((0.0, len(labels) / 2), (0.0, 2.0))
        self.update()

    def cell(self, index: int) -> tuple[float, float]:
        """Return the lower left corner of the small plane of a labeling."""
        half = len(self.labels) // 2
        return (index, 1.0) if index < half else (2 * half - 1 - index, 0.0)

    def _on_pressed(self, x: float, y: float) -> None:
        half = len(self.labels) // 2
        column = min(max(int(x), 0), half - 1)
        self.chosen.emit(column if y >= 1.0 else 2 * half - 1 - column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()), 0)
        if step:
            self.chosen.emit((self.index + step) % len(self.labels))
        else:
            super().keyPressEvent(event)

    def _draw(self, paint: ChartPainter) -> None:
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        side = np.maximum(high - low, LEAST)
        for index, (labels, line) in enumerate(zip(self.labels, self.lines, strict=True)):
            corner = np.array(self.cell(index))
            shares = (self.points - 0.5 * (low + high)) / side * (1.0 - 2.0 * EDGE) + 0.5
            top_left = paint.area.pixel(corner[0] + GAP, corner[1] + 1.0 - GAP)
            box = QRectF(top_left, paint.area.pixel(corner[0] + 1.0 - GAP, corner[1] + GAP))
            theme = paint.theme
            if line is None:
                paint.painter.fillRect(box, theme.bad_soft)
            paint.painter.save()
            paint.painter.setClipRect(box)
            if line is not None:
                ends = (_ends(line) - 0.5 * (low + high)) / side * (1.0 - 2.0 * EDGE) + 0.5
                paint.curve(corner + ends, theme.boundary, 1.5)
            paint.points(corner + shares, labels, SMALL_SIZE)
            paint.painter.restore()
            is_chosen = index == self.index
            colour = theme.focus if is_chosen else theme.bad if line is None else theme.line_strong
            paint.set_pen(colour, 2.5 if is_chosen else 1.0)
            paint.painter.drawRect(box)


class LabelingPicture(TriedPicture):
    """Up to four points in a plane, and their labelings, with the lines that make them.

    Parameters
    ----------
    title : str
        Description for screen readers.

    Attributes
    ----------
    labels : array, shape (2^n, n)
        All labelings.
    lines : list of Line or None
        The line that makes each labeling; None if no line does.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.count = self.add(Segmented(COUNTS))
        self.chart = self.add_chart(self._draw, "Points", RANGES, height=HEIGHT, per_unit=4)
        self.small = self.add(LabelingChart())
        self.words = self.add(StillText(lines=3))
        for axis in (0, 1):
            self.chart.set_ticks(axis, [])
        self.count.chosen.connect(lambda key: self._show(int(key)))
        self.chart.changed.connect(self._try_all)
        self.chart.missed.connect(self._add)
        self.small.chosen.connect(self._choose)
        self._show(3)

    def _show(self, count: int) -> None:
        """Show this number of points: those that are there come first, then new ones."""
        places = self.chart.handles[:count].tolist()
        for place in FIRST.tolist():
            if len(places) < count and place not in places:
                places.append(place)
        self.chart.handles = np.array(places)
        self._try_all()
        # At first, show the last labeling that no line makes; if there is none, the last one with
        # both labels.
        lost = [index for index, line in enumerate(self.lines) if line is None]
        self._choose((lost or [len(self.lines) - 2])[-1])

    def _add(self, x: float, y: float) -> None:
        if len(self.chart.handles) < len(FIRST):
            self.chart.handles = np.vstack([self.chart.handles, (0.0, 0.0)])
            self.chart.move(len(self.chart.handles) - 1, x, y)
            self._show(len(self.chart.handles))

    def _try_all(self) -> None:
        points = self.chart.handles
        self.count.set_value(str(len(points)))
        self.labels, self.lines = labelings(len(points)), separating_lines(points)
        self._choose(min(self.small.index, len(self.labels) - 1))

    def _choose(self, index: int) -> None:
        self.small.show_labelings(self.chart.handles, self.labels, self.lines, index)
        self.chart.update()
        self.words.setText(self._sentence())

    def _sentence(self) -> str:
        count, total = len(self.chart.handles), len(self.lines)
        made = sum(line is not None for line in self.lines)
        words = f"Lines make {made} of the {total} labelings of these {count} points: "
        if made == total:
            return words + "they shatter them." + (
                " Click beside the points to add a fourth, or drag one onto the line of the others."
                if count == 3
                else ""
            )  # fmt: skip
        words += "they do not shatter them. In red, the hulls of the two classes meet. "
        if count < len(FIRST):
            return words + f"But lines shatter {count} other points."
        return words + "So it is with any four points; drag them to try."

    def _draw(self, paint: ChartPainter) -> None:
        points, theme = self.chart.handles, paint.theme
        labels, line = self.labels[self.small.index], self.lines[self.small.index]
        if line is not None:
            paint.curve(_ends(line), theme.boundary, 2.5)
        else:
            for side, colour in ((1.0, theme.positive), (-1.0, theme.negative)):
                corners = convex_hull(points[labels == side])
                paint.fill(corners, colour, FILL_OPACITY)
                paint.curve(np.vstack([corners, corners[:1]]), theme.bad, 2.5)
        paint.points(points, labels, SIZE)


def _ends(line: Line) -> np.ndarray:
    """Return two points of a line beyond the plane, shape (2, 2)."""
    middle = line.feet(np.array([[0.5 * sum(limits) for limits in RANGES]]))[0]
    along = np.array([-line.unit[1], line.unit[0]])
    return middle + np.outer([-20.0, 20.0], along)
