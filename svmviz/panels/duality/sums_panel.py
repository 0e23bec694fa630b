"""The Sums panel: w as vectors head to tail, or f as a sum of bumps along a cut of the plane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from solvers.data.coordinates import MIN_SPREAD
from solvers.kernels.feature_geometry import OffSpan
from solvers.settings import Checked, setting
from svmviz.base.words import number, vector_text
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import ProblemStudy, Study
from svmviz.panels.duality.sums import (
    MAX_SPAN,
    BumpSum,
    OffSpanStudy,
    VectorSum,
    bump_sum,
    study_off_span,
    vector_sum,
)
from svmviz.panels.fitted_range import FittedRange
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, SOLID, ChartPainter
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.still_text import StillText

# Width of the line under the term of a selected point, px at scale 1.
UNDER = 6.0
# Space at both sides of the points along the cut, as a fraction of their range.
SPAN_MARGIN = 0.15


@dataclass(frozen=True)
class OffSpanPart(Checked):
    """A part of w at right angles to all points."""

    length: float = setting(
        0.0,
        "‖w⊥‖",
        "Adds to w a part w⊥ of this length at right angles to all points (to their φ(xᵢ)): f "
        "changes at no point, and P only rises, by ½ ‖w⊥‖².",
        low=0.0,
        high=5.0,
        hard_low=0.0,
        hard_high=100.0,
    )


class SumsPanel(FramePanel):
    """The sum that makes the model, with a term for each support vector.

    In a classification with the linear kernel, the vectors ``alpha_i y_i x_i`` lie head to tail and
    end in w. Otherwise the terms ``beta_i k(x_i, x)`` are curves along a horizontal line of the
    plane, and f is their sum and b; a term that is clicked is left out. A part of w off the span of
    the points can be added.

    Parameters
    ----------
    stage : Stage
    """

    name = "sums"
    # The slider may be narrower than it asks for, as charts may.
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        # Set before the base class asks for the study.
        self._part = OffSpanPart()
        self.shown: VectorSum | BumpSum | None = None
        self._studied_places = np.zeros((0, 2))
        super().__init__(stage)
        self._off_span: OffSpanStudy | None = None
        self.switched_off: frozenset[int] = frozenset()
        # The lane and the height of the cut for which `shown` was computed.
        self._shown_for: tuple[Lane, float] | None = None
        self._is_pressed = False
        self._ranges = (FittedRange(), FittedRange())
        self._height = FittedRange(2.5)
        self.words = self.add(StillText(lines=3))
        self.vectors = self.add(Chart(self._paint_vectors, "w₁", "w₂", equal=True, height=260.0), 1)
        self.link(self.vectors, self._vector_at)
        self.bumps = self.add(Chart(self._paint_bumps, "x₁", "f", height=260.0), 1)
        self.link(self.bumps, self._bump_at, selects=False)
        self.bumps.pressed.connect(self._on_pressed)
        self.bumps.released.connect(self._on_released)
        self.part = self.add(SettingsForm(self._part))
        self.part.moved.connect(self._on_part)
        self.part.released.connect(self._on_part)

    def make_study(self) -> Study | None:
        shown = self.shown
        if self._part.length > 0.0 and isinstance(shown, BumpSum):
            self._studied_places = shown.places
            return ProblemStudy(partial(study_off_span, places=shown.places))
        return None

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._off_span = study if isinstance(study, OffSpanStudy) else None
        is_linear = lane is not None and lane.problem.linear and lane.problem.task != "regression"
        self.vectors.setVisible(is_linear)
        self.bumps.setVisible(not is_linear)
        self.part.setVisible(not is_linear)
        if lane is None:
            self.shown = None
            self.words.setText("The sum of which f consists is drawn here.")
        elif is_linear:
            self.shown = vector_sum(lane.problem, lane.expansion.beta)
            places = np.concatenate([self.shown.corners, self.shown.w[None]])
            (left, bottom), (right, top) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
            across, up = self._ranges
            self.vectors.set_ranges(
                across.follow(lane.run, left, right), up.follow(lane.run, bottom, top)
            )
        else:
            # `mark`, which is called next, computes the bumps.
            self.shown = None

    def mark(self) -> None:
        self.vectors.update()
        lane = self.lane
        if lane is not None and not isinstance(self.shown, VectorSum):
            self._show_bumps(lane)
        self.bumps.update()
        self._show_words()

    # Bumps.

    def _show_bumps(self, lane: Lane) -> None:
        level = self._level(lane)
        if self.shown is not None and self._shown_for == (lane, level):
            return
        self._shown_for = lane, level
        X = lane.problem.X
        low, high = float(X[:, 0].min()), float(X[:, 0].max())
        margin = SPAN_MARGIN * (high - low) if high - low > MIN_SPREAD else 1.0
        span = (low - margin, high + margin)
        f = lane.expansion
        shown = bump_sum(lane.problem, f.beta, f.constant, span, level)
        self.shown = shown
        if self._study is not None and not np.array_equal(self._studied_places, shown.places):
            self.renew_study()
        highest = float(np.abs(np.concatenate([shown.terms.ravel(), shown.total])).max(initial=1.0))
        self.bumps.set_labels("x₁" if X.shape[1] > 1 else "x", "f")
        self.bumps.set_ranges(span, self._height.follow(lane.run, -highest, highest))

    def _level(self, lane: Lane) -> float:
        """Return the height of the cut: that of the selected point, else the median height."""
        heights = lane.problem.X[:, -1]
        selected = [i for i in sorted(self.stage.session.selection) if i < len(heights)]
        return float(heights[selected[0]]) if selected else float(np.median(heights))

    def _bump_at(self, x: float, y: float) -> int | None:
        """Return the point whose term is nearest to a position of the chart."""
        if not isinstance(self.shown, BumpSum) or not len(self.shown.points):
            return None
        curves = np.column_stack(
            [np.tile(self.shown.x, len(self.shown.points)), self.shown.terms.ravel()]
        )
        found = self.bumps.nearest(curves, x, y)
        return None if found is None else int(self.shown.points[found // len(self.shown.x)])

    def _on_pressed(self, x: float, y: float) -> None:
        """Leave out the term that was clicked, or let it count again; a drag does it once."""
        point = None if self._is_pressed else self._bump_at(x, y)
        self._is_pressed = True
        if point is not None:
            self.switched_off ^= {point}
            self.bumps.update()
            self._show_words()

    def _on_released(self) -> None:
        self._is_pressed = False

    def _paint_bumps(self, paint: ChartPainter) -> None:
        shown, lane = self.shown, self.lane
        if not isinstance(shown, BumpSum) or lane is None:
            return
        theme = paint.theme
        paint.rule(0.0, theme.line_strong, 1.0, vertical=False)
        lit, selected = set(self.stage.spotlight.points), self.stage.session.selection
        for point, term in zip(shown.points.tolist(), shown.terms, strict=True):
            colour = theme.positive if lane.expansion.beta[point] > 0 else theme.negative
            curve = np.column_stack([shown.x, term])
            style = DASHED if point in self.switched_off else SOLID
            if point in selected:
                paint.curve(curve, theme.focus, UNDER)
            paint.curve(curve, colour, 3.0 if point in lit else 1.0, style)
        changed = shown.without(self.switched_off) + self._added(shown.places)
        if (changed != shown.total).any():
            paint.curve(np.column_stack([shown.x, shown.total]), theme.muted, 2.0, DASHED)
        paint.curve(np.column_stack([shown.x, changed]), theme.text, 3.0)
        if self._part.length > 0.0:
            self._paint_points_on_cut(paint, lane, shown)

    def _paint_points_on_cut(self, paint: ChartPainter, lane: Lane, shown: BumpSum) -> None:
        """Draw a dot on f at each point on the cut. A part off the span does not change f there."""
        X = lane.problem.X
        is_on = np.full(len(X), True) if X.shape[1] == 1 else X[:, 1] == shown.places[0, 1]
        dots = np.column_stack([X[is_on, 0], lane.certificate.decision[is_on]])
        paint.dots(dots, paint.theme.focus, 9.0, edge=paint.theme.card)

    # A part off the span.

    def _on_part(self, part: OffSpanPart) -> None:
        begins = (part.length > 0.0) != (self._part.length > 0.0)
        self._part = part
        self.part.set_instance(part)
        if begins:
            self.renew_study()
        self.bumps.update()
        self._show_words()

    @property
    def _direction(self) -> OffSpan | None:
        """The direction off the span that is added; None if none is wanted, or there is none."""
        study, lane = self._off_span, self.lane
        is_current = study is not None and lane is not None and study.problem is lane.problem
        return study.direction if is_current and study and self._part.length > 0.0 else None

    def _added(self, places: np.ndarray) -> np.ndarray:
        """Return what the part off the span adds to f at places, shape (m, d)."""
        direction = self._direction
        return np.zeros(len(places)) if direction is None else self._part.length * direction(places)

    # Vectors.

    def _vector_at(self, x: float, y: float) -> int | None:
        """Return the point whose vector is nearest to a position of the chart."""
        if not isinstance(self.shown, VectorSum) or not len(self.shown.points):
            return None
        shares = np.linspace(0.0, 1.0, 9)[None, :, None]
        starts, ends = self.shown.corners[:-1, None], self.shown.corners[1:, None]
        places = (starts + shares * (ends - starts)).reshape(-1, 2)
        found = self.vectors.nearest(places, x, y)
        return None if found is None else int(self.shown.points[found // 9])

    def _paint_vectors(self, paint: ChartPainter) -> None:
        shown, lane = self.shown, self.lane
        if not isinstance(shown, VectorSum) or lane is None:
            return
        theme, lit = paint.theme, set(self.stage.spotlight.points)
        for rank, point in enumerate(shown.points.tolist()):
            if point in self.stage.session.selection:
                paint.curve(shown.corners[rank : rank + 2], theme.focus, UNDER)
            colour = theme.positive if lane.problem.y[point] > 0 else theme.negative
            width = 4.0 if point in lit else 2.0
            paint.arrow(shown.corners[rank], shown.corners[rank + 1], colour, width)
        if shown.rest.any():
            paint.arrow(shown.corners[-1], shown.w, theme.muted, 2.0)
        paint.arrow(np.zeros(2), shown.w, theme.text, 3.0)
        paint.dots(np.zeros((1, 2)), theme.text, 6.0)

    # Words.

    def _show_words(self) -> None:
        shown, lane = self.shown, self.lane
        if lane is None or shown is None:
            return
        lit = self.stage.spotlight.index
        if lit is not None and lit >= lane.problem.n:
            lit = None
        invitation = ""
        if isinstance(shown, VectorSum):
            text = f"w = Σ α y x = {vector_text(shown.w.tolist())}, head to tail."
            if lit is not None:
                vector = lane.expansion.beta[lit] * lane.problem.centered[lit]
                text += f" Point {lit + 1} adds {vector_text(vector.tolist())}."
        else:
            has_cut = lane.problem.X.shape[1] > 1
            where = f" along x₂ = {number(self._level(lane))}" if has_cut else ""
            text = f"f = Σ β k(xᵢ, x) + b{where}."
            cut = "; select a point to move the cut" if has_cut else ""
            invitation = f"Click a bump to leave it out{cut}."
            if lit is not None:
                text += f" Point {lit + 1}: β = {number(lane.expansion.beta[lit])}."
            if self._part.length > 0.0:
                text, invitation = f"{text} {self._part_words(lane)}", ""
        self.words.setText(text, invitation)

    def _part_words(self, lane: Lane) -> str:
        """Return a sentence on the effect of the part off the span on f and P."""
        if self._direction is None:
            many = lane.problem.n > MAX_SPAN
            return (
                f"A part off the span is computed for at most {MAX_SPAN} points."
                if many
                else "Nothing lies off the span of these points."
            )
        rise = 0.5 * self._part.length**2
        P = lane.certificate.primal
        # With a hard margin, the P of the certificate belongs to another multiple of w.
        is_plain = not (lane.certified_problem.hard or lane.certified_problem.capped)
        sums = f" from {number(P)} to {number(P + rise)}" if is_plain else ""
        return (
            "With a part off the span (thick) f is the same at every point, and P rises by "
            f"½ ‖w⊥‖² = {number(rise)}{sums}."
        )
