"""The plane of weights w: contours of the primal P, and the path of w through a run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from solvers import Problem
from svmviz.base.words import number, primal_name, vector_text
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel, reader_of, text_of
from svmviz.panels.geometry.weight_space import (
    WeightSpace,
    WeightStudy,
    WeightSupport,
    fits,
    snapped,
    support_at,
    taken_at,
)
from svmviz.stage.stage import Stage
from svmviz.theme import active, look_of
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.still_text import StillText

# A point x with label y is drawn as a line: all w with y f(x) = 1. At most this number of selected
# points are drawn.
MAX_LINES = 20
# Methods whose steps use a sub-gradient. For them the lines that support P are drawn.
SUBGRADIENT_METHODS = ("subgradient", "pegasos")
# Length of the arrow of a sub-gradient, reach of the mouse around its tip, and distance at which w
# snaps to a kink, px at scale 1.
ARROW, REACH, SNAP = 56.0, 14.0, 8.0
FAN_OPACITY = 0.14


class WeightPanel(FramePanel):
    """Panel with ``w`` and the primal at the current step, and the path of ``w`` up to this step.

    Parameters
    ----------
    stage : Stage
    """

    name = "weight-space"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: WeightStudy | None = None
        # The image of the primal, with the `Landscape` and the theme for which it was made.
        self._shades: tuple[object, QImage] | None = None
        # The lines that support P at the w of the step, or at a w that the user has pressed at; and
        # which of the lines at a kink is drawn, from 0 to 1.
        self.support: WeightSupport | None = None
        self.share = 0.5
        # Run and step of the w of the step.
        self._supported: tuple[int, int] | None = None
        # Number of the lane and w of the other lanes of a race.
        self._others: list[tuple[int, np.ndarray]] = []
        self._is_turning: bool | None = None
        # The numbers of the line that was dragged: its step, w, and which of the lines at a kink.
        self._dragged = self.share_value("support", reader_of(4), self._on_dragged)
        self.words = self.add(StillText(lines=1))
        self.key = self.add(StillText(lines=1))
        self.chart = self.add(Chart(self._paint, "w₁", "w₂", equal=True, height=260.0), 1)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.released.connect(self._on_released)

    def make_study(self) -> Study:
        return WeightSpace()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study
        if lane is None or study is None:
            self.words.setText("The path of w to the optimum is drawn here.")
            return
        self.chart.set_ranges(study.landscape.x, study.landscape.y)
        w = study.path[-1]
        self._follow_step(lane, w)
        self._others = [
            (k, other.expansion.beta @ other.problem.centered)
            for k, other in enumerate(frame.lanes)
            if other is not lane and fits(other.problem)
        ]
        name = primal_name(lane.certified_problem).removeprefix("primal ")
        primal = f"{name} = {number(lane.certificate.primal)}"
        self.words.setText(f"w = {vector_text(w.tolist())}  ·  {primal}")

    def mark(self) -> None:
        lane, study, highlighted = self.lane, self.shown, self.stage.spotlight.index
        if lane is None or study is None:
            self.key.setText("")
        elif highlighted is not None and highlighted < lane.problem.n:
            self.key.setText(f"Line: all w with y f(x) = 1 at point {highlighted + 1}, for this b.")
        else:
            self.key.setText(*self._key_words(lane, study))
        self.chart.update()

    @property
    def marked(self) -> tuple[tuple[int, str], ...]:
        """Points that are drawn as lines, and their colours."""
        n, highlighted = self.lane.problem.n if self.lane else 0, self.stage.spotlight.index
        chosen = sorted(i for i in self.stage.session.selection if i < n)[:MAX_LINES]
        marked = [(i, look_of(self).theme.focus) for i in chosen if i != highlighted]
        if highlighted is not None and highlighted < n:
            marked.append((highlighted, look_of(self).theme.text))
        return tuple(marked)

    def _key_words(self, lane: Lane, study: WeightStudy) -> tuple[str, str]:
        """Return a sentence on what is drawn, and one on what the mouse can do."""
        if self.support is not None and self.support.at_kink:
            fan = "A kink: every line in the fan supports P."
            return fan, "Turn one by the tip of its arrow."
        if study.other is not None:
            return f"Dashed: the {study.other_name}{self._ball_words(study)}.", ""
        if self.support is not None:
            step = "; pink: the step" if self._shows_step(lane) else ""
            return (
                f"Beyond the line, away from the arrow, P ≥ P(w){step}.",
                "Press at another w; it snaps to kinks.",
            )
        words = "Contours of P at the best b; P may rise from one step to the next."
        if lane.certified_problem.capped or lane.method.aim:
            words = "Contours of P at the best b. This method does not minimise P."
        elif lane.certified_problem.hard:
            words = "Contours of ½‖w‖², where some b gives y f ≥ 1 at every point."
        elif math.isfinite(study.radius):
            words = f"Contours of P at the best b{self._ball_words(study)}."
        return words, ""

    def _ball_words(self, study: WeightStudy) -> str:
        """Return a phrase on the ball ``||w|| <= radius``, which contains the optimum.

        The phrase is empty if no such ball is known. If the circle that shows the ball is outside
        the picture, the phrase has the radius.
        """
        if not math.isfinite(study.radius):
            return ""
        # Distances from 0 to the nearest point of the picture and to its farthest corner.
        ranges = self.chart.ranges
        nearest = math.hypot(*(max(low, -high, 0.0) for low, high in ranges))
        farthest = math.hypot(*(max(-low, high) for low, high in ranges))
        if nearest < study.radius < farthest:
            return "; circle: ‖w‖ = 1/√λ"
        return f"; the circle ‖w‖\u00a0=\u00a0{number(study.radius)} is outside the picture"

    # The lines that support P.

    def _follow_step(self, lane: Lane, w: np.ndarray) -> None:
        """Find the lines that support P at the w of the step, unless this step was shown before."""
        if lane.method.name not in SUBGRADIENT_METHODS or not fits(lane.problem):
            self.support = self._supported = None
        elif self._supported != (lane.run, lane.step):
            if self._supported and self._supported[0] != lane.run:
                self._dragged = None
                self.stage.view.forget("weight-space.support")
            self._supported = lane.run, lane.step
            dragged = self._dragged
            if dragged and dragged[0] == lane.step:
                w, self.share = np.array(dragged[1:3]), min(max(dragged[3], 0.0), 1.0)
            self.support = support_at(lane.problem, w)

    def _tip(self, gradient: np.ndarray) -> QPointF:
        """Return the place of the tip of the arrow against a sub-gradient, px."""
        assert self.support is not None
        start = self.chart.area.pixel(*self.support.w.tolist())
        length = math.hypot(*gradient) or 1.0
        size = look_of(self).metrics.stroke(ARROW) / length
        # The axes have equal units; the vertical one of px points down.
        return start + QPointF(-size * gradient[0], size * gradient[1])

    def _on_pressed(self, x: float, y: float) -> None:
        lane, support = self.lane, self.support
        if lane is None or support is None:
            return
        unit = 1.0 / max(
            1e-300, self.chart.area.pixel(1.0, 0.0).x() - self.chart.area.pixel(0.0, 0.0).x()
        )
        metrics = look_of(self).metrics
        if self._is_turning is None:
            distance = self.chart.area.pixel(x, y) - self._tip(support.gradient(self.share))
            is_near = math.hypot(distance.x(), distance.y()) <= metrics.stroke(REACH)
            self._is_turning = support.at_kink and is_near
        w = np.array([x, y])
        if self._is_turning:
            self.share = support.share_towards(support.w - w)
        else:
            w = snapped(lane.problem, w, metrics.stroke(SNAP) * unit)
            self.support = support = support_at(lane.problem, w) or support
        self.keep_value("support", text_of((lane.step, *support.w, self.share)))

    def _on_dragged(self, numbers: tuple[float, ...]) -> None:
        """Show the line that was dragged, here or in another view."""
        self._dragged, lane = numbers, self.lane
        if lane is not None and self.support is not None and numbers[0] == lane.step:
            self.share, w = min(max(numbers[3], 0.0), 1.0), np.array(numbers[1:3])
            if not np.array_equal(w, self.support.w):
                self.support = support_at(lane.problem, w) or self.support
            self.mark()

    def _on_released(self) -> None:
        self._is_turning = None

    def _paint_support(self, paint: ChartPainter) -> None:
        lane, support = self.lane, self.support
        if lane is None or support is None:
            return
        theme = paint.theme
        reach = sum(high - low for low, high in (paint.area.x, paint.area.y))

        def line(gradient: np.ndarray) -> np.ndarray:
            along = np.array([-gradient[1], gradient[0]]) / (math.hypot(*gradient) or 1.0)
            return support.w + np.outer((-reach, reach), along)

        if support.at_kink:
            first, second = (line(end) for end in support.ends)
            for side in (0, 1):
                paint.fill(
                    np.array([support.w, first[side], second[side]]), theme.series[1], FAN_OPACITY
                )
        gradient = support.gradient(self.share)
        paint.curve(line(gradient), theme.series[1], 2.0)
        self._paint_arrow(paint, gradient, theme.series[1])
        if self._shows_step(lane):
            taken = taken_at(lane.problem, support.w, lane.expansion.constant)
            self._paint_arrow(paint, taken, theme.highlight)

    def _shows_step(self, lane: Lane) -> bool:
        """Return whether the sub-gradient is drawn that the next step takes."""
        study, support = self.shown, self.support
        if study is None or support is None or lane.method.name != "subgradient":
            return False
        return bool((study.path[-1] == support.w).all())

    def _paint_arrow(self, paint: ChartPainter, gradient: np.ndarray, colour: str) -> None:
        """Draw an arrow from w against a sub-gradient, in the direction of a step."""
        assert self.support is not None
        paint.arrow(self.support.w, paint.area.to_data(self._tip(gradient)), colour)

    # Painting.

    def _paint(self, paint: ChartPainter) -> None:
        study, theme = self.shown, paint.theme
        if study is None:
            return
        self._paint_shades(paint, study)
        for line in study.landscape.contours:
            paint.curve(line, theme.line_strong, 1.0)
        self._paint_points(paint)
        self._paint_support(paint)
        if math.isfinite(study.radius):
            self._paint_ball(paint, study.radius)
        if study.other is not None:
            paint.curve(study.other, theme.series[1], 2.0, DASHED)
            paint.dots(study.other[-1:], theme.series[1], edge=theme.card)
        for number_of_lane, w in self._others:
            paint.dots(w[None, :], theme.series[number_of_lane], edge=theme.card)
        paint.curve(study.path, theme.accent, 1.0)
        paint.dots(study.path, theme.accent, 4.0)
        paint.dots(study.path[-1:], theme.highlight, edge=theme.card)
        paint.arrow_beyond(study.path[-1].tolist(), theme.highlight)

    def _paint_shades(self, paint: ChartPainter, study: WeightStudy) -> None:
        """Paint P, darker where it is larger; blank where the hard margin makes it infinite."""
        key = (study.landscape, look_of(self).theme)
        if self._shades is None or self._shades[0] != key:
            self._shades = (key, shade_image(study.landscape.values))
        left, right, bottom, top = study.landscape.reach
        top_left, bottom_right = paint.area.pixel(left, top), paint.area.pixel(right, bottom)
        image = self._shades[1]
        # The outer nodes of the grid are at the centres of the outer pixels, so the image is larger
        # than the grid by half a pixel on each side.
        half_x = 0.5 * (bottom_right.x() - top_left.x()) / (image.width() - 1)
        half_y = 0.5 * (bottom_right.y() - top_left.y()) / (image.height() - 1)
        half_pixel = QPointF(half_x, half_y)
        paint.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        target = QPolygonF([top_left - half_pixel, bottom_right + half_pixel]).boundingRect()
        paint.painter.drawImage(target, image)

    def _paint_ball(self, paint: ChartPainter, radius: float) -> None:
        paint.set_pen(paint.theme.text, 1.5, DOTTED)
        centre = paint.area.pixel(0.0, 0.0)
        pixels = paint.area.pixel(radius, 0.0).x() - centre.x()
        paint.painter.drawEllipse(centre, pixels, pixels)

    def _paint_points(self, paint: ChartPainter) -> None:
        """Paint the line y (<w, x> + b) = 1 of each marked point x, with its label y.

        b is that of the step shown.
        """
        lane = self.lane
        if lane is None:
            return
        for point, colour in self.marked:
            ranges = paint.area.x, paint.area.y
            paint.curve(line_of(lane.problem, lane.expansion.constant, point, ranges), colour)


def line_of(problem: Problem, b: float, point: int, ranges: tuple[Range, Range]) -> np.ndarray:
    """Return two points of the line ``{w: y (<w, x> + b) = 1}``, shape (2, 2).

    All of the line inside the ranges is between them. If x = 0, there is no line, and the shape is
    (0, 2).
    """
    x, y = problem.centered[point], problem.y[point]
    squared_norm = float(x @ x)
    if squared_norm == 0.0:
        return np.zeros((0, 2))
    (left, right), (bottom, top) = ranges
    middle = np.array([0.5 * (left + right), 0.5 * (bottom + top)])
    # The point of the line nearest to the middle. The line is <w, x> = y - b, since 1 / y = y.
    nearest = middle + (y - b - float(middle @ x)) / squared_norm * x
    direction = np.array([-x[1], x[0]]) / math.sqrt(squared_norm)
    reach = (right - left) + (top - bottom)
    return nearest + np.outer((-reach, reach), direction)


def shade_image(values: np.ndarray) -> QImage:
    """Return an image that is more opaque where the values are larger.

    The first row of ``values`` is at the bottom of the image. Infinite values are transparent.
    """
    finite = np.isfinite(values)
    low = values[finite].min() if finite.any() else 0.0
    high = values[finite].max() if finite.any() else 1.0
    relative = np.sqrt(np.clip((values - low) / max(high - low, 1e-300), 0.0, 1.0))
    # From 12 to 72, where 255 is opaque.
    opacity = np.where(finite, 12 + 60 * relative, 0.0)
    colour = QColor(active().theme.accent)
    pixels = np.zeros((*values.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (colour.red(), colour.green(), colour.blue())
    pixels[..., 3] = np.nan_to_num(opacity)
    pixels = np.ascontiguousarray(pixels[::-1])
    rows, columns = values.shape
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
    return image.copy()
