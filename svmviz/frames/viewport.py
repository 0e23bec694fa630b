"""The part of the plane that a frame covers, and the grid of decision values over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

# Maximum distance of nodes, px of the device; beyond it contours would have visible corners.
MAX_SPACING = 12.0


@dataclass(frozen=True)
class Grid:
    """Grid of decision values over a part of the plane, in data units.

    Attributes
    ----------
    left, right, bottom, top : float
    columns, rows : int
        Nodes of the grid of decision values.
    between : bool
        Whether f is computed at every second node only and interpolated between; then
        ``columns`` and ``rows`` are odd.
    """

    left: float
    right: float
    bottom: float
    top: float
    columns: int
    rows: int
    between: bool = False

    @property
    def xs(self) -> np.ndarray:
        """Columns of the grid, shape (columns,); the first and last lie on the edge."""
        return np.linspace(self.left, self.right, self.columns)

    @property
    def ys(self) -> np.ndarray:
        """Rows of the grid, shape (rows,), from the bottom."""
        return np.linspace(self.bottom, self.top, self.rows)


class Viewport(NamedTuple):
    """The part of the plane that a widget shows.

    Attributes
    ----------
    left, right, bottom, top : float
        In data units.
    ratio : float
        Width / height, px.
    size : float
        The longer side, px of the device.
    """

    left: float
    right: float
    bottom: float
    top: float
    ratio: float = 1.0
    size: float = 0.0

    def covering(self, other: Viewport) -> Viewport:
        """Return the viewport that covers both; its scale of the axes is that of this one."""
        left, right = min(self.left, other.left), max(self.right, other.right)
        bottom, top = min(self.bottom, other.bottom), max(self.top, other.top)
        wider = (right - left) / (self.right - self.left)
        higher = (top - bottom) / (self.top - self.bottom)
        ratio = self.ratio * wider / higher
        return Viewport(left, right, bottom, top, ratio, max(self.size, other.size))

    def grid(self, nodes: int, moving: bool = False) -> Grid:
        """Return the grid with ``nodes`` nodes along the longer side.

        While the picture moves the grid is coarser; f at every second node is then interpolated.
        """
        columns = nodes if self.ratio >= 1 else max(16, round(nodes * self.ratio))
        rows = nodes if self.ratio <= 1 else max(16, round(nodes / self.ratio))
        between = moving and self.size > MAX_SPACING * nodes
        if between:
            columns, rows = 2 * columns - 1, 2 * rows - 1
        return Grid(*self[:4], columns, rows, between)
