"""Tooltips of the legend above the plot: what each mark means."""

from __future__ import annotations

from solvers.problem.certificate import BOUND
from svmviz.base.kinds import HARD_MARGIN, REDUCED_HULLS, REGRESSION, kinds_of
from svmviz.document.held_out import TEST, VALIDATION
from svmviz.frames.frame import Lane
from svmviz.plane.paint.axes import LEGEND_ROW
from svmviz.plane.paint.legend.mark_entries import (
    BAND,
    CLASS,
    HALO,
    HELD_OUT,
    RING,
    TUBE,
    VALUE,
    MarkEntry,
)
from svmviz.plane.paint.legend.mark_legend import AFTER_MARK, PlacedEntry

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


def entry_at(legend: tuple[PlacedEntry, ...], x: float, y: float, scale: float) -> MarkEntry | None:
    """Return the entry at a position, px, or None; ``scale`` is that of the text."""
    # An entry extends from its mark to the mark of the next entry. They go from right to left.
    for placed in legend:
        is_in_row = abs(y - placed.middle) <= 0.5 * LEGEND_ROW * scale
        if is_in_row and placed.left - AFTER_MARK * scale <= x:
            return placed.entry
    return None


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
