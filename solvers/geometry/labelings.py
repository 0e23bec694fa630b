"""Which labelings of points in the plane lines can make, as in the definition of the VC dimension.

A set of functions shatters points if each of their ``2^n`` labelings is that of a function. Lines
shatter three points that are not on one line, and no four points: the VC dimension of lines in the
plane is 3 (Vapnik and Chervonenkis 1971). Of n points in general position they make
``2 sum_{i <= 2} binomial(n - 1, i)`` labelings (Cover 1965).
"""

from __future__ import annotations

import numpy as np

from solvers.geometry.lines import Line, widest_street

# Margins up to this fraction of the largest coordinate are rounding.
MIN_MARGIN = 1e-9
# Distance of a line that has all points on one side from the nearest of them.
AWAY = 1.0


def labelings(n: int) -> np.ndarray:
    """Return all labelings of n points, -1 or +1, shape (2^n, n): all -1 first, all +1 last."""
    bits = np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1
    return 2.0 * bits - 1.0


def separating_line(points: np.ndarray, labels: np.ndarray) -> Line | None:
    """Return a line with ``y_i f(x_i) > 0`` for all points, or None if there is none.

    It has the largest margin; if all labels are equal, it is a horizontal line below the points.

    Parameters
    ----------
    points : array, shape (n, 2), n >= 1
    labels : array, shape (n,)
    """
    if labels.min() == labels.max():
        side = float(labels[0])
        return Line((0.0, side), side * (AWAY - float(points[:, 1].min())))
    line = widest_street(points, labels)
    size = max(1.0, float(np.abs(points).max()))
    return line if line is not None and line.margin(points, labels) > MIN_MARGIN * size else None


def separating_lines(points: np.ndarray) -> list[Line | None]:
    """Return a line for each of the :func:`labelings` of points (n, 2) that a line makes."""
    tried = labelings(len(points))[::-1][: 2 ** (len(points) - 1)]
    half = [separating_line(points, labels) for labels in tried]
    # The opposite labeling is made by -f.
    opposite = [line and Line((-line.w[0], -line.w[1]), -line.b) for line in half]
    return opposite + half[::-1]
