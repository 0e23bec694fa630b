"""The part of the plane that a picture of the kernel panels shows: the points, with some room."""

from __future__ import annotations

import numpy as np

from solvers.data.coordinates import MIN_SPREAD


def plane_box(X: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest coordinates around points, shape (n, d), each of shape (d,).

    The room at each side is ``margin`` times the range of a coordinate, or ``margin`` itself if all
    values are equal.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    room = margin * np.where(high - low > MIN_SPREAD, high - low, 1.0)
    # Beside a huge coordinate, a room of 0.1 would be lost in rounding.
    room = np.maximum(room, 1e-9 * np.maximum(np.abs(low), np.abs(high)))
    return low - room, high + room
