"""Sizes of marks, rings, halos and bars of points, which are smaller if points are crowded.

All sizes are computed from the *spacing* of points, which is the square root of the area of the
screen per point, in px at scale 1. The spacing of all points gives the size of the marks. The
spacing of the points with rings gives the size of the rings. So a few support vectors are as
visible among many points as among few. An :class:`Ink` stores the sizes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from solvers.data.datasets import PointSet
from solvers.problem.certificate import BOUND, ZERO
from svmviz.camera.camera import Camera
from svmviz.theme import MARKS

# Minimum spacing at which marks have full size, px at scale 1. With a smaller spacing, the radius
# of a mark is proportional to the spacing, so marks cover a constant fraction of the area.
FULL_SIZE_SPACING = 31.0
# Minimum spacing of the points with rings at which rings have full size, px at scale 1.
FULL_RING_SPACING = 36.0
# Minimum diameter of a mark, as a fraction of the smaller side of the plane. At this size people
# can distinguish disc and square: 7 px in a window of 1280x720, and 8 px with the line around the
# mark. Marks of this size may overlap, but they are at most MAX_EXCESS times as large as the
# spacing allows.
MIN_DIAMETER, MAX_EXCESS = 0.0152, 2.0
# Minimum size of marks and rings, as a fraction of their full size.
MIN_SHARE = 0.125
# Number of sizes from a size down to its half. Sizes are rounded to these, so that stored pictures
# of marks can be used again. Neighbouring sizes differ by 0.3 px at most.
STEPS_PER_HALF = 16
# Side of the cells in which points are counted, px at scale 1.
CELL_SIDE = 40.0
# Minimum fraction of the plane that points are assumed to fill. So a few points that are close
# together have large marks.
MIN_AREA = 0.02
# Radius of the halo of a point with alpha = C, px at scale 1, and opacity of halos.
FULL_HALO, HALO_OPACITY = 19.0, 0.26
# Minimum width of the line of a ring, as a fraction of the radius of the mark inside the ring.
MIN_RING = 0.18
# Length of the bar of slack 1, full width of a bar, and minimum width of a bar, px at scale 1.
SLACK_UNIT, SLACK_WIDTH, MIN_BAR = 14.0, 2.0, 0.55
# Minimum width of boundary and margins, as a fraction of their full width.
MIN_LINE = 0.6
# Two sizes of marks, as fractions of their full size: up to the first, bars of slack at most 1 are
# invisible; from the second on, they are opaque.
MINOR_BARS_FROM, MINOR_BARS_FULL = 0.35, 0.7
# Size of marks, as a fraction of their full size, up to which halos are invisible. At full size
# they have HALO_OPACITY.
HALOS_FROM = 0.8


@dataclass(frozen=True)
class Ink:
    """Sizes of marks, rings, halos and slack, in px at scale 1.

    Attributes
    ----------
    share : float
        Radius of a mark, as a fraction of its full size.
    marks : float
        Further factor on all lengths except widths of lines; see ``Style.marks``.
    ring_share : float
        Size of rings, as a fraction of their full size.
    """

    share: float = 1.0
    marks: float = 1.0
    ring_share: float = 1.0

    @property
    def with_full_rings(self) -> Ink:
        """The same sizes with rings of full size: these do not depend on the support vectors."""
        return replace(self, ring_share=1.0)

    @property
    def radius(self) -> float:
        """Radius of the disc of a point of class +1; the square of class -1 has the same area."""
        return MARKS.point_radius * self.share * self.marks

    @property
    def edge(self) -> float:
        """Width of the line around a mark."""
        return MARKS.point_edge * self.share

    @property
    def ring_width(self) -> float:
        """Width of the line of a ring."""
        wide = MARKS.ring_width * self._ring_factor(self.ring_share**2)
        return max(wide, MIN_RING * self.radius)

    def rings(self, kind: int) -> tuple[float, ...]:
        """Return the radii of the rings of a kind of point (``solvers.problem.certificate``).

        If rings are crowded, they nearly touch the mark. Then one ring looks like a thin line
        around the mark, and two rings look like a thick line.
        """
        if kind == ZERO:
            return ()
        space = MARKS.ring_radius - MARKS.point_radius
        first = self.radius + space * self._ring_factor(self.ring_share**3)
        gap = MARKS.ring_gap * self._ring_factor(self.ring_share**2.5)
        second = first + max(gap, 0.8 * self.ring_width)
        return (first, second) if kind == BOUND else (first,)

    def reach(self, kind: int) -> float:
        """Return the radius of a kind of point with all its rings."""
        return max(self.rings(kind), default=self.radius)

    def _ring_factor(self, power: float) -> float:
        """Return the factor on a length of a ring, where ``power`` is a power of ``ring_share``.

        Rings shrink less than their marks.
        """
        return power * math.sqrt(self.share) * self.marks

    @property
    def highlight_radius(self) -> float:
        """Radius of the circle around a point of the step. It shrinks less than all other sizes."""
        return MARKS.highlight_radius * math.sqrt(self.share * self.marks)

    @property
    def halo_opacity(self) -> float:
        """Opacity of halos; 0 if points are crowded."""
        return HALO_OPACITY * min(1.0, max(0.0, (self.share - HALOS_FROM) / (1.0 - HALOS_FROM)))

    @property
    def minor_opacity(self) -> float:
        """Opacity of the bars of slack up to 1.

        It is 0 if points are crowded, so that only longer bars are visible.
        """
        return min(
            1.0, max(0.0, (self.share - MINOR_BARS_FROM) / (MINOR_BARS_FULL - MINOR_BARS_FROM))
        )

    @property
    def slack_unit(self) -> float:
        """Length of the bar of slack 1."""
        return SLACK_UNIT * math.sqrt(self.share * self.marks)

    @property
    def slack_width(self) -> float:
        """Width of a bar of slack."""
        return max(MIN_BAR, SLACK_WIDTH * self.share) * math.sqrt(self.marks)

    @property
    def line(self) -> float:
        """Factor on the widths of boundary and margins, so that they do not hide crowded points."""
        return max(MIN_LINE, min(1.0, 2.0 * self.share))

    def halo(self, area: float) -> float:
        """Return the radius of a halo.

        ``area`` is the area of the halo outside the mark, as a fraction of that of the largest
        halo.
        """
        # Squared radii, which are proportional to areas.
        mark, largest = MARKS.point_radius**2, FULL_HALO**2
        return self.share * self.marks * math.sqrt(mark + area * (largest - mark))


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
def ink_of(data: PointSet, camera: Camera, scale: float, marks: float = 1.0) -> Ink:
    """Return the sizes for the points that a camera shows, with rings of full size.

    The smaller the spacing of the points on screen is, the smaller the marks are. For ``marks`` see
    :class:`Ink`.
    """
    share = _spacing_on_screen(data.points, camera, scale * marks) / FULL_SIZE_SPACING
    side = min(camera.plot_width, camera.plot_height) / (scale * marks)
    legible = MIN_DIAMETER * side / (2.0 * MARKS.point_radius)
    share = max(share, min(legible, MAX_EXCESS * share))
    return Ink(round_share(share), marks)


def with_rings(ink: Ink, ringed_points: np.ndarray, camera: Camera, scale: float) -> Ink:
    """Return the sizes with smaller rings if the points with rings are crowded.

    Parameters
    ----------
    ink : Ink
    ringed_points : array, shape (m, 2)
        The points with rings, in data units.
    camera : Camera
    scale : float
    """
    ring_spacing = _spacing_on_screen(ringed_points, camera, scale * ink.marks)
    return replace(ink, ring_share=round_share(ring_spacing / FULL_RING_SPACING))


def round_share(share: float) -> float:
    """Return a relative size, clipped to [MIN_SHARE, 1] and rounded; see STEPS_PER_HALF."""
    return 2.0 ** (
        round(STEPS_PER_HALF * math.log2(max(MIN_SHARE, min(1.0, share)))) / STEPS_PER_HALF
    )


def _spacing_on_screen(points: np.ndarray, camera: Camera, scale: float) -> float:
    """Return the spacing of the points that a camera shows; infinity if it shows none."""
    pixels = camera.to_pixels(points)
    visible = pixels[camera.inside(pixels)]
    area = camera.plot_width * camera.plot_height
    return spacing(visible, area, scale) if len(visible) else math.inf
