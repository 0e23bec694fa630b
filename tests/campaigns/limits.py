"""Points at the limits of arithmetic: huge, tiny, or different only in the last bit."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import PointSet

HUGE = MAX_COORDINATE
COORDINATES = (
    *(0.0, 1.0, -1.0, HUGE, -HUGE, math.nextafter(HUGE, 0.0), HUGE / 2.0, 1e-300, -1e-300, 5e-324),
    *(1e-150, 1e150 if HUGE > 1e150 else HUGE, 2.2250738585072014e-308, math.nextafter(1.0, 2.0)),
)
# Each has a name, and some points; the two classes alternate.
SETS: dict[str, list[tuple[float, float]]] = {
    "huge": [(HUGE, HUGE), (-HUGE, -HUGE), (HUGE, -HUGE), (-HUGE, 0.0)],
    "huge and small": [(HUGE, 1.0), (-HUGE, 2.0), (0.0, -1.0), (1.0, 1e-300)],
    "one huge place": [(HUGE, HUGE)] * 4,
    "huge, last bit": [
        (HUGE, HUGE),
        (math.nextafter(HUGE, 0.0), HUGE),
        (HUGE, math.nextafter(HUGE, 0.0)),
    ],
    "tiny": [(1e-300, 1e-300), (-1e-300, 1e-300), (1e-300, -1e-300), (0.0, 0.0)],
    "tiny, last bit": [(1e-300, 1e-300), (math.nextafter(1e-300, 1.0), 1e-300)],
    "square is subnormal": [(1e-160, 0.0), (0.0, 1e-160), (-1e-160, 1e-160), (3e-162, 0.0)],
    "subnormal": [(5e-324, 0.0), (0.0, 5e-324), (-5e-324, 5e-324)],
    "flat": [(0.0, 0.0), (1.0, 1e-300), (2.0, 0.0), (3.0, -1e-300), (4.0, 0.0), (4.5, 0.0)],
    "tiny and one": [(1e-300, 1.0), (-1e-300, -1.0), (1.0, 1e-300)],
    "last bit": [(1.0, 1.0), (math.nextafter(1.0, 2.0), 1.0), (1.0, math.nextafter(1.0, 0.0))],
    "one place": [(0.3, 0.7)] * 3,
    "all at once": [(HUGE, 1e-300), (5e-324, -HUGE), (1.0, 1.0), (math.nextafter(1.0, 2.0), 1.0)],
}


def as_points(places: Iterable[tuple[float, float]]) -> PointSet:
    """Return points with alternating classes."""
    points = np.array(list(places))
    return PointSet(points, np.where(np.arange(len(points)) % 2 == 0, 1, -1))


def random_places(rng: np.random.Generator) -> list[tuple[float, float]]:
    """One of the sets, or any mixture of coordinates."""
    if rng.random() < 0.5:
        return SETS[str(rng.choice(list(SETS)))]
    n = int(rng.choice([1, 2, 3, 5, 20]))
    return [(float(x), float(y)) for x, y in rng.choice(COORDINATES, size=(n, 2))]


def as_text(places: Iterable[tuple[float, float]]) -> str:
    """Text that can be pasted."""
    return "".join(f"{x!r},{y!r},{(-1) ** k}\n" for k, (x, y) in enumerate(places))
