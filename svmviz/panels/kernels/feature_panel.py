"""The Feature map panel: phi written out, its points in three dimensions, and a series cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QVariantAnimation

from solvers import RBF, Problem
from solvers.kernels.feature_maps import FeatureMap
from solvers.run.formulas import number as latex_number
from solvers.settings import Checked, setting
from svmviz.base.words import number, percent
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.kernels.axes_choice import AxesChoice
from svmviz.panels.kernels.feature_solids import Chosen
from svmviz.panels.kernels.feature_study import FeatureStudy, MappedPoints, StudyFeatures
from svmviz.panels.kernels.solid_view import Solid, SolidView
from svmviz.stage.stage import Stage
from svmviz.theme import TEXT, look_of
from svmviz.theme.motion import duration
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.column import Column
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.formula import RELATIVE_SIZE, FormulaView
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.latex_lines import width_of
from svmviz.widgets.still_text import StillText

VIEWS = (("flat", "Flat"), ("lifted", "Lift"), ("polar", "Polar"), ("height", "f"))
SERIES = (("taylor", "Products"), ("mercer", "Mercer"))
# Duration of the glide from flat to lifted, ms.
GLIDE = 700
# Before an audience, a wider panel than this times its height has two columns.
MIN_RATIO_ACROSS = 1.8
# Coordinates of phi that are written out.
MAX_WRITTEN = 6
TYPESET_DELAY = 120


@dataclass(frozen=True)
class Terms(Checked):
    """The order at which the map of the RBF kernel is cut off."""

    terms: int = setting(
        4,
        "T",
        "Products of at most T coordinates: the map of the RBF kernel has all of them.",
        low=0,
        high=30,
        scale="integer",
        hard_low=0,
        hard_high=60,
    )


@dataclass(frozen=True)
class Eigenfunctions(Checked):
    """The number of terms of Mercer's series that are used."""

    terms: int = setting(
        4,
        "Terms",
        "Eigenfunctions that are summed, by falling eigenvalue: K is the sum of all.",
        low=1,
        high=60,
        scale="integer",
        hard_low=1,
        hard_high=400,
    )


FIRST_TERMS = {"taylor": Terms(), "mercer": Eigenfunctions()}


class FeaturePanel(FramePanel):
    """phi of the kernel, with the numbers of a point, and the points where phi puts them.

    Parameters
    ----------
    stage : Stage
    """

    name = "feature-map"

    def __init__(self, stage: Stage) -> None:
        # Set before the base class asks for the study.
        self._kept, self._series = dict(FIRST_TERMS), "taylor"
        self._chosen, self._shape = None, "lifted"
        super().__init__(stage, margin=1.0)
        self.shown: FeatureStudy | None = None
        self._share = 1.0
        # The kernel whose planes the view was turned to.
        self._seen: object = None
        self._head = self.add(Column(gap=1.0))
        self.view = self._head.add(ChoiceBox("Shown as", VIEWS))
        self.view.set_value("lifted")
        self.share_choice("view", self.view, self._on_view)
        self.axes = self._head.add(AxesChoice())
        self.axes.chosen.connect(self._on_axes)
        self._beside = self.add(Column(gap=1.0), 1)
        left = self._beside.add(Column(gap=1.0), 3)
        self.solid = left.add(SolidView(), 1)
        self.solid.rings = self._rings
        self.solid.hovered.connect(stage.spotlight.highlight)
        self.solid.pressed.connect(self.select_point)
        self.letters = left.add(FormulaView(fits_content=True))
        self.numbers = left.add(FormulaView(min_lines=2, delay=TYPESET_DELAY))
        self.words = left.add(StillText(lines=4))
        # What a series of the RBF kernel is cut off to.
        self._cut = self._beside.add(Column(gap=1.0), 2)
        self.series = self._cut.add(Segmented(SERIES))
        self.share_choice("series", self.series, self._on_series)
        self._series, view = self.series.value, self.view.value
        self._shape, self._share = ("lifted", 0.0) if view == "flat" else (view, 1.0)
        self.renew_study()
        self.terms = self._cut.add(SettingsForm(self._terms))
        self.terms.moved.connect(self._on_terms)
        self.terms.released.connect(self._on_terms)
        self.chart = self._cut.add(Chart(self._paint, "x₁", "x₂", equal=True, height=300.0), 1)
        self._glide = QVariantAnimation(self)
        self._glide.valueChanged.connect(self._on_glide)

    @property
    def map(self) -> FeatureMap | None:
        """phi of the kernel; None if it is not written out, or nothing is solved."""
        return self.shown.mapped.map if self.shown and self.shown.mapped else None

    @property
    def _terms(self) -> Terms | Eigenfunctions:
        return self._kept[self._series]

    def make_study(self) -> Study:
        is_mercer = self._series == "mercer"
        return StudyFeatures(self._terms.terms, self._chosen, self._shape, is_mercer)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = shown = study if isinstance(study, FeatureStudy) and lane else None
        bounds = shown.boundaries if shown else None
        is_whole = shown is None or (shown.mapped is not None and shown.mapped.map.is_exact)
        self.series.setVisible(not is_whole)
        self.terms.setVisible(bounds is not None)
        self.chart.setVisible(bounds is not None)
        # Before an audience the picture has the room of the numbers.
        is_picture = self.gives_way and (shown is None or shown.mapped is not None)
        for text in (self.numbers, self.words):
            text.setHidden(is_picture)
        # There the cut-off map is beside the picture, if that leaves it its height.
        ratio = self.width() / self.visible_height if self.gives_way else 0.0
        self._head.lay_across(ratio > 1.0)
        is_wide = ratio > MIN_RATIO_ACROSS
        self._beside.lay_across(is_wide)
        is_cut = not is_whole or bounds is not None
        self._cut.setVisible(is_cut and (is_wide or not self.gives_way))
        self.axes.offer(self.map)
        self._show_solid()
        if bounds is not None:
            ranges = zip(bounds.low.tolist(), bounds.high.tolist(), strict=True)
            self.chart.set_ranges(*ranges)
        self.chart.update()

    def mark(self) -> None:
        self.solid.update()
        self._show_words()

    def _on_series(self, key: str) -> None:
        self._series = key
        self.terms.set_instance(self._terms)
        self.renew_study()

    def _on_terms(self, terms: Terms | Eigenfunctions) -> None:
        self._kept[self._series] = terms
        self.terms.set_instance(terms)
        self.renew_study()

    # Three dimensions.

    def _on_axes(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self.renew_study()

    def _on_view(self, key: str) -> None:
        if key not in ("flat", self._shape):
            self._shape, self._share = key, 0.0
            self.renew_study()
        if key != "height":
            self._glide.stop()
            self._glide.setDuration(duration(GLIDE))
            self._glide.setStartValue(self._share)
            self._glide.setEndValue(float(key != "flat"))
            self._glide.start()

    def _on_glide(self, share: object) -> None:
        self._share = float(share)  # pyright: ignore[reportArgumentType] - the animation's number
        self._show_solid()

    def _show_solid(self) -> None:
        shown = self.shown
        if shown is None:
            self.solid.show_solid(Solid())
        elif shown.height is not None:
            self.solid.show_solid(shown.height)
        elif shown.lift is not None:
            kernel = self.lane.problem.kernel if self.lane is not None else None
            if shown.lift.planes and kernel != self._seen:
                self._seen = kernel
                self.solid.see_between(shown.lift.planes[0])
            self.solid.show_solid(shown.lift.solid(self._share))

    def _rings(self) -> list[tuple[list[int], str]]:
        theme = look_of(self).theme
        return [(points, getattr(theme, colour)) for colour, points in self.marked_points.items()]

    # The map of the RBF kernel, cut off.

    def _paint(self, paint: ChartPainter) -> None:
        bounds = self.shown.boundaries if self.shown else None
        if self.lane is None or bounds is None:
            return
        paint.points(self.lane.problem.X, self.lane.problem.y, 6.0)
        for line in bounds.exact:
            paint.curve(line, paint.theme.text, 2.5)
        for line in bounds.cut:
            paint.curve(line, paint.theme.highlight, 2.0, DASHED)

    # Words.

    def _show_words(self) -> None:
        lane, shown = self.lane, self.shown
        if lane is None or shown is None:
            self.words.setText("The feature map of the kernel is written out here.")
            return
        problem = lane.problem
        points = self._named_points(problem)
        if self._shape == "polar":
            self._show_polar(problem.X[points[0]], points[0], shown.radii)
            return
        if shown.mapped is None:
            self.letters.set_lines(())
            self.numbers.set_lines(())
            self.words.setText(
                f"φ of this kernel ({problem.kernel.label}) is not written out in products of "
                "coordinates; f is shown as a height over the plane. Mercer's eigenfunctions are "
                "another φ."
            )
            return
        width = self.width() / (RELATIVE_SIZE * look_of(self).metrics.px(TEXT))
        mapped, phi = shown.mapped.map, shown.mapped.phi
        start = rf"\varphi(x) = {mapped.factor} "
        # Pass one coordinate more than is written, so that dots show that there are more.
        letters = [c.letters for c in mapped.coordinates[: MAX_WRITTEN + 1]]
        self.letters.set_lines(_tuple_lines(start, letters, mapped.is_exact, width))
        first, second = (phi[i] if i < len(phi) else mapped(problem.X[[i]])[0] for i in points)
        numbers = [latex_number(value) for value in first[: MAX_WRITTEN + 1].tolist()]
        name = rf"\varphi(\text{{point {points[0] + 1}}}) = "
        self.numbers.set_lines(_tuple_lines(name, numbers, mapped.is_exact, width))
        self.words.setText(sentence(problem, shown.mapped, points, float(first @ second)))

    def _show_polar(self, x: np.ndarray, i: int, radii: tuple[float, float] | None) -> None:
        r, angle = float(np.hypot(*x)), float(np.degrees(np.arctan2(x[1], x[0])))
        self.letters.set_lines((r"x = (r \cos \theta,\ r \sin \theta)",))
        values = f"{latex_number(r)},\\ {latex_number(angle)}^{{\\circ}}"
        self.numbers.set_lines((rf"(r, \theta)(\text{{point {i + 1}}}) = ({values})",))
        self.words.setText(polar_sentence(radii))

    def _named_points(self, problem: Problem) -> tuple[int, int]:
        """Return two points: those highlighted, then those selected, then the first ones."""
        stage = self.stage
        wanted = (*stage.spotlight.points, *sorted(stage.session.selection), 0, 1)
        found = list(dict.fromkeys(i for i in wanted if i < problem.n))[:2]
        return found[0], found[-1]


def sentence(problem: Problem, mapped: MappedPoints, points: tuple[int, int], inner: float) -> str:
    """Return the number of coordinates, and the inner product of two points beside k."""
    i, j = points
    k = float(problem.kernel(problem.X[[i]], problem.X[[j]])[0, 0])
    pair = f"⟨φ(x), φ(z)⟩ = {number(inner)}, k(x, z) = {number(k)} for points {i + 1} and {j + 1}"
    size = len(mapped.map.coordinates)
    if mapped.map.is_exact:
        d = problem.X.shape[1]
        cost = f" ⟨φ, φ⟩ takes {size} products, ⟨x, z⟩ in k takes {d}." if size > d else ""
        return f"{size} coordinates. {pair}.{cost}"
    start = f"The first {size} coordinates. {pair}; the largest error in K is "
    if mapped.series is not None:
        return (
            f"{start}{number(mapped.error)}. k(x, z) = Σ λₖ ψₖ(x) ψₖ(z) (Mercer): each ψₖ has "
            "the mean square 1 over the points. These terms have "
            f"{percent(mapped.share)} of the sum of all λₖ. Dashed: f = 0 with them alone."
        )
    # ||phi(x)||^2 is the probability that a Poisson variable with mean 2 gamma ||x||^2 is at most
    # T.
    assert isinstance(problem.kernel, RBF)
    mean = 2.0 * problem.kernel.gamma * float(np.einsum("ij,ij->i", problem.X, problem.X).max())
    return (
        f"{start}{number(mapped.error)}. It is small once T is well above 2γ‖x‖², which is at "
        f"most {number(mean, 3)} here. Dashed: f = 0 with these coordinates alone."
    )


def polar_sentence(radii: tuple[float, float] | None) -> str:
    """Return sentences on circles in polar coordinates, and on the distance of f = 0 from 0."""
    where = ""
    if radii is not None:
        low, high = (number(radius, 3) for radius in radii)
        where = f" Here f = 0 lies between r = {low} and r = {high}."
    return (
        "Every circle around 0 becomes a straight line r = constant, so a line in (r, θ) separates "
        f"a disc from a ring around it. The kernel, f and its levels stay what they are.{where}"
    )


def _tuple_lines(start: str, entries: list[str], is_whole: bool, width: float) -> tuple[str, ...]:
    """Return ``start (a, b, ...)`` as lines of LaTeX that fit ``width``, in units of its size.

    After MAX_WRITTEN entries, and if the tuple is not whole, there are dots.
    """
    is_cut = len(entries) > MAX_WRITTEN or not is_whole
    parts = entries[:MAX_WRITTEN] + ([r"\dots"] if is_cut else [])
    lines = [f"{start}({parts[0]}"]
    for part in parts[1:]:
        longer = rf"{lines[-1]},\ {part}"
        if width_of(longer) < width:
            lines[-1] = longer
        else:
            lines[-1] += ","
            lines.append(rf"\quad {part}")
    lines[-1] += ")"
    return tuple(lines)
