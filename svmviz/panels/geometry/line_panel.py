"""The Line panel: the margin of a line of one's own, over all directions, and its numbers."""

from __future__ import annotations

import math
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
from svmviz.document.own_line import LineParts, OwnLine, canonical, line_between_means
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.geometry.line_charts import AngleChart, AxisChart
from svmviz.plane.line_study import LineStudy, LineStudyMaker
from svmviz.plane.overlays import OVERLAYS
from svmviz.stage.stage import Stage
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.key_value import KeyValue
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

ROWS = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    (
        "margin",
        "margin τ",
        "Smallest y f(x) / ‖w‖ of a point; below 0 if the line errs. In parentheses, that of the "
        "best line; below 0 if no line separates the classes.",
    ),
    ("slack", "slack Σ ξ", "Sum of max(0, 1 − y f(x)) over the points"),
    ("primal", "P of this line", "½ ‖w‖² + C Σ ξ, with this w and b"),
    ("run", "P of the run", "P at the step shown, by the method"),
)
# Limits of kappa; beyond them the numbers say nothing more.
MIN_KAPPA, MAX_KAPPA = 1e-6, 1e6


@dataclass(frozen=True)
class Scale(Checked):
    """The factor by which w and b are multiplied."""

    kappa: float = setting(
        1.0,
        "κ",
        "Multiplies w and b: the values of f change, the line does not. At κ = 1 the nearest point "
        "has y f = 1; if the line errs, |f| is 1 on average.",
        low=0.1,
        high=10.0,
        hard_low=MIN_KAPPA,
        hard_high=MAX_KAPPA,
        scale="log",
    )


class LinePanel(FramePanel):
    """A line of one's own: how wide its street is, and how wide a street could be.

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
        self.lay = self.add(QPushButton("Lay a line"))
        set_tip(self.lay, "Between the means of the classes. The tool Line (Shift+L) lays others.")
        self.lay.clicked.connect(self._lay)
        self.angles = self.add(AngleChart())
        self.angles.pressed.connect(self._turn)
        self.angles.released.connect(lambda: stage.session.commit("Turn line"))
        self.axis = self.add(AxisChart())
        self.axis.hovered.connect(lambda x, y: stage.spotlight.highlight(self.axis.point_at(x, y)))
        self.axis.left.connect(lambda: stage.spotlight.highlight(None))
        self.axis.pressed.connect(self._shift)
        self.axis.released.connect(lambda: stage.session.commit("Shift line"))
        self.scale = self.add(SettingsForm(Scale()))
        self.scale.moved.connect(lambda scale: self._rescale(scale.kappa))
        self.scale.released.connect(self._on_scale)
        self.numbers = self.add(KeyValue(ROWS, "−0.0000  (best −0.0000)"))
        self.parts = self.add(SettingsForm(LineParts()))
        self.parts.released.connect(self._switch)
        self.box.addStretch(1)

    def make_study(self) -> Study:
        return LineStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study[0] if study else None
        has_line = frame.document.own_line is not None
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
        if study.own_line.parts != self.parts.instance:
            self.parts.set_instance(study.own_line.parts)
        norm = canonical(study.line, study.points, study.labels).norm
        kappa = min(max(study.line.norm / norm, MIN_KAPPA), MAX_KAPPA)
        if not math.isclose(kappa, self.scale.instance.kappa, rel_tol=1e-9):
            self.scale.set_instance(Scale(kappa=kappa))

    # What the user does.

    def _lay(self) -> None:
        session = self.stage.session
        document = session.document
        line = line_between_means(document.data.points / document.factors, document.data.labels)
        own_line = OwnLine((1.0, 0.0), 0.0).following(line, document.factors)
        session.edit(replace(document, own_line=own_line), "Lay line")

    def _turn(self, degrees: float, _margin: float) -> None:
        """Turn the line about the foot of the mean of all points."""
        study = self.shown
        if study is None:
            return
        line, angle = study.line, math.radians(min(max(degrees, 0.0), 180.0))
        centre = line.feet(study.points.mean(axis=0)[None, :])[0]
        unit = np.array([math.cos(angle), math.sin(angle)])
        # Of the two opposite directions, the one that errs less.
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
        if document.own_line is not None:
            own_line = document.own_line.following(line, document.factors)
            session.preview(replace(document, own_line=own_line))

    def _switch(self, parts: LineParts) -> None:
        session = self.stage.session
        document = session.document
        if document.own_line is not None:
            own_line = replace(document.own_line, parts=parts)
            session.edit(replace(document, own_line=own_line), "Change what is drawn")


def sentence(study: LineStudy | None, has_line: bool) -> str:
    """Return one or two sentences on how good the line is."""
    if not has_line:
        return "Which line separates best? Lay one, shift it, turn it, and compare."
    if study is None or study.best_margin is None:
        return "With points of both classes, the margin of the line is shown here."
    best = study.best_margin
    errors = int(misclassified(study.labels, study.values).sum())
    if errors:
        wrong = f"The line errs at {counted(errors, 'point')}."
        return wrong if best > 0.0 else f"{wrong} No line separates these classes."
    if not best > 0.0:
        return "The line touches points of both classes. No line separates them."
    return (
        f"The line separates the classes. Its margin is {number(study.margin)}, the best is "
        f"{number(best)}: {percent(study.margin / best)}."
    )


def rule(document: Document) -> str:
    """Return the line as a rule that gives x2 for x1, in the units of the axes."""
    own_line, data = document.own_line, document.data
    if own_line is None or not own_line.w[1]:
        return ""
    (across, unit), (up, other) = axis_units(data)
    slope, rest = -own_line.w[0] / own_line.w[1], -own_line.b / own_line.w[1]
    sign = "−" if rest < 0.0 else "+"
    return (
        f"On the line, {up} = {number(other / unit * slope)} · {across} {sign} "
        f"{number(abs(other * rest))}."
    )


def texts(study: LineStudy, lane: Lane | None) -> dict[str, str]:
    """Return the numbers of the line, and P of the run beside it, by the keys of ROWS."""
    line, missing = study.line, "—"
    best = "" if study.best_margin is None else f"  (best {number(study.best_margin)})"
    objective = objective_of_line(lane.problem, np.array(line.w), line.b) if lane else None
    return {
        "w": vector_text(line.w),
        "b": number(line.b),
        "margin": f"{number(study.margin)}{best}",
        "slack": number(objective.slack) if objective else missing,
        "primal": primal_text(objective) if objective else missing,
        "run": number(lane.certificate.primal) if lane else missing,
    }


def primal_text(objective: Objective) -> str:
    """Return P, or why the hard margin has none."""
    return "∞, as slack is above 0" if math.isinf(objective.primal) else number(objective.primal)
