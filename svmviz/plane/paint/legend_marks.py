"""The marks that the legend explains, with their meanings and the numbers of their points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.kinds import HARD_MARGIN, REDUCED_HULLS, REGRESSION, SOFT_MARGIN, kinds_of
from svmviz.base.words import class_titles
from svmviz.document.held_out import PARTS, TEST, VALIDATION, HeldOut
from svmviz.document.item_plane import NO_BOUNDARY
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Lane
from svmviz.plane.paint.canvas import Canvas

# Kinds of marks.
CLASS, RING, BAND, TUBE, HALO, VALUE = "class", "ring", "band", "tube", "halo", "value"
SLACK, RESIDUAL, HELD_OUT = "slack", "residual", "held"


@dataclass(frozen=True)
class MarkEntry:
    """A mark and its meaning.

    Attributes
    ----------
    mark : str
        CLASS, RING, BAND, TUBE, HALO, VALUE, SLACK, RESIDUAL or HELD_OUT.
    text : str
    count : int or None
        Number of points with the mark; None if it is not shown.
    label, kind : int
        Class of the mark, and kind of the points with the ring. For HELD_OUT, ``kind`` is the part
        of the split.
    """

    mark: str
    text: str
    count: int | None = None
    label: int = 0
    kind: int = ZERO


def entries(canvas: Canvas) -> list[MarkEntry]:
    """Return the marks to explain, the most important first: the classes."""
    document, data, lane = canvas.document, canvas.data, canvas.lane
    is_regression, options = document.is_regression, canvas.style.options
    if is_regression:
        result = [MarkEntry(CLASS, "points", len(data), 1)]
    else:
        result = _class_entries(data)
    if document.held_out is not None:
        result += _held_out_entries(document.held_out)
    if lane is None:
        return result
    if options.rings:
        result += _ring_entries(lane, is_regression)
    return result + layer_entries(data, is_regression, options, canvas.style.ink.halo_opacity > 0.0)


def layer_entries(
    data: PointSet, is_regression: bool, options: ViewOptions, has_halos: bool
) -> list[MarkEntry]:
    """Return the entries of band, slack and halos, as far as the options show them."""
    result = []
    if data.items is not None:
        result += [MarkEntry(VALUE, NO_BOUNDARY)] if options.field else []
    elif options.band:
        result.append(MarkEntry(TUBE, "f ± ε") if is_regression else MarkEntry(BAND, "−1 ≤ f ≤ 1"))
    if options.sticks:
        residual, slack = MarkEntry(RESIDUAL, "slack ξ"), MarkEntry(SLACK, "slack ξ = 1")
        result.append(residual if is_regression else slack)
    if options.alpha_area and has_halos:
        result.append(MarkEntry(HALO, "area: |β|" if is_regression else "area: α", label=1))
    return result


def _class_entries(data: PointSet) -> list[MarkEntry]:
    result = []
    for label, name in zip((-1, 1), class_titles(data), strict=True):
        class_count = int(np.count_nonzero(data.labels == label))
        # The word "class" separates a name that begins with a digit from the count after it.
        title = f"class {name}" if name[:1].isdigit() else name
        result.append(MarkEntry(CLASS, title, class_count, label))
    return result


def _held_out_entries(held_out: HeldOut) -> list[MarkEntry]:
    """Return the entries of the held-out parts whose points are drawn."""
    parts = [(VALIDATION, held_out.validation)]
    parts += [(TEST, held_out.test)] if held_out.seen else []
    return [
        MarkEntry(HELD_OUT, PARTS[part], len(data), kind=part) for part, data in parts if len(data)
    ]


def _ring_entries(lane: Lane, is_regression: bool) -> list[MarkEntry]:
    kinds, counts = kinds_of(lane.certified_problem), lane.certificate.count
    if is_regression:
        bound, free = "|β| = C", "|β| < C"
    else:
        bound = "α ≥ C" if lane.exceeds_bound else kinds.bound
        free = "α free" if kinds is SOFT_MARGIN else kinds.free
    result = [MarkEntry(RING, free, counts(FREE), kind=FREE)]
    if not lane.certified_problem.hard:
        result.insert(0, MarkEntry(RING, bound, counts(BOUND), kind=BOUND))
    return result


SLACK_TIP = (
    "A bar at each point with slack ξ = max(0, 1 − y f(x)), as long as ξ. The tick on it is at "
    "ξ = 1: beyond it the point is misclassified. A broken bar is longer than it is drawn."
)
VALUE_TIP = (
    "The points have no coordinates, only kernel values. So f has values at these points and "
    "nowhere else in the plane, and there is no boundary. The disc behind a point is shaded "
    "by its f."
)
HELD_OUT_TIPS = {
    VALIDATION: "Validation points, which compare models.",
    TEST: "Test points, whose drawer was opened.",
}
RESIDUAL_TIP = "A line from a point outside the tube to its edge. Its length is the slack ξ."
RING_TIPS = {
    "free": "Support vectors with 0 < α < C. At the optimum they lie on their margin: y f(x) = 1.",
    "bound": "Points with α = C. At the optimum they lie on their margin or on its wrong side: "
    "y f(x) ≤ 1.",
    "exceeds": "Points with α ≥ C. An α above C is not feasible for the dual.",
    "hard": "Support vectors: points with α > 0. At the optimum they lie on their margin: "
    "y f(x) = 1.",
    "free weight": "Points whose weight τ in their hull's nearest point is between 0 and the cap "
    "μ.",
    "bound weight": "Points whose weight τ in their hull's nearest point is at the cap μ.",
    "free coefficient": "Support vectors with 0 < |β| < C. At the optimum they lie on the edge of "
    "the tube.",
    "bound coefficient": "Points with |β| = C. At the optimum they lie on the edge of the tube or "
    "outside it.",
}


def tip_of(entry: MarkEntry, lane: Lane | None) -> str:
    """Return the tooltip of an entry: what its mark means in the problem of a lane."""
    regression = lane is not None and lane.problem.task == "regression"
    if entry.mark == CLASS:
        of_class = "" if regression else f" of {entry.text}"
        return f"Points{of_class}, and their number."
    if entry.mark == HELD_OUT:
        error = "A line joins a point and the curve" if regression else "A cross marks an error"
        return f"{HELD_OUT_TIPS[entry.kind]} They take no part in solving. {error}."
    if entry.mark == BAND:
        return (
            "The band between the margins. The thick line is the boundary f(x) = 0; the thin ones "
            "are the margins f(x) = −1 and f(x) = 1."
        )
    if entry.mark == VALUE:
        return VALUE_TIP
    if entry.mark == TUBE:
        return "The curve f(x), and the tube of points that are at most ε above or below it."
    if entry.mark == HALO:
        alpha = "|β|" if regression else "α"
        return f"The area of a halo is proportional to {alpha} of its point, up to C."
    if entry.mark == RING:
        return RING_TIPS[_ring_key(entry, lane)] if lane is not None else ""
    return RESIDUAL_TIP if regression else SLACK_TIP


def _ring_key(entry: MarkEntry, lane: Lane) -> str:
    kinds, bound = kinds_of(lane.certified_problem), entry.kind == BOUND
    if kinds is REDUCED_HULLS:
        return "bound weight" if bound else "free weight"
    if kinds is REGRESSION:
        return "bound coefficient" if bound else "free coefficient"
    if kinds is HARD_MARGIN:
        return "hard"
    return ("exceeds" if lane.exceeds_bound else "bound") if bound else "free"
