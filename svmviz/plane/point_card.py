"""The card of the point under the mouse. It shows values of the lane in focus."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from solvers.data.datasets import PointSet
from solvers.errors import shorten
from solvers.problem.certificate import ZERO
from solvers.problem.reduced_hulls import ReducedHulls
from solvers.problem.regression import Regression
from svmviz.base.kinds import kinds_of
from svmviz.base.words import axis_units, class_titles, number
from svmviz.document.many_classes import LEFT_OUT_MARK
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.decision_study import decision_of
from svmviz.plane.pair_candidates import error_rows, shows_errors

# The rows that are left out of a card while a lesson hides something.
ROWS_OF = {
    "alpha": ("α", "β", "weight τ", "αy can still", "KKT violation"),
    "f": (
        "f(x)",
        "y − f(x)",
        "f / ‖w‖",
        "f / ‖w‖ (scaled)",
        "slack ξ",
        "1 − y f(x)",
        "E = f − y",
        "KKT violation",
        "decided for",
    ),
    "slack": ("slack ξ", "1 − y f(x)"),
}
# Rows at the start of the card in one line.
SAID_FIRST = ("class", "α", "β", "weight τ")
# Note on a point whose alpha is above C.
ABOVE_C = "support vector above C: α > C, not dual feasible"
# Notes on a point of the perceptron, where alpha is the number of mistakes at the point: the first
# note if alpha is 0, the second if alpha is larger.
BY_MISTAKES = "never a mistake so far: α = 0", "in the sum of f: α is its number of mistakes"


@dataclass(frozen=True)
class PointCard:
    """A small table of the values of a point.

    Attributes
    ----------
    title : str
    label : int
        The mark of the point (:mod:`svmviz.document.many_classes`).
    rows : tuple of (str, str)
        Names of quantities with their values.
    notes : tuple of str
        Sentences on the kind of the point, such as "free support vector: 0 < α < C".
    """

    title: str
    label: int
    rows: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    def without(self, hidden: frozenset[str]) -> PointCard:
        """Return the card without what a lesson hides (:data:`svmviz.lessons.shows.HIDDEN`)."""
        if not hidden & ROWS_OF.keys():
            return self
        gone = {name for word in hidden for name in ROWS_OF.get(word, ())}
        # The notes tell the kind of the point, from which a student could infer the hidden values.
        return replace(self, rows=tuple(row for row in self.rows if row[0] not in gone), notes=())

    @property
    def line(self) -> str:
        """The card in one line of text, which a screen reader says: alpha before the place."""
        ordered = sorted(self.rows, key=lambda row: row[0] not in SAID_FIRST)
        rows = (f"{name} {value}" for name, value in ordered)
        return ", ".join((self.title, *rows)) + "".join(f"; {note}" for note in self.notes)


def describe(frame: Frame, index: int) -> PointCard:
    """Return the card of a point of a frame, by its index in ``Document.editable``."""
    document, data = frame.document, frame.document.editable
    is_left_out = index >= document.n
    title = "Left out" if is_left_out else point_title(data, index)
    label = LEFT_OUT_MARK + int(data.classes[index]) if is_left_out else int(document.marks[index])
    rows = [
        (name, number(unit * float(value), 6))
        for (name, unit), value in zip(
            axis_units(data, document.is_regression), data.points[index], strict=True
        )
        if data.items is None
    ]
    lane = frame.lane
    if frame.document.is_regression:
        fitted = () if lane is None else _fitted_rows(lane, index)
        notes = () if lane is None else (alpha_note(lane, index), residual_note(lane, index))
        return PointCard(title, label, (*rows, *fitted), notes)
    rows.append(("class", class_titles(data)[data.classes[index]]))
    decided = _decided_rows(frame, index)
    rows += decided
    if is_left_out:
        return PointCard(title, label, tuple(rows), ("this machine leaves its class out",))
    if lane is None:
        return PointCard(title, label, tuple(rows))
    rows += _solved_rows(frame, lane, index)
    slack = slack_note(lane, index, " by this machine" if decided else "")
    return PointCard(title, label, tuple(rows), (alpha_note(lane, index), slack))


def _decided_rows(frame: Frame, index: int) -> list[tuple[str, str]]:
    """Return what all machines decide a point for, if that is shown."""
    decision, many = decision_of(frame), frame.document.many
    if many is None or decision is None or decision.decided is None:
        return []
    class_ = decision.decided[frame.document.editable_rows[index]]
    return [("decided for", class_titles(many.data)[class_])]


def point_title(data: PointSet, index: int) -> str:
    """Return "Point 3", followed by the name of a point without coordinates if it has one."""
    title, items = f"Point {index + 1}", data.items
    if items is None or items.names[index] == str(index + 1):
        return title
    return f"{title}: {shorten(items.names[index])}"


def _solved_rows(frame: Frame, lane: Lane, index: int) -> list[tuple[str, str]]:
    """Return the rows of a point that depend on the solver, in classification."""
    certificate = lane.certificate
    alpha = float(certificate.alpha[index])
    rows = [
        ("weight τ", number(alpha * lane.certified_problem.mu / lane.certified_problem.C))
        if isinstance(lane.certified_problem, ReducedHulls)
        else ("α", number(alpha)),
        ("slack ξ", _rounded(certificate.slack[index])),
        ("f(x)", _rounded(certificate.decision[index])),
    ]
    if _forbids_slack(lane):
        # By how much the constraint is violated has no name of its own.
        is_violated = certificate.slack[index] > lane.kkt_tolerance
        rows[1:2] = [("1 − y f(x)", rows[1][1])] if is_violated else []
    if lane.problem.weights is not None:
        rows.insert(1, ("Cᵢ = C · weight of the class", number(float(lane.problem.caps[index]))))
    w = lane.expansion.w
    if w is not None and float(w @ w) > 0.0:
        distance = float(certificate.decision[index]) / math.sqrt(float(w @ w))
        scaled = "" if (frame.document.factors == 1.0).all() else " (scaled)"
        rows.append((f"f / ‖w‖{scaled}", _rounded(distance)))
    if shows_errors(lane):
        rows += error_rows(lane, index)
    violation = float(certificate.violation[index])
    if violation > lane.kkt_tolerance:
        rows.append(("KKT violation", number(violation)))
    return rows


def _fitted_rows(lane: Lane, index: int) -> list[tuple[str, str]]:
    """Return the rows of a point that depend on the solver, in regression."""
    certificate, beta = lane.certificate, lane.expansion.beta
    rows = [
        ("f(x)", _rounded(certificate.decision[index])),
        ("y − f(x)", _rounded(lane.problem.y[index] - certificate.decision[index])),
        ("slack ξ", _rounded(certificate.slack[index])),
        ("β", number(float(beta[index]))),
    ]
    violation = float(certificate.violation[index])
    if violation > lane.kkt_tolerance:
        rows.append(("KKT violation", number(violation)))
    return rows


def residual_note(lane: Lane, index: int) -> str:
    """Return a phrase that says whether a point of a regression is in, on or outside the tube."""
    problem, tol = lane.problem, lane.kkt_tolerance
    assert isinstance(problem, Regression)
    excess = abs(float(problem.y[index] - lane.certificate.decision[index])) - problem.epsilon
    if excess < -tol:
        return "inside the tube: |y − f| < ε"
    return "on the edge of the tube: |y − f| = ε" if excess <= tol else "outside the tube: ξ > 0"


def _rounded(value: float) -> str:
    """Return a number as text; values that are 0 up to rounding error become 0."""
    return number(0.0 if abs(value) < 1e-12 else float(value))


def alpha_note(lane: Lane, index: int) -> str:
    """Return a phrase that names the kind of a point by its alpha: "free support vector: ..."."""
    if lane.certificate.alpha[index] > lane.ceiling[index]:
        return ABOVE_C
    if not lane.method.maximizes_margin:
        # Alpha of the perceptron counts the mistakes at a point.
        return BY_MISTAKES[int(lane.certificate.kinds[index] != ZERO)]
    kinds, kind = kinds_of(lane.certified_problem), int(lane.certificate.kinds[index])
    names = "no support vector", "free support vector", f"support vector {kinds.at_bound}"
    return f"{names[kind]}: {kinds.conditions[kind]}"


def _forbids_slack(lane: Lane) -> bool:
    """Return whether the margin is hard, so that slack violates a constraint."""
    return lane.certified_problem.hard and lane.method.maximizes_margin


def slack_note(lane: Lane, index: int, by: str = "") -> str:
    """Return a phrase that says where a point lies relative to the margin, by its slack.

    ``by`` says what misclassifies a point.
    """
    tol, region = lane.kkt_tolerance, "margin band" if lane.method.maximizes_margin else "band"
    margin = float(lane.problem.y[index] * lane.certificate.decision[index])
    if margin > 1.0 + tol:
        return f"outside the {region}: y f > 1"
    if margin >= 1.0 - tol:
        return (
            "on its margin line: y f = 1"
            if region == "margin band"
            else "on the edge of the band: y f = 1"
        )
    if _forbids_slack(lane):
        signs, end = ("y f < 1", "y f = 0", "y f < 0"), ", which is not allowed"
    else:
        signs, end = ("0 < ξ < 1", "ξ = 1", "ξ > 1"), ""
    if margin > tol:
        return f"inside the band: {signs[0]}{end}"
    if margin >= -tol:
        return f"on the boundary: {signs[1]}{end}"
    return f"misclassified{by}: {signs[2]}{end}"
