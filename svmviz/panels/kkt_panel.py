"""Optimality, point by point: ``y f(x)`` against alpha, with the corner that it demands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPen

from solvers.certificate import BOUND, FREE, ZERO
from svmviz.frame import Frame, Lane
from svmviz.panels.alpha_bars import Scale
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.hover import tolerance
from svmviz.stage import Stage
from svmviz.theme import BODY, active, font
from svmviz.widgets.dots import draw_dots, draw_rings
from svmviz.widgets.sketch import Sketch
from svmviz.widgets.still_label import StillLabel
from svmviz.words import number

# What is shown of y f; points beyond stand at the edge.
NARROWEST, WIDEST = (-1.5, 3.5), (-4.5, 7.5)
# Room above C and below 0, as a share of C.
ROOM = 0.12
DOT = 8.0


class KktPanel(FramePanel):
    """Each point at ``(y f(x), alpha)``; at the optimum all lie on the corner.

    The corner: ``alpha = 0`` where ``y f >= 1``, anything where ``y f = 1``, ``alpha = C`` where
    ``y f <= 1``. A point off it is joined to it by a line as long as its violation.

    Parameters
    ----------
    stage : Stage
    """

    name = "kkt"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._lane: Lane | None = None
        self._scale = Scale()
        self._wide = NARROWEST
        self._run = 0
        self.points = np.zeros((0, 2))
        self.words = self.add(StillLabel())
        self.counts = self.add(StillLabel())
        self.sketch = self.add(Sketch(self._paint, "y · f(x)", "α", height=240.0), 1)
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
        self._lane = lane
        if lane is None:
            self.points = np.zeros((0, 2))
            self.words.setText("Where α and y f(x) of every point stand will be drawn here.")
            self.counts.setText("")
            return
        found = lane.certificate
        margins = lane.problem.y * found.decision
        self._scale.follow(lane.run, lane.problem.C, float(found.alpha.max()))
        self._widen(lane.run, margins)
        top = self._scale.top
        self.sketch.set_ranges(self._wide, (-ROOM * top, (1.0 + ROOM) * top))
        self.sketch.set_ticks(1, self._scale.ticks(6) if self._scale.above else None)
        low, high = self._wide
        edge = 0.01 * (high - low)
        x = np.clip(margins, low + edge, high - edge)
        self.points = np.column_stack([x, self._scale.place(np.maximum(found.alpha, 0.0))])
        self._say(lane)

    def mark(self) -> None:
        self.sketch.update()

    def _widen(self, run: int, margins: np.ndarray) -> None:
        """Make room in whole units, and never take it back within a run."""
        if run != self._run:
            self._run, self._wide = run, NARROWEST
        low = max(WIDEST[0], min(self._wide[0], math.floor(margins.min()) - 0.5))
        high = min(WIDEST[1], max(self._wide[1], math.ceil(margins.max()) + 0.5))
        self._wide = (low, high)

    def _say(self, lane: Lane) -> None:
        found, off = lane.certificate, self.off
        count, near = int(off.sum()), number(tolerance(lane))
        if count:
            worst = int(found.violation.argmax())
            most = number(float(found.violation[worst]))
            words = f"{count:,} of {len(off):,} are off; point {worst + 1} most, by {most}."
        else:
            words = f"Every point is on the corner (± {near}): optimal."
        self.words.setText(words)
        kinds = (("α = 0", ZERO), ("free", FREE), ("α = C", BOUND))
        told = []
        for name, kind in kinds:
            own = found.kinds == kind
            wrong = int((own & off).sum())
            told.append(f"{name}: {int(own.sum()):,}" + (f" ({wrong:,} off)" if wrong else ""))
        self.counts.setText("  ·  ".join(told))

    # Painting.

    def _paint(self, painter: QPainter, sketch: Sketch) -> None:
        lane = self._lane
        if lane is None:
            return
        self._paint_corner(painter, sketch, lane)
        places, off = sketch.to_pixels(self.points), self.off
        self._paint_ways(painter, sketch, places, off)
        labels = lane.problem.y
        draw_dots(painter, places[~off], labels[~off], DOT, 0.45)
        draw_dots(painter, places[off], labels[off], DOT)
        self._paint_marks(painter, places, lane)

    def _paint_corner(self, painter: QPainter, sketch: Sketch, lane: Lane) -> None:
        look = active()
        (low, high), top = sketch.ranges[0], self._scale.top
        corner = [sketch.pixel(high, 0.0), sketch.pixel(1.0, 0.0)]
        bounded = math.isfinite(lane.problem.C) and top >= lane.problem.C
        if bounded:
            C = lane.problem.C
            corner += [sketch.pixel(1.0, C), sketch.pixel(low, C)]
        else:
            corner.append(sketch.pixel(1.0, 2.0 * top))
        painter.setPen(QPen(QColor(look.theme.good), look.metrics.stroke(3.0)))
        painter.drawPolyline(corner)
        if bounded:
            painter.setFont(font(BODY, 600))
            painter.setPen(QColor(look.theme.text))
            px = look.metrics.px
            place = sketch.pixel(low, lane.problem.C) + QPointF(px(6), -px(6))
            if place.y() < sketch.plot.top() + px(14):
                place += QPointF(0.0, px(24))
            painter.drawText(place, f"C = {number(lane.problem.C)}")

    def _paint_ways(
        self, painter: QPainter, sketch: Sketch, places: np.ndarray, off: np.ndarray
    ) -> None:
        """From each point that is off to where its alpha would be right: along y f, to 1."""
        look = active()
        painter.setPen(QPen(QColor(look.theme.warning), look.metrics.stroke(1.0)))
        one = sketch.pixel(1.0, 0.0).x()
        for x, y in places[off].tolist():
            painter.drawLine(QPointF(x, y), QPointF(one, y))

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
        index = self.sketch.nearest(self.points, x, y)
        if index is None or index >= self.stage.session.document.n:
            return
        more = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        self.stage.session.select(self.stage.session.selection | {index} if more else {index})
