"""The model in numbers: the line where there is one, support vectors, cost."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from solvers import Certificate, Linear
from solvers.certificate import BOUND, FREE
from svmviz.frame import Frame, Lane
from svmviz.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.key_value import KeyValue
from svmviz.words import count, number, power_of_ten

LINE_ROWS = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    ("unit_w", "w / ‖w‖", "Direction in which f grows, of length 1"),
    ("unit_b", "b / ‖w‖", "So f(x) / ‖w‖ is the signed distance of x to the line"),
    ("margin", "margin 1 / ‖w‖", "Distance from the line to a margin line"),
    ("width", "width 2 / ‖w‖", "Distance between the two margin lines"),
    ("origin", "origin |b| / ‖w‖", "Distance of the line to the origin"),
)
CURVED_ROWS = (
    ("b", "b", "Bias: f(x) = Σ βᵢ k(xᵢ, x) + b"),
    ("margin", "margin 1 / ‖w‖", "In the feature space: distance from f = 0 to f = ±1"),
    ("width", "width 2 / ‖w‖", "In the feature space: distance between f = −1 and f = +1"),
)
ROWS = (
    ("total", "support vectors", "Points with α > 0, of which f is made, of all points"),
    ("free", "free, α < C", "Points with 0 < α < C: on their margin at the optimum"),
    ("bound", "at C", "Points with α = C: on or inside their margin at the optimum"),
    ("errors", "training errors", "Points on the wrong side, or on the boundary: y f(x) ≤ 0"),
    ("slack", "slack Σ ξ", "Sum of ξ = max(0, 1 − y f(x)) over all points"),
    ("norm", "‖w‖", "Length of w in the feature space (of (w, b) where b is regularised)"),
    ("steps", "step", "Step shown"),
    ("seconds", "solving time", "Time spent solving up to this step"),
    ("evaluations", "kernel values", "Kernel values asked for up to this step"),
)
EMPTY = "–"
IN_FEATURE_SPACE = "‖w‖, margin and width are lengths in the feature space, not in the picture."
# Where the larger component of w is outside of this, both share a power of ten.
SMALL, LARGE = 1e-3, 1e5


class ModelCard(Column):
    """Numbers of the model at the step shown, in a place of their own each.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=2.0, margin=3.0, parent=parent)
        self.line = self.add(KeyValue(LINE_ROWS, widest="(−0.0000, −0.0000)"))
        self.curved = self.add(KeyValue(CURVED_ROWS, widest="10,000 of 10,000"))
        self.units = self.add(QLabel())
        self.units.setProperty("role", "caption")
        self.units.setWordWrap(True)
        self.rows = self.add(KeyValue(ROWS, widest="10,000 of 10,000"))
        self.box.addStretch(1)
        stage.playback.frame_changed.connect(self._show)
        self._show(stage.playback.frame)

    def _show(self, frame: Frame) -> None:
        lane = frame.lane
        straight = isinstance(frame.document.kernel, Linear)
        self.line.setVisible(straight)
        self.curved.setVisible(not straight)
        if lane is None:
            for widget, rows in ((self.line, LINE_ROWS), (self.curved, CURVED_ROWS)):
                widget.set_values({key: EMPTY for key, *_ in rows})
            self.rows.set_values({key: EMPTY for key, *_ in ROWS})
            self.units.setText("")
            return
        weights = lane.expansion.w
        norm = lane.certificate.norm
        if weights is not None:
            one_number = frame.document.scaling != "each"
            factors = frame.document.factors if one_number else (1.0, 1.0)
            w = (float(weights[0] / factors[0]), float(weights[1] / factors[1]))
            self.line.set_values(line_texts(w, lane.expansion.bias))
            self.units.setText(
                "In data units."
                if one_number
                else "In scaled units, since each axis is scaled by its own spread."
            )
            norm = math.hypot(*w)
        else:
            self.curved.set_values(curved_texts(norm, lane.expansion.bias))
            self.units.setText(IN_FEATURE_SPACE)
        self.rows.set_values(row_texts(lane, lane.certificate, norm))


def line_texts(w: tuple[float, float], b: float) -> dict[str, str]:
    """Texts of the line ``<w, x> + b = 0``."""
    norm = math.hypot(*w)
    texts = {"w": _pair(w), "b": number(b)}
    if norm == 0.0:
        return texts | {key: EMPTY for key, *_ in LINE_ROWS if key not in texts}
    return texts | {
        "unit_w": _pair((w[0] / norm, w[1] / norm)),
        "unit_b": number(b / norm),
        "margin": number(1.0 / norm),
        "width": number(2.0 / norm),
        "origin": number(abs(b) / norm),
    }


def curved_texts(norm: float, b: float) -> dict[str, str]:
    """Texts of a boundary that is a plane in the feature space only."""
    if norm == 0.0:
        return {"b": number(b), "margin": EMPTY, "width": EMPTY}
    return {"b": number(b), "margin": number(1.0 / norm), "width": number(2.0 / norm)}


def row_texts(lane: Lane, certificate: Certificate, norm: float) -> dict[str, str]:
    """Texts of the rows that every kernel has."""
    free, bound = certificate.count(FREE), certificate.count(BOUND)
    wrong = int(np.count_nonzero(lane.problem.y * certificate.decision <= 0.0))
    return {
        "free": count(free),
        "bound": count(bound),
        "total": f"{count(free + bound)} of {count(lane.problem.n)}",
        "errors": f"{count(wrong)} of {count(lane.problem.n)}",
        "slack": number(float(certificate.slack.sum())),
        "norm": number(norm),
        "steps": count(lane.step),
        "seconds": _seconds(lane.seconds),
        "evaluations": count(lane.evaluations),
    }


def _pair(pair: tuple[float, float]) -> str:
    """Both components, with one power of ten where they are small or large: it has to fit."""
    largest = max(map(abs, pair))
    if not largest or SMALL <= largest < LARGE:
        return f"({number(pair[0])}, {number(pair[1])})"
    power = math.floor(math.log10(largest))
    first, second = (number(round(value / 10.0**power, 3)) for value in pair)
    return f"({first}, {second}){power_of_ten(power)}"


def _seconds(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{number(seconds * factor, 3)} {unit}"
    return f"{number(seconds * 1e6, 3)} µs"
