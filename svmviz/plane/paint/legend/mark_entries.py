"""The marks that the legend explains, with their meanings and the numbers of their points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.kinds import SOFT_MARGIN, kinds_of
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
