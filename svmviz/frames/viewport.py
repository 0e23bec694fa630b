"""The viewport, which is the section of the plane that a view shows, and the grid for f in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

# Maximum distance between neighbouring nodes, px of the device. With a larger distance, contours
# have visible corners.
MAX_SPACING = 12.0
# Maximum number of nodes along the longer side of a grid with a node per px.
MAX_NODES = 1600


@dataclass(frozen=True)
class Grid:
    """A grid over a section of the plane, at whose nodes f is computed.

    Attributes
    ----------
    left, right, bottom, top : float
        Edges of the section, in data units. The outer nodes lie on them.
    columns, rows : int
        Number of nodes along each axis.
    interpolates : bool
        Whether f is computed only at every second node, and interpolated at the others. Then
        ``columns`` and ``rows`` are odd.
    pixels : float
        The longer side of the section in the picture, px. If f turns between the nodes, it is
        computed again with a node per px. 0 to compute it once, as while the picture moves.
    """

    left: float
    right: float
    bottom: float
    top: float
    columns: int
    rows: int
    interpolates: bool = False
    pixels: float = 0.0

    @property
    def finest(self) -> Grid:
        """The same section with a node per px, or at most MAX_NODES nodes along its longer side."""
        longer = max(self.columns, self.rows)
        factor = min(self.pixels, MAX_NODES) / longer
        if factor <= 1.0:
            return self
        columns, rows = (max(16, round(factor * side)) for side in (self.columns, self.rows))
        return replace(self, columns=columns, rows=rows, interpolates=False)

    @property
    def xs(self) -> np.ndarray:
        """x of the columns of nodes, shape (columns,)."""
        return np.linspace(self.left, self.right, self.columns)

    @property
    def ys(self) -> np.ndarray:
        """y of the rows of nodes, shape (rows,), ascending."""
        return np.linspace(self.bottom, self.top, self.rows)


class Viewport(NamedTuple):
    """The section of the plane that a widget shows.

    Attributes
    ----------
    left, right, bottom, top : float
        Edges of the section, in data units.
    ratio : float
        Width of the plot in the widget divided by its height, both in px.
    size : float
        The longer side of the plot, px of the device.
    """

    left: float
    right: float
    bottom: float
    top: float
    ratio: float = 1.0
    size: float = 0.0

    def covering(self, other: Viewport) -> Viewport:
        """Return the viewport that covers this one and another.

        Its ``ratio`` is that of a plot with as many data units per px as this one, and its ``size``
        is the larger of the two sizes.
        """
        left, right = min(self.left, other.left), max(self.right, other.right)
        bottom, top = min(self.bottom, other.bottom), max(self.top, other.top)
        wider = (right - left) / (self.right - self.left)
        higher = (top - bottom) / (self.top - self.bottom)
        ratio = self.ratio * wider / higher
        return Viewport(left, right, bottom, top, ratio, max(self.size, other.size))

    def grid(self, nodes: int, moving: bool = False) -> Grid:
        """Return the grid with ``nodes`` nodes along the longer side.

        If ``moving``, the picture changes all the time, and ``nodes`` is small. If the nodes are
        then more than MAX_SPACING apart, the grid has a further node between any two neighbours,
        and f is interpolated there.
        """
        columns = nodes if self.ratio >= 1 else max(16, round(nodes * self.ratio))
        rows = nodes if self.ratio <= 1 else max(16, round(nodes / self.ratio))
        interpolates = moving and self.size > MAX_SPACING * nodes
        if interpolates:
            columns, rows = 2 * columns - 1, 2 * rows - 1
        return Grid(*self[:4], columns, rows, interpolates, 0.0 if moving else self.size)


# The smallest grid for the field of a frame. The field is not painted: a picture computes its own.
SMALLEST_GRID = Grid(-1.0, 1.0, -1.0, 1.0, 2, 2)
