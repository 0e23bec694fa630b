"""The sheets of the Model panel: the rows for a task, kernel and method, and their texts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from solvers import Hulls, Linear, Method
from solvers.methods.perceptron.perceptron import Novikoff
from solvers.problem.certificate import BOUND, FREE
from solvers.problem.losses import misclassified
from svmviz.base.words import count, mantissa, number, power_of_ten, vector_text
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane

# Key, name and tooltip of each row.
Rows = tuple[tuple[str, str, str], ...]

NEAREST_POINT_ROW = (
    "nearest",
    "nearest point",
    "Smallest y f(x) / ‖w‖ of a point: its signed distance, below 0 if it is misclassified. It is "
    "the margin of the boundary if it is above 0",
)
LINE_ROWS: Rows = (
    ("w", "w", "Normal of the line: f(x) = ⟨w, x⟩ + b"),
    ("b", "b", "Bias: f(x) = ⟨w, x⟩ + b"),
    ("unit_w", "w / ‖w‖", "Direction in which f grows, of length 1"),
    ("unit_b", "b / ‖w‖", "f(x) / ‖w‖ is the signed distance of x to the line"),
    (
        "margin",
        "margin 1 / ‖w‖",
        "Distance from the line to a margin line, where f = ±1. It is the distance of the nearest "
        "point, too, if y f(x) ≥ 1 at every point and = 1 at one",
    ),
    NEAREST_POINT_ROW,
    ("width", "width 2 / ‖w‖", "Width of the street: the distance between the two margin lines"),
    ("origin", "origin |b| / ‖w‖", "Distance of the line to the origin"),
)
CURVED_ROWS: Rows = (
    ("b", "b", "Bias: f(x) = Σ βᵢ k(xᵢ, x) + b"),
    (
        "margin",
        "margin 1 / ‖w‖",
        "In the feature space: distance from f = 0 to f = ±1. It is the distance of the nearest "
        "point, too, if y f(x) ≥ 1 at every point and = 1 at one",
    ),
    NEAREST_POINT_ROW,
    (
        "width",
        "width 2 / ‖w‖",
        "Width of the street in the feature space: the distance from f = −1 to f = +1, the "
        "margin lines of the picture",
    ),
)
# Row for methods that do not maximise a margin, so that 1 / ||w|| is not the margin of the points.
LEVEL_ROW = (
    "level",
    "f = ±1 at 1 / ‖w‖",
    "Distance from f = 0 to f = ±1: not a margin, since this method does not maximise one",
)
MARGINLESS_LINE_ROWS: Rows = (*LINE_ROWS[:4], LEVEL_ROW, NEAREST_POINT_ROW, LINE_ROWS[-1])
MARGINLESS_CURVED_ROWS: Rows = (CURVED_ROWS[0], LEVEL_ROW, NEAREST_POINT_ROW)
TUBE_ROW = ("epsilon", "tube ±ε", "Errors up to ε cost nothing: the tube is 2 ε high")
SLOPE_ROWS: Rows = (
    ("w", "w", "Slope of the line: f(x) = w x + b"),
    ("b", "b", "Bias: f(x) = w x + b"),
    TUBE_ROW,
)
FITTED_ROWS: Rows = (
    ("b", "b", "Bias: f(x) = Σ βᵢ k(xᵢ, x) + b"),
    TUBE_ROW,
)
ERRORS_ROW = (
    "errors",
    "misclassified",
    "Points whose class is not predicted: f(x) ≥ 0 predicts +1, f(x) < 0 predicts −1",
)
NORM_ROW = (
    "norm",
    "‖w‖",
    "Length of w. If f is not linear: in the feature space, and of (w, b) if b is regularised",
)
COST_ROWS: Rows = (
    ("steps", "step", "Step shown"),
    ("seconds", "solving time", "Time spent solving up to this step"),
    ("evaluations", "kernel values", "Values k(x, z) computed up to this step"),
)
PERCEPTRON_ROWS: Rows = (
    ("mistakes", "mistakes", "How often a point was a mistake, up to this step: the sum of all α"),
    (
        "novikoff",
        "at most (R/ρ)²",
        "Novikoff's bound on the mistakes, if a boundary separates the points. The proof needs a "
        "positive semi-definite kernel. With another kernel there is a bound only when the run has "
        "separated the points, and for this run only",
    ),
    (
        "radii",
        "R, ρ",
        "R: the largest length of (x, 1), without a bias of x; with a kernel φ(x) stands for x. "
        "ρ: the largest margin of a boundary through the origin of that space; if the kernel is "
        "not known to be positive semi-definite, the margin of the "
        "run's own boundary",
    ),
    ("total", "points in the sum", "Points with α > 0, of which f is made, of all points"),
    ERRORS_ROW,
    NORM_ROW,
    *COST_ROWS,
)
CLASS_ROWS: Rows = (
    ("total", "support vectors", "Points with α > 0, of which f is made, of all points"),
    ("free", "free, α < C", "Points with 0 < α < C: on their margin lines at the optimum"),
    ("bound", "at C", "Points with α = C: on or inside their margin lines at the optimum"),
    ERRORS_ROW,
    ("slack", "slack Σ ξ", "Sum of ξ = max(0, 1 − y f(x)) over all points"),
    NORM_ROW,
    *COST_ROWS,
)
# Rows of reduced hulls, whose weights tau have a cap mu and no C.
REDUCED_HULL_ROWS: Rows = (
    ("total", "support vectors", "Points with τ > 0, of which p and q are made, of all points"),
    ("free", "free, τ < μ", "Points with 0 < τ < μ: at the level of their class at the optimum"),
    ("bound", "at the cap μ", "Points with τ = μ: at the level of their class or beyond it"),
    CLASS_ROWS[3],
    NORM_ROW,
    *COST_ROWS,
)
REGRESSION_ROWS: Rows = (
    ("total", "support vectors", "Points with β ≠ 0, of which f is made, of all points"),
    ("free", "free, |β| < C", "Points with 0 < |β| < C: on the edge of the tube at the optimum"),
    ("bound", "at C", "Points with |β| = C: on the edge of the tube or outside, at the optimum"),
    (
        "errors",
        "outside the tube",
        "Points with |y − f(x)| > ε, by more than the tolerance",
    ),
    ("slack", "slack Σ ξ", "Sum of ξ = max(0, |y − f(x)| − ε) over all points"),
    NORM_ROW,
    *COST_ROWS,
)
EMPTY = "–"
IN_FEATURE_SPACE = "‖w‖, margin and width are lengths in the feature space, not in the picture."
IN_DATA_UNITS = "In data units."
IN_SCALED_UNITS = "In scaled units, since each axis is scaled by its own spread."
NORM_OF_CURVE = "‖w‖ is a length in the feature space, not in the picture."
# If the larger absolute value of the two components of w is outside this range, both components are
# written with a common power of ten.
MIN_PLAIN, MAX_PLAIN = 1e-3, 1e5


@dataclass(frozen=True)
class Sheet:
    """The rows for one kind of model, and functions for their texts.

    Attributes
    ----------
    head : Rows
        The rows on f, such as b and the margin, which stand above the note on units.
    rows : Rows
        The rows on points, errors and cost, which stand below the note.
    describe : callable(Frame, Lane) -> (head texts, note, norm)
        Returns the texts of the head by key, the note on units, and ``||w||`` in the units that the
        note names. There may be texts for more keys than the head has.
    wrong : callable(Lane) -> int
        Returns the number of points that count as errors.
    """

    head: Rows
    rows: Rows
    describe: Callable[[Frame, Lane], tuple[dict[str, str], str, float]]
    wrong: Callable[[Lane], int]

    def without_cost(self) -> Sheet:
        """Return the sheet without the rows on the cost of solving."""
        return replace(self, rows=tuple(row for row in self.rows if row not in COST_ROWS))

    def texts(
        self, frame: Frame, lane: Lane, bound: Novikoff | None = None
    ) -> tuple[dict[str, str], str, dict[str, str]]:
        """Return the texts of the head, the note below it, and the texts of the rows.

        ``bound`` is Novikoff's bound for a perceptron, None if it is not known.
        """
        head, note, norm = self.describe(frame, lane)
        rows = row_texts(lane, norm, self.wrong(lane)) | mistake_texts(lane, bound)
        return _texts_of_rows(head, self.head), note, _texts_of_rows(rows, self.rows)


def line_texts(w: tuple[float, float], b: float) -> dict[str, str]:
    """Return the texts of the line ``<w, x> + b = 0``."""
    norm = math.hypot(*w)
    texts = {"w": _pair_text(w), "b": number(b)}
    if norm == 0.0:
        return texts | dict.fromkeys(("unit_w", "unit_b", "margin", "width", "origin"), EMPTY)
    return texts | {
        "unit_w": _pair_text((w[0] / norm, w[1] / norm)),
        "unit_b": number(b / norm),
        "margin": number(1.0 / norm),
        "width": number(2.0 / norm),
        "origin": number(abs(b) / norm),
    }


def curved_texts(norm: float, b: float) -> dict[str, str]:
    """Return the texts of a curved boundary, which is a hyperplane in the feature space only."""
    if norm == 0.0:
        return {"b": number(b), "margin": EMPTY, "width": EMPTY}
    return {"b": number(b), "margin": number(1.0 / norm), "width": number(2.0 / norm)}


def _level_texts(lane: Lane, norm: float) -> dict[str, str]:
    """Return the texts of ``LEVEL_ROW`` and ``NEAREST_POINT_ROW``; ``norm`` is that of w."""
    if norm == 0.0:
        return {"level": EMPTY, "nearest": EMPTY}
    nearest = float((lane.problem.y * lane.certificate.decision).min())
    return {"level": number(1.0 / norm), "nearest": number(nearest / norm)}


def _texts_of_rows(texts: dict[str, str], rows: Rows) -> dict[str, str]:
    return {key: texts[key] for key, *_ in rows}


def row_texts(lane: Lane, norm: float, wrong: int) -> dict[str, str]:
    """Return the texts of all rows below the note, except those on mistakes.

    ``norm`` is that of w, and ``wrong`` the number of errors.
    """
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
        "seconds": _time_text(lane.seconds),
        "evaluations": count(lane.evaluations),
    }


def mistake_texts(lane: Lane, bound: Novikoff | None) -> dict[str, str]:
    """Return the texts on mistakes: alpha_i of a perceptron counts its mistakes at point i."""
    return {
        "mistakes": number(float(lane.certificate.alpha.sum())),
        "novikoff": number(bound.mistakes) if bound else EMPTY,
        "radii": f"{number(bound.radius)}, {number(bound.margin)}" if bound else EMPTY,
    }


def _describe_line(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    same_factor = frame.document.scaling != "each"
    factors = frame.document.factors if same_factor else (1.0, 1.0)
    weights = _weights(lane)
    w = (float(weights[0] / factors[0]), float(weights[1] / factors[1]))
    note = IN_DATA_UNITS if same_factor else IN_SCALED_UNITS
    norm = math.hypot(*w)
    return line_texts(w, lane.expansion.bias) | _level_texts(lane, norm), note, norm


def _describe_curve(_frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    norm = lane.certificate.norm
    texts = curved_texts(norm, lane.expansion.bias) | _level_texts(lane, norm)
    return texts, IN_FEATURE_SPACE, norm


def _describe_slope(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    slope = float(_weights(lane)[0] / frame.document.factors[0])
    head = {"w": number(slope), **_fitted_texts(frame, lane)}
    return head, IN_DATA_UNITS, abs(slope)


def _describe_fit(frame: Frame, lane: Lane) -> tuple[dict[str, str], str, float]:
    return _fitted_texts(frame, lane), NORM_OF_CURVE, lane.certificate.norm


def _fitted_texts(frame: Frame, lane: Lane) -> dict[str, str]:
    return {"b": number(lane.expansion.bias), "epsilon": number(frame.document.epsilon)}


def _weights(lane: Lane) -> np.ndarray:
    weights = lane.expansion.w
    assert weights is not None
    return weights


def _misclassified(lane: Lane) -> int:
    return int(np.count_nonzero(misclassified(lane.problem.y, lane.certificate.decision)))


def _outside_tube(lane: Lane) -> int:
    """Return the number of points outside of the tube by more than the tolerance."""
    return int(np.count_nonzero(lane.certificate.slack > lane.kkt_tolerance))


# The boundary of reduced hulls is the bisector of p and q, but its distance to them is not a margin
# of the points. So these sheets have `LEVEL_ROW` in place of the margin. The key is whether f is
# linear.
REDUCED_HULL_SHEETS = {
    True: Sheet(
        (*LINE_ROWS[:4], LEVEL_ROW, LINE_ROWS[-1]),
        REDUCED_HULL_ROWS,
        _describe_line,
        _misclassified,
    ),
    False: Sheet(MARGINLESS_CURVED_ROWS[:2], REDUCED_HULL_ROWS, _describe_curve, _misclassified),
}
# The key is the task, whether f is linear, and whether the method maximises a margin (in a
# regression always True).
SHEETS = {
    ("classification", True, True): Sheet(LINE_ROWS, CLASS_ROWS, _describe_line, _misclassified),
    ("classification", False, True): Sheet(
        CURVED_ROWS, CLASS_ROWS, _describe_curve, _misclassified
    ),
    ("classification", True, False): Sheet(
        MARGINLESS_LINE_ROWS, PERCEPTRON_ROWS, _describe_line, _misclassified
    ),
    ("classification", False, False): Sheet(
        MARGINLESS_CURVED_ROWS, PERCEPTRON_ROWS, _describe_curve, _misclassified
    ),
    ("regression", True, True): Sheet(SLOPE_ROWS, REGRESSION_ROWS, _describe_slope, _outside_tube),
    ("regression", False, True): Sheet(FITTED_ROWS, REGRESSION_ROWS, _describe_fit, _outside_tube),
}


def sheet_of(document: Document, method: Method) -> Sheet:
    """Return the sheet of a method on a document."""
    is_linear = isinstance(document.kernel, Linear)
    if isinstance(method, Hulls) and method.mu < 1.0:
        return REDUCED_HULL_SHEETS[is_linear]
    has_margin = method.maximizes_margin or document.is_regression
    return SHEETS[document.task, is_linear, has_margin]


def _pair_text(pair: tuple[float, float]) -> str:
    """Return two numbers as text; small or large ones share a power of ten, so that they fit."""
    largest = max(map(abs, pair))
    if not largest or MIN_PLAIN <= largest < MAX_PLAIN:
        return vector_text(pair)
    power = math.floor(math.log10(largest))
    first, second = (number(round(mantissa(value, power), 3)) for value in pair)
    return f"({first}, {second}){power_of_ten(power)}"


def _time_text(seconds: float) -> str:
    """Return a time as text, in s, ms or µs."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{number(seconds * factor, 3)} {unit}"
    return f"{number(seconds * 1e6, 3)} µs"
