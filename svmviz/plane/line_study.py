"""The study of the user's line: its margin, the gap along its w, and the best street."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solvers.geometry.lines import (
    Gap,
    Line,
    gap_of,
    margins_over_angles,
    nearest_pair,
    widest_street,
)
from solvers.geometry.plane_hulls import convex_hull
from solvers.problem.expansion import freeze
from solvers.run.run import Run
from svmviz.document.document import Document
from svmviz.document.user_line import UserLine
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame

# The directions of w for which the largest margin is computed, in radians, over half a turn.
ANGLES = freeze(np.linspace(0.0, np.pi, 361))


@dataclass(frozen=True, eq=False)
class LineStudy:
    """The user's line beside the points. Numbers are in solver units.

    Attributes
    ----------
    user_line : UserLine
        In data units.
    line : Line
    points : array, shape (n, 2)
    labels : array, shape (n,)
    values : array, shape (n,)
        f of the line at the points.
    gap : Gap or None
        The gap between the classes along w; None if a class has no points.
    best : Line or None
        The line with the largest margin. If no line separates the classes, the one with the least
        overlap.
    margins : array, shape (m,), or None
        For each direction in ANGLES, the largest margin of a line whose w has this direction or the
        opposite one.
    pair : (int, int) or None
        The nearest points of class +1 and of class -1.
    hull_pair : array, shape (2, 2), or None
        The nearest points of the hulls, of class +1 first; None if the hulls meet.
    """

    user_line: UserLine
    line: Line
    points: np.ndarray
    labels: np.ndarray
    values: np.ndarray
    gap: Gap | None
    best: Line | None
    margins: np.ndarray | None
    pair: tuple[int, int] | None
    hull_pair: np.ndarray | None

    @property
    def margin(self) -> float:
        """tau, the smallest signed distance of a point; negative if one is misclassified."""
        return float((self.labels * self.values).min()) / self.line.norm

    @property
    def best_margin(self) -> float | None:
        """The largest margin of a line; negative if no line separates the classes."""
        return None if self.best is None else self.best.margin(self.points, self.labels)

    @property
    def nearest(self) -> np.ndarray:
        """Indices of the points whose distance is the margin, up to rounding error."""
        distances = self.labels * self.values / self.line.norm
        size = float(np.abs(distances).max(initial=0.0))
        return np.flatnonzero(distances <= distances.min(initial=np.inf) + 1e-9 * size)


class LineStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) of the user's line; the same for all lanes.

    Results that depend on the points alone are computed once per set of points.
    """

    def __init__(self) -> None:
        self._document: Document | None = None
        self._study: LineStudy | None = None

    def __call__(self, frame: Frame, _runs: tuple[Run, ...]) -> tuple[LineStudy | None, ...]:
        return (self.study_of(frame.document),) * max(1, len(frame.lanes))

    def study_of(self, document: Document) -> LineStudy | None:
        """Return the study of a document, None if it has no line or no points."""
        user_line = document.user_line
        if user_line is None or not document.n or document.is_regression:
            return None
        old, before = self._study, self._document
        self._document = document
        if old is None or before is None or not _has_same_points(before, document):
            self._study = _of_points(document, user_line)
        elif before is not document:
            self._study = _moved(old, user_line, document.factors)
        return self._study


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane shows the user's line."""
    line = document.user_line
    return line is not None and line != options.without_line and not document.is_regression


def _has_same_points(one: Document, other: Document) -> bool:
    return one.data is other.data and one.scaling == other.scaling


def _of_points(document: Document, user_line: UserLine) -> LineStudy:
    factors = document.factors
    points = freeze(document.data.points / factors)
    labels = document.data.labels.astype(np.float64)
    line = user_line.in_solver_units(factors)
    best = widest_street(points, labels)
    has_gap = best is not None and best.margin(points, labels) > 0.0
    hull_pair = _nearest_of_hulls(points, labels, best) if best is not None and has_gap else None
    margins = None
    if labels.min() < labels.max():
        margins = freeze(np.maximum(*margins_over_angles(points, labels, ANGLES)))
    study = LineStudy(
        user_line, line, points, labels, line(points), None, best, margins,
        nearest_pair(points, labels), hull_pair,
    )  # fmt: skip
    return _moved(study, user_line, factors)


def _moved(study: LineStudy, user_line: UserLine, factors: np.ndarray) -> LineStudy:
    """Return the study of another line beside the same points."""
    line = user_line.in_solver_units(factors)
    has_both = study.labels.min() < study.labels.max()
    gap = gap_of(np.array(line.w), study.points, study.labels) if has_both else None
    values = freeze(line(study.points))
    return replace(study, user_line=user_line, line=line, values=values, gap=gap)


def _nearest_of_hulls(points: np.ndarray, labels: np.ndarray, best: Line) -> np.ndarray:
    """Return the nearest points of the hulls, whose bisector is the ``best`` line.

    Their difference is ``2 tau u``, so both lie on the edges of the street, where each hull has a
    corner or a side. If two sides lie opposite each other over some length, there are many nearest
    pairs. Then the pair in the middle is returned.
    """
    u, tau = best.unit, best.margin(points, labels)
    along = np.array([-u[1], u[0]])
    spans = []
    for side in (1.0, -1.0):
        corners = convex_hull(points[labels * side > 0])
        distances = side * best.distances(corners)
        on_edge = corners[distances <= tau + 1e-9 * (1.0 + np.abs(distances).max())] @ along
        spans.append((float(on_edge.min()), float(on_edge.max())))
    (low_p, high_p), (low_q, high_q) = spans
    middle = 0.5 * (max(low_p, low_q) + min(high_p, high_q))
    foot = best.offset * u + middle * along
    return freeze(np.array([foot + tau * u, foot - tau * u]))
