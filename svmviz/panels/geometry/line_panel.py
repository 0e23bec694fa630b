"""The Line panel: the margin of the user's line, over all directions, and its numbers."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtWidgets import QPushButton

from solvers.geometry.lines import Line
from solvers.problem.losses import Objective, misclassified, objective_of_line
from solvers.run.method import counted
from solvers.settings import Checked, setting
from svmviz.base.words import axis_units, number, percent, vector_text
from svmviz.document.document import Document
from svmviz.document.user_line import LineParts, canonical
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.plane.line_study import ANGLES, LineStudy, LineStudyMaker
from svmviz.plane.overlays import OVERLAYS
from svmviz.session.edits import draw_line
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import KeyValue

# Diameter of a point on the axis of w, px at scale 1.
POINT = 7.0
# Heights of the two rows of points on the axis of w, from 0 to 1.
ROW_OF_CLASS = {1.0: 0.7, -1.0: 0.3}
ROWS = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    (
        "margin",
        "margin ρ",
        "Smallest y f(x) / ‖w‖ of a point; below 0 if a point is on the wrong side. In "
        "parentheses, that of the best line; below 0 if no line separates the classes.",
    ),
    ("slack", "slack Σ ξ", "Sum of the slack, max(0, 1 − y f(x)), over the points"),
    ("primal", "P of your line", "½ ‖w‖² + C Σ ξ, with this w and b; what the methods minimise"),
    ("run", "P of the method", "P at the step of the method that is shown"),
)
# Limits of kappa; beyond them the numbers say nothing more.
MIN_KAPPA, MAX_KAPPA = 1e-6, 1e6


class AngleChart(Chart):
    """The largest margin of a line for each direction of w, over half a turn.

    The dot is the line of the study. It lies below the curve if b is not the best one.
    """

    def __init__(self) -> None:
        super().__init__(self._draw, "direction of w", "margin", height=210.0)
        self.study: LineStudy | None = None
        self.set_ticks(0, [(float(t), f"{t}°") for t in range(0, 181, 45)])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range of margins is that of all directions."""
        self.study = study
        if study.margins is not None:
            low = min(float(study.margins.min()), study.margin, 0.0)
            high = max(float(study.margins.max()), 0.0)
            # Above the top there is room for the word.
            self.set_ranges((0.0, 180.0), (low - 0.1 * (high - low), high + 0.5 * (high - low)))
        self.update()

    def _draw(self, paint: ChartPainter) -> None:
        study, theme = self.study, paint.theme
        if study is None or study.margins is None:
            return
        paint.rule(0.0, theme.line_strong, 1.0, DASHED, vertical=False)
        degrees = np.degrees(ANGLES)
        paint.curve(np.column_stack([degrees, study.margins]), theme.series[1])
        if study.best is not None and study.best_margin is not None:
            best = degrees_of(study.best), study.best_margin
            paint.text("best", best, theme.muted, (0.0, -14.0), small=True)
            paint.dots(np.array([best]), theme.muted, edge=theme.card)
        here = degrees_of(study.line)
        largest = float(np.interp(here, degrees, study.margins))
        ends = np.array([[here, largest], [here, study.margin]])
        paint.curve(ends, theme.text, 1.25, DOTTED)
        paint.dots(ends[1:], theme.series[1], edge=theme.card)


class AxisChart(Chart):
    """The points projected on the axis of w, one row per class, the gap between them, and -b."""

    def __init__(self) -> None:
        super().__init__(self._draw, "⟨w, x⟩ / ‖w‖", "", height=130.0)
        self.study: LineStudy | None = None
        # Indices of the points that have an outline.
        self.marked: Collection[int | None] = ()
        self.set_ticks(1, [])

    def show_study(self, study: LineStudy) -> None:
        """Show a line; the range is that of the projections and of the line."""
        self.study = study
        positions = [*(study.points @ study.line.unit).tolist(), study.line.offset]
        self.set_ranges(_padded(min(positions), max(positions), 0.06), (0.0, 1.0))
        self.update()

    def point_at(self, x: float, y: float) -> int | None:
        """Return the index of the point at a position of the chart."""
        return None if self.study is None else self.nearest(self._places(self.study), x, y)

    @staticmethod
    def _places(study: LineStudy) -> np.ndarray:
        heights = np.where(study.labels > 0, ROW_OF_CLASS[1.0], ROW_OF_CLASS[-1.0])
        return np.column_stack([study.points @ study.line.unit, heights])

    def _draw(self, paint: ChartPainter) -> None:
        study, theme = self.study, paint.theme
        if study is None:
            return
        if study.gap is not None:
            ends = sorted((study.gap.low, study.gap.high))
            colour = theme.good_soft if study.gap.margin > 0.0 else theme.bad_soft
            paint.band(ends[0], ends[1], colour)
        places = self._places(study)
        marked = [index for index in self.marked if index is not None and index < len(places)]
        paint.points(places, study.labels, POINT)
        paint.rings(places[marked], theme.text, POINT + 3.0)
        paint.rule(study.line.offset, theme.series[1], 2.5)


def degrees_of(line: Line) -> float:
    """Return the direction of w in degrees, from 0 to below 180: opposite ones are the same."""
    return math.degrees(math.atan2(line.w[1], line.w[0])) % 180.0


def _padded(low: float, high: float, share: float) -> Range:
    edge = share * ((high - low) or 1.0)
    return low - edge, high + edge


@dataclass(frozen=True)
class Scale(Checked):
    """The factor by which w and b are multiplied."""

    kappa: float = setting(
        1.0,
        "κ",
        "Multiplies w and b: the values of f change, the line does not. At κ = 1 the nearest point "
        "has y f = 1; if the line misclassifies a point, |f| is 1 on average.",
        low=0.1,
        high=10.0,
        hard_low=MIN_KAPPA,
        hard_high=MAX_KAPPA,
        scale="log",
    )


class LinePanel(FramePanel):
    """The user's line: how wide its street is, and how wide a street could be.

    Parameters
    ----------
    stage : Stage
    """

    name = "line"
    study_key = OVERLAYS["line"].key

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: LineStudy | None = None
        self.words = self.add(StillText(lines=2))
        self.lay = self.add(QPushButton("Draw a line"))
        set_tip(self.lay, "Between the means of the classes. The tool Line (Shift+L) draws others.")
        self.lay.clicked.connect(lambda: draw_line(stage.session))
        self.angles = self.add(AngleChart())
        self.angles.pressed.connect(self._turn)
        self.angles.released.connect(lambda: stage.session.commit("Turn line"))
        self.axis = self.add(AxisChart())
        self.link(self.axis, self.axis.point_at, selects=False)
        self.axis.pressed.connect(self._shift)
        self.axis.released.connect(lambda: stage.session.commit("Shift line"))
        self.scale = self.add(SettingsForm(Scale()))
        self.scale.moved.connect(lambda scale: self._rescale(scale.kappa))
        self.scale.released.connect(self._on_scale)
        self.numbers = self.add(KeyValue(ROWS, "−0.0000, best −0.0000"))
        self.parts = self.add(SettingsForm(LineParts()))
        self.parts.released.connect(self._switch)
        self.box.addStretch(1)

    def make_study(self) -> Study:
        return LineStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study[0] if study else None
        has_line = frame.document.user_line is not None
        self.lay.setVisible(not has_line)
        for widget in (self.angles, self.axis, self.scale, self.numbers, self.parts):
            widget.setVisible(has_line)
        self.words.setText(f"{sentence(self.shown, has_line)} {rule(frame.document)}".strip())
        if self.shown is not None:
            self._show(self.shown, lane)

    def mark(self) -> None:
        self.axis.marked = {*self.stage.spotlight.points, *self.stage.session.selection}
        self.axis.update()

    def _show(self, study: LineStudy, lane: Lane | None) -> None:
        self.angles.show_study(study)
        self.axis.show_study(study)
        self.numbers.set_values(texts(study, lane))
        if study.user_line.parts != self.parts.instance:
            self.parts.set_instance(study.user_line.parts)
        norm = canonical(study.line, study.points, study.labels).norm
        kappa = min(max(study.line.norm / norm, MIN_KAPPA), MAX_KAPPA)
        if not math.isclose(kappa, self.scale.instance.kappa, rel_tol=1e-9):
            self.scale.set_instance(Scale(kappa=kappa))

    # What the user does.

    def _turn(self, degrees: float, _margin: float) -> None:
        """Turn the line about the foot of the mean of all points."""
        study = self.shown
        if study is None:
            return
        line, angle = study.line, math.radians(min(max(degrees, 0.0), 180.0))
        centre = line.feet(study.points.mean(axis=0)[None, :])[0]
        unit = np.array([math.cos(angle), math.sin(angle)])
        # Of the two opposite directions, take the one with the larger smallest signed distance.
        values = study.labels * ((study.points - centre) @ unit)
        w = line.norm * (unit if values.min() >= -values.max() else -unit)
        self._preview(Line((float(w[0]), float(w[1])), -float(w @ centre)))

    def _shift(self, offset: float, _height: float) -> None:
        if self.shown is not None:
            line = self.shown.line
            self._preview(Line(line.w, -offset * line.norm))

    def _on_scale(self, scale: Scale) -> None:
        self._rescale(scale.kappa)
        self.stage.session.commit("Scale w and b")

    def _rescale(self, kappa: float) -> None:
        if self.shown is not None:
            line = canonical(self.shown.line, self.shown.points, self.shown.labels)
            self._preview(Line((kappa * line.w[0], kappa * line.w[1]), kappa * line.b))

    def _preview(self, line: Line) -> None:
        session = self.stage.session
        document = session.document
        if document.user_line is not None:
            user_line = document.user_line.following(line, document.factors)
            session.preview(replace(document, user_line=user_line))

    def _switch(self, parts: LineParts) -> None:
        session = self.stage.session
        document = session.document
        if document.user_line is not None:
            user_line = replace(document.user_line, parts=parts)
            session.edit(replace(document, user_line=user_line), "Change what is drawn")


def sentence(study: LineStudy | None, has_line: bool) -> str:
    """Return one or two sentences on how good the line is."""
    if not has_line:
        return "Which line separates best? Draw one, shift it, turn it, and compare."
    if study is None or study.best_margin is None:
        return "With points of both classes, the margin of the line is shown here."
    best = study.best_margin
    errors = int(misclassified(study.labels, study.values).sum())
    if errors:
        verb = "is" if errors == 1 else "are"
        wrong = f"{counted(errors, 'point')} {verb} on the wrong side of the line."
        return wrong if best > 0.0 else f"{wrong} No line separates these classes."
    if not best > 0.0:
        return "The line touches points of both classes. No line separates them."
    return (
        f"The line separates the classes. Its margin is {number(study.margin)}, the best is "
        f"{number(best)}: {percent(study.margin / best)}."
    )


def rule(document: Document) -> str:
    """Return the line as a rule that gives x2 for x1, in the units of the axes."""
    user_line, data = document.user_line, document.data
    if user_line is None or not user_line.w[1]:
        return ""
    (across, unit), (up, other) = axis_units(data)
    slope, rest = -user_line.w[0] / user_line.w[1], -user_line.b / user_line.w[1]
    sign = "−" if rest < 0.0 else "+"
    return (
        f"On the line, {up} = {number(other / unit * slope)} · {across} {sign} "
        f"{number(abs(other * rest))}."
    )


def texts(study: LineStudy, lane: Lane | None) -> dict[str, str]:
    """Return the numbers of the line, and P of the run beside it, by the keys of ROWS."""
    line, missing = study.line, "—"
    best = "" if study.best_margin is None else f", best {number(study.best_margin)}"
    objective = plain = None
    if lane is not None:
        w = np.array(line.w)
        objective = plain = objective_of_line(lane.problem, w, line.b)
        if lane.problem.weights is not None:
            plain = objective_of_line(replace(lane.problem, weights=None), w, line.b)
    return {
        "w": vector_text(line.w),
        "b": number(line.b),
        "margin": f"{number(study.margin)}{best}",
        "slack": number(plain.slack) if plain else missing,
        "primal": primal_text(objective) if objective else missing,
        "run": number(lane.certificate.primal) if lane else missing,
    }


def primal_text(objective: Objective) -> str:
    """Return P, or why the hard margin has none."""
    return "∞: C = ∞ allows no slack" if math.isinf(objective.primal) else number(objective.primal)
