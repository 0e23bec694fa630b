"""The size of a figure, in px or in lengths on paper, and the scale of its type.

"Type" means letters and digits here, as in "type size". Qt is not loaded, because the command line
checks sizes before anything is painted.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from solvers import BadInput

# A figure of this size, in px, has scale 1: lines and type are as large as in the window.
REFERENCE_SIZE = (960, 720)
# Minimum scale of a picture in px whose type size is not given. Smaller type would be illegible, so
# small pictures are crowded.
MIN_SCALE = 0.75
# Maximum number of px per side, and of px in a whole picture, which then takes 800 MB of memory.
MAX_SIDE, MAX_PIXELS = 32_000, 200_000_000
# Px per inch of a picture whose size is given in px (as in CSS), and of a picture whose size is
# given in lengths on paper.
SCREEN_DPI, PRINT_DPI = 96.0, 300.0
MILLIMETRES_PER_INCH, POINTS_PER_INCH = 25.4, 72.0
# Size of the numbers at the axes at scale 1, px. It equals ``theme.LABEL``, whose import would
# load Qt.
AXIS_TYPE = 11.0
# Size of type of a figure on paper, pt: the default, the minimum and the maximum.
TYPE_SIZE, MIN_TYPE, MAX_TYPE = 8.0, 2.0, 144.0
# Length of each unit, mm.
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0, "px": 25.4 / SCREEN_DPI}
_LENGTH = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(px|mm|cm|in|pt)?", re.IGNORECASE)
LIMITS = (
    f"a picture can have 1 to {MAX_SIDE:,} pixels per side, and at most {MAX_PIXELS:,} in all; "
    f"a size on paper has {PRINT_DPI:.0f} pixels per inch"
)


@dataclass(frozen=True)
class Length:
    """A length as it was typed: a number with its unit, one of ``MILLIMETRES``."""

    value: float
    unit: str

    @property
    def millimetres(self) -> float:
        """The length on paper, in mm."""
        return self.value * MILLIMETRES[self.unit]


@dataclass(frozen=True)
class FigureSize:
    """The size of a figure.

    Attributes
    ----------
    width, height : int
        Px.
    dpi : float
        Px per inch.
    paper : (float, float), optional
        Width and height in mm, if the size was given in lengths on paper.

    Raises
    ------
    BadInput
        If a side has 0 px or more than ``MAX_SIDE``, or the picture more than ``MAX_PIXELS``.
    """

    width: int
    height: int
    dpi: float = SCREEN_DPI
    paper: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Refuse a size that no picture can have."""
        low, high = sorted((self.width, self.height))
        if not 1 <= low <= high <= MAX_SIDE or low * high > MAX_PIXELS:
            raise BadInput(LIMITS)

    @classmethod
    def on_paper(cls, width: float, height: float) -> FigureSize:
        """Return the page of a width and a height in mm."""
        if not all(math.isfinite(side) and 0.0 < side < 1e6 for side in (width, height)):
            raise BadInput(LIMITS)
        sides = (round(side / MILLIMETRES_PER_INCH * PRINT_DPI) for side in (width, height))
        return cls(*sides, dpi=PRINT_DPI, paper=(width, height))

    @property
    def millimetres(self) -> tuple[float, float]:
        """Width and height on paper, in mm."""
        if self.paper is not None:
            return self.paper
        unit = MILLIMETRES_PER_INCH / self.dpi
        return self.width * unit, self.height * unit

    @property
    def proportional_scale(self) -> float:
        """Scale at which lines and type are in proportion to the page."""
        return math.sqrt(self.width / REFERENCE_SIZE[0] * self.height / REFERENCE_SIZE[1])

    def scale(self, type_size: float | None = None) -> float:
        """Return the scale of type, lines and marks.

        Parameters
        ----------
        type_size : float, optional
            Size of the numbers at the axes, pt. By default, type is in proportion to a page whose
            size is given in px, and has ``TYPE_SIZE`` on a page given in lengths on paper.
        """
        if type_size is None and self.paper is None:
            return max(MIN_SCALE, self.proportional_scale)
        return (type_size or TYPE_SIZE) * self.dpi / POINTS_PER_INCH / AXIS_TYPE


def read_length(text: str) -> Length:
    """Read ``86mm``, ``8.6 cm`` or ``960`` (px).

    Raises
    ------
    ValueError
        If the text is not a length, or the length is 0.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None or not 0.0 < float(match[1]) < 1e9:
        raise ValueError(f"{text!r} is not a length such as 86mm, 8.6cm or 960px")
    return Length(float(match[1]), (match[2] or "px").lower())


def page_of(width: Length, height: Length) -> FigureSize:
    """Return the page of this size: in px if both lengths are in px, otherwise on paper."""
    if width.unit == height.unit == "px":
        return FigureSize(round(width.value), round(height.value))
    return FigureSize.on_paper(width.millimetres, height.millimetres)


@dataclass(frozen=True)
class Preset:
    """A size of figures that is often needed.

    Attributes
    ----------
    title : str
        Name shown to people.
    width, height : Length
    type_size : float or None
        Size of type, pt; None if type is in proportion to the size.
    """

    title: str
    width: Length
    height: Length
    type_size: float | None = None

    @property
    def page(self) -> FigureSize:
        """The page of this size."""
        return page_of(self.width, self.height)


PRESETS = {
    "column": Preset("One column, 86 mm", Length(86, "mm"), Length(64.5, "mm"), 8.0),
    "columns": Preset("Two columns, 178 mm", Length(178, "mm"), Length(100, "mm"), 8.0),
    "slide": Preset("Slide 16:9", Length(1920, "px"), Length(1080, "px"), 20.0),
    "slide-4-3": Preset("Slide 4:3", Length(1440, "px"), Length(1080, "px"), 20.0),
    "square": Preset("Square", Length(1080, "px"), Length(1080, "px")),
}
