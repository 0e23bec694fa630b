"""The Feature map panel: phi written out, its points in three dimensions, and the terms of RBF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np
from PySide6.QtCore import QVariantAnimation

from solvers import Problem
from solvers.kernels.feature_maps import FeatureMap, feature_map
from solvers.run.formulas import number as latex_number
from solvers.settings import Checked, setting
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.kernels.feature_solids import chosen_coordinates, lifted, surface
from svmviz.panels.kernels.plane_box import plane_box
from svmviz.panels.kernels.solid_view import Solid, SolidView
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, look_of
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.formula import RELATIVE_SIZE, FormulaView
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.latex_lines import width_of
from svmviz.widgets.still_text import StillText

VIEWS = (("flat", "Flat"), ("lifted", "Lift"), ("height", "f"))
# Duration of the glide from flat to lifted, ms.
GLIDE = 700
# Coordinates of phi that are written out, and nodes along each axis of the boundaries.
MAX_WRITTEN, NODES = 6, 97
TYPESET_DELAY = 120
# Room around the points in the picture of the boundaries, as a fraction of their range.
MARGIN = 0.15


@dataclass(frozen=True)
class Terms(Checked):
    """How much of the RBF kernel's map is used."""

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


class FeaturePanel(FramePanel):
    """phi of the kernel, with the numbers of a point, and the points where phi puts them.

    Parameters
    ----------
    stage : Stage
    """

    name = "feature-map"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, margin=1.5)
        self._lane: Lane | None = None
        self._factors = np.ones(2)
        self.map: FeatureMap | None = None
        self._share, self._terms = 1.0, Terms()
        self._boundaries: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        self.letters = self.add(FormulaView(fits_content=True))
        self.numbers = self.add(FormulaView(min_lines=3, delay=TYPESET_DELAY))
        self.words = self.add(StillText(lines=3))
        self.terms = self.add(SettingsForm(self._terms))
        self.terms.moved.connect(self._on_terms)
        self.terms.released.connect(self._on_terms)
        self.view = self.add(Segmented(VIEWS))
        self.view.set_value("lifted")
        self.view.chosen.connect(self._on_view)
        self.solid = self.add(SolidView(), 3)
        self.solid.rings = self._rings
        self.solid.hovered.connect(stage.spotlight.highlight)
        self.solid.pressed.connect(self.select_point)
        self.chart = self.add(Chart(self._paint, "x₁", "x₂", equal=True, height=300.0), 2)
        self._glide = QVariantAnimation(self, duration=GLIDE)
        self._glide.valueChanged.connect(self._on_glide)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._lane, self._factors = lane, frame.document.factors
        problem = lane.problem if lane else None
        self.map = feature_map(problem.kernel, 2, self._terms.terms) if problem else None
        is_cut = self.map is not None and not self.map.is_exact
        self.terms.setVisible(is_cut)
        self.chart.setVisible(is_cut)
        self._show_solid()
        if lane is not None and is_cut:
            self._show_boundaries(lane)

    def mark(self) -> None:
        self.solid.update()
        self._show_words()

    def _on_terms(self, terms: Terms) -> None:
        self._terms = terms
        self.terms.set_instance(terms)
        self._on_frame(self.stage.feed.panel_frame)

    # Three dimensions.

    def _on_view(self, key: str) -> None:
        if key == "height":
            self._show_solid()
            return
        self._glide.stop()
        self._glide.setStartValue(self._share)
        self._glide.setEndValue(float(key == "lifted"))
        self._glide.start()

    def _on_glide(self, share: object) -> None:
        self._share = float(share)  # pyright: ignore[reportArgumentType] - the animation's number
        self._show_solid()

    def _show_solid(self) -> None:
        lane, chosen = self._lane, chosen_coordinates(self.map) if self.map else None
        if lane is None:
            self.solid.show_solid(Solid())
        elif self.view.value == "height" or self.map is None or chosen is None:
            self.solid.show_solid(surface(lane, self._factors))
        else:
            self.solid.show_solid(lifted(lane, self.map, chosen, self._share))

    def _rings(self) -> list[tuple[list[int], str]]:
        theme, stage = look_of(self).theme, self.stage
        touched = list(self._lane.marked) if self._lane else []
        return [
            (touched, theme.highlight),
            (sorted(stage.session.selection), theme.focus),
            (list(stage.spotlight.points), theme.text),
        ]

    # The map of the RBF kernel, cut off.

    def _show_boundaries(self, lane: Lane) -> None:
        """Find f = 0 of the kernel and of its first terms, on the same alphas and b."""
        problem, expansion = lane.problem, lane.expansion
        low, high = plane_box(problem.X, MARGIN)
        xs, ys = (np.linspace(a, b, NODES) for a, b in zip(low, high, strict=True))
        nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        assert self.map is not None
        support = expansion.support
        w = expansion.beta[support] @ self.map(problem.X[support])
        cut = self.map(nodes) @ w + expansion.bias
        self._boundaries = tuple(  # pyright: ignore[reportAttributeAccessIssue] - two lists
            [np.asarray(line) for line in
             contourpy.contour_generator(xs, ys, f.reshape(NODES, NODES)).lines(0.0)]
            for f in (expansion(nodes), cut)
        )  # fmt: skip
        self.chart.set_ranges((float(xs[0]), float(xs[-1])), (float(ys[0]), float(ys[-1])))
        self.chart.update()

    def _paint(self, paint: ChartPainter) -> None:
        if self._lane is None:
            return
        exact, cut = self._boundaries
        paint.points(self._lane.problem.X, self._lane.problem.y, 6.0)
        for line in exact:
            paint.curve(line, paint.theme.text, 2.5)
        for line in cut:
            paint.curve(line, paint.theme.highlight, 2.0, DASHED)

    # Words.

    def _show_words(self) -> None:
        lane, mapped = self._lane, self.map
        if lane is None:
            self.words.setText("The feature map of the kernel is written out here.")
            return
        problem = lane.problem
        if mapped is None:
            self.letters.set_lines(())
            self.numbers.set_lines(())
            self.words.setText(
                f"φ of this kernel ({problem.kernel.label}) is not written out; f is shown as a "
                "height over the plane. The panel Components shows the points in φ's space."
            )
            return
        width = self.width() / (RELATIVE_SIZE * look_of(self).metrics.px(BODY))
        letters = [c.letters for c in mapped.coordinates]
        self.letters.set_lines(_tuple_lines(r"\varphi(x) = ", letters, mapped.is_exact, width))
        points = self._named_points(problem)
        phi = mapped(problem.X[list(points)])
        numbers = [latex_number(value) for value in phi[0].tolist()]
        name = rf"\varphi(x_{{{points[0] + 1}}}) = "
        self.numbers.set_lines(_tuple_lines(name, numbers, mapped.is_exact, width))
        self.words.setText(self._sentence(problem, mapped, points, float(phi[0] @ phi[1])))

    def _named_points(self, problem: Problem) -> tuple[int, int]:
        """Return two points: highlighted or selected ones, and else the first of the others."""
        stage = self.stage
        wanted = (*stage.spotlight.points, *sorted(stage.session.selection), 0, 1)
        found = list(dict.fromkeys(i for i in wanted if i < problem.n))[:2]
        return found[0], found[-1]

    def _sentence(
        self, problem: Problem, mapped: FeatureMap, points: tuple[int, int], inner: float
    ) -> str:
        i, j = points
        k = float(problem.kernel(problem.X[[i]], problem.X[[j]])[0, 0])
        pair = f"⟨φ(x), φ(z)⟩ = {number(inner)} for points {i + 1} and {j + 1}"
        if mapped.is_exact:
            m, d = len(mapped.coordinates), problem.X.shape[1]
            cost = f" ⟨φ, φ⟩ takes {m} products, ⟨x, z⟩ in k takes {d}." if m > d else ""
            return f"{m} coordinates. {pair}; k(x, z) = {number(k)}.{cost}"
        sample = problem.X[:400]
        phi = mapped(sample)
        error = float(np.abs(phi @ phi.T - problem.kernel(sample, sample)).max())
        return (
            f"The first {len(mapped.coordinates)} coordinates. {pair}, k(x, z) = {number(k)}; the "
            f"largest error in K is {number(error)}. Dashed: f = 0 with these coordinates alone."
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
