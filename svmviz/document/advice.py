"""Advice on axes, kernels or penalties whose scales do not suit the data.

Advice has a sentence, which says with numbers what is wrong, and a document in which that is put
right. The user decides whether to follow it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers import RBF, Polynomial, Regression
from solvers.data.coordinates import MIN_SPREAD
from solvers.methods.target_scale import Misfit, UncheckedRegression, target_misfit
from solvers.problem.origin import FAR, distance_from_0
from svmviz.base.words import axis_titles, number
from svmviz.document.document import Document, Penalty
from svmviz.document.rescaling import (
    GAMMA_SCALES,
    fitted_gamma,
    rescale_kernel,
    typical_distance,
)

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
        "spreads", "targets", "width" or "distance".
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
    kinds = {
        "spreads": about_spreads,
        "targets": about_targets,
        "width": about_width,
        "distance": about_distance,
    }
    for kind, find in kinds.items():
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


def about_targets(document: Document) -> Advice | None:
    """Advise another epsilon, C or tolerance of a regression if they do not suit the targets.

    See :mod:`solvers.methods.target_scale`.
    """
    if not document.is_regression:
        return None
    X, y = document.data.points[:, :1] / document.factors[0], document.data.points[:, 1]
    problem = UncheckedRegression(
        X, y, document.kernel, document.C, document.bias, document.epsilon
    )
    misfits = [target_misfit(problem, method) for method in document.methods]
    misfit = next(filter(None, misfits), None)
    if misfit is None:
        return None
    numbers = {"ε": (document.epsilon, misfit.epsilon), "C": (document.C, misfit.C)}
    changed = {symbol: new for symbol, (old, new) in numbers.items() if new != old}
    methods = tuple(
        method
        if other is None or other.tol == getattr(method, "tol", other.tol)
        # Every method with such a misfit has a tolerance.
        else replace(method, tol=other.tol)  # type: ignore[call-arg]
        for method, other in zip(document.methods, misfits, strict=True)
    )
    is_tolerance = methods != document.methods
    note = f"The tolerance is {number(misfit.tol, 2)}, for these targets." if is_tolerance else ""
    if not changed:
        changed = {"the tolerance": misfit.tol}
    symbols = " and ".join(changed)
    return Advice(
        "targets",
        targets_sentence(misfit, problem, document.method),
        "Set " + " and ".join(f"{symbol} to {number(v, 2)}" for symbol, v in changed.items()),
        f"Keep {symbols}",
        replace(
            document,
            epsilon=misfit.epsilon,
            penalty=Penalty("C", misfit.C) if "C" in changed else document.penalty,
            methods=methods,
        ),
        f"Change {symbols}",
        note if len(changed) > 1 or "the tolerance" not in changed else "",
    )


def targets_sentence(misfit: Misfit, problem: Regression | UncheckedRegression, method: Any) -> str:
    """Return the sentence on what does not suit the targets of a problem."""
    span = f"The targets span {number(misfit.span, 2)}"
    if misfit.reason == "epsilon":
        epsilon = number(problem.epsilon, 2)
        return f"{span}, and the tube of ε = {epsilon} has room for all of them: f is a flat line."
    if misfit.reason == "C":
        reach = f"2 n C max k(x, x) = {number(misfit.reach, 2)}"
        return f"{span}, but f can rise or fall by at most {reach}: f is almost a flat line."
    tol = number(method.tol, 2)
    return f"{span}, but {method.label} stops once no violation exceeds {tol}: too early."


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
    along = f" along {axis_titles(document.data)[0]}" if document.is_regression else ""
    than = f"the typical distance of two points{along} ({number(distance, 2)}{unit})"
    fitted = RBF(gamma=fitted_gamma(distance))
    return Advice(
        "width",
        f"The kernel's width σ = {number(width, 2)} is {ratio} times {size} than {than}: {effect}",
        f"Set γ to {number(fitted.gamma, 2)}",
        "Keep γ",
        replace(document, kernel=fitted),
        "Change kernel",
    )


def about_distance(document: Document) -> Advice | None:
    """Advise to scale the axes if a polynomial kernel gets points that lie far from 0.

    In ``<x, z>`` coordinates count from 0. The linear kernel with a free bias needs no advice: its
    problem does not change if all points are moved. Tried with 40 points that spread over 2.5, at
    1,000 from 0, degree 2 and C = 1: with gamma = 1 the interior point stalled at a gap of 0.005,
    and with the gamma that fits the gap converged to 0.
    """
    if not isinstance(document.kernel, Polynomial) or document.scaling != "none":
        return None
    if document.n < 2 or document.is_regression or not document.has_coordinates:
        return None
    distance, scale = distance_from_0(document.data.points), GAMMA_SCALES[Polynomial]
    size = scale.size(document)
    if distance <= FAR or not size or scale.is_suitable(document.kernel.gamma, size):
        return None
    sentence = (
        f"The points lie {number(distance, 2)} times as far from 0 as they spread. A polynomial "
        "kernel counts coordinates from 0, so that all its values are nearly the same and large."
    )
    advised = replace(document, scaling="each")
    gamma = scale.gamma(scale.size(advised))
    advised = replace(advised, kernel=replace(document.kernel, gamma=gamma))
    note = f"γ set to {number(gamma)} for this scaling (was {number(document.kernel.gamma)})."
    accept = "Scale each axis"
    return Advice("distance", sentence, accept, "Keep units", advised, accept, note)
