"""The table of marks: what a point looks like in each of its roles, at any size.

A mark alone says all about its point: the shape and the hue its class, the outline its role. So it
is readable however close its neighbours are. Every painter of the plane reads this table, and pages
get it as JSON (`as_json`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.marks import MARKS

# The role of a point if it is not known, or not shown, whether it is a support vector. The other
# roles are the kinds of ``solvers.problem.certificate``.
PLAIN = 3
# Names of colours of an outline: a dark shade of the class, or the colour of boundary and text.
EDGE, RING = "edge", "ring"
# Sizes of marks up to which an outline has its least width, and from which on it has its full
# width.
LEAST_FROM, FULL_FROM = 0.2, 0.65
# Half the side of a square relative to the radius of a disc. With their outlines both then have the
# same area, within 3 %.
HALF_SIDE = 0.87
# Radius of a halo of full size, px at scale 1, and opacity of halos.
FULL_HALO, HALO_OPACITY = 19.0, 0.26


@dataclass(frozen=True)
class Mark:
    """The mark of a role.

    Its size is one number: 1 if points are few, less if they are crowded (`crowd.size_of`).

    Attributes
    ----------
    outline : str
        EDGE or RING.
    width, least_width : float
        Widths of the outline at full size and in a crowd, px at scale 1.
    fill, bare_fill : float
        Fraction of the colour of the class in the filling, with the full outline and without one.
        The remainder is the colour of the plane.
    core : float
        Radius of the core, which has the colour of the plane; relative to the radius of the mark.
    room, least : float
        How many times as large as ``size`` the mark is in a crowd, and the radius that it keeps in
        any crowd, relative to that at full size.
    """

    outline: str
    width: float
    least_width: float = 0.0
    fill: float = 1.0
    bare_fill: float = 1.0
    core: float = 0.0
    room: float = 1.3
    least: float = 0.2

    def radius(self, size: float) -> float:
        """Return the radius of a disc, px at scale 1; a square has the same area."""
        return MARKS.point_radius * min(max(1.0, size), max(self.least, self.room * size))

    def line(self, size: float) -> float:
        """Return the width of the outline, px at scale 1."""
        return max(self.least_width, self.width * _between(size))

    def filling(self, size: float) -> float:
        """Return the fraction of the colour of the class in the filling."""
        return self.bare_fill + _between(size) * (self.fill - self.bare_fill)

    def reach(self, size: float) -> float:
        """Return the radius of the mark with its outline, px at scale 1."""
        return self.radius(size) + 0.5 * self.line(size)


def _between(size: float) -> float:
    """Return 0 for a size up to LEAST_FROM, 1 from FULL_FROM on, and between them in proportion."""
    return min(1.0, max(0.0, (size - LEAST_FROM) / (FULL_FROM - LEAST_FROM)))


QUIET = Mark(EDGE, 1.0, fill=0.5, bare_fill=0.75)
ROLES = {
    ZERO: QUIET,
    FREE: Mark(RING, 2.0, least_width=0.9, room=1.6, least=0.28),
    BOUND: Mark(RING, 2.0, least_width=0.9, room=1.6, least=0.28, core=0.45),
    PLAIN: Mark(EDGE, 1.25, least_width=0.5),
}


@dataclass(frozen=True)
class Cross:
    """The cross of a misclassified point, whose mark covers the middle of it.

    Attributes
    ----------
    reach : float
        Half its diagonal, relative to the radius of the mark.
    width, backing : float
        Widths of its lines at full size, and of the lines in the colour of the plane below them, px
        at scale 1.
    """

    reach: float = 2.2
    width: float = 2.2
    backing: float = 3.6

    def share(self, radius: float) -> float:
        """Return the factor on the widths, on a mark with a radius in px at scale 1."""
        return min(1.0, max(0.5, radius / MARKS.point_radius))


CROSS = Cross()


@dataclass(frozen=True)
class Hollow:
    """The mark of a point that takes no part in solving: an outline, with a bar in the test part.

    No point that is solved has a bar, and a support vector at its cap has a round core.

    Attributes
    ----------
    radius, bar, cross : float
        Radius of the mark, half the length of the upright bar, and half the diagonal of the cross
        on an error, relative to the radius of a mark.
    line, thin : float
        Widths of the outline, and of that of a validation point, which the bar has too, px at
        scale 1.
    """

    radius: float = 0.9
    bar: float = 0.9
    cross: float = 1.9
    line: float = 2.0
    thin: float = 1.4


HOLLOW = Hollow()


def as_json() -> dict[str, Any]:
    """Return the table for the scripts of pages, which compute with it as `Mark` does."""
    return {
        "radius": MARKS.point_radius,
        "halfSide": HALF_SIDE,
        "leastFrom": LEAST_FROM,
        "fullFrom": FULL_FROM,
        "roles": {str(role): asdict(mark) for role, mark in ROLES.items()},
        "cross": asdict(CROSS),
        "hollow": asdict(HOLLOW),
        "halo": {"radius": FULL_HALO, "opacity": HALO_OPACITY},
    }
