"""The Components panel: kernel PCA, the eigenfunctions of the kernel, and distances of phi."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import contourpy
import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QHideEvent

from solvers import Problem
from solvers.kernels.feature_geometry import (
    Components,
    components,
    distances_to_mean,
    feature_distance,
    refuting_points,
)
from solvers.kernels.kernel import sample_of
from solvers.kernels.mercer import MAX_POINTS
from svmviz.base.words import distance_words, number, percent
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import ProblemStudy, Study
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.kernels.plane_box import plane_box
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.heat_map import matrix_image
from svmviz.widgets.charts.plot_area import WHOLE
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.still_text import StillText

# Components that can be chosen, and nodes of the picture of one component along each axis.
MAX_COMPONENTS, NODES = 12, 73
# Space around the points in that picture, as a fraction of their range.
MARGIN = 0.15
MATRICES = (("centred", "Centred K"), ("plain", "K"))
# Minimum width of the panel to put the two pictures side by side, px at scale 1.
MIN_WIDTH_ACROSS = 380


@dataclass(frozen=True, eq=False)
class ComponentsStudy:
    """Kernel PCA of the points, and one component over the plane.

    Attributes
    ----------
    found : Components
    scores : array, shape (n, r)
        The components of all points; r is at most MAX_COMPONENTS.
    values : array, shape (s,)
        All eigenvalues that are not 0, by falling absolute value.
    refuting : tuple of int
        Indices of at most three points that prove that this is no kernel; empty otherwise.
    across : int
        The component of ``field``.
    field : array, shape (NODES, NODES)
        Its values; the first row is at the lowest y. 0 for points without coordinates.
    box : (float, float, float, float)
        Left, right, bottom and top of the field, in solver units.
    """

    found: Components
    scores: np.ndarray
    values: np.ndarray
    refuting: tuple[int, ...]
    across: int
    field: np.ndarray
    box: tuple[float, float, float, float]


def study_components(problem: Problem, is_centred: bool, across: int) -> ComponentsStudy | None:
    """Return the components; None if all eigenvalues are 0.

    With more than ``MAX_POINTS`` points, they are those of an evenly spread sample.

    Parameters
    ----------
    problem : Problem
    is_centred : bool
        Whether the mean of the points in the feature space is subtracted.
    across : int
        The component that is drawn over the plane.
    """
    sample, indices = sample_of(problem.X, MAX_POINTS)
    found = components(problem.kernel, sample, centred=is_centred)
    if not len(found.values):
        return None
    across = min(across, len(found.values) - 1, MAX_COMPONENTS - 1)
    has_plane = problem.kernel.domain == "points"
    low, high = plane_box(problem.X if has_plane else np.zeros((1, 2)), MARGIN)
    # In a regression points have one coordinate, and the picture is the same at every height.
    left, right = float(low[0]), float(high[0])
    bottom, top = -1.0, 1.0
    if len(low) > 1:
        bottom, top = float(low[1]), float(high[1])
    xs, ys = np.linspace(left, right, NODES), np.linspace(bottom, top, NODES)
    nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)[:, : problem.X.shape[1]]
    values = found.at(nodes)[:, across] if has_plane else np.zeros(len(nodes))
    refuting: tuple[int, ...] = ()
    if not problem.kernel.mercer:
        K = problem.kernel(sample, sample)
        refuting = tuple(int(indices[i]) for i in refuting_points(K))
    return ComponentsStudy(
        found,
        found.at(problem.X)[:, :MAX_COMPONENTS],
        found.values,
        refuting,
        across,
        values.reshape(NODES, NODES),
        (left, right, bottom, top),
    )


class ComponentsPanel(FramePanel):
    """The spectrum, one component over the plane, and the points in two components.

    Parameters
    ----------
    stage : Stage
    """

    name = "components"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        # Set before the base class asks for the study.
        self.across, self.up, self._is_centred = 0, 1, True
        super().__init__(stage)
        self.shown: ComponentsStudy | None = None
        self._spans = (FittedRange(), FittedRange())
        self.words = self.add(StillText(lines=2))
        self.matrix = self.add(Segmented(MATRICES))
        self.setting_forms.append(self.matrix)
        self.share_choice("matrix", self.matrix, self._on_matrix)
        self._on_matrix(self.matrix.value)
        self.spectrum = self.add(
            Chart(self._paint_spectrum, "", "eigenvalue", x=WHOLE, height=110.0), 2
        )
        self.spectrum.pressed.connect(self._choose)
        self._pictures = self.add(Column(gap=1.0, across=True), 4)
        self.field = self._pictures.add(Chart(self._paint_field, height=190.0), 1)
        self.scores = self._pictures.add(Chart(self._paint_scores, height=190.0), 1)
        self.link(self.field, lambda x, y: self.field.nearest(self._places(), x, y))
        self.link(self.scores, lambda x, y: self.scores.nearest(self._scores(), x, y))

    def make_study(self) -> Study:
        settings = {"is_centred": self._is_centred, "across": self.across}
        return ProblemStudy(partial(study_components, **settings))

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study if isinstance(study, ComponentsStudy) else None
        self.field.setVisible(frame.document.has_coordinates)
        self._pictures.lay_across(self.lies_across(MIN_WIDTH_ACROSS))
        shown = self.shown
        if shown is not None and lane is not None:
            bars = shown.values[:MAX_COMPONENTS]
            top, bottom = max(float(bars.max()), 0.0), min(float(bars.min()), 0.0)
            self.spectrum.set_ranges((0.4, len(bars) + 0.6), (bottom * 1.1, top * 1.1))
            left, right, low, high = shown.box
            self.field.set_ranges((left, right), (low, high))
            scores = self._scores()
            ranges = (
                span.follow(lane.run, float(s.min()), float(s.max()))
                for span, s in zip(self._spans, scores.T, strict=True)
            )
            self.scores.set_ranges(*ranges)
            self.scores.set_labels(f"component {self.across + 1}", f"component {self.up + 1}")
        for chart in (self.spectrum, self.field, self.scores):
            chart.update()
        self.stage.spotlight.name_points(self.name, shown.refuting if shown else ())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stage.spotlight.name_points(self.name, ())

    def mark(self) -> None:
        self.field.update()
        self.scores.update()
        points = self._named_points()
        refuting = self.shown.refuting if self.shown else ()
        hint = "" if points else "Click a bar to draw another component."
        if refuting and not points:
            has_bar = self.shown is not None and float(self.shown.values.min()) < 0.0
            hint = "" if has_bar else "Choose K: its negative eigenvalue is a red bar."
        self.words.setText(words(self.shown, self.lane, points), hint)

    def _named_points(self) -> tuple[int, ...]:
        """Return up to two points: those under the mouse or, without any, those selected."""
        under_mouse = self.stage.spotlight.under_mouse
        points = under_mouse or tuple(sorted(self.stage.session.selection))
        n = self.lane.problem.n if self.lane else 0
        return tuple(i for i in points if i < n)[:2]

    # Choices.

    def _choose(self, x: float, _y: float) -> None:
        """Put the component of a bar on the horizontal axis, and the one there on the vertical."""
        shown, chosen = self.shown, round(x) - 1
        if shown is None or not 0 <= chosen < min(len(shown.values), MAX_COMPONENTS):
            return
        if chosen != self.across:
            self.across, self.up = chosen, self.across
            self.renew_study()

    def _on_matrix(self, key: str) -> None:
        self._is_centred = key == "centred"
        self.renew_study()

    # Data.

    def _places(self) -> np.ndarray:
        """Return the points in the picture of the plane, shape (n, 2)."""
        X = self.lane.problem.X if self.lane else np.zeros((0, 2))
        return X if X.shape[1] > 1 else np.column_stack([X[:, 0], np.zeros(len(X))])

    def _scores(self) -> np.ndarray:
        """Return the two components of the points, shape (n, 2)."""
        if self.shown is None:
            return np.zeros((0, 2))
        scores, last = self.shown.scores, self.shown.scores.shape[1] - 1
        return scores[:, [min(self.across, last), min(self.up, last)]]

    # Painting.

    def _paint_spectrum(self, paint: ChartPainter) -> None:
        shown = self.shown
        if shown is None:
            return
        theme = paint.theme
        paint.rule(0.0, theme.line_strong, 1.0, vertical=False)
        for k, value in enumerate(shown.values[:MAX_COMPONENTS].tolist()):
            colour = theme.bad if value < 0.0 else theme.accent
            opacity = 1.0 if k in (self.across, self.up) else 0.4
            corners = [(k + 0.7, 0.0), (k + 1.3, 0.0), (k + 1.3, value), (k + 0.7, value)]
            paint.fill(np.array(corners), colour, opacity)

    def _paint_field(self, paint: ChartPainter) -> None:
        shown, lane = self.shown, self.lane
        if shown is None or lane is None:
            return
        left, right, bottom, top = shown.box
        largest = float(np.abs(shown.field).max()) or 1.0
        image = matrix_image(shown.field[::-1], (-largest, largest))
        corner, opposite = paint.area.pixel(left, top), paint.area.pixel(right, bottom)
        paint.painter.drawImage(QRectF(corner, opposite), image)
        size = len(shown.field)
        generator = contourpy.contour_generator(
            np.linspace(left, right, size), np.linspace(bottom, top, size), shown.field
        )
        for line in generator.lines(0.0):
            paint.curve(np.asarray(line), paint.theme.text, 1.5)
        self._paint_points(paint, self._places(), lane)

    def _paint_scores(self, paint: ChartPainter) -> None:
        if self.shown is None or self.lane is None:
            return
        for vertical in (True, False):
            paint.rule(0.0, paint.theme.line_strong, 1.0, vertical=vertical)
        self._paint_points(paint, self._scores(), self.lane)

    def _paint_points(self, paint: ChartPainter, places: np.ndarray, lane: Lane) -> None:
        theme = paint.theme
        labels = np.ones(lane.problem.n) if lane.problem.task == "regression" else lane.problem.y
        paint.points(places, labels, 6.0)
        for points, colour in (
            (self.stage.session.selection, theme.focus),
            (self.stage.spotlight.points, theme.text),
            (self.shown.refuting if self.shown else (), theme.bad),
        ):
            marked = [i for i in sorted(points) if i < len(places)]
            if marked:
                paint.rings(places[marked], colour)


def words(study: ComponentsStudy | None, lane: Lane | None, points: tuple[int, ...]) -> str:
    """Return sentences on the components, or on one or two points."""
    if study is None or lane is None:
        return "The points in the feature space, by their largest components, are drawn here."
    problem, X = lane.problem, lane.problem.X
    if len(points) == 2:
        found = feature_distance(problem.kernel, *X[list(points)])
        plane = "in the plane" if X.shape[1] > 1 else "along x"
        where = plane if problem.kernel.domain == "points" else ""
        return distance_words(found, f"Points {points[0] + 1} and {points[1] + 1}", where)
    if len(points) == 1:
        return _one_point(lane, points[0])
    if study.refuting:
        named = " and ".join(str(i + 1) for i in study.refuting)
        noun = "Points" if len(study.refuting) > 1 else "Point"
        return (
            f"{noun} {named} (with rings here, larger in the plane) refute it: their own kernel "
            "matrix has a negative eigenvalue, so no φ has these inner products."
        )
    positive = study.values[study.values > 0.0]
    share = float(positive[:2].sum() / positive.sum()) if len(positive) else 0.0
    return (
        f"The kernel spreads the points in {len(study.values)} directions, the components; "
        f"the first two have {percent(share)} of the sum of the eigenvalues."
    )


def _one_point(lane: Lane, point: int) -> str:
    problem = lane.problem
    x, norm = problem.X[point : point + 1], lane.certificate.norm
    parts = []
    if problem.task != "regression":
        for label, sign in ((1, "+1"), (-1, "−1")):
            of_class = problem.X[problem.y == label]
            distance = float(distances_to_mean(problem.kernel, x, of_class)[0])
            parts.append(f"{number(distance)} to the mean of class {sign}")
        if norm > 0.0:
            away = float(lane.certificate.decision[point]) / norm
            parts.append(f"f / ‖w‖ = {number(away)} to the boundary")
    length = float(problem.kernel.diagonal(x)[0])
    if length >= 0.0:
        parts.append(f"‖φ(x)‖ = {number(math.sqrt(length))}")
    return f"Point {point + 1} in the feature space: {', '.join(parts)}."
