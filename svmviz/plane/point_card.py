"""The card of the point under the mouse. Its numbers come from the certificate of the frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers.problem.certificate import ZERO
from solvers.problem.reduced_hulls import ReducedHulls
from solvers.problem.regression import Regression
from svmviz.base.kinds import kinds_of
from svmviz.base.words import axis_titles, class_titles, number
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.pair_candidates import error_rows, shows_errors

ABOVE = "support vector above C: α > C, not dual feasible"


BY_MISTAKES = "never a mistake so far: α = 0", "in the sum of f: α is its number of mistakes"


@dataclass(frozen=True)
class PointCard:
    """A small table of the values of a point.

    Attributes
    ----------
    title : str
    label : int
        The class of the point, -1 or +1.
    rows : tuple of (str, str)
        Names of quantities with their values.
    notes : tuple of str
        Sentences on the kind of the point, such as "free support vector: 0 < α < C".
    """

    title: str
    label: int
    rows: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The card in one line of text."""
        rows = (f"{name} {value}" for name, value in self.rows)
        return ", ".join((self.title, *rows)) + "".join(f"; {note}" for note in self.notes)


def describe(frame: Frame, index: int) -> PointCard:
    """Return the card of a point of a frame."""
    data = frame.document.data
    label = int(data.labels[index])
    title = f"Point {index + 1}"
    rows = [
        (name, number(float(value), 6))
        for name, value in zip(axis_titles(data), data.points[index], strict=True)
    ]
    lane = frame.lane
    if frame.document.is_regression:
        found = () if lane is None else _fitted_rows(lane, index)
        notes = () if lane is None else (by_alpha(lane, index), by_residual(lane, index))
        return PointCard(title, label, (*rows, *found), notes)
    rows.append(("class", class_titles(data)[label > 0]))
    if lane is None:
        return PointCard(title, label, tuple(rows))
    rows += _solved_rows(frame, lane, index)
    return PointCard(title, label, tuple(rows), (by_alpha(lane, index), by_slack(lane, index)))


def _solved_rows(frame: Frame, lane: Lane, index: int) -> list[tuple[str, str]]:
    found = lane.certificate
    alpha = float(found.alpha[index])
    rows = [
        ("weight τ", number(alpha * lane.certified_problem.mu / lane.certified_problem.C))
        if isinstance(lane.certified_problem, ReducedHulls)
        else ("α", number(alpha)),
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
    """Return the rows of a point of a regression, except its coordinates."""
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


def by_residual(lane: Lane, index: int) -> str:
    """Return a phrase on whether a point of a regression is inside, on or outside the tube."""
    problem, near = lane.problem, tolerance(lane)
    assert isinstance(problem, Regression)
    beyond = abs(float(problem.y[index] - lane.certificate.decision[index])) - problem.epsilon
    if beyond < -near:
        return "inside the tube: |y − f| < ε"
    return "on the edge of the tube: |y − f| = ε" if beyond <= near else "outside the tube: ξ > 0"


def _measured(value: float) -> str:
    """Return a number as text; values that are 0 up to rounding error become 0."""
    return number(0.0 if abs(value) < 1e-12 else float(value))


def tolerance(lane: Lane) -> float:
    """Return the largest KKT violation that counts as none, in units of f.

    It is the tolerance of the method, or 0.001 if the method has none, increased by 0.1 %. The
    increase allows for rounding errors, since a method may update f from step to step and never
    compute it from scratch.
    """
    return 1.001 * max(lane.method.kkt_tolerance or 1e-3, 1e-9)


def by_alpha(lane: Lane, index: int) -> str:
    """Return a phrase on the kind of a point by its alpha, such as a free support vector."""
    if lane.certificate.alpha[index] > lane.ceiling:
        return ABOVE
    if not lane.method.maximizes_margin:
        # Alpha of the perceptron counts the mistakes at a point.
        return BY_MISTAKES[int(lane.certificate.kinds[index] != ZERO)]
    kinds, kind = kinds_of(lane.certified_problem), int(lane.certificate.kinds[index])
    names = "no support vector", "free support vector", f"support vector {kinds.at_bound}"
    return f"{names[kind]}: {kinds.conditions[kind]}"


def by_slack(lane: Lane, index: int) -> str:
    """Return a phrase on the kind of a point by its slack: where it is relative to the margin."""
    near, line = tolerance(lane), "margin" if lane.method.maximizes_margin else "band"
    margin = float(lane.problem.y[index] * lane.certificate.decision[index])
    if margin > 1.0 + near:
        return f"outside the {line}: y f > 1"
    if margin >= 1.0 - near:
        return "on the margin: y f = 1" if line == "margin" else "on the edge of the band: y f = 1"
    if margin > near:
        return "inside the band: 0 < ξ < 1"
    if margin >= -near:
        return "on the boundary: ξ = 1"
    return "misclassified: ξ > 1"
