"""The alpha chart: a bar per point, the positive class at the left, the negative at the right."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from svmviz.base.kinds import kinds_of
from svmviz.base.words import class_titles, number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.step.alpha_bars import AlphaAxis, Bars
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.charts.bars import BarChart, BarPicture, Row, Triangles
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_label import StillLabel

# Maximum number of points that are marked in one colour.
MAX_MARKS = 300
CLASSES = ("positive", "negative")
# What the heights of the bars show, by task.
HEIGHT_SYMBOLS = {"classification": "α", "regression": "|β|"}


class AlphaChart(FramePanel):
    """Bar chart of alpha. The point of the bar under the mouse is highlighted in all views.

    Parameters
    ----------
    stage : Stage
    """

    name = "alpha"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._frame: Frame | None = None
        self._picture = BarPicture()
        self._bars = Bars(np.zeros(0, dtype=np.int8))
        self._axis = AlphaAxis()
        self.words = self.add(StillLabel())
        self.chart = self.add(BarChart(150), 1)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.left.connect(lambda: stage.spotlight.highlight(None))
        stage.feed.frame_changed.connect(self._on_glide)

    @property
    def bars(self) -> Bars:
        """The horizontal positions of the bars, and the points of each bar."""
        return self._bars

    # Bars.

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._frame = frame
        labels = frame.document.data.labels if lane else np.zeros(0, dtype=np.int8)
        if not np.array_equal(labels, self._bars.labels):
            self._bars = Bars(labels)
        self._bars.fit(self.chart.plot.width() / look_of(self).metrics.controls)
        set_tip(self.chart, _tooltip(self._bars.points_per_bar))
        self._picture = BarPicture() if lane is None else self._bars_of(lane)

    def mark(self) -> None:
        """Mark the points of the step, the point under the mouse, and the selected points."""
        self.chart.show_picture(self._marked(self._picture))
        self._show_words()

    def _on_glide(self, frame: Frame) -> None:
        """Draw the bars of a frame between two steps.

        Such frames move the picture from one step to the next. In this panel only the bars show
        them. The sentence, and all other panels, change when the frame of the next step arrives.
        """
        last_frame = self._frame
        same_steps = last_frame is not None and last_frame.run_steps == frame.run_steps
        if frame.glides and self.isVisible() and same_steps:
            self.draw(frame.lane, None, frame)
            self.chart.show_picture(self._marked(self._picture))

    def _bars_of(self, lane: Lane) -> BarPicture:
        """Return the bars without marks. Marks can change without a new frame; see `_marked`."""
        alpha, bound, axis = lane.shown_alpha, lane.certified_problem.C, self._axis
        # While the picture moves from one step to the next, `lane.certificate` is that of the next
        # step all the time, so the axis does not move.
        axis.follow(lane.run, bound, float(lane.certificate.alpha.max()))
        # Below the bars there is room for names and marks, and above them for the label of C.
        below, above = self._spaces()
        shows_bound = math.isfinite(bound) and axis.top >= bound
        names = zip(self._bars.class_labels(class_names(self._frame)), CLASSES, strict=True)
        return BarPicture(
            across=self._bars.extent,
            up=(-below * axis.top, (1.0 + above) * axis.top),
            rows={
                name: Row(name, x, axis.to_height(highest), width)
                for name, x, width, highest in self._bars.class_bars(alpha)
            },
            triangle_level=-0.26 * below * axis.top,
            ticks=axis.ticks(5) if axis.has_log_part else None,
            bound=bound if shows_bound else None,
            bound_words=kinds_of(lane.certified_problem).limit.format(number(bound))
            if shows_bound
            else "",
            names=[(text, middle, colour) for (text, middle), colour in names],
            names_level=-0.45 * below * axis.top,
        )

    def _spaces(self) -> tuple[float, float]:
        """Return the space below and above the bars, as fractions of the height of the bars.

        Both spaces have a constant height in px.
        """
        px = look_of(self).metrics.px
        below, above = px(30), px(18)
        bars = max(self.chart.plot.height() - below - above, 1.0)
        return below / bars, above / bars

    def _marked(self, picture: BarPicture) -> BarPicture:
        """Add marks for the points of the step, the highlighted point and the selected points.

        A mark is a coloured bar or a triangle below the bars.
        """
        lane = self._frame.lane if self._frame else None
        alpha = lane.shown_alpha if lane else np.zeros(0)
        # As on the plane, the points of a step are not marked during a drag, nor at the last step
        # of a run that has ended, where `lane.touched` is empty.
        step_points = () if lane is None or self.stage.session.previewing else lane.touched
        rows = {name: picture.rows[name] for name in CLASSES if name in picture.rows}
        for name, points, colour in (
            ("touched", step_points, "highlight"),
            ("highlighted", self.stage.spotlight.points, "text"),
        ):
            indices = _first(points, len(alpha))
            x, width = self._bars.marks_of(indices)
            rows[name] = Row(colour, x, self._axis.to_height(alpha[indices]), width)
        triangles = {}
        selected = self.stage.session.selection
        for name, points, colour in (
            ("touched", step_points, "highlight"),
            ("selected", selected, "focus"),
        ):
            triangles[name] = Triangles(colour, self._bars.marks_of(_first(points, len(alpha)))[0])
        return replace(picture, rows=rows, triangles=triangles)

    def _alpha(self) -> np.ndarray:
        lane = self._frame.lane if self._frame else None
        return lane.certificate.alpha if lane else np.zeros(0)

    def _show_words(self) -> None:
        lane, alpha = self._frame.lane if self._frame else None, self._alpha()
        index = self.stage.spotlight.index
        task = self._frame.document.task if self._frame else "classification"
        symbol = HEIGHT_SYMBOLS[task]
        if lane is None:
            words = f"{symbol} of every point is shown here."
        elif index is not None and index < len(alpha):
            kind = _kind(lane, index)
            kind = "above C" if alpha[index] > lane.ceiling else kind
            words = f"Point {index + 1}: {symbol} = {number(float(alpha[index]))}"
            words += f", {kind}" if alpha[index] > 0 else ""
        elif lane.exceeds_bound:
            words = f"Up to {number(float(alpha.max()))}: above C, not dual feasible."
        else:
            words = f"{np.count_nonzero(alpha):,} of {len(alpha):,} points have {symbol} > 0."
        if words != self.words.text():
            self.words.setText(words)

    # Mouse.

    def _on_hovered(self, x: float, _y: float) -> None:
        self.stage.spotlight.highlight(self._point_at(x))

    def _on_pressed(self, x: float, _y: float) -> None:
        index = self._point_at(x)
        if index is not None and index < self.stage.session.document.n:
            self.stage.spotlight.highlight(index)
            self.select_point(index)

    def _point_at(self, x: float) -> int | None:
        lane = self._frame.lane if self._frame else None
        return None if lane is None else self._bars.point_at(x, lane.certificate.alpha)


def _kind(lane: Lane, index: int) -> str:
    """Return whether alpha of a point is 0, free or at its bound, in a few words."""
    texts = kinds_of(lane.certified_problem)
    return (texts.zero, f"free: {texts.free}", texts.at_bound)[int(lane.certificate.kinds[index])]


def _first(points: Iterable[int], n: int) -> list[int]:
    """Return the indices below n, or the first ``MAX_MARKS`` of them."""
    return list(islice((k for k in points if k < n), MAX_MARKS))


def _tooltip(points_per_bar: int) -> str:
    tip = "Point at a bar to see its point, click to select it"
    if points_per_bar > 1:
        tip += f".\nA bar stands for {points_per_bar} points and shows the largest of their values"
    return tip


def class_names(frame: Frame | None) -> tuple[str, str]:
    """Return the texts under the bars: the names of the positive and of the negative class."""
    if frame is None:
        return "+1", "−1"
    if frame.document.is_regression:
        return "|β| of the points", ""
    negative, positive = class_titles(frame.document.data)
    return positive, negative
