"""The marks that the legend explains, with their meanings and the numbers of their points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from solvers.run.method import counted
from svmviz.base.kinds import HARD_MARGIN, REDUCED_HULLS, REGRESSION, kinds_of
from svmviz.base.words import class_titles
from svmviz.document.held_out import PARTS, TEST, VALIDATION, HeldOut
from svmviz.document.item_plane import NO_BOUNDARY
from svmviz.frames.frame import Lane
from svmviz.frames.slack_paths import has_open_ends
from svmviz.plane import line_study
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.held_out import count_wrong
from svmviz.plane.paint.roles import PLAIN

# Kinds of marks.
CLASS, SUPPORT, ERROR, BAND, TUBE = "class", "support", "error", "band", "tube"
HALO, VALUE, SLACK, RESIDUAL, HELD_OUT = "halo", "value", "slack", "residual", "held"
LEFT_OUT, TIE, LINE, PROBABLE, BOUNDARY = "left", "tie", "line", "probable", "boundary"
DECIDED_WRONGLY = "decided wrongly"
# A stroke of slack with an open end, and what strokes mean if no slack is allowed.
OPEN, VIOLATION = "open", "violates y f ≥ 1"


@dataclass(frozen=True)
class MarkEntry:
    """A mark and its meaning.

    Attributes
    ----------
    mark : str
        CLASS, SUPPORT, ERROR, BAND, TUBE, HALO, VALUE, SLACK, RESIDUAL, HELD_OUT, LEFT_OUT,
        TIE, LINE, PROBABLE, BOUNDARY or OPEN.
    text : str
    count : int or None
        Number of points with the mark; None if it is not shown.
    label, kind : int
        The mark of the points, and its role. For HELD_OUT, ``kind`` is the part of the split.
    """

    mark: str
    text: str
    count: int | None = None
    label: int = 0
    kind: int = PLAIN


TIE_ENTRY = MarkEntry(TIE, "votes tie")


def error_text(canvas: Canvas) -> str:
    """Return the words for points with a cross, which are those of the decision if it is shown."""
    return "misclassified" if canvas.decided_wrongly is None else DECIDED_WRONGLY


def entries(canvas: Canvas) -> list[MarkEntry]:
    """Return the marks to explain, the most important first: the classes."""
    document, data, lane = canvas.document, canvas.data, canvas.lane
    is_regression, options = document.is_regression, canvas.style.options
    is_known = lane is not None and options.rings
    role = ZERO if is_known else PLAIN
    if is_regression:
        result = [MarkEntry(CLASS, "points", len(data), 1, role)]
    else:
        result = _class_entries(data, role) if canvas.drawn.many is None else _side_entries(canvas)
    if document.held_out is not None:
        result += _held_out_entries(document.held_out)
    if line_study.is_shown(document, options):
        result.append(MarkEntry(LINE, "your line"))
    if lane is None:
        return result
    if options.rings:
        result += _support_entries(lane)
        result = [replace(entry, count=_count(lane, entry)) for entry in result]
        # A mark that no point has is not explained; a class is, since points of it can be added.
        result = [entry for entry in result if entry.count != 0 or entry.mark == CLASS]
    if canvas.decided_wrongly is None:
        crosses = int(canvas.wrong.sum()) + count_wrong(canvas)
    else:
        # Points that the machine leaves out have crosses, too.
        is_seen = document.held_out is not None and document.held_out.seen
        crosses = int(canvas.decided_wrongly[is_seen | (document.parts != TEST)].sum())
    if crosses:
        # With a bound on alpha, a misclassified point is at it in the end.
        kind = ZERO if lane.certified_problem.hard else BOUND
        kind = kind if options.rings else PLAIN
        result.append(MarkEntry(ERROR, error_text(canvas), crosses, 1, kind))
    decision = canvas.decision
    if decision and options.field and decision.regions(lane.shown_field).undecided.any():
        result.append(TIE_ENTRY)
    # At the start f is constant, and so there is no boundary, no margin and no stroke to one.
    has_boundary = lane.certificate.norm > 0.0
    has_margin = canvas.has_margin and has_boundary
    has_slack = bool((lane.certificate.slack > lane.kkt_tolerance).any())
    return result + layer_entries(
        canvas, has_margin=has_margin, has_boundary=has_boundary, has_slack=has_slack
    )


def layer_entries(
    canvas: Canvas,
    *,
    has_margin: bool = True,
    has_boundary: bool = True,
    has_slack: bool = True,
) -> list[MarkEntry]:
    """Return the entries of shades, boundary, band, slack and halos that the options show."""
    data, options, result = canvas.data, canvas.style.options, []
    is_regression, probability = canvas.document.is_regression, canvas.probability
    if canvas.shows_probability and not (probability and probability.words):
        result.append(MarkEntry(PROBABLE, "probability"))
    if data.items is not None:
        result += [MarkEntry(VALUE, NO_BOUNDARY)] if options.field else []
    elif options.band and has_margin and not canvas.shows_probability:
        words = "boundary, margins" if options.contours else "margin band"
        result.append(MarkEntry(TUBE, "f ± ε") if is_regression else MarkEntry(BAND, words))
    elif options.contours and has_boundary and not is_regression:
        result.append(MarkEntry(BOUNDARY, "boundary"))
    if options.sticks and has_margin and has_slack and (is_regression or data.items is None):
        lane = canvas.lane
        is_hard = lane is not None and lane.certified_problem.hard and not is_regression
        text = VIOLATION if is_hard else "slack ξ"
        result.append(MarkEntry(RESIDUAL if is_regression else SLACK, text))
        if lane is not None and not is_regression and has_open_ends(lane, canvas.document):
            result.append(MarkEntry(OPEN, "margin out of sight"))
    if options.alpha_area:
        result.append(MarkEntry(HALO, "area: |β|" if is_regression else "area: α", label=1))
    return result


def _class_entries(data: PointSet, role: int) -> list[MarkEntry]:
    result = []
    for label, name in zip((-1, 1), class_titles(data), strict=True):
        class_count = int(np.count_nonzero(data.labels == label))
        result.append(MarkEntry(CLASS, _class_name(name), class_count, label, role))
    return result


def _class_name(title: str) -> str:
    """Return the name of a class; "class" separates one that begins with a digit from a count."""
    return f"class {title}" if title[:1].isdigit() else title


def _side_entries(canvas: Canvas) -> list[MarkEntry]:
    """Return the entries of the classes on the sides of a machine, and of those left out."""
    many, marks, left_out = canvas.drawn.many, canvas.marks, canvas.drawn.left_out
    assert many is not None
    titles = [_class_name(title) for title in class_titles(many.data)]
    mark_of_class = canvas.shown_marks(many.mark_of_class).tolist()
    role = ZERO if canvas.lane is not None and canvas.style.options.rings else PLAIN
    sides = [
        MarkEntry(CLASS, titles[k], int((marks == mark_of_class[k]).sum()), mark_of_class[k], role)
        for side in (many.machine.negative, many.machine.positive)
        for k in side
    ]
    others = [k for k, side in enumerate(many.machine.code) if side == 0]
    if canvas.style.options.decision:
        rest = [
            MarkEntry(LEFT_OUT, titles[k], int((left_out.classes == k).sum()), mark_of_class[k])
            for k in others
        ]
        # Beside the decision all classes are equally important.
        return sorted(sides + rest, key=lambda entry: mark_of_class.index(entry.label))
    if len(left_out):
        words = titles[others[0]] if len(others) == 1 else f"{len(others)} classes"
        sides.append(
            MarkEntry(LEFT_OUT, f"{words} left out", len(left_out), mark_of_class[others[0]])
        )
    return sides


def _held_out_entries(held_out: HeldOut) -> list[MarkEntry]:
    """Return the entries of the held-out parts whose points are drawn."""
    parts = [(VALIDATION, held_out.validation)]
    parts += [(TEST, held_out.test)] if held_out.seen else []
    return [
        MarkEntry(HELD_OUT, PARTS[part], len(data), kind=part) for part, data in parts if len(data)
    ]


def _support_entries(lane: Lane) -> list[MarkEntry]:
    """Return the entries of support vectors, and of those at their bound, without counts."""
    problem, kinds = lane.certified_problem, kinds_of(lane.certified_problem)
    name = "support vector" if lane.method.maximizes_margin else "added to w"
    bound = "α at cap C or above" if lane.exceeds_bound else kinds.at_limit
    result = [MarkEntry(SUPPORT, name, label=1, kind=FREE)]
    return result if problem.hard else [*result, MarkEntry(SUPPORT, bound, label=1, kind=BOUND)]


def _count(lane: Lane, entry: MarkEntry) -> int | None:
    """Return the count of an entry; a point at its bound is a support vector too."""
    if entry.mark != SUPPORT:
        return entry.count
    at_bound = lane.certificate.count(BOUND)
    return at_bound + (lane.certificate.count(FREE) if entry.kind == FREE else 0)


SLACK_TIP = (
    "Slack ξ says how far a point is on the wrong side of the margin line of its class: "
    "ξ = max(0, 1 − y f(x)), where y is its class, +1 or −1. The stroke joins the point and that "
    "line. For the linear kernel it is ξ / ‖w‖ long; for other kernels it follows the gradient of "
    "f."
)
VIOLATION_TIP = (
    "The margin is hard, C = ∞: no slack is allowed, and at the optimum every point has "
    "y f(x) ≥ 1, where y is its class, +1 or −1. A stroke joins a point that does not and the "
    "margin line of its class. If no boundary separates the classes, strokes stay."
)
ERROR_TIP = (
    "Points on the wrong side of the boundary, where the other class is predicted: y f(x) < 0, so "
    "their slack ξ is greater than 1."
)
DECIDED_TIP = (
    "Points of all classes that all machines together decide for another class than their own."
)
# Tips that do not depend on the problem.
FIXED_TIPS = {
    OPEN: "A short stroke with a ring: this point too is on the wrong side of the margin line of "
    "its class, but the way there leaves the plane, or f does not reach ±1 on it. So the stroke "
    "shows only the direction.",
    TIE: "Several classes have equally many votes here, and more than the others. The hatches have "
    "the colour of the class that the sum of f says.",
    VALUE: "The points have no coordinates, only kernel values. So f has values at these points "
    "and nowhere else in the plane, and there is no boundary. The disc behind a point is shaded by "
    "its f.",
    TUBE: "The curve f(x), and the tube of points that are at most ε above or below it.",
    LEFT_OUT: "Points of classes that the machine looked at leaves out.",
    PROBABLE: "Strong colour: the class that the sign of f says is probable. No colour: its "
    "probability is 1/2 or less. The probability is a logistic curve of f, fitted to f of points "
    "that were held out.",
    LINE: "The line that you have drawn, with its w; drag it.",
    BOUNDARY: "The boundary f(x) = 0: from it on, f predicts the class +1, and below 0 the class "
    "−1.",
}
HELD_OUT_TIPS = {
    VALIDATION: "Validation points, hollow: they compare models.",
    TEST: "Test points, hollow with a bar: they have been revealed.",
}
RESIDUAL_TIP = "A line from a point outside the tube to its edge. Its length is the slack ξ."
SUPPORT_TIPS = {
    "free": "Support vectors: the points that f is made of. α > 0 is a point's weight in f; the "
    "others have α = 0, and without them f would be the same. One without a spot in its middle has "
    "0 < α < C, and at the optimum lies on the margin line of its class: y f(x) = 1, where y is "
    "the class, +1 or −1.",
    "bound": "Support vectors whose α, the weight in f, has reached C, the most it can be. At the "
    "optimum they lie on the margin line of their class or on its wrong side: y f(x) ≤ 1, where y "
    "is the class, +1 or −1.",
    "exceeds": "Points with α ≥ C. An α above C is not feasible for the dual.",
    "hard": "Support vectors: the points that f is made of. α > 0 is a point's weight in f; the "
    "others have α = 0, and without them f would be the same. At the optimum they lie on "
    "the margin line of their class: y f(x) = 1.",
    "mistake": "Points that changed w at least once: each was a mistake, and was added to f, α "
    "times.",
    "free weight": "Points with a weight τ > 0 in their hull's nearest point. One without a spot "
    "in its middle has a weight below the cap μ.",
    "bound weight": "Points whose weight τ in their hull's nearest point is at the cap μ.",
    "free coefficient": "Support vectors: points with β ≠ 0. One without a spot in its middle has "
    "|β| < C, and at the optimum lies on the edge of the tube.",
    "bound coefficient": "Support vectors with |β| = C. At the optimum they lie on the edge of the "
    "tube or outside it.",
}


# What is added to the tips if the classes have weights.
OWN_C = "C is here Cᵢ, the C of the point: C times the weight of its class."


def tip_of(entry: MarkEntry, lane: Lane | None) -> str:
    """Return the tooltip of an entry: what its mark means in the problem of a lane."""
    regression = lane is not None and lane.problem.task == "regression"
    if entry.mark == CLASS:
        of_class = f" of {_of_class(entry.text)}" if entry.text and not regression else ""
        number = "Points" if entry.count is None else counted(entry.count, "point")
        step = " A purple ring: a point of the step shown." if lane and lane.marked else ""
        return f"{number}{of_class}.{step}"
    if entry.mark == HELD_OUT:
        error = "A line joins a point and the curve" if regression else "A cross marks an error"
        return f"{HELD_OUT_TIPS[entry.kind]} They take no part in solving. {error}."
    if entry.mark == BAND:
        return (
            f"f(x) = {_form_of_f(lane)}; its sign is the class: +1 from 0 on, −1 below. The thick "
            "line is the boundary f(x) = 0. The thin lines, f(x) = −1 and f(x) = 1, are the margin "
            "lines, and the band between them is the margin band. The wider it is, the more room "
            "new points have."
        )
    if entry.mark in FIXED_TIPS:
        return FIXED_TIPS[entry.mark]
    if entry.mark == HALO:
        alpha = "|β|" if regression else "α"
        end = "C" if lane is None or lane.problem.weights is None else "the largest Cᵢ"
        return f"The area of a halo is proportional to {alpha} of its point, up to {end}."
    if entry.mark == SUPPORT:
        words = SUPPORT_TIPS[_tip_key(entry, lane)] if lane is not None else ""
        is_weighted = lane is not None and lane.problem.weights is not None
        return f"{words} {OWN_C}" if is_weighted else words
    if entry.mark == ERROR:
        return DECIDED_TIP if entry.text == DECIDED_WRONGLY else ERROR_TIP
    if entry.text == VIOLATION:
        return VIOLATION_TIP
    return RESIDUAL_TIP if regression else SLACK_TIP


def _of_class(name: str) -> str:
    """Return the name of a class of the legend after the word class."""
    return name if name.startswith("class ") else f"class {name}"


def _form_of_f(lane: Lane | None) -> str:
    """Return f as it is made in the problem of a lane."""
    if lane is not None and not lane.problem.linear:
        return "Σ αᵢyᵢ k(xᵢ, x) + b"
    return "⟨w, x⟩ + b"


def _tip_key(entry: MarkEntry, lane: Lane) -> str:
    if not lane.method.maximizes_margin:
        return "mistake"
    kinds, bound = kinds_of(lane.certified_problem), entry.kind == BOUND
    if kinds is REDUCED_HULLS:
        return "bound weight" if bound else "free weight"
    if kinds is REGRESSION:
        return "bound coefficient" if bound else "free coefficient"
    if kinds is HARD_MARGIN:
        return "hard"
    return ("exceeds" if lane.exceeds_bound else "bound") if bound else "free"
