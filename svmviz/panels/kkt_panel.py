"""Optimality, point by point: the staircase that the problem demands, and who is off it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen

from solvers import Problem
from solvers.problem.certificate import BOUND, FREE, ZERO
from solvers.problem.staircase import nearest
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.alpha.alpha_bars import Scale
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.hover import tolerance
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, active, font
from svmviz.widgets.charts.dots import draw_dots, draw_rings
from svmviz.widgets.charts.sketch import Range, Sketch
from svmviz.widgets.charts.ticks import round_up
from svmviz.widgets.still_text import StillText

# What is shown of y f; points beyond stand at the edge.
NARROWEST, WIDEST = (-1.5, 3.5), (-4.5, 7.5)
# What is shown of y - f, at least, in units of epsilon.
TUBES = 2.5
# Room above C and below 0, as a share of C.
ROOM = 0.12
DOT = 8.0


def _around_margins(_problem: Problem, x: np.ndarray, shown: Range | None) -> Range:
    """Whole units around ``y f``, up to a limit."""
    narrow = shown or NARROWEST
    low = max(WIDEST[0], min(narrow[0], math.floor(x.min()) - 0.5))
    return low, min(WIDEST[1], max(narrow[1], math.ceil(x.max()) + 0.5))


def _around_residuals(problem: Problem, x: np.ndarray, shown: Range | None) -> Range:
    """As much on either side of ``y - f = 0``, so that the tube stays in the middle."""
    edges = problem.corners[:, 0]
    tube = TUBES * float(edges[np.isfinite(edges)].max())
    far = round_up(max(float(np.abs(x).max()), tube, 1e-12))
    far = max(far, shown[1]) if shown else far
    return -far, far


@dataclass(frozen=True)
class Kind:
    """How points are told of in one task.

    Attributes
    ----------
    x, y : str
        What the axes are.
    kinds : tuple of str
        What points with no, with some and with the most weight are called.
    widen : callable(Problem, x, range shown so far or None) -> range
        Never takes room back.
    """

    x: str
    y: str
    kinds: tuple[str, str, str]
    widen: Callable[[Problem, np.ndarray, Range | None], Range]


KINDS = {
    "classification": Kind("y · f(x)", "α", ("α = 0", "free", "α = C"), _around_margins),
    "regression": Kind("y − f(x)", "β", ("β = 0", "free", "|β| = C"), _around_residuals),
}


class KktPanel(FramePanel):
    """Each point at ``(y f(x), alpha)``, or in a regression ``(y - f(x), beta)``.

    At the optimum all lie on the line of :mod:`solvers.problem.staircase`. A point off it is joined
    to it by a line as long as its violation.

    Parameters
    ----------
    stage : Stage
    """

    name = "kkt"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._lane: Lane | None = None
        self._labels = np.zeros(0)
        self._scale = Scale()
        self._wide: Range | None = None
        self._run = 0
        self.points = np.zeros((0, 2))
        self.goals = np.zeros(0)
        self.words = self.add(StillText(lines=1))
        self.counts = self.add(StillText(lines=1))
        self.sketch = self.add(Sketch(self._paint, height=240.0), 1)
        self.sketch.hovered.connect(self._on_hovered)
        self.sketch.pressed.connect(self._on_pressed)
        self.sketch.left.connect(lambda: stage.spotlight.light(None))

    @property
    def off(self) -> np.ndarray:
        """Which points violate their condition by more than the tolerance, shape (n,)."""
        if self._lane is None:
            return np.zeros(0, dtype=bool)
        return self._lane.certificate.violation > tolerance(self._lane)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._lane, self._labels = lane, frame.document.data.labels
        kind = KINDS[frame.document.task]
        self.sketch.set_labels(kind.x, kind.y)
        if lane is None:
            self.points, self.goals = np.zeros((0, 2)), np.zeros(0)
            self.words.setText(f"Every point at ({kind.x}, {kind.y}) is drawn here.")
            self.counts.setText("")
            return
        found, problem = lane.certificate, lane.problem
        places = problem.place(found.decision, lane.expansion.beta)
        self._scale.follow(lane.run, problem.C, float(found.alpha.max()))
        if lane.run != self._run:
            self._run, self._wide = lane.run, None
        low, high = self._wide = kind.widen(problem, places[:, 0], self._wide)
        self._show_ranges(problem, low, high)
        edge = 0.01 * (high - low)
        x = np.clip(places[:, 0], low + edge, high - edge)
        self.points = np.column_stack([x, self._level(places[:, 1], problem)])
        self.goals = np.clip(nearest(problem.corners, places), low, high)
        self._say(lane, kind)

    def mark(self) -> None:
        self.sketch.update()

    def _show_ranges(self, problem: Problem, low: float, high: float) -> None:
        top, ticks = self._scale.top, None
        signed = bool((problem.corners[:, 1] < 0.0).any())
        if self._scale.above:
            ticks = self._scale.ticks(6)
            if signed:
                ticks = [(-place, f"−{text}") for place, text in ticks if place > 0.0] + ticks
        bottom = -(1.0 + ROOM) * top if signed else -ROOM * top
        self.sketch.set_ranges((low, high), (bottom, (1.0 + ROOM) * top))
        self.sketch.set_ticks(1, ticks)

    def _level(self, values: np.ndarray, problem: Problem) -> np.ndarray:
        """Heights of alpha or beta; what is beyond the staircase is compressed on either side."""
        lowest = float(problem.corners[:, 1].min())
        values = np.where((values < 0.0) & (lowest >= 0.0), 0.0, values)
        return np.sign(values) * self._scale.place(np.abs(values))

    def _say(self, lane: Lane, kind: Kind) -> None:
        found, off = lane.certificate, self.off
        count, near = int(off.sum()), number(tolerance(lane))
        if count:
            worst = int(found.violation.argmax())
            most = number(float(found.violation[worst]))
            words = f"{count:,} of {len(off):,} are off; point {worst + 1} most, by {most}."
        else:
            words = f"Every point is on the corner (± {near}): optimal."
        self.words.setText(words)
        told = []
        for name, which in zip(kind.kinds, (ZERO, FREE, BOUND), strict=True):
            own = found.kinds == which
            wrong = int((own & off).sum())
            told.append(f"{name}: {int(own.sum()):,}" + (f" ({wrong:,} off)" if wrong else ""))
        # A line may end between two counts, and in none.
        self.counts.setText(" · ".join(part.replace(" ", "\u00a0") for part in told))

    # Painting.

    def _paint(self, painter: QPainter, sketch: Sketch) -> None:
        lane = self._lane
        if lane is None:
            return
        self._paint_corner(painter, sketch, lane.problem)
        places, off = sketch.to_pixels(self.points), self.off
        self._paint_ways(painter, sketch, places, off)
        draw_dots(painter, places[~off], self._labels[~off], DOT, 0.45)
        draw_dots(painter, places[off], self._labels[off], DOT)
        self._paint_marks(painter, places, lane)

    def _paint_corner(self, painter: QPainter, sketch: Sketch, problem: Problem) -> None:
        look, px = active(), active().metrics.px
        (low, high), top = sketch.ranges[0], self._scale.top
        seen = math.isfinite(problem.C) and top >= problem.C
        x, y = problem.corners.T
        y = self._level(y, problem) if seen else np.sign(y) * 2.0 * top
        corner = sketch.to_pixels(np.column_stack([np.clip(x, low, high), y]))
        painter.setPen(QPen(QColor(look.theme.good), look.metrics.stroke(3.0)))
        painter.drawPolyline([QPointF(*place) for place in corner.tolist()])
        if not seen:
            return
        painter.setFont(font(BODY, 600))
        painter.setPen(QColor(look.theme.text))
        # At the end of the staircase that is free below: at the right for beta, else at the left.
        place = QPointF(*corner[-1].tolist()) + QPointF(px(6), -px(6))
        text = f"C = {number(problem.C)}"
        if math.isinf(x[-1]) and x[-1] > 0.0:
            place -= QPointF(px(12) + painter.fontMetrics().horizontalAdvance(text), 0.0)
        if place.y() < sketch.plot.top() + px(14):
            place += QPointF(0.0, px(24))
        painter.drawText(place, text)

    def _paint_ways(
        self, painter: QPainter, sketch: Sketch, places: np.ndarray, off: np.ndarray
    ) -> None:
        """From each point that is off to where its weight would be right, level with it."""
        look = active()
        painter.setPen(QPen(QColor(look.theme.warning), look.metrics.stroke(1.0)))
        ends = sketch.to_pixels(np.column_stack([self.goals, self.points[:, 1]]))
        for (x, y), (goal, _) in zip(places[off].tolist(), ends[off].tolist(), strict=True):
            painter.drawLine(QPointF(x, y), QPointF(goal, y))

    def _paint_marks(self, painter: QPainter, places: np.ndarray, lane: Lane) -> None:
        theme = active().theme
        touched = [i for i in lane.event.touched if i < len(places)] if lane.event else []
        if touched and not lane.at_end:
            draw_rings(painter, places[touched[:50]], theme.highlight, DOT + 8.0, 2.5)
        chosen = [i for i in self.stage.session.selection if i < len(places)]
        draw_rings(painter, places[chosen], theme.focus, DOT + 6.0)
        lit = self.stage.spotlight.index
        if lit is not None and lit < len(places):
            draw_rings(painter, places[[lit]], theme.text, DOT + 6.0, 2.0)

    # What a hand does.

    def _on_hovered(self, x: float, y: float) -> None:
        self.stage.spotlight.light(self.sketch.nearest(self.points, x, y))

    def _on_pressed(self, x: float, y: float) -> None:
        self.choose(self.sketch.nearest(self.points, x, y))
