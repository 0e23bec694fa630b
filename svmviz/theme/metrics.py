"""Sizes of text, marks, lines and controls, which all grow with the text size.

In names, "type" means text, as in typography.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

TYPE_SIZES = (0.75, 0.8, 0.9, *(tenths / 10.0 for tenths in range(10, 31)))
"""Text sizes that the window offers, as factors; keys go from one to the next."""

CONTROL_SIZES = (1.0, 1.25, 1.5, 2.0)
"""Sizes of controls that the window offers, as factors on their usual size."""

# If text grows by a factor x, controls grow by x to the power of this exponent.
CONTROLS_GROWTH = 0.15
# In a presentation no text is smaller than this fraction of the height of the window, so that all
# text is legible from the last row of a lecture hall.
HALL_SHARE = 1.0 / 40.0
# There, labels that are text are larger by this factor than figures at axes, which are short.
HALL_LABEL = 10.0 / 9.0

LABEL, TEXT, TITLE, SENTENCE = 11, 13, 15, 18
"""The four text sizes at scale 1, px. Each is about 1.18 times the one before.

Labels are the numbers and names of axes, and legends. Titles are those of panels, cards and pages.
The sentence is that of the step. All else is text.
"""

REGULAR, STRONG = 400, 600
"""The two weights of text. Titles are strong, and so is what is named in the plane."""

GRID = 4
"""Unit of space at scale 1, in px."""

# From these sides of a window on, px, all sizes are multiplied by the factor. The side is the
# height, or SIDE_OF_WIDTH of the width if that is less. Sizes grow less than the window, so that
# what fits in a small window fits in a large one.
ROOMS = ((0, 1.0), (840, 1.15), (980, 1.25), (1240, 1.5), (1600, 2.0), (2000, 2.5))
SIDE_OF_WIDTH = 0.62
# A window that shrinks keeps its factor until its side is this much below the limit, px.
KEPT = 40

MIN_SCALE, MAX_SCALE = 0.5, 8.0
"""Limits of the factors on text and controls."""


@dataclass(frozen=True)
class Metrics:
    """Sizes for a text size; all lengths in device-independent px.

    Controls are everything except the plane and the sentence of the step: bars, fields, panels.
    The methods and properties after `at_height` (`px`, `icon` and so on) give their sizes.

    Parameters
    ----------
    scale : float
        Factor on text in the plane and in the sentence of the step, from MIN_SCALE to MAX_SCALE.
    base : float
        Factor on controls at a scale of 1; not used if ``even``.
    even : bool
        Whether controls are multiplied by ``scale`` like text, as in an exported file.
        Otherwise they grow less than text.
    room : float
        Factor on all sizes in a large window (`room_of`); ``scale`` already contains it.
    in_hall : bool
        Whether these are the sizes of a presentation.
    """

    scale: float = 1.0
    base: float = 1.0
    even: bool = False
    room: float = 1.0
    in_hall: bool = False

    def __post_init__(self) -> None:
        """Refuse a scale outside the limits."""
        if not MIN_SCALE <= self.scale <= MAX_SCALE:
            raise ValueError(f"scale must be in [{MIN_SCALE}, {MAX_SCALE}], got {self.scale}")

    @property
    def label(self) -> float:
        """Size of labels that are not figures at axes, such as legends, px at scale 1."""
        return LABEL * (HALL_LABEL if self.in_hall else 1.0)

    @property
    def controls(self) -> float:
        """Factor on controls, from MIN_SCALE to MAX_SCALE."""
        if self.even:
            return self.scale
        return _within_limits(self.base * _growth(self.scale / self.room) * self.room)

    def in_room(self, room: float) -> Metrics:
        """Return these sizes in a window with a factor; see `room_of`."""
        return replace(self, scale=_within_limits(self.scale * room), room=room)

    def at_height(self, height: float) -> Metrics:
        """Return the sizes for a presentation in a window ``height`` px high.

        If ``scale`` is at most 1, the smallest text has HALL_SHARE of the height. A larger
        ``scale`` enlarges all text. No factor exceeds MAX_SCALE.
        """
        smallest = math.ceil(HALL_SHARE * height)
        wanted = max(self.scale, smallest / LABEL * max(1.0, math.sqrt(self.scale)))
        scale = _within_limits(wanted)
        controls = max(self.controls, scale)
        return Metrics(scale, controls / _growth(scale), in_hall=True)

    def px(self, length: float) -> int:
        """Convert a length of controls, px at scale 1, to whole px; at least 1 if it is above 0."""
        return max(int(length * self.controls + 0.5), 1 if length > 0 else 0)

    def space(self, units: float) -> int:
        """Convert a spacing from units of GRID px at scale 1 to px."""
        return self.px(units * GRID)

    def stroke(self, width: float) -> float:
        """Convert the width of a painted line, px at scale 1, to px, not rounded."""
        return width * self.controls

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


def room_of(width: float, height: float, before: float = 1.0) -> float:
    """Return the factor on all sizes in a window of a size in px.

    There are few factors, so that a window that is resized rarely gets another. ``before`` is the
    present one, which is kept if it is nearly right.
    """
    side = min(height, SIDE_OF_WIDTH * width)
    reached = max(factor for limit, factor in ROOMS if limit <= side)
    kept = max(factor for limit, factor in ROOMS if limit - KEPT <= max(side, 0))
    return max(reached, min(before, kept))


def _within_limits(factor: float) -> float:
    return min(max(factor, MIN_SCALE), MAX_SCALE)


def _growth(scale: float) -> float:
    """Return the factor on controls for a text size, rounded so that TEXT has whole px.

    Since this factor has few values, a change of the text size rarely changes the style sheet.
    """
    return round(TEXT * scale**CONTROLS_GROWTH) / TEXT
