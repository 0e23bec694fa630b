"""Advice on axes or kernels whose scales do not suit the data.

Advice has a sentence, which says with numbers what is wrong, and a document in which that is put
right. The user decides whether to follow it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from solvers import RBF
from solvers.data.coordinates import MIN_SPREAD
from svmviz.base.words import axis_titles, number
from svmviz.document.document import Document
from svmviz.document.rescaling import fitted_gamma, rescale_kernel, typical_distance

# Advice is given if the spread (standard deviation) of one axis exceeds that of the other axis by
# more than this factor.
MAX_SPREAD_RATIO = 20.0
# Advice is given if the width of the kernel and the typical distance of two points differ by more
# than this factor.
MAX_WIDTH_RATIO = 40.0


@dataclass(frozen=True)
class Advice:
    """A sentence on what is wrong with the document, and a document in which it is put right.

    Attributes
    ----------
    kind : str
        "spreads" or "width".
    sentence : str
    accept, keep : str
        Texts of two buttons: to follow the advice, and to leave everything as it is.
    advised : Document
        The document that the user gets by following the advice.
    entry : str
        Text of the undo entry.
    note : str
        Sentence on what else ``advised`` changes, or empty.
    """

    kind: str
    sentence: str
    accept: str
    keep: str
    advised: Document
    entry: str
    note: str = ""


def advise(document: Document, unwanted: frozenset[str] = frozenset()) -> Advice | None:
    """Return the first advice whose kind is not in ``unwanted``; None if there is none."""
    # In regression only x is a coordinate: y is the target, and distances are along x.
    if document.is_regression:
        return None
    for kind, find in (("spreads", about_spreads), ("width", about_width)):
        advice = find(document) if kind not in unwanted else None
        if advice is not None:
            return advice
    return None


def about_spreads(document: Document) -> Advice | None:
    """Advise to scale the axes if one axis has so much spread that it alone determines distances.

    The spread of an axis is its standard deviation, in its own unit.
    """
    if document.n < 2 or document.scaling != "none" or document.is_regression:
        return None
    # Components of kernel PCA have one unit, and no scaling changes the kernel values.
    if not document.has_coordinates:
        return None
    points = document.data.points
    spread = points.std(axis=0)
    low, high = float(spread.min()), float(spread.max())
    if low <= MIN_SPREAD or high <= MAX_SPREAD_RATIO * low:
        return None
    order = np.argsort(spread)
    titles = axis_titles(document.data)
    narrow, wide = (titles[int(axis)] for axis in order)
    sentence = (
        f"The numbers of {wide} spread {number(high / low, 2)} times as far as those of {narrow}, "
        f"so distances are almost those along {wide} alone."
    )
    advised, note = rescale_kernel(replace(document, scaling="each"), document)
    accept = "Scale each axis"
    return Advice("spreads", sentence, accept, "Keep units", advised, accept, note)


def about_width(document: Document) -> Advice | None:
    """Advise another gamma if the width of an RBF kernel differs much from the distances of points.

    The width ``sigma = 1 / sqrt(2 gamma)`` is compared with the median distance of two points, both
    in solver units (data units / `Document.factors`).
    """
    kernel = document.kernel
    if not isinstance(kernel, RBF) or document.n < 3:
        return None
    distance = typical_distance(document)
    width = math.sqrt(0.5) / math.sqrt(kernel.gamma)
    if distance <= 0.0 or distance / MAX_WIDTH_RATIO <= width <= distance * MAX_WIDTH_RATIO:
        return None
    is_narrow = width < distance
    ratio = number(distance / width if is_narrow else width / distance, 2)
    unit = "" if (document.factors == 1.0).all() else " in scaled units"
    size, effect = (
        ("smaller", "each point is a bump of its own, too narrow to be seen.")
        if is_narrow
        else ("larger", "to the kernel, all points are nearly the same.")
    )
    than = f"the typical distance of two points ({number(distance, 2)}{unit})"
    fitted = RBF(gamma=fitted_gamma(distance))
    return Advice(
        "width",
        f"The kernel's width σ = {number(width, 2)} is {ratio} times {size} than {than}: {effect}",
        f"Set γ to {number(fitted.gamma, 2)}",
        "Keep γ",
        replace(document, kernel=fitted),
        "Change kernel",
    )
