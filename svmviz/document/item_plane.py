"""The plane in which items without coordinates are shown: two components of kernel PCA.

These places are only shown. The problem that is solved contains the Gram matrix itself.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from solvers import ITEM_KERNELS, KERNELS, BadInput, Given, Kernel, given_rows
from solvers.data.datasets import PointSet
from solvers.data.items import Items
from solvers.kernels.feature_geometry import components
from solvers.problem.expansion import freeze

AXES = ("component 1 of kernel PCA", "component 2 of kernel PCA")
# Note in the legend of the plane.
NO_BOUNDARY = "f, only at points: no boundary"


def kernel_for(data: PointSet, kernel: Kernel) -> Kernel | None:
    """Return ``kernel`` if it can compare the points, otherwise a kernel for items of their kind.

    For points with coordinates, return None instead.
    """
    if data.items is None:
        return kernel if kernel.domain == "points" else None
    if kernel.domain == data.items.kind:
        return kernel
    return next(kind() for kind in ITEM_KERNELS.values() if kind.domain == data.items.kind)


def accept_kernel(data: PointSet, kernel: Kernel) -> None:
    """Raise BadInput if the kernel cannot compare the points."""
    if kernel_for(data, kernel) is kernel:
        return
    domain = "points" if data.items is None else data.items.kind
    noun = {"points": "points with coordinates", "words": "words"}.get(
        domain, "the rows of a given matrix"
    )
    kinds = KERNELS if data.items is None else ITEM_KERNELS
    fitting = [name for name, kind in kinds.items() if kind.domain == domain]
    raise BadInput(
        f"The kernel {kernel.name} cannot compare {noun}; those that can are {', '.join(fitting)}."
        if len(fitting) > 1
        else f"The kernel {kernel.name} cannot compare {noun}; only {fitting[0]} can."
    )


def placed(data: PointSet, kernel: Kernel) -> PointSet:
    """Return items at their places in the plane, for a kernel that can compare them."""
    assert data.items is not None
    places = _places(data.items, kernel)
    if data.axis_names == AXES and np.array_equal(data.points, places):
        return data
    return replace(data, points=places, axis_names=AXES)


@lru_cache(maxsize=8)
def solver_rows(items: Items, kernel: Kernel) -> np.ndarray:
    """Return the points of the problem, for the kernel ``Given``, shape (n, n + 1)."""
    return freeze(given_rows(items.gram(kernel)))


@lru_cache(maxsize=8)
def _places(items: Items, kernel: Kernel) -> np.ndarray:
    """Return the first two components of items, shape (n, 2); 0 where there is none."""
    places = np.zeros((len(items), 2))
    if len(items) > 1:
        rows = solver_rows(items, kernel)
        found = components(Given(), rows).at(rows)[:, :2]
        places[:, : found.shape[1]] = found
    return freeze(places)
