"""The alpha chart: a bar per point, the positive class at the left, the negative at the right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from solvers.run.method import counted
from svmviz.base.kinds import kinds_of
from svmviz.base.notation import of_keys
from svmviz.base.words import class_titles, number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.step.alpha_bars import AlphaAxis, Bars, caps_of, largest_alpha, words_above
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillLabel

# Space below and above the bars, and size of a triangle below them, px at scale 1.
BELOW, ABOVE, TRIANGLE = 30.0, 18.0, 9.0
# Maximum number of points that are marked in one colour.
MAX_MARKS = 300
CLASSES = ("positive", "negative")
# If alpha counts mistakes, the axis is linear up to this number, so that a single one is seen.
MAX_LINEAR_COUNT = 10.0
# What the heights of the bars show, by task.
HEIGHT_SYMBOLS = {"classification": "α", "regression": "|β|"}


@dataclass(frozen=True, eq=False)
class BarRow:
    """Bars of one colour, a name in `Theme`; the arrays have shape (m,)."""

    x: np.ndarray
    height: np.ndarray
    width: np.ndarray
    colour: str


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
        self.rows: dict[str, BarRow] = {}
        # The values of C with their texts (`caps_of`).
        self.caps: list[tuple[float, str]] = []
        # The number of the points of each row of triangles below the bars, by colour in `Theme`.
        self._triangles: dict[str, list[int]] = {}
        self._bars = Bars(np.zeros(0, dtype=np.int8))
        self._axis = AlphaAxis()
        self.words = self.add(StillLabel())
        self.chart = self.add(Chart(self._paint, height=150.0), 1)
        self.chart.set_ticks(0, [])
        self.link(self.chart, self._point_at)
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
        self._bars.fit(self.chart.area.rect.width() / look_of(self).metrics.controls)
        set_tip(self.chart, _tooltip(self._bars.points_per_bar))
        if lane is not None:
            self._fit(lane)
        else:
            self.chart.set_ticks(1, [])
        self._set_rows(lane)

    def mark(self) -> None:
        """Mark the points of the step, the point under the mouse, and the selected points."""
        self._set_rows(self._frame.lane if self._frame else None)
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

    def _fit(self, lane: Lane) -> None:
        """Fit the axes to the run, with room below the bars for names and marks, and above."""
        axis = self._axis
        # While the picture moves from one step to the next, `lane.certificate` is that of the next
        # step all the time, so the axis does not move.
        bound = float(lane.certified_problem.caps.max())
        is_count = not lane.method.maximizes_margin
        end = MAX_LINEAR_COUNT if is_count else bound
        axis.follow(lane.run, end, largest_alpha(lane, self.stage.feed.curves))
        self.caps = caps_of(self._frame.document, lane.certified_problem) if self._frame else []
        px = look_of(self).metrics.px
        below, above = px(BELOW), px(ABOVE)
        unit = axis.top / max(self.chart.area.rect.height() - below - above, 1.0)
        self.chart.set_ranges(self._bars.extent, (-below * unit, axis.top + above * unit))
        self.chart.set_ticks(1, axis.ticks(5, whole=is_count))

    def _set_rows(self, lane: Lane | None) -> None:
        """Set the bars, and the marks for points of the step, highlighted and selected ones.

        A mark is a coloured bar or a triangle below the bars.
        """
        alpha = lane.shown_alpha if lane else np.zeros(0)
        self.rows = {
            name: BarRow(x, self._axis.to_height(highest), width, name)
            for name, x, width, highest in (self._bars.class_bars(alpha) if lane else ())
        }
        # As on the plane, the points of a step are not marked during a drag, nor at the last step
        # of a run that has ended, where `lane.touched` is empty.
        step_points = () if lane is None or self.stage.session.previewing else lane.touched
        for name, points, colour in (
            ("touched", step_points, "highlight"),
            ("highlighted", self.stage.spotlight.points, "text"),
        ):
            indices = _first(points, len(alpha))
            x, width = self._bars.marks_of(indices)
            self.rows[name] = BarRow(x, self._axis.to_height(alpha[indices]), width, colour)
        self._triangles = {
            "highlight": _first(step_points, len(alpha)),
            "focus": _first(self.stage.session.selection, len(alpha)),
        }
        self.chart.update()

    def _paint(self, paint: ChartPainter) -> None:
        lane, theme = self._frame.lane if self._frame else None, paint.theme
        if lane is None:
            return
        paint.rule(0.0, theme.line_strong, 1.0, vertical=False)
        for row in self.rows.values():
            paint.bars(row.x, row.height, row.width, getattr(theme, row.colour))
        caps = [(bound, words) for bound, words in self.caps if bound <= self._axis.top]
        for bound, _ in caps:
            paint.rule(bound, theme.text, style=DASHED, vertical=False)
        end = paint.area.x[1]
        paint.level_texts([((end, bound), words) for bound, words in caps], theme.text, above=True)
        if above := words_above(self.caps, self._axis.top):
            paint.text(above, (paint.area.x[1], paint.area.y[1]), theme.muted)
        names = self._bars.class_labels(class_names(self._frame))
        # Letters have the colour of outlines of points, since that of points is too pale for text.
        for (name, middle), colour in zip(names, CLASSES, strict=True):
            # With "|β| of the points" for a regression, the names of classes have no letters of it.
            name = name if lane.problem.task == "regression" else of_keys(name)
            paint.text(name, (middle, 0.0), getattr(theme, f"{colour}_edge"), (0.0, 0.68 * BELOW))
        for colour, points in self._triangles.items():
            middles, _ = self._bars.marks_of(points)
            paint.triangles(middles, np.zeros(len(points)), getattr(theme, colour), TRIANGLE)

    def _alpha(self) -> np.ndarray:
        lane = self._frame.lane if self._frame else None
        return lane.certificate.alpha if lane else np.zeros(0)

    def _show_words(self) -> None:
        lane, alpha = self._frame.lane if self._frame else None, self._alpha()
        index = self.stage.spotlight.index
        task = self._frame.document.task if self._frame else "classification"
        symbol = HEIGHT_SYMBOLS[task]
        is_count = self._frame is not None and not self._frame.document.method.maximizes_margin
        if lane is None:
            what = (
                "The number of mistakes at each point" if is_count else f"{symbol} of every point"
            )
            words = f"{what} is shown here."
        elif is_count:
            words = _mistake_words(alpha, index)
        elif index is not None and index < len(alpha):
            kind = _kind(lane, index)
            kind = "above C" if alpha[index] > lane.ceiling[index] else kind
            words = f"Point {index + 1}: {symbol} = {number(float(alpha[index]))}"
            words += f", {kind}" if alpha[index] > 0 else ""
        elif lane.exceeds_bound:
            words = f"Up to {number(float(alpha.max()))}: above C, not dual feasible."
        else:
            words = (
                f"{np.count_nonzero(alpha):,} of {len(alpha):,} points have a weight {symbol} > 0."
            )
        if words != self.words.text():
            self.words.setText(words)

    # Mouse.

    def _point_at(self, x: float, _y: float) -> int | None:
        lane = self._frame.lane if self._frame else None
        return None if lane is None else self._bars.point_at(x, lane.certificate.alpha)


def _kind(lane: Lane, index: int) -> str:
    """Return whether alpha of a point is 0, free or at its bound, in a few words."""
    texts = kinds_of(lane.certified_problem)
    return (texts.zero, f"free: {texts.free}", texts.at_bound)[int(lane.certificate.kinds[index])]


def _mistake_words(counts: np.ndarray, index: int | None) -> str:
    """Return how often a point, or how many of the points, were mistakes."""
    if index is not None and index < len(counts):
        return f"Point {index + 1}: {counted(int(counts[index]), 'mistake')}"
    if not counts.any():
        return "No mistakes so far."
    mistakes = counted(int(counts.sum()), "mistake")
    return f"{mistakes} at {np.count_nonzero(counts):,} of {len(counts):,} points."


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
