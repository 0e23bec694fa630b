"""Sizes of marks in the plane and in charts, at scale 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Marks:
    """Radii and line widths in px at scale 1.

    Painters multiply them by the text size of the window, or by the scale of an export.

    ``point_radius`` is that of a point at full size; `svmviz.plane.paint.roles` has the marks of
    points. ``highlight_radius`` is that of the circle around a point of the step, and
    ``highlight_halo`` the width of a line that is painted before it and separates it from the
    background.
    """

    point_radius: float = 6.5
    highlight_radius: float = 17.5
    highlight_width: float = 4.0
    highlight_halo: float = 7.5
    boundary_width: float = 3.0
    margin_width: float = 1.5
    curve_width: float = 2.0


MARKS = Marks()
