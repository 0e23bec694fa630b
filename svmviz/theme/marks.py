"""Sizes of marks in the plane and in charts, at scale 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Marks:
    """Radii and line widths in px at scale 1.

    Painters multiply them by the factor on marks in the window, or by the scale of an export.

    A square has the same area as the disc of a point if half its side is ``0.89 * point_radius``
    (0.89 is about sqrt(pi) / 2). The ring of a support vector is single if alpha is free and double
    (``ring_radius`` and ``ring_radius + ring_gap``) if alpha is at its bound. The ring that marks a
    point of the step (``highlight_radius``) lies outside both rings. ``highlight_halo`` is the
    width of a line that is painted before that ring, and separates it from the background.
    """

    point_radius: float = 6.5
    point_edge: float = 1.25
    ring_radius: float = 10.0
    ring_width: float = 1.75
    ring_gap: float = 3.5
    highlight_radius: float = 17.5
    highlight_width: float = 4.0
    highlight_halo: float = 7.5
    boundary_width: float = 3.0
    margin_width: float = 1.5
    slack_width: float = 1.5
    curve_width: float = 2.0


MARKS = Marks()
