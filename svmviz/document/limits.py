"""The maximum number of points in the window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet

# The window paints this many points within 50 ms.
MAX_SHOWN_POINTS = 50_000


def check_number(count: int, source: str) -> None:
    """Raise BadInput if there are too many points to show; ``source`` says where they come from."""
    if count > MAX_SHOWN_POINTS:
        raise BadInput(
            f"With {source} there would be {count:,} points; the window shows at most "
            f"{MAX_SHOWN_POINTS:,}."
        )


def sample(data: PointSet) -> PointSet:
    """Draw MAX_SHOWN_POINTS points at random with a fixed seed; they keep their order."""
    rows = np.random.default_rng(0).choice(len(data), MAX_SHOWN_POINTS, replace=False)
    rows.sort()
    return replace(data, points=data.points[rows], labels=data.labels[rows])
