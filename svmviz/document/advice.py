"""What is worth a word before the picture is trusted: axes or kernel out of scale with the data.

Nothing is ever changed unasked. Advice is a sentence with the numbers behind it, and one document
that would cure it; a hand decides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from solvers import RBF
from solvers.data.coordinates import SMALLEST_SPREAD
from solvers.data.files import pretty
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.document.rescaling import suited_width, typical_distance

# Spreads of the axes that differ by more than this factor are worth a word.
UNEVEN = 20.0
# So is a width of bumps that is this factor away from the distance of two points.
FAR = 40.0


@dataclass(frozen=True)
class Advice:
    """A sentence, and what could be done.

    Attributes
    ----------
    kind : str
        "spreads" or "width".
    sentence : str
    cure, keep : str
        Words for two buttons: to do it, and to leave everything as it is.
    cured : Document
        What the first button makes of the document.
    entry : str
        Name of that change among the undo entries.
    """

    kind: str
    sentence: str
    cure: str
    keep: str
    cured: Document
    entry: str


def advise(document: Document, unwanted: frozenset[str] = frozenset()) -> Advice | None:
    """The first advice there is, of a kind that is not ``unwanted``."""
    # In regression the axes are no two coordinates of a point, and distances lie along x.
    if document.is_regression:
        return None
    for kind, ask in (("spreads", about_spreads), ("width", about_width)):
        told = ask(document) if kind not in unwanted else None
        if told is not None:
            return told
    return None


def about_spreads(document: Document) -> Advice | None:
    """Advice where one axis spreads so much more that the kernel hardly sees the other.

    The spread of an axis is its standard deviation, in its own unit.
    """
    if document.n < 2 or document.scaling != "none" or document.is_regression:
        return None
    points = document.data.points
    spread = points.std(axis=0)
    low, high = float(spread.min()), float(spread.max())
    if low <= SMALLEST_SPREAD or high <= UNEVEN * low:
        return None
    order = np.argsort(spread)
    narrow, wide = (pretty(document.data.axis_names[int(axis)]) for axis in order)
    sentence = (
        f"The numbers of {wide} spread {number(high / low, 2)} times as far as those of {narrow}, "
        f"so distances are almost those along {wide} alone."
    )
    cured = replace(document, scaling="each")
    return Advice("spreads", sentence, "Scale each axis", "Keep units", cured, "Scale each axis")


def about_width(document: Document) -> Advice | None:
    """Advice where the bumps of an RBF kernel are far narrower or wider than points are apart.

    Compared are ``sigma = 1 / sqrt(2 gamma)`` and the median distance of two points, both in the
    units in which the problem is solved.
    """
    kernel = document.kernel
    if not isinstance(kernel, RBF) or document.n < 3:
        return None
    apart = typical_distance(document)
    width = math.sqrt(0.5) / math.sqrt(kernel.gamma)
    if apart <= 0.0 or apart / FAR <= width <= apart * FAR:
        return None
    narrow = width < apart
    ratio = number(apart / width if narrow else width / apart, 2)
    unit = "" if (document.factors == 1.0).all() else " in scaled units"
    size, effect = (
        ("smaller", "each point is a bump of its own, too narrow to be seen.")
        if narrow
        else ("larger", "to the kernel, all points are nearly the same.")
    )
    than = f"the typical distance of two points ({number(apart, 2)}{unit})"
    fitting = RBF(gamma=float(f"{suited_width(apart):.1e}"))
    return Advice(
        "width",
        f"The kernel's width σ = {number(width, 2)} is {ratio} times {size} than {than}: {effect}",
        f"Set γ to {number(fitting.gamma, 2)}",
        "Keep γ",
        replace(document, kernel=fitting),
        "Change kernel",
    )
