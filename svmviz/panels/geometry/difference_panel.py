"""The Difference set panel: all differences of points of the two classes, and p - q among them."""

from __future__ import annotations

from typing import Any

import numpy as np

from svmviz.base.background import Pending
from svmviz.base.words import number, shown_name, vector_text
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.geometry.difference_chart import DifferenceChart
from svmviz.panels.geometry.difference_study import (
    DifferenceSet,
    DifferenceStudy,
    difference_set,
    difference_study,
)
from svmviz.plane.hull_study import HullOutlines, HullStudy, HullStudyMaker
from svmviz.plane.overlays import OVERLAYS
from svmviz.stage.stage import Stage
from svmviz.widgets.still_text import StillText


class DifferencePanel(FramePanel):
    """The hull of all differences x+ - x-, the origin, and p - q at the step shown.

    Parameters
    ----------
    stage : Stage
    """

    name = "difference-set"
    study_key = OVERLAYS["hulls"].key

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: DifferenceStudy | None = None
        self._reading = ""
        # The difference set of the outlines for which it was computed last.
        self._known: tuple[HullOutlines, DifferenceSet] | None = None
        self.words = self.add(StillText(lines=2))
        self.numbers = self.add(StillText(lines=1))
        self.chart = self.add(DifferenceChart(), 1)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.left.connect(lambda: stage.spotlight.highlight(None))

    def make_study(self) -> Study:
        return HullStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        result = study[min(frame.focus, len(study) - 1)] if study else None
        self.shown = None
        if lane is not None and isinstance(result, HullStudy) and result.outlines is not None:
            if self._known is None or self._known[0] is not result.outlines:
                found = difference_set(lane.problem, result.outlines, frame.document.factors)
                self._known = result.outlines, found
            self.shown = difference_study(result, self._known[1], frame.document.factors)
        names = [shown_name(name) for name in frame.document.data.axis_names]
        self.chart.set_labels(*(f"difference in {name}" for name in names))
        pair = pair_of(lane) if lane and self.shown else None
        self.chart.show_study(self.shown, lane.problem.X if lane else None, pair)
        if isinstance(result, Pending):
            self.words.setText(result.words)
        else:
            self.words.setText(sentence(self.shown, lane is not None and lane.at_end))
        is_scaled = not (frame.document.factors == 1.0).all()
        self._reading = reading(self.shown, is_scaled)

    def mark(self) -> None:
        """Mark the highlighted and the selected points, and show a highlighted pair as numbers."""
        points, shown = self.stage.spotlight.points, self.shown
        self.chart.mark(points, self.stage.session.selection)
        self.numbers.setText(self._reading)
        if shown is None or len(points) != 2:
            return
        plus, minus = points
        difference = self.chart.difference_of(plus, minus)
        if difference is not None:
            vector = vector_text(difference.tolist())
            self.numbers.setText(f"x{plus + 1} − x{minus + 1} = {vector}")

    # Mouse.

    def _on_hovered(self, x: float, y: float) -> None:
        self.stage.spotlight.highlight(*(self.chart.pair_at(x, y) or (None, None)))

    def _on_pressed(self, x: float, y: float) -> None:
        pair = self.chart.pair_at(x, y)
        if pair is not None and max(pair) < self.stage.session.document.n:
            self.stage.session.select(set(pair))


def pair_of(lane: Lane) -> tuple[int, int] | None:
    """Return the points of class +1 and -1 of a step that moves two points of different classes."""
    points = [i for i in lane.touched if i < lane.problem.n]
    if len(points) != 2 or np.sum(lane.problem.y[points]) != 0.0:
        return None
    first, second = points
    return (first, second) if lane.problem.y[first] > 0 else (second, first)


def sentence(study: DifferenceStudy | None, at_end: bool) -> str:
    """Return one or two sentences on where the origin lies, and on p - q.

    Parameters
    ----------
    study : DifferenceStudy or None
    at_end : bool
        Whether the last step of a run that has ended is shown.
    """
    if study is None:
        return "The differences of points of both classes are shown here, for the linear kernel."
    hulls, which = study.hulls, "reduced hulls" if study.hulls.mu < 1.0 else "hulls"
    if hulls.meeting:
        return f"The origin lies in the hull of the differences: the {which} meet."
    if study.difference is None:
        return "The origin lies outside: the hulls are apart. The first step defines p − q."
    if at_end or not hulls.of_step:
        return "p − q is the point nearest to the origin. Its distance is that of the hulls."
    return "p − q moves in the hull of the differences to the point nearest to the origin."


def reading(study: DifferenceStudy | None, is_scaled: bool) -> str:
    """Return the two bounds on the distance of the hulls, and how many differences are drawn."""
    if study is None:
        return ""
    parts = []
    lines = study.hulls.lines
    if lines is not None:
        length, gap = number(lines.distance), number(lines.gap)
        parts.append(
            f"‖p − q‖ = {length}"
            if length == gap
            else f"‖p − q‖ = {length} ≥ distance of the hulls ≥ {gap}"
            if lines.gap > 0.0
            else f"‖p − q‖ = {length}"
        )
        if is_scaled:
            parts.append("in scaled units")
    drawn = len(study.set.pairs)
    if drawn < study.set.count:
        parts.append(f"{drawn:,} of {study.set.count:,} differences are drawn")
    return "  ·  ".join(parts)
