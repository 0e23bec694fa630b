"""The KKT panel: a line on which the KKT conditions hold, and the position of each point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen

from solvers import Problem
from solvers.problem.certificate import BOUND, FREE, ZERO
from solvers.problem.staircase import nearest
from svmviz.base.kinds import kinds_of
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.alpha.alpha_bars import AlphaAxis
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.pair_candidates import candidates_line, shows_errors
from svmviz.plane.point_card import tolerance
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, look_of
from svmviz.widgets.charts.dots import draw_dots, draw_rings
from svmviz.widgets.charts.sketch import Range, Sketch
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

# Limits of y f on the axis; points beyond them are drawn at the edge.
LIMITS = (-4.5, 7.5)
# Minimum width of the y f axis, so that a deviation within the tolerance looks small.
MIN_WIDTH = 0.2
# Minimum half width of the range of y - f, in units of epsilon.
MIN_TUBES = 2.5
# Space above C and below 0, as a fraction of C.
MARGIN = 0.12
DOT = 8.0


@dataclass(frozen=True)
class TaskWords:
    """The axis labels of a task.

    Attributes
    ----------
    x, y : str
        Labels of the axes.
    """

    x: str
    y: str


WORDS = {
    "classification": TaskWords("y · f(x)", "α"),
    "regression": TaskWords("y − f(x)", "β"),
}
# For reduced hulls; r is the value of y f(x) at the free points of a class.
CAPPED_WORDS = TaskWords("y · f(x) − r + 1", "α")


class KktPanel(FramePanel):
    """A chart of the points at ``(y f(x), alpha)``, or in a regression at ``(y - f(x), beta)``.

    At the optimum all points lie on the line of :mod:`solvers.problem.staircase`. A horizontal
    segment joins each other point to the line; its length is the KKT violation.

    Parameters
    ----------
    stage : Stage
    """

    name = "kkt"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._lane: Lane | None = None
        self._labels = np.zeros(0)
        self._scale = AlphaAxis()
        self._margins, self._residuals = FittedRange(MIN_WIDTH), FittedRange()
        self.points = np.zeros((0, 2))
        self.targets = np.zeros(0)
        self.words = self.add(StillText(lines=1))
        self.counts = self.add(StillText(lines=1))
        self.candidates = self.add(StillText(lines=2))
        self.sketch = self.add(Sketch(self._paint, height=240.0), 1)
        self.sketch.hovered.connect(self._on_hovered)
        self.sketch.pressed.connect(self._on_pressed)
        self.sketch.left.connect(lambda: stage.spotlight.highlight(None))

    @property
    def off(self) -> np.ndarray:
        """Whether each point violates its condition by more than the tolerance, shape (n,)."""
        if self._lane is None:
            return np.zeros(0, dtype=bool)
        return self._lane.certificate.violation > tolerance(self._lane)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._lane, self._labels = lane, frame.document.data.labels
        capped = lane is not None and lane.certified_problem.capped
        task = CAPPED_WORDS if capped else WORDS[frame.document.task]
        self.sketch.set_labels(task.x, task.y)
        if lane is None:
            self.points, self.targets = np.zeros((0, 2)), np.zeros(0)
            self.words.setText(f"Every point is drawn here at ({task.x}, {task.y}).")
            self.counts.setText("")
            self.candidates.setVisible(False)
            return
        found, problem = lane.certificate, lane.certified_problem
        places = problem.kkt_coordinates(found.decision, lane.expansion.beta)
        self._scale.follow(lane.run, problem.C, float(found.alpha.max()))
        low, high = self._fitted(lane, places[:, 0])
        self._show_ranges(problem, low, high)
        edge = 0.01 * (high - low)
        x = np.clip(places[:, 0], low + edge, high - edge)
        self.points = np.column_stack([x, self._level(places[:, 1], problem)])
        self.targets = np.clip(nearest(problem.kkt_corners, places), low, high)
        self._show_words(lane)
        self.counts.setVisible(not self.brief)
        self.candidates.setVisible(shows_errors(lane) and not self.brief)
        if shows_errors(lane):
            self.candidates.setText(candidates_line(lane))

    def mark(self) -> None:
        self.sketch.update()

    def _fitted(self, lane: Lane, x: np.ndarray) -> Range:
        """Return a range of the horizontal axis with all points and all corners of the line."""
        corners = lane.certified_problem.kkt_corners[:, 0]
        corners = corners[np.isfinite(corners)]
        if lane.problem.task == "regression":
            # The range is symmetric, so that the tube stays in the middle.
            far = max(float(np.abs(x).max()), MIN_TUBES * float(corners.max()), 1e-12)
            _, far = self._residuals.follow(lane.run, -far, far)
            return -far, far
        x = np.clip(np.append(x, corners), *LIMITS)
        return self._margins.follow(lane.run, float(x.min()), float(x.max()))

    def _show_ranges(self, problem: Problem, low: float, high: float) -> None:
        top, ticks = self._scale.top, None
        signed = bool((problem.kkt_corners[:, 1] < 0.0).any())
        if self._scale.above:
            ticks = self._scale.ticks(6)
            if signed:
                ticks = [(-place, f"−{text}") for place, text in ticks if place > 0.0] + ticks
        bottom = -(1.0 + MARGIN) * top if signed else -MARGIN * top
        self.sketch.set_ranges((low, high), (bottom, (1.0 + MARGIN) * top))
        self.sketch.set_ticks(1, ticks)

    def _level(self, values: np.ndarray, problem: Problem) -> np.ndarray:
        """Return the heights of alpha or beta; beyond C they are compressed."""
        lowest = float(problem.kkt_corners[:, 1].min())
        values = np.where((values < 0.0) & (lowest >= 0.0), 0.0, values)
        return np.sign(values) * self._scale.place(np.abs(values))

    def _show_words(self, lane: Lane) -> None:
        kinds = kinds_of(lane.certified_problem)
        set_tip(self.counts, f"Free: {kinds.free}")
        found, off = lane.certificate, self.off
        count, near = int(off.sum()), number(tolerance(lane))
        if count:
            worst = int(found.violation.argmax())
            most = number(float(found.violation[worst]))
            words = f"{count:,} of {len(off):,} violate KKT; worst: point {worst + 1}, by {most}."
            if self.brief:
                words = f"{count:,} of {len(off):,} violate KKT, worst {worst + 1}."
        else:
            words = f"KKT holds at every point (± {near})."
        self.words.setText(words)
        parts = []
        for name, which in zip((kinds.zero, "free", kinds.bound), (ZERO, FREE, BOUND), strict=True):
            of_kind = found.kinds == which
            wrong = int((of_kind & off).sum())
            parts.append(f"{name}: {int(of_kind.sum()):,}" + (f" ({wrong:,} off)" if wrong else ""))
        # A line may break between two counts but not within one.
        self.counts.setText(" · ".join(part.replace(" ", "\u00a0") for part in parts))

    # Painting.

    def _paint(self, painter: QPainter, sketch: Sketch) -> None:
        lane = self._lane
        if lane is None:
            return
        self._paint_kkt_line(painter, sketch, lane.certified_problem)
        places, off = sketch.to_pixels(self.points), self.off
        self._paint_violations(painter, sketch, places, off)
        draw_dots(painter, places[~off], self._labels[~off], DOT, 0.45)
        draw_dots(painter, places[off], self._labels[off], DOT)
        self._paint_marks(painter, places, lane)

    def _paint_kkt_line(self, painter: QPainter, sketch: Sketch, problem: Problem) -> None:
        look, px = look_of(self), look_of(self).metrics.px
        (low, high), top = sketch.ranges[0], self._scale.top
        seen = math.isfinite(problem.C) and top >= problem.C
        x, y = problem.kkt_corners.T
        y = self._level(y, problem) if seen else np.sign(y) * 2.0 * top
        line = sketch.to_pixels(np.column_stack([np.clip(x, low, high), y]))
        painter.setPen(QPen(QColor(look.theme.good), look.metrics.stroke(3.0)))
        painter.drawPolyline([QPointF(*place) for place in line.tolist()])
        if not seen:
            return
        painter.setFont(look_of(self).font(BODY, 600))
        painter.setPen(QColor(look.theme.text))
        # The label of C stands where the line ends: at the right for beta, otherwise at the left.
        place = QPointF(*line[-1].tolist()) + QPointF(px(6), -px(6))
        text = kinds_of(problem).limit.format(number(problem.C))
        if math.isinf(x[-1]) and x[-1] > 0.0:
            place -= QPointF(px(12) + painter.fontMetrics().horizontalAdvance(text), 0.0)
        if place.y() < sketch.plot.top() + px(14):
            place += QPointF(0.0, px(24))
        painter.drawText(place, text)

    def _paint_violations(
        self, painter: QPainter, sketch: Sketch, places: np.ndarray, off: np.ndarray
    ) -> None:
        """Paint a horizontal segment from each violating point to the line."""
        look = look_of(self)
        painter.setPen(QPen(QColor(look.theme.warning), look.metrics.stroke(1.0)))
        ends = sketch.to_pixels(np.column_stack([self.targets, self.points[:, 1]]))
        for (x, y), (target, _) in zip(places[off].tolist(), ends[off].tolist(), strict=True):
            painter.drawLine(QPointF(x, y), QPointF(target, y))

    def _paint_marks(self, painter: QPainter, places: np.ndarray, lane: Lane) -> None:
        theme = look_of(self).theme
        marked = [i for i in lane.marked if i < len(places)]
        if marked and not lane.at_end:
            draw_rings(painter, places[marked], theme.highlight, DOT + 8.0, 2.5)
        chosen = [i for i in self.stage.session.selection if i < len(places)]
        draw_rings(painter, places[chosen], theme.focus, DOT + 6.0)
        highlighted = self.stage.spotlight.index
        if highlighted is not None and highlighted < len(places):
            draw_rings(painter, places[[highlighted]], theme.text, DOT + 6.0, 2.0)

    # Mouse.

    def _on_hovered(self, x: float, y: float) -> None:
        self.stage.spotlight.highlight(self.sketch.nearest(self.points, x, y))

    def _on_pressed(self, x: float, y: float) -> None:
        self.select_point(self.sketch.nearest(self.points, x, y))
