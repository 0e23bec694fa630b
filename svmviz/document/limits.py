"""The maximum number of points in the window, which can be painted within 50 ms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet

MAX_SHOWN_POINTS = 50_000


def check_number(count: int, source: str) -> None:
    """Raise BadInput if a source, named as in "the file", gives more points than are shown."""
    if count > MAX_SHOWN_POINTS:
        raise BadInput(
            f"With {source} there would be {count:,} points; the window shows at most "
            f"{MAX_SHOWN_POINTS:,}."
        )


def sample(data: PointSet) -> PointSet:
    """Return MAX_SHOWN_POINTS of the points in their order, drawn at random with a fixed seed."""
    rows = np.random.default_rng(0).choice(len(data), MAX_SHOWN_POINTS, replace=False)
    rows.sort()
    return replace(data, points=data.points[rows], labels=data.labels[rows])
