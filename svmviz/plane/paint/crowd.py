"""The size of marks, which are smaller if points are crowded.

It is computed from the *spacing* of points, which is the square root of the area of the screen per
point, in px at scale 1.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera

# Minimum spacing at which marks have full size, px at scale 1. With a smaller spacing, the size of
# marks is proportional to the spacing, so marks cover a constant fraction of the area.
FULL_SIZE_SPACING = 31.0
# Minimum size of marks, as a fraction of their full size.
MIN_SIZE = 0.125
# Number of sizes from a size down to its half. Sizes are rounded to these, so that stored pictures
# of marks can be used again. Neighbouring sizes differ by 0.3 px at most.
STEPS_PER_HALF = 16
# Side of the cells in which points are counted, px at scale 1.
CELL_SIDE = 40.0
# Minimum fraction of the plane that points are assumed to fill. So a few points that are close
# together have large marks.
MIN_AREA = 0.02


def spacing(pixels: np.ndarray, area: float, scale: float = 1.0) -> float:
    """Return the spacing of points, px at scale 1: the square root of the area per point.

    The plane is divided into square cells, and for each point the other points in its cell are
    counted. The mean of these counts, divided by the area of a cell, is the density. So points on a
    curve or in a few clusters count as crowded although most of the plane is empty. The cells are
    placed relative to the mean of the points, so that panning changes nothing.

    Parameters
    ----------
    pixels : array, shape (n, 2)
        Positions of the points, px; n is at least 1.
    area : float
        Area of the plane, px².
    scale : float
        Factor on lengths.
    """
    side = CELL_SIDE * scale
    cells = np.floor((pixels - pixels.mean(axis=0)) / side).astype(np.int64)
    cells -= cells.min(axis=0)
    counts = np.bincount(cells[:, 0] * (cells[:, 1].max() + 1) + cells[:, 1])
    # Mean over the points of the number of other points in the same cell.
    others = float((counts * (counts - 1)).sum()) / len(pixels)
    area_per_point = min(side * side / max(others, 1e-9), area)
    return math.sqrt(max(area_per_point, MIN_AREA * area / len(pixels))) / scale


# The cache is large enough for the four planes of a race, in this frame and the previous one.
@lru_cache(maxsize=8)
def size_of(data: PointSet, camera: Camera, scale: float) -> float:
    """Return the size of marks, as a fraction of their full size, for the points on screen."""
    pixels = camera.to_pixels(data.points)
    visible = pixels[camera.inside(pixels)]
    if not len(visible):
        return 1.0
    area = camera.plot_width * camera.plot_height
    return round_size(spacing(visible, area, scale) / FULL_SIZE_SPACING)


def round_size(size: float) -> float:
    """Return a size of marks, clipped to [MIN_SIZE, 1] and rounded; see STEPS_PER_HALF."""
    return 2.0 ** (
        round(STEPS_PER_HALF * math.log2(max(MIN_SIZE, min(1.0, size)))) / STEPS_PER_HALF
    )
