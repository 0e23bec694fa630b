"""The model in numbers: the line where there is one, support vectors, cost."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QLabel, QWidget

from solvers import Certificate, Linear
from solvers.certificate import BOUND, FREE
from svmviz.frame import Frame, Lane
from svmviz.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.key_value import KeyValue
from svmviz.widgets.track import write

LINE_ROWS = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    ("unit_w", "w / ‖w‖", "Direction in which f grows, of length 1"),
    ("unit_b", "b / ‖w‖", "So f(x) / ‖w‖ is the signed distance of x to the line"),
    ("margin", "margin 1 / ‖w‖", "Distance from the line to a margin line"),
    ("width", "width 2 / ‖w‖", "Distance between the two margin lines"),
    ("origin", "origin |b| / ‖w‖", "Distance of the line to the origin"),
)
ROWS = (
    ("total", "support vectors", "Points with α > 0, of which f is made, of all points"),
    ("free", "free, α < C", "Points with 0 < α < C: on their margin at the optimum"),
    ("bound", "at C", "Points with α = C: on or inside their margin at the optimum"),
    ("norm", "‖w‖", "Length of w in the feature space (of (w, b) where b is regularised)"),
    ("steps", "step", "Step shown"),
    ("seconds", "solving time", "Time spent solving up to this step"),
    ("evaluations", "kernel values", "Kernel values asked for up to this step"),
)
EMPTY = "–"


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
        for widget in (self.line, self.units):
            widget.setVisible(straight)
        if lane is None:
            self.line.set_values({key: EMPTY for key, *_ in LINE_ROWS})
            self.rows.set_values({key: EMPTY for key, *_ in ROWS})
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
        self.rows.set_values(row_texts(lane, lane.certificate, norm))


def line_texts(w: tuple[float, float], b: float) -> dict[str, str]:
    """Texts of the line ``<w, x> + b = 0``."""
    norm = math.hypot(*w)
    texts = {"w": _pair(w), "b": write(b)}
    if norm == 0.0:
        return texts | {key: EMPTY for key, *_ in LINE_ROWS if key not in texts}
    return texts | {
        "unit_w": _pair((w[0] / norm, w[1] / norm)),
        "unit_b": write(b / norm),
        "margin": write(1.0 / norm),
        "width": write(2.0 / norm),
        "origin": write(abs(b) / norm),
    }


def row_texts(lane: Lane, certificate: Certificate, norm: float) -> dict[str, str]:
    """Texts of the rows that every kernel has."""
    free, bound = certificate.count(FREE), certificate.count(BOUND)
    return {
        "free": f"{free:,}",
        "bound": f"{bound:,}",
        "total": f"{free + bound:,} of {lane.problem.n:,}",
        "norm": write(norm),
        "steps": f"{lane.step:,}",
        "seconds": _seconds(lane.seconds),
        "evaluations": f"{lane.evaluations:,}",
    }


def _pair(pair: tuple[float, float]) -> str:
    return f"({_short(pair[0])}, {_short(pair[1])})"


def _short(value: float) -> str:
    """Four significant digits, without a decimal point that comes and goes."""
    return write(float(f"{value:.4g}"))


def _seconds(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{write(float(f'{seconds * factor:.3g}'))} {unit}"
    return f"{write(float(f'{seconds * 1e6:.3g}'))} µs"
