"""The nearest points of the two hulls: their distance, and the weights of the points in them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from solvers import Hulls, Linear
from solvers.settings import settings_of
from svmviz.base.background import Pending
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.hull_study import HullStudy, HullStudyMaker
from svmviz.stage.stage import Stage
from svmviz.theme import CAPTION, look_of
from svmviz.widgets.charts.chart_ticks import round_up
from svmviz.widgets.charts.sketch import Sketch
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.still_text import StillText

# Maximum number of bars that have the numbers of their points below them.
MAX_NAMED = 16


# The literature writes λ, which is 1 / (C n) everywhere else on screen.
WEIGHT = "hull weight τᵢ"


class HullPanel(FramePanel):
    """Shows the distance of p and q, the width of the margin, the cap mu, and the hull weights.

    Parameters
    ----------
    stage : Stage
    """

    name = "hulls"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: HullStudy | None = None
        # Points with a weight, ordered by class and number so that bars keep their positions.
        self.members = np.zeros(0, dtype=int)
        self._labels = np.zeros(0)
        self._run, self._top = 0, 0.0
        self._lengths = self._pending = ""
        self._touched: tuple[int, ...] = ()
        self.words = self.add(StillText(lines=2))
        self.numbers = self.add(StillText(lines=1))
        others = tuple(name for name in settings_of(Hulls()) if name != "mu")
        self.form = self.add(SettingsForm(Hulls(), skip=others))
        self.form.moved.connect(lambda wanted: self._set_cap(wanted.mu, done=False))
        self.form.released.connect(lambda wanted: self._set_cap(wanted.mu, done=True))
        self.bars = self.add(Sketch(self._paint, "point", WEIGHT, height=160.0), 1)
        self.bars.hovered.connect(lambda x, _: stage.spotlight.highlight(self._point_at(x)))
        self.bars.pressed.connect(lambda x, _: self.select_point(self._point_at(x)))
        self.bars.left.connect(lambda: stage.spotlight.highlight(None))

    def make_study(self) -> Study:
        return HullStudyMaker(search=True)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        found = study[min(frame.focus, len(study) - 1)] if study else None
        self._pending = found.words if isinstance(found, Pending) else ""
        self.shown = None if isinstance(found, Pending) else found
        method = lane.method if lane else None
        self.form.setVisible(isinstance(method, Hulls))
        dragging = self.stage.session.previewing
        if isinstance(method, Hulls) and method is not self.form.instance and not dragging:
            self.form.set_instance(method)
        self._touched = lane.touched if lane else ()
        self._show_words(lane if study else None, frame)
        self._lay_bars(lane)

    def mark(self) -> None:
        """Show the weight of the highlighted point, even if it is 0, and mark its bar."""
        found, highlighted = self.shown, self.stage.spotlight.index
        if found is not None and highlighted is not None and highlighted < len(found.weights):
            self.numbers.setText(
                f"Point {highlighted + 1}: {WEIGHT} = {number(float(found.weights[highlighted]))}"
            )
        else:
            self.numbers.setText(self._lengths)
        self.bars.update()

    # Words.

    def _show_words(self, lane: Lane | None, frame: Frame) -> None:
        found = self.shown
        self._lengths = ""
        if lane is None:
            self.words.setText("The distance of the two hulls is shown here.")
            return
        if self._pending:
            self.words.setText(self._pending)
            return
        self.words.setText(verdict(found, isinstance(lane.problem.kernel, Linear), lane.at_end))
        lengths = []
        if found is not None and not math.isnan(found.distance):
            lengths.append(f"‖p − q‖ = {number(found.distance)}")
        if math.isfinite(lane.certificate.margin):
            lengths.append(f"2/‖w‖ = {number(2.0 * lane.certificate.margin)}")
        if lengths and not (frame.document.factors == 1.0).all():
            lengths.append("in scaled units")
        self._lengths = "  ·  ".join(lengths)

    # The bars.

    def _lay_bars(self, lane: Lane | None) -> None:
        found = self.shown
        self.members = np.zeros(0, dtype=int)
        if found is not None and lane is not None:
            y = lane.problem.y
            members = np.flatnonzero(found.weights > 0.0)
            self.members = members[np.lexsort((members, y[members]))]
            self._labels = y[self.members]
            if lane.run != self._run:
                self._run, self._top = lane.run, 0.0
            largest = float(found.weights.max(initial=0.0))
            if largest > 0.0:
                self._top = max(self._top, round_up(largest))
        count = max(1, len(self.members))
        self.bars.set_ranges((0.4, count + 0.6), (0.0, 1.08 * (self._top or 1.0)))
        ticks = [(k + 1.0, str(i + 1)) for k, i in enumerate(self.members.tolist())]
        self.bars.set_ticks(0, ticks if count <= MAX_NAMED else [])
        self.bars.set_labels("point" if count <= MAX_NAMED else f"{count} points", WEIGHT)

    def _paint(self, painter: QPainter, sketch: Sketch) -> None:
        found = self.shown
        if found is None or not len(self.members):
            return
        look = look_of(self)
        theme, stroke = look.theme, look.metrics.stroke
        (low, high), (_, top) = sketch.ranges
        step = sketch.plot.width() / (high - low)
        wide = min(0.7 * step, stroke(26.0))
        heads = sketch.to_pixels(
            np.column_stack([np.arange(1.0, len(self.members) + 1), found.weights[self.members]])
        )
        ground = sketch.plot.bottom()
        marks = (
            (self._touched, theme.highlight),
            (self.stage.session.selection, theme.focus),
            ((self.stage.spotlight.index,), theme.text),
        )
        for (x, y), label, point in zip(
            heads.tolist(), self._labels.tolist(), self.members.tolist(), strict=True
        ):
            bar = QRectF(x - 0.5 * wide, y, wide, ground - y)
            painter.fillRect(bar, QColor(theme.positive if label > 0 else theme.negative))
            colour = [colour for points, colour in marks if point in points]
            if colour:
                painter.setPen(QPen(QColor(colour[-1]), stroke(2.5)))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar)
        if found.mu < 1.0 and found.mu <= top:
            self._paint_cap(painter, sketch, found.mu)

    def _paint_cap(self, painter: QPainter, sketch: Sketch, mu: float) -> None:
        look = look_of(self)
        left, right = sketch.plot.left(), sketch.plot.right()
        y = sketch.pixel(0.5, mu).y()
        painter.setPen(
            QPen(QColor(look.theme.text), look.metrics.stroke(1.5), Qt.PenStyle.DashLine)
        )
        painter.drawLine(QLineF(left, y, right, y))
        painter.setFont(look_of(self).font(CAPTION, 600))
        text = f"cap μ = {number(mu)}"
        wide = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(right - wide - look.metrics.px(4), y - look.metrics.px(3)), text)

    # Mouse and slider.

    def _point_at(self, x: float) -> int | None:
        bar = round(x) - 1
        return int(self.members[bar]) if 0 <= bar < len(self.members) else None

    def _set_cap(self, mu: float, *, done: bool) -> None:
        """Set the cap; below 1 Wolfe's method replaces the pairwise sweep, which needs mu = 1."""
        session = self.stage.session
        lane = min(self.stage.playback.focus, len(session.document.methods) - 1)
        method = session.document.methods[lane]
        if not isinstance(method, Hulls):
            return
        algorithm = "wolfe" if method.algorithm == "pairwise" and mu < 1.0 else method.algorithm
        document = session.document.with_method(replace(method, mu=mu, algorithm=algorithm), lane)
        if done:
            session.edit(document, "Change the cap μ")
        else:
            session.preview(document)


def verdict(found: HullStudy | None, linear: bool, at_end: bool) -> str:
    """Return one or two sentences on the hulls."""
    if found is None:
        return "The hulls of this kernel lie in the feature space: the plane cannot show them."
    which = "reduced hulls" if found.mu < 1.0 else "hulls"
    if found.meeting:
        if found.largest is None:
            return f"The {which} meet: no boundary of this kind separates the classes."
        # Rounded down, so that the hulls with the cap shown are separable.
        largest = number(math.floor(found.largest * 1e4) / 1e4 or found.largest)
        return f"The {which} meet. With a cap μ of at most {largest} the reduced hulls are apart."
    where = "" if linear else ", in the feature space; the plane cannot show them"
    if math.isnan(found.distance):
        return f"The {which} are apart{where}. The first step defines p and q."
    if not linear:
        return f"The {which} are apart{where}."
    if at_end or not found.of_step:
        return f"The {which} are apart; p and q are their nearest points."
    return f"The {which} are apart; p and q move towards their nearest points."
