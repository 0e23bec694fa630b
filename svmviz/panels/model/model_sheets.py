"""What the model card says: rows and their texts, for each task, and for lines and curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.problem.certificate import BOUND, FREE
from svmviz.base.words import count, mantissa, number, power_of_ten
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.hover import tolerance

# Key, name and tooltip of each row.
Rows = tuple[tuple[str, str, str], ...]

LINE_ROWS: Rows = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    ("unit_w", "w / ‖w‖", "Direction in which f grows, of length 1"),
    ("unit_b", "b / ‖w‖", "So f(x) / ‖w‖ is the signed distance of x to the line"),
    ("margin", "margin 1 / ‖w‖", "Distance from the line to a margin line"),
    ("width", "width 2 / ‖w‖", "Distance between the two margin lines"),
    ("origin", "origin |b| / ‖w‖", "Distance of the line to the origin"),
)
CURVED_ROWS: Rows = (
    ("b", "b", "Bias: f(x) = Σ βᵢ k(xᵢ, x) + b"),
    ("margin", "margin 1 / ‖w‖", "In the feature space: distance from f = 0 to f = ±1"),
    ("width", "width 2 / ‖w‖", "In the feature space: distance between f = −1 and f = +1"),
)
TUBE = ("epsilon", "tube ±ε", "Errors up to ε cost nothing: the tube is 2 ε high")
SLOPE_ROWS: Rows = (
    ("w", "w", "Slope of the line: f(x) = w x + b"),
    ("b", "b", "Bias: f(x) = w x + b"),
    TUBE,
)
FITTED_ROWS: Rows = (
    ("b", "b", "Bias: f(x) = Σ βᵢ k(xᵢ, x) + b"),
    TUBE,
)
NORM = ("norm", "‖w‖", "Length of w in the feature space (of (w, b) where b is regularised)")
COST: Rows = (
    ("steps", "step", "Step shown"),
    ("seconds", "solving time", "Time spent solving up to this step"),
    ("evaluations", "kernel values", "Kernel values asked for up to this step"),
)
CLASS_ROWS: Rows = (
    ("total", "support vectors", "Points with α > 0, of which f is made, of all points"),
    ("free", "free, α < C", "Points with 0 < α < C: on their margin at the optimum"),
    ("bound", "at C", "Points with α = C: on or inside their margin at the optimum"),
    ("errors", "training errors", "Points on the wrong side, or on the boundary: y f(x) ≤ 0"),
    ("slack", "slack Σ ξ", "Sum of ξ = max(0, 1 − y f(x)) over all points"),
    NORM,
    *COST,
)
TARGET_ROWS: Rows = (
    ("total", "support vectors", "Points with β ≠ 0, of which f is made, of all points"),
    ("free", "free, |β| < C", "Points with 0 < |β| < C: on the edge of the tube at the optimum"),
    ("bound", "at C", "Points with |β| = C: on the edge of the tube or outside, at the optimum"),
    (
        "errors",
        "outside the tube",
        "Points with |y − f(x)| > ε, by more than the tolerance",
    ),
    ("slack", "slack Σ ξ", "Sum of ξ = max(0, |y − f(x)| − ε) over all points"),
    NORM,
    *COST,
)
EMPTY = "–"
IN_FEATURE_SPACE = "‖w‖, margin and width are lengths in the feature space, not in the picture."
IN_DATA_UNITS = "In data units."
IN_SCALED_UNITS = "In scaled units, since each axis is scaled by its own spread."
NORM_OF_CURVE = "‖w‖ is a length in the feature space, not in the picture."
# Where the larger component of w is outside of this, both share a power of ten.
SMALL, LARGE = 1e-3, 1e5


@dataclass(frozen=True)
class Sheet:
    """One kind of model.

    Attributes
    ----------
    head, rows : rows
        What is particular to the kind of model, and what every model of the task has.
    tell : callable(Frame, Lane) -> (head texts, note, norm)
        The norm is ``||w||`` in the units that the note names.
    wrong : callable(Lane) -> int
        How many points count as errors.
    """

    head: Rows
    rows: Rows
    tell: Callable[[Frame, Lane], tuple[dict[str, str], str, float]]
    wrong: Callable[[Lane], int]

    def texts(self, frame: Frame, lane: Lane) -> tuple[dict[str, str], str, dict[str, str]]:
        """Texts of the head, the note below it, and texts of the rows."""
        head, note, norm = self.tell(frame, lane)
        return head, note, row_texts(lane, norm, self.wrong(lane))


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


def row_texts(lane: Lane, norm: float, wrong: int) -> dict[str, str]:
    """Texts of the rows that every model has."""
    certificate = lane.certificate
    free, bound = certificate.count(FREE), certificate.count(BOUND)
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


def _tell_line(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    one_number = frame.document.scaling != "each"
    factors = frame.document.factors if one_number else (1.0, 1.0)
    weights = _weights(lane)
    w = (float(weights[0] / factors[0]), float(weights[1] / factors[1]))
    note = IN_DATA_UNITS if one_number else IN_SCALED_UNITS
    return line_texts(w, lane.expansion.bias), note, math.hypot(*w)


def _tell_curve(_frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    norm = lane.certificate.norm
    return curved_texts(norm, lane.expansion.bias), IN_FEATURE_SPACE, norm


def _tell_slope(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    slope = float(_weights(lane)[0] / frame.document.factors[0])
    head = {"w": number(slope), **_fitted_texts(frame, lane)}
    return head, IN_DATA_UNITS, abs(slope)


def _tell_fit(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    return _fitted_texts(frame, lane), NORM_OF_CURVE, lane.certificate.norm


def _fitted_texts(frame: Frame, lane: Lane) -> dict[str, str]:
    return {"b": number(lane.expansion.bias), "epsilon": number(frame.document.epsilon)}


def _weights(lane: Lane) -> np.ndarray:
    weights = lane.expansion.w
    assert weights is not None
    return weights


def _misclassified(lane: Lane) -> int:
    return int(np.count_nonzero(lane.problem.y * lane.certificate.decision <= 0.0))


def _outside(lane: Lane) -> int:
    """Points outside of the tube; those on its edge are not, to within the tolerance."""
    return int(np.count_nonzero(lane.certificate.slack > tolerance(lane)))


# By task, and whether f is a line.
SHEETS = {
    ("classification", True): Sheet(LINE_ROWS, CLASS_ROWS, _tell_line, _misclassified),
    ("classification", False): Sheet(CURVED_ROWS, CLASS_ROWS, _tell_curve, _misclassified),
    ("regression", True): Sheet(SLOPE_ROWS, TARGET_ROWS, _tell_slope, _outside),
    ("regression", False): Sheet(FITTED_ROWS, TARGET_ROWS, _tell_fit, _outside),
}


def _pair(pair: tuple[float, float]) -> str:
    """Both components, with one power of ten where they are small or large: it has to fit."""
    largest = max(map(abs, pair))
    if not largest or SMALL <= largest < LARGE:
        return f"({number(pair[0])}, {number(pair[1])})"
    power = math.floor(math.log10(largest))
    first, second = (number(round(mantissa(value, power), 3)) for value in pair)
    return f"({first}, {second}){power_of_ten(power)}"


def _seconds(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{number(seconds * factor, 3)} {unit}"
    return f"{number(seconds * 1e6, 3)} µs"
