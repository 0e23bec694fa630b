"""Ink: sizes of marks, rings, halos and bars of points; they shrink where points are crowded.

All sizes are computed from the *spacing* of points, a distance on screen in px at scale 1, and
collected in an :class:`Ink`. The spacing of all points gives the size of the marks. The spacing of
the points with rings gives the size of the rings, so a few support vectors are as visible among
many points as among few.
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

# With this spacing, in px at scale 1, marks have full size. Below it the radius of a mark is
# proportional to the spacing, so that marks cover a constant share of the area.
FULL_SIZE_SPACING = 31.0
# If the points with rings have this spacing, rings have full size.
FULL_RING_SPACING = 36.0
# Marks have at least the diameter MIN_DIAMETER, as a fraction of the smaller side of the plane, so
# that disc and square can be distinguished: 7 px in a window of 1280x720, and 8 px with their edge.
# They may overlap a little for this, but they are at most MAX_EXCESS times as large as the spacing
# allows.
MIN_DIAMETER, MAX_EXCESS = 0.0152, 2.0
# Marks are never smaller than this share of their full size.
MIN_SHARE = 0.125
# Sizes are rounded to this number of steps between a size and its half, so that stored pictures of
# marks can be used again. A step is 0.3 px at most.
STEPS_PER_HALF = 16
# Side of the cells in which points are counted, px at scale 1.
CELL_SIDE = 40.0
# The points are assumed to fill at least this share of the plane, so that a few points close
# together keep their size.
MIN_AREA = 0.02
# Radius of the halo of a point with alpha = C, in px at scale 1, and its opacity.
FULL_HALO, HALO_OPACITY = 19.0, 0.26
# Rings are at least this wide, as a share of the radius of a mark.
MIN_RING = 0.18
# Length of the bar of slack 1, its width, and its least width, px at scale 1.
SLACK_UNIT, SLACK_WIDTH, MIN_BAR = 14.0, 2.0, 0.55
# Boundary and margins keep at least this share of their width.
MIN_LINE = 0.6
# Bars of slack up to 1 are drawn only if marks have more than the first fraction of their full
# size. They become opaque at the second.
MINOR_BARS_FROM, MINOR_BARS_FULL = 0.35, 0.7
# Halos fade as marks shrink; they are gone at this fraction of the full size.
HALOS_FROM = 0.8


@dataclass(frozen=True)
class Ink:
    """Sizes of marks, rings, halos and slack, in px at scale 1.

    Attributes
    ----------
    share : float
        Radius of a mark, as a share of its full size.
    marks : float
        Further factor on all lengths but widths of lines; see ``Style.marks``.
    ringed : float
        Size of rings, as a fraction of their full size; it depends on the spacing of the points
        with rings, and is 1 if they are few.
    """

    share: float = 1.0
    marks: float = 1.0
    ringed: float = 1.0

    @property
    def unringed(self) -> Ink:
        """The same sizes with rings of full size, so independent of the support vectors."""
        return replace(self, ringed=1.0)

    @property
    def radius(self) -> float:
        """Radius of the mark of +1; the square of -1 has the same area."""
        return MARKS.point_radius * self.share * self.marks

    @property
    def edge(self) -> float:
        """Width of the line around a mark."""
        return MARKS.point_edge * self.share

    @property
    def ring_width(self) -> float:
        """Width of the line of a ring, which is part of its mark."""
        wide = MARKS.ring_width * self._shrunk(self.ringed**2)
        return max(wide, MIN_RING * self.radius)

    def rings(self, kind: int) -> tuple[float, ...]:
        """Radii of the rings of a kind of point.

        If rings are crowded, there is hardly any space between a mark and its rings: one ring looks
        like a thin line around the mark, two rings like a thick line.
        """
        if kind == ZERO:
            return ()
        space = MARKS.ring_radius - MARKS.point_radius
        first = self.radius + space * self._shrunk(self.ringed**3)
        gap = MARKS.ring_gap * self._shrunk(self.ringed**2.5)
        second = first + max(gap, 0.8 * self.ring_width)
        return (first, second) if kind == BOUND else (first,)

    def reach(self, kind: int) -> float:
        """Radius of a point with all its rings."""
        return max(self.rings(kind), default=self.radius)

    def _shrunk(self, part: float) -> float:
        """Return the factor on a length of a ring; rings shrink later than their mark."""
        return part * math.sqrt(self.share) * self.marks

    @property
    def highlight_radius(self) -> float:
        """Radius of the mark of a point of the step: it shrinks least, and is outside all rings."""
        return MARKS.highlight_radius * math.sqrt(self.share * self.marks)

    @property
    def halo_opacity(self) -> float:
        """Opacity of a halo; 0 if there is no room for halos."""
        return HALO_OPACITY * min(1.0, max(0.0, (self.share - HALOS_FROM) / (1.0 - HALOS_FROM)))

    @property
    def minor_opacity(self) -> float:
        """Opacity of the bars of slack up to 1.

        0 if points are crowded, so that only longer bars remain.
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
        """Factor on the widths of boundary and margins, which lie over the points."""
        return max(MIN_LINE, min(1.0, 2.0 * self.share))

    def halo(self, part: float) -> float:
        """Radius of a halo: what is visible around the mark has area ``part`` of the largest."""
        full = MARKS.point_radius**2
        return self.share * self.marks * math.sqrt(full + part * (FULL_HALO**2 - full))


def spacing(pixels: np.ndarray, area: float, scale: float = 1.0) -> float:
    """Return the spacing of points: the side of a square of the area that one point has.

    Points are counted in square cells around their mean, so that panning changes nothing. The
    density is the number of points in the cell of a point, averaged over the points. So points on a
    curve or in a few clusters count as crowded although most of the plane is empty.

    Parameters
    ----------
    pixels : array, shape (n, 2)
        Points on screen; n is at least 1.
    area : float
        Area of the plane, px^2.
    scale : float
        Factor on marks.

    Returns
    -------
    float
        In px at scale 1.
    """
    side = CELL_SIDE * scale
    cells = np.floor((pixels - pixels.mean(axis=0)) / side).astype(np.int64)
    cells -= cells.min(axis=0)
    counts = np.bincount(cells[:, 0] * (cells[:, 1].max() + 1) + cells[:, 1])
    # For each point, how many others share its cell.
    others = float((counts * (counts - 1)).sum()) / len(pixels)
    area_per_point = min(side * side / max(others, 1e-9), area)
    return math.sqrt(max(area_per_point, MIN_AREA * area / len(pixels))) / scale


# The cache is large enough for the planes of a race, in this frame and the previous one.
@lru_cache(maxsize=8)
def ink_of(data: PointSet, camera: Camera, scale: float, marks: float = 1.0) -> Ink:
    """Return the sizes of marks, and of what is drawn at them, for the points that a camera shows.

    The closer together the points lie on screen, the smaller the marks are. ``marks`` is a further
    factor on all sizes.
    """
    share = _spacing_on_screen(data.points, camera, scale * marks) / FULL_SIZE_SPACING
    side = min(camera.plot_width, camera.plot_height) / (scale * marks)
    legible = MIN_DIAMETER * side / (2.0 * MARKS.point_radius)
    share = max(share, min(legible, MAX_EXCESS * share))
    return Ink(stepped(share), marks)


def with_rings(ink: Ink, ringed: np.ndarray, camera: Camera, scale: float) -> Ink:
    """Return the ink with sizes of rings for the spacing of the points with rings.

    Parameters
    ----------
    ink : Ink
    ringed : array, shape (m, 2)
        The points with rings, in data units.
    camera : Camera
    scale : float
    """
    apart = _spacing_on_screen(ringed, camera, scale * ink.marks)
    return replace(ink, ringed=stepped(apart / FULL_RING_SPACING))


def stepped(share: float) -> float:
    """Return a share between MIN_SHARE and 1, in STEPS_PER_HALF steps from one size to its half."""
    return 2.0 ** (
        round(STEPS_PER_HALF * math.log2(max(MIN_SHARE, min(1.0, share)))) / STEPS_PER_HALF
    )


def _spacing_on_screen(points: np.ndarray, camera: Camera, scale: float) -> float:
    """Return the spacing of those points that a camera shows; infinity if there are none."""
    pixels = camera.to_pixels(points)
    shown = pixels[camera.inside(pixels)]
    return spacing(shown, camera.plot_width * camera.plot_height, scale) if len(shown) else math.inf
