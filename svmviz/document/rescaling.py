"""A kernel of the scale of the data, for points that replace others.

A kernel made for penguins is nearly flat on two moons. So where new points are of another scale
than the old ones, the parameter of the kernel that is tied to their unit is set anew; the edit
says so, and undo brings it back. Where the scale is the same, it stays as a hand has set it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from solvers import RBF, Kernel, Laplacian, Polynomial, Sigmoid
from solvers.data.coordinates import SMALLEST_SPREAD
from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.document.document import Document

# Sizes of data that differ by more than this factor are of another scale.
OTHER = 2.0
# Where there was nothing to compare with, a gamma this near to the suiting one stays.
NEAR = 10.0
# Distances are looked at between so many points at most: 100 of them have 4,950.
SAMPLE = 100


@dataclass(frozen=True)
class Scale:
    """How a kernel is tied to the unit of the data.

    Attributes
    ----------
    size : callable(Document) -> float
        Size of the data as this kernel sees it, in solver units; 0 where it cannot be told.
    gamma : callable(float) -> float
        The gamma that suits data of a size.
    """

    size: Callable[[Document], float]
    gamma: Callable[[float], float]


def suit(document: Document, before: Document) -> tuple[Document, str]:
    """The document with a kernel that suits its points, and what was set for that.

    The sentence is empty, and the document as it was, where the kernel of ``before`` suits as
    well, or has no scale of its own.
    """
    kernel: Any = document.kernel
    scale = SCALES.get(type(kernel))
    if scale is None:
        return document, ""
    now, old = scale.size(document), scale.size(before)
    gamma = float(f"{scale.gamma(now) if now else type(kernel)().gamma:.1e}")
    if now and old:
        suits = 1.0 / OTHER <= now / old <= OTHER
    else:
        suits = 1.0 / NEAR <= kernel.gamma / gamma <= NEAR
    if suits or gamma == kernel.gamma:
        return document, ""
    of_what = "these points" if now else "an empty plane"
    note = f"γ set to {number(gamma)} for {of_what} (was {number(kernel.gamma)})."
    return replace(document, kernel=replace(kernel, gamma=gamma)), note


def suited_width(distance: float) -> float:
    """The gamma of an RBF kernel whose sigma is half a distance."""
    return 2.0 / distance**2


def typical_distance(document: Document) -> float:
    """Median distance of two points, in solver units; 0 if tiny, or for fewer than three."""
    if document.n < 3:
        return 0.0
    factors = tuple(document.factors.tolist())
    return _told(_median_distance(document.data, factors, 1 if document.is_regression else 2))


def _typical_length(document: Document) -> float:
    """Root of the mean squared length, in solver units; 0 if tiny, or for fewer than three."""
    if document.n < 3:
        return 0.0
    # In regression the kernel sees x alone.
    points = (document.data.points / document.factors)[:, : 1 if document.is_regression else 2]
    with np.errstate(over="ignore"):
        return _told(math.sqrt(float((points**2).sum(axis=1).mean())))


def _told(size: float) -> float:
    """A size whose square can be divided by; 0 for others."""
    return size if SMALLEST_SPREAD < size < math.inf else 0.0


@lru_cache(maxsize=8)
def _median_distance(data: PointSet, factors: tuple[float, float], axes: int) -> float:
    """Along the first axes, from an even sample of the points."""
    # Without ``np.unique`` and ``np.median``, which load masked arrays: 40 ms of the start.
    places = np.linspace(0, len(data) - 1, SAMPLE).round().astype(int)
    places = places[np.diff(places, prepend=-1) > 0]
    points = (data.points[places] / factors)[:, :axes]
    # Scaled axes may be far apart: a distance that cannot be squared is none to go by.
    with np.errstate(over="ignore"):
        apart = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
    ordered = np.sort(apart[np.triu_indices(len(points), 1)])
    return float(0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]))


# At the typical distance an RBF or Laplacian kernel is exp(-2).
SCALES: dict[type[Kernel], Scale] = {
    RBF: Scale(typical_distance, suited_width),
    Laplacian: Scale(typical_distance, lambda distance: 2.0 / distance),
    Polynomial: Scale(_typical_length, lambda length: 1.0 / length**2),
    Sigmoid: Scale(_typical_length, lambda length: 1.0 / length**2),
}
