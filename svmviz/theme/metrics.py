"""Sizes: one type scale, one grid of 4 px, one projector scale that all of them share."""

from __future__ import annotations

from dataclasses import dataclass

SCALES = (1.0, 1.5, 2.0)
"""Projector scales offered by the window: desk, small room, large room."""

CAPTION, BODY, LEAD, TITLE, DISPLAY = 11, 13, 15, 18, 24
"""Type sizes at scale 1, in px: axis ticks; all controls; narrator; dialog titles; numbers."""

GRID = 4
"""Spacing unit at scale 1, in px."""


@dataclass(frozen=True)
class Metrics:
    """Sizes at a projector scale; all lengths in device-independent px.

    Parameters
    ----------
    scale : float
        Factor on type, spacing, icons and marks alike, in [0.5, 4].
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a scale outside [0.5, 4]."""
        if not 0.5 <= self.scale <= 4:
            raise ValueError(f"scale must be in [0.5, 4], got {self.scale}")

    def px(self, length: float) -> int:
        """Return whole px for a length at scale 1, at least 1 for a length above 0."""
        return max(int(length * self.scale + 0.5), 1 if length > 0 else 0)

    def space(self, units: float) -> int:
        """Return a spacing in px, from units of 4 px."""
        return self.px(units * GRID)

    def stroke(self, width: float) -> float:
        """Return the width of a painted line in px, not rounded."""
        return width * self.scale

    @property
    def icon(self) -> int:
        """Side of an icon in a toolbar, in px."""
        return self.px(20)

    @property
    def small_icon(self) -> int:
        """Side of an icon in a menu or a button, in px."""
        return self.px(16)

    @property
    def control(self) -> int:
        """Height of a button, combo box or field, in px."""
        return self.px(28)

    @property
    def radius(self) -> int:
        """Corner radius of a control, in px."""
        return self.px(5)
