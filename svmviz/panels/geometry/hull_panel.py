"""The Hulls panel: the distance of the hulls of the two classes, and the hull weights.

p and q are the nearest points of the two hulls. Each is a mean of the points of its class, weighted
with the hull weights tau_i. No weight is larger than the cap mu.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from solvers import Hulls, Linear
from solvers.settings import settings_of
from svmviz.base.words import number
from svmviz.camera.ticks import round_up
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import LaneStudies, Pending, Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.hull_study import HullStudy, HullStudyMaker
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.still_text import StillText

# If there are at most this many bars, the numbers of their points are below them. More numbers
# would overlap.
MAX_NAMED = 16


# Label of the weights. The literature writes λ, but elsewhere in the window λ is 1 / (C n).
WEIGHT = "hull weight τᵢ"


class HullPanel(FramePanel):
    """The distance of p and q, the width of the margin, the cap mu, and a bar per weight above 0.

    Parameters
    ----------
    stage : Stage
    """

    name = "hulls"
    speaks_of_hulls = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: HullStudy | None = None
        # Indices of the points with a weight above 0, ordered by class and then by index.
        self.members = np.zeros(0, dtype=int)
        self._labels = np.zeros(0)
        self._run, self._top = 0, 0.0
        self._lengths_text = self._pending_text = ""
        self._step_points: tuple[int, ...] = ()
        self.words = self.add(StillText(lines=2))
        self.numbers = self.add(StillText(lines=1))
        others = tuple(name for name in settings_of(Hulls()) if name != "mu")
        self.form = self.add(SettingsForm(Hulls(), skip=others))
        self.form.moved.connect(lambda settings: self._set_cap(settings.mu, is_released=False))
        self.form.released.connect(lambda settings: self._set_cap(settings.mu, is_released=True))
        self.bars = self.add(Chart(self._paint, "point", WEIGHT, height=160.0), 1)
        self.link(self.bars, self._point_at)

    @property
    def on_plane(self) -> Mapping[str, Any]:
        named = tuple(self.members.tolist()) if len(self.members) <= MAX_NAMED else ()
        return {**super().on_plane, "named": named}

    def make_study(self) -> Study:
        return LaneStudies(partial(HullStudyMaker, search=True))

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        result = study[min(frame.focus, len(study) - 1)] if study else None
        self._pending_text = result.words if isinstance(result, Pending) else ""
        self.shown = None if isinstance(result, Pending) else result
        method = lane.method if lane else None
        self.form.setVisible(isinstance(method, Hulls))
        dragging = self.stage.session.previewing
        if isinstance(method, Hulls) and method is not self.form.instance and not dragging:
            self.form.set_instance(method)
        self._step_points = lane.touched if lane else ()
        self._show_words(lane if study else None, frame)
        self._update_bars(lane)

    def mark(self) -> None:
        """Mark the bars, and show the weight of the highlighted point as a number.

        A point of weight 0 has no bar, but its weight is shown, too. If no point is highlighted,
        show the lengths instead of a weight.
        """
        study, highlighted = self.shown, self.stage.spotlight.index
        if study is not None and highlighted is not None and highlighted < len(study.weights):
            self.numbers.setText(
                f"Point {highlighted + 1}: {WEIGHT} = {number(float(study.weights[highlighted]))}"
            )
        else:
            self.numbers.setText(self._lengths_text)
        self.bars.update()

    # Words.

    def _show_words(self, lane: Lane | None, frame: Frame) -> None:
        study = self.shown
        self._lengths_text = ""
        if lane is None:
            self.words.setText("The distance of the two hulls is shown here.")
            return
        if self._pending_text:
            self.words.setText(self._pending_text)
            return
        self.words.setText(verdict(study, isinstance(lane.problem.kernel, Linear), lane.at_end))
        lengths = []
        if study is not None and not math.isnan(study.distance):
            lengths.append(f"‖p − q‖ = {number(study.distance)}")
            if study.lines is not None and study.lines.gap > 0.0:
                lengths.append(f"between the lines = {number(study.lines.gap)}")
        if math.isfinite(lane.certificate.margin):
            lengths.append(f"2/‖w‖ = {number(2.0 * lane.certificate.margin)}")
        if lengths and not (frame.document.factors == 1.0).all():
            lengths.append("in scaled units")
        self._lengths_text = "  ·  ".join(lengths)

    # The bars.

    def _update_bars(self, lane: Lane | None) -> None:
        study = self.shown
        self.members = np.zeros(0, dtype=int)
        if study is not None and lane is not None:
            y = lane.problem.y
            members = np.flatnonzero(study.weights > 0.0)
            self.members = members[np.lexsort((members, y[members]))]
            self._labels = y[self.members]
            if lane.run != self._run:
                self._run, self._top = lane.run, 0.0
            largest = float(study.weights.max(initial=0.0))
            if largest > 0.0:
                self._top = max(self._top, round_up(largest))
        if self.isVisible():
            self.stage.view.add(self, self.on_plane)
        bar_count = max(1, len(self.members))
        self.bars.set_ranges((0.4, bar_count + 0.6), (0.0, 1.08 * (self._top or 1.0)))
        ticks = [(k + 1.0, str(i + 1)) for k, i in enumerate(self.members.tolist())]
        self.bars.set_ticks(0, ticks if bar_count <= MAX_NAMED else [])
        self.bars.set_labels("point" if bar_count <= MAX_NAMED else f"{bar_count:,} points", WEIGHT)

    def _paint(self, paint: ChartPainter) -> None:
        study, theme = self.shown, paint.theme
        if study is None or not len(self.members):
            return
        x, heights = np.arange(1.0, len(self.members) + 1), study.weights[self.members]
        px_per_bar = paint.area.rect.width() / (paint.area.x[1] - paint.area.x[0])
        width = min(0.7, paint.px(26.0) / px_per_bar)
        for colour, label in ((theme.positive, 1.0), (theme.negative, -1.0)):
            of_class = self._labels == label
            paint.bars(x[of_class], heights[of_class], width, colour)
        # A bar with several marks has the colour of the last of them.
        for points, colour in (
            (self._step_points, theme.highlight),
            (self.stage.session.selection, theme.focus),
            (self.stage.spotlight.points, theme.text),
        ):
            marked = [point in points for point in self.members.tolist()]
            paint.bars(x[marked], heights[marked], width, colour, edge=True)
        if study.mu < 1.0 and study.mu <= paint.area.y[1]:
            text = f"cap μ = {number(study.mu)}"
            paint.rule(study.mu, theme.text, style=DASHED, vertical=False, text=text)

    # Mouse and slider.

    def _point_at(self, x: float, _y: float) -> int | None:
        bar = round(x) - 1
        return int(self.members[bar]) if 0 <= bar < len(self.members) else None

    def _set_cap(self, mu: float, *, is_released: bool) -> None:
        """Set the cap mu of the method of the lane in focus.

        The algorithm "pairwise" needs mu = 1. If mu is below 1, "wolfe" replaces it.

        Parameters
        ----------
        mu : float
        is_released : bool
            True makes an undo entry. False, while the slider is dragged, only makes a preview.
        """
        session = self.stage.session
        lane, method = self.stage.lane, self.stage.method
        if not isinstance(method, Hulls):
            return
        algorithm = "wolfe" if method.algorithm == "pairwise" and mu < 1.0 else method.algorithm
        document = session.document.with_method(replace(method, mu=mu, algorithm=algorithm), lane)
        if is_released:
            session.edit(document, "Change the cap μ")
        else:
            session.preview(document)


def verdict(study: HullStudy | None, linear: bool, at_end: bool) -> str:
    """Return one or two sentences on whether the hulls meet, and on p and q.

    Parameters
    ----------
    study : HullStudy or None
        None if the kernel is nonlinear and the method does not work on hulls.
    linear : bool
        Whether the kernel is linear.
    at_end : bool
        Whether the last step of a run that has ended is shown.
    """
    if study is None:
        return "The hulls of this kernel lie in the feature space: the plane cannot show them."
    which = "reduced hulls" if study.mu < 1.0 else "hulls"
    if study.meeting:
        if study.largest is None:
            return f"The {which} meet: no boundary with this kernel separates the classes."
        # Rounded down, so that the hulls are apart at the number shown.
        largest = number(math.floor(study.largest * 1e4) / 1e4 or study.largest)
        return f"The {which} meet. With a cap μ of at most {largest} the reduced hulls are apart."
    where = "" if linear else ", in the feature space; the plane cannot show them"
    if math.isnan(study.distance):
        return f"The {which} are apart{where}. The first step defines p and q."
    if not linear:
        return f"The {which} are apart{where}."
    if at_end or not study.of_step:
        return f"The {which} are apart; p and q are their nearest points."
    return f"The {which} are apart; p and q move towards their nearest points."
