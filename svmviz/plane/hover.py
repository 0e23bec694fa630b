"""What is said about the point under the mouse; every number comes from the frame's certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers.data.files import pretty
from solvers.problem.certificate import BOUND, FREE
from svmviz.base.words import class_titles, number
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.pair_candidates import error_rows, shows_errors

BY_ALPHA = (
    "no support vector: α = 0",
    "free support vector: 0 < α < C",
    "support vector at C: α = C",
)
ABOVE = "support vector above C: α > C, not dual feasible"
BY_WEIGHT = (
    "inside the tube, no support vector: β = 0",
    "free support vector: 0 < |β| < C",
    "support vector at C: |β| = C",
)


@dataclass(frozen=True)
class Card:
    """A small table about a point.

    Attributes
    ----------
    title : str
    label : int
        Class.
    rows : tuple of (str, str)
        Names and values.
    notes : tuple of str
        Its kinds, in words.
    """

    title: str
    label: int
    rows: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """All of it in one line of text."""
        rows = (f"{name} {value}" for name, value in self.rows)
        return ", ".join((self.title, *rows)) + "".join(f"; {note}" for note in self.notes)


def describe(frame: Frame, index: int) -> Card:
    """The card of a point of a frame."""
    data = frame.document.data
    label = int(data.labels[index])
    title = f"Point {index + 1}"
    rows = [
        (pretty(name), number(float(value), 6))
        for name, value in zip(data.axis_names, data.points[index], strict=True)
    ]
    lane = frame.lane
    if frame.document.is_regression:
        found = () if lane is None else _fitted_rows(lane, index)
        notes = () if lane is None else (_by_weight(lane, index),)
        return Card(title, label, (*rows, *found), notes)
    rows.append(("class", class_titles(data)[label > 0]))
    if lane is None:
        return Card(title, label, tuple(rows))
    rows += _solved_rows(frame, lane, index)
    return Card(title, label, tuple(rows), (by_alpha(lane, index), by_slack(lane, index)))


def _solved_rows(frame: Frame, lane: Lane, index: int) -> list[tuple[str, str]]:
    found = lane.certificate
    rows = [
        ("α", number(float(found.alpha[index]))),
        ("slack ξ", _measured(found.slack[index])),
        ("f(x)", _measured(found.decision[index])),
    ]
    w = lane.expansion.w
    if w is not None and float(w @ w) > 0.0:
        distance = float(found.decision[index]) / math.sqrt(float(w @ w))
        scaled = "" if (frame.document.factors == 1.0).all() else " (scaled)"
        rows.append((f"f / ‖w‖{scaled}", _measured(distance)))
    if shows_errors(lane):
        rows += error_rows(lane, index)
    violation = float(found.violation[index])
    if violation > tolerance(lane):
        rows.append(("KKT violation", number(violation)))
    return rows


def _fitted_rows(lane: Lane, index: int) -> list[tuple[str, str]]:
    """What is said of a point of a regression, beside its place."""
    found, beta = lane.certificate, lane.expansion.beta
    rows = [
        ("f(x)", _measured(found.decision[index])),
        ("y − f(x)", _measured(lane.problem.y[index] - found.decision[index])),
        ("slack ξ", _measured(found.slack[index])),
        ("β", number(float(beta[index]))),
    ]
    violation = float(found.violation[index])
    if violation > tolerance(lane):
        rows.append(("KKT violation", number(violation)))
    return rows


def _by_weight(lane: Lane, index: int) -> str:
    """The kind of a point of a regression, in words."""
    kind = int(lane.certificate.kinds[index])
    return BY_WEIGHT[(0, FREE, BOUND).index(kind)]


def _measured(value: float) -> str:
    """A number that rounding has been through: what is nearly 0 is 0."""
    return number(0.0 if abs(value) < 1e-12 else float(value))


def tolerance(lane: Lane) -> float:
    """Return the largest KKT violation that counts as none, in units of f.

    It is the tolerance of the method, and 0.001 for a method without one. The thousandth part more
    is for rounding, since a method may stop by an f that it updates instead of recomputing it.
    """
    return 1.001 * max(lane.method.kkt_tolerance or 1e-3, 1e-9)


def by_alpha(lane: Lane, index: int) -> str:
    """The kind of a point by its dual variable, in words."""
    kind = int(lane.certificate.kinds[index])
    words = BY_ALPHA[(0, FREE, BOUND).index(kind)]
    if lane.certificate.alpha[index] > lane.ceiling:
        return ABOVE
    # A free alpha has no C above it at the hard margin.
    return words.replace("0 < α < C", "α > 0") if lane.problem.hard else words


def by_slack(lane: Lane, index: int) -> str:
    """The kind of a point by where it lies, in words."""
    near = tolerance(lane)
    margin = float(lane.problem.y[index] * lane.certificate.decision[index])
    if margin > 1.0 + near:
        return "outside the margin: y f > 1"
    if margin >= 1.0 - near:
        return "on the margin: y f = 1"
    if margin > near:
        return "inside the band: 0 < ξ < 1"
    if margin >= -near:
        return "on the boundary: ξ = 1"
    return "misclassified: ξ > 1"
