"""Fitting kernel parameters that depend on the scale of the data.

A gamma that suits the masses of penguins, in grams, makes a kernel nearly constant on points whose
coordinates are near 1, as in the data set of two moons. So gamma is fitted again when points are
replaced or axes are scaled. It stays only if it also suits the new points, or if they have the same
scale as the old ones. A note on the edit says that gamma has changed; undo restores it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from solvers import RBF, Kernel, Laplacian, Polynomial, Sigmoid
from solvers.data.coordinates import MIN_SPREAD
from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.document.document import Document

# The size of data is a typical distance of two points or a typical length of x, depending on the
# kernel; see GAMMA_SCALES. Each gamma is the fitted one for some size. A kernel suits data if their
# size differs from this size by at most the following factor.
SUITABLE_RATIO = 2.0
# Data whose sizes differ by at most this factor have the same scale. Between moons and any other
# generated data set the factor is at most 1.57.
SAME_SCALE = 1.6
# If the size of the new or of the old data is unknown, the gamma stays if it is within this factor
# of the gamma fitted to the new data. If the new size is unknown, no gamma can be fitted. Then the
# kernel's default is used instead, in this comparison and as the new gamma.
MAX_GAMMA_RATIO = 10.0
# Distances are measured between at most this many points; 100 points have 4,950 distances.
MAX_SAMPLE = 100


@dataclass(frozen=True)
class GammaScale:
    """The dependence of a kernel's gamma on the unit of the data.

    Attributes
    ----------
    size : callable(Document) -> float
        Size of the data as this kernel sees it, in solver units; 0 if it cannot be determined.
    factor, power : float
        The gamma fitted to a size is ``factor / size**power``.
    """

    size: Callable[[Document], float]
    factor: float
    power: float

    def gamma(self, size: float) -> float:
        """Return the gamma fitted to data of a size, rounded to two digits."""
        return float(f"{self.factor / size**self.power:.1e}")

    def is_suitable(self, gamma: float, size: float) -> bool:
        """Return whether a kernel with this gamma suits data of a size."""
        ratio = gamma * size**self.power / self.factor
        return SUITABLE_RATIO**-self.power <= ratio <= SUITABLE_RATIO**self.power


def rescale_kernel(document: Document, before: Document) -> tuple[Document, str]:
    """Fit the kernel to other points or other scaling of the axes, if that is needed.

    Parameters
    ----------
    document : Document
        The new points and scaling, with the kernel of ``before``.
    before : Document
        The document with the old points and scaling.

    Returns
    -------
    Document
        ``document`` itself if its kernel stays.
    str
        Sentence on what was changed; empty if nothing was.
    """
    kernel: Any = document.kernel
    scale = GAMMA_SCALES.get(type(kernel))
    if scale is None:
        return document, ""
    size, old_size = scale.size(document), scale.size(before)
    gamma = scale.gamma(size) if size else type(kernel)().gamma
    if size and old_size:
        is_same_scale = 1.0 / SAME_SCALE <= size / old_size <= SAME_SCALE
        keeps_gamma = is_same_scale or scale.is_suitable(kernel.gamma, size)
    else:
        keeps_gamma = 1.0 / MAX_GAMMA_RATIO <= kernel.gamma / gamma <= MAX_GAMMA_RATIO
    if keeps_gamma or gamma == kernel.gamma:
        return document, ""
    if not size:
        reason = ", the kernel's default"
    else:
        reason = " for these points" if document.data is not before.data else " for this scaling"
    note = f"γ set to {number(gamma)}{reason} (was {number(kernel.gamma)})."
    return replace(document, kernel=replace(kernel, gamma=gamma)), note


def fitted_gamma(distance: float) -> float:
    """Return the gamma of an RBF kernel with ``sigma = distance / 2``, rounded to two digits."""
    return GAMMA_SCALES[RBF].gamma(distance)


def typical_distance(document: Document) -> float:
    """Return the median distance of two points, in solver units.

    It is 0 if n < 3, or if dividing by the square of the distance would fail.
    """
    if document.n < 3:
        return 0.0
    factors = tuple(document.factors.tolist())
    return _size_or_zero(
        _median_distance(document.data, factors, 1 if document.is_regression else 2)
    )


def _typical_length(document: Document) -> float:
    """Return the root mean squared length of x, in solver units.

    It is 0 if n < 3, or if dividing by the square of the length would fail.
    """
    if document.n < 3:
        return 0.0
    # In regression the kernel sees x alone.
    points = (document.data.points / document.factors)[:, : 1 if document.is_regression else 2]
    with np.errstate(over="ignore"):
        return _size_or_zero(math.sqrt(float((points**2).sum(axis=1).mean())))


def _size_or_zero(size: float) -> float:
    """Return ``size``, or 0 if it is so small or large that dividing by its square fails."""
    return size if MIN_SPREAD < size < math.inf else 0.0


@lru_cache(maxsize=8)
def _median_distance(data: PointSet, factors: tuple[float, float], axes: int) -> float:
    """Return the median distance of two points of a sample, by the first ``axes`` coordinates.

    The sample has at most ``MAX_SAMPLE`` rows, evenly spaced in the table of points.
    """
    # ``np.unique`` and ``np.median`` are not used, because they load masked arrays, which takes
    # 40 ms at the start.
    rows = np.linspace(0, len(data) - 1, MAX_SAMPLE).round().astype(int)
    rows = rows[np.diff(rows, prepend=-1) > 0]
    points = (data.points[rows] / factors)[:, :axes]
    # Coordinates may be huge; a distance whose square overflows becomes infinite.
    with np.errstate(over="ignore"):
        distances = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
    ordered = np.sort(distances[np.triu_indices(len(points), 1)])
    return float(0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]))


# With the fitted gamma, an RBF or Laplacian kernel is exp(-2) at the typical distance, and in
# a polynomial or sigmoid kernel gamma <x, x> is 1 at the typical length of x.
GAMMA_SCALES: dict[type[Kernel], GammaScale] = {
    RBF: GammaScale(typical_distance, 2.0, 2.0),
    Laplacian: GammaScale(typical_distance, 2.0, 1.0),
    Polynomial: GammaScale(_typical_length, 1.0, 2.0),
    Sigmoid: GammaScale(_typical_length, 1.0, 2.0),
}
