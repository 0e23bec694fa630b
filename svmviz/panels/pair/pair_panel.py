"""The pair of one SMO step: the square of the two alphas, and the dual along the line in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from solvers.methods.smo.events import PairMoved
from svmviz.base.words import number as write
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.pair.pair_weights import WeightPair, paint_objective, paint_weights
from svmviz.panels.pair_marks import draw_beyond, draw_dot, draw_ring, draw_way, write_name
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.charts.sketch import Sketch
from svmviz.widgets.charts.ticks import round_up
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_label import StillLabel
from svmviz.widgets.still_text import StillText

ROOM = 0.16
# The width that square and parabola need beside each other, px at scale 1.
ACROSS = 350
KEY = "Grey: old. Magenta: new. Ring: vertex."
OF_WEIGHTS = KEY.replace("vertex", "bottom")
# Points of the parabola.
SAMPLES = 81


@dataclass(frozen=True)
class Pair:
    """One step of SMO, as it is drawn.

    Attributes
    ----------
    event : PairMoved
    equal : bool
        Whether both points have one label: then the sum of their alphas stays, else the difference.
    C : float
    """

    event: PairMoved
    equal: bool
    C: float

    @property
    def ends(self) -> np.ndarray:
        """Ends of the segment of the constraint line inside the square, shape (2, 2)."""
        return np.array([self.at(self.event.low), self.at(self.event.high)])

    def at(self, second: float) -> tuple[float, float]:
        """The place on the constraint line with this alpha_j."""
        old_i, old_j = self.event.old
        moved = second - old_j
        return (old_i - moved if self.equal else old_i + moved), second

    def rise(self, second: np.ndarray) -> np.ndarray:
        """How far the dual is above its old value where alpha_j is ``second``; shape as given.

        A parabola through 0 at the old alpha_j, with its vertex at the unclipped one:
        ``eta (s t - t^2 / 2)`` with t the way gone and s the way to the vertex.
        """
        event = self.event
        gone, way = second - event.old[1], event.unclipped[1] - event.old[1]
        return event.eta * gone * (way - 0.5 * gone)

    @property
    def clipped(self) -> bool:
        """Whether the box stopped the step before the vertex."""
        return not math.isclose(self.event.new[1], self.event.unclipped[1], rel_tol=1e-9)


class PairPanel(FramePanel):
    """Where in ``[0, C]^2`` the pair stood, wanted to go, and went.

    Parameters
    ----------
    stage : Stage
    """

    name = "pair"
    turns = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.pair: Pair | None = None
        self.weights: WeightPair | None = None
        self._points: tuple[int, ...] = ()
        self._run, self._size = 0, 1.0
        self.words = self.add(StillText(lines=1))
        self.law = self.add(StillText(lines=1))
        self.key = self.add(StillLabel(KEY))
        self._beside = self.add(Column(gap=1.0, across=True), 1)
        self.square = self._beside.add(Sketch(self._paint_square, equal=True, height=220.0), 3)
        set_tip(self.square, "Point at the name of an axis to light its point")
        self.square.hovered.connect(self._on_hovered)
        self.square.pressed.connect(self._on_pressed)
        self.square.left.connect(lambda: stage.spotlight.light(None))
        self.parabola = self._beside.add(Sketch(self._paint_parabola, height=220.0), 2)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._turn()
        event = lane.event if lane else None
        self.pair, self.weights = None, WeightPair.of(event)
        key = OF_WEIGHTS if self.weights else KEY
        self.key.setText(key)
        set_tip(self.key, key)
        self._points = event.touched if event else ()
        if lane is not None and self.weights is not None:
            self._draw_weights(lane, self.weights)
        elif lane is not None and isinstance(event, PairMoved):
            self._draw_pair(lane, event)
        else:
            words = "Step on: the pair that a step moves is drawn here."
            if event is not None:
                words = "This step moved no pair, but other variables."
            self.words.setText(words)
            self.law.setText("")
            self.square.set_labels("", "")
            self.parabola.set_labels("", "")

    def _draw_pair(self, lane: Lane, event: PairMoved) -> None:
        i, j = event.i, event.j
        y = lane.problem.side
        self.pair = Pair(event, bool(y[i] == y[j]), lane.problem.C)
        self._grow(lane, self.pair)
        edge = ROOM * self._size
        self.square.set_ranges((-edge, self._size + edge), (-edge, self._size + edge))
        self.square.set_labels(*map(lane.problem.name_of, (i, j)))
        self.parabola.set_labels(lane.problem.name_of(j), "rise of D")
        self.parabola.set_ranges(*self._around(self.pair))
        self._say(self.pair)

    def _draw_weights(self, lane: Lane, pair: WeightPair) -> None:
        """The two weights of a step of the hulls."""
        if lane.run != self._run:
            self._run, self._size = lane.run, 0.0
        self._size = max(self._size, round_up(max(*pair.old, *pair.new, 1e-12)))
        edge = ROOM * self._size
        self.square.set_ranges((-edge, self._size + edge), (-edge, self._size + edge))
        self.square.set_labels(f"λ of point {pair.i + 1}", f"λ of point {pair.j + 1}")
        self.parabola.set_labels("δ", "objective")
        self.parabola.set_ranges(*pair.around())
        self.words.setText(pair.words())
        self.law.setText(pair.law())

    def mark(self) -> None:
        self.square.update()
        self.parabola.update()

    def _turn(self) -> None:
        """Side by side where there is width, else below each other."""
        self._beside.lay_across(self.lies_across(ACROSS))

    def _grow(self, lane: Lane, pair: Pair) -> None:
        """The square is the box; without one (hard margin), it has room for all alphas so far."""
        if math.isfinite(lane.problem.C):
            self._size = lane.problem.C
            return
        if lane.run != self._run:
            self._run, self._size = lane.run, 0.0
        largest = max(float(lane.certificate.alpha.max()), *pair.event.old, 1e-12)
        self._size = max(self._size, round_up(largest))

    def _around(self, pair: Pair) -> tuple[tuple[float, float], tuple[float, float]]:
        """Ranges of the parabola: the segment, the vertex if it is not far, and the rise."""
        event = pair.event
        places = (event.old[1], event.new[1], event.unclipped[1])
        span = max(max(places) - min(places), 1e-9 * self._size, 1e-300)
        room = min(span, max(event.high - event.low, abs(event.new[1] - event.old[1])))
        low = max(min(places) - room, min(event.low, event.old[1]) - 0.3 * room)
        high = min(max(places) + room, max(event.high, event.old[1]) + 0.3 * room)
        x = (low, max(high, low + 1e-9 * span))
        values = pair.rise(np.linspace(*x, SAMPLES))
        top = max(float(values.max()), event.rise, 1e-300)
        # The way down beyond the vertex may be deep; what counts is near the top.
        bottom = max(float(values.min()), -1.2 * top)
        return x, (bottom - 0.05 * (top - bottom), top + 0.15 * (top - bottom))

    def _say(self, pair: Pair) -> None:
        event = pair.event
        new, wanted = write(event.new[1]), write(event.unclipped[1])
        if not pair.clipped:
            self.words.setText(f"The vertex {new} is inside [L, H]: go there.")
        elif event.new[1] >= event.high:
            self.words.setText(f"The vertex {wanted} is beyond H: stop at H = {new}.")
        elif event.new[1] <= event.low:
            self.words.setText(f"The vertex {wanted} is below L: stop at L = {new}.")
        else:
            self.words.setText(f"The step ends at {new}, before the vertex {wanted}.")
        signs = "Labels" if event.starred is None else "Signs"
        what = "agree: the sum" if pair.equal else "differ: the difference"
        self.law.setText(f"{signs} {what} stays. η = {write(event.eta)}.")

    # What a hand does.

    def _named(self, x: float, y: float) -> int | None:
        """The point of the axis whose name is at a place of the square."""
        if self.pair is None and self.weights is None:
            return None
        (left, _), (bottom, _) = self.square.ranges
        if y < bottom:
            return self._points[0]
        return self._points[-1] if x < left else None

    def _on_hovered(self, x: float, y: float) -> None:
        self.stage.spotlight.light(self._named(x, y))

    def _on_pressed(self, x: float, y: float) -> None:
        index = self._named(x, y)
        if index is not None and index < self.stage.session.document.n:
            self.stage.session.select({index})

    # Painting.

    def _paint_square(self, painter: QPainter, sketch: Sketch) -> None:
        if self.weights is not None:
            paint_weights(painter, sketch, self.weights)
            self._guide(painter, sketch, sketch.pixel(*self.weights.new))
        if self.pair is None:
            return
        look, pair, event = active(), self.pair, self.pair.event
        px = look.metrics.px
        box = QRectF(sketch.pixel(0.0, self._size), sketch.pixel(self._size, 0.0))
        painter.fillRect(box, QColor(look.theme.accent_soft))
        if math.isfinite(pair.C):
            painter.setPen(QPen(QColor(look.theme.text), look.metrics.stroke(1.5)))
            painter.drawRect(box)
        ends = np.clip(pair.ends, -4 * self._size, 4 * self._size)
        self._line(painter, sketch, pair, ends)
        wanted, old, new = (sketch.pixel(*p) for p in (event.unclipped, event.old, event.new))
        for value, name in ((event.low, "L"), (event.high, "H")):
            if math.isfinite(value):
                place = sketch.pixel(0.0, value) + QPointF(-px(18), px(5))
                place.setX(max(place.x(), sketch.plot.left() + px(2)))
                write_name(painter, place, name)
        self._guide(painter, sketch, new)
        draw_ring(painter, wanted, look.theme.muted)
        draw_beyond(painter, sketch.plot, wanted, look.theme.muted)
        draw_way(painter, old, new)
        draw_dot(painter, old, look.theme.muted)
        draw_dot(painter, new, look.theme.highlight)

    def _guide(self, painter: QPainter, sketch: Sketch, new: QPointF) -> None:
        """From where the step ended to the axis of the point that is lit or selected."""
        look, plot = active(), sketch.plot
        for points, colour in (
            (self.stage.session.selection, look.theme.focus),
            ({self.stage.spotlight.index}, look.theme.text),
        ):
            painter.setPen(QPen(QColor(colour), look.metrics.stroke(2.0), Qt.PenStyle.DotLine))
            if self._points[0] in points:
                painter.drawLine(new, QPointF(new.x(), plot.bottom()))
            if self._points[-1] in points:
                painter.drawLine(new, QPointF(plot.left(), new.y()))

    def _line(self, painter: QPainter, sketch: Sketch, pair: Pair, ends: np.ndarray) -> None:
        look = active()
        slope = -1.0 if pair.equal else 1.0
        x, y = pair.event.old
        far = 10.0 * self._size
        painter.setPen(QPen(QColor(look.theme.muted), 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(
            sketch.pixel(x - far, y - slope * far), sketch.pixel(x + far, y + slope * far)
        )
        painter.setPen(QPen(QColor(look.theme.accent), look.metrics.stroke(3.0)))
        painter.drawLine(sketch.pixel(*ends[0]), sketch.pixel(*ends[1]))

    def _paint_parabola(self, painter: QPainter, sketch: Sketch) -> None:
        if self.weights is not None:
            paint_objective(painter, sketch, self.weights)
        if self.pair is None:
            return
        look, pair, event = active(), self.pair, self.pair.event
        low, high = sketch.ranges[0]
        px = look.metrics.px
        left = sketch.pixel(max(event.low, low), 0.0).x()
        right = sketch.pixel(min(event.high, high), 0.0).x()
        plot = sketch.plot
        painter.fillRect(
            QRectF(left, plot.top(), right - left, plot.height()), QColor(look.theme.accent_soft)
        )
        for value, name in ((event.low, "L"), (event.high, "H")):
            if low <= value <= high:
                x = sketch.pixel(value, 0.0).x()
                painter.setPen(QPen(QColor(look.theme.accent), look.metrics.stroke(1.5)))
                painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
                side = px(5) if name == "L" else -px(15)
                write_name(painter, QPointF(x + side, plot.bottom() - px(7)), name)
        x = np.linspace(low, high, SAMPLES)
        curve = sketch.to_pixels(np.column_stack([x, pair.rise(x)]))
        painter.setPen(QPen(QColor(look.theme.text), look.metrics.stroke(2.0)))
        painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in curve.tolist()]))
        if low <= event.unclipped[1] <= high:
            peak = float(pair.rise(np.array(event.unclipped[1])))
            draw_ring(painter, sketch.pixel(event.unclipped[1], peak), look.theme.muted)
        draw_dot(painter, sketch.pixel(event.old[1], 0.0), look.theme.muted)
        new = float(pair.rise(np.array(event.new[1])))
        draw_dot(painter, sketch.pixel(event.new[1], new), look.theme.highlight)
