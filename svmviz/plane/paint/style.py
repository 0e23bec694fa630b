"""Style of the plane: all properties of a picture that its frame and its camera do not have."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen

from solvers.data.datasets import PointSet
from solvers.selection.probability import Sigmoid
from svmviz.base.notation import in_letters
from svmviz.camera.camera import Camera
from svmviz.document.view_options import ViewOptions
from svmviz.plane.paint.crowd import size_of
from svmviz.theme import LABEL, LIGHT, REGULAR, Theme
from svmviz.theme.look import font_of
from svmviz.theme.metrics import Metrics

# Minimum size of marks in a presentation, as a fraction of their full size: 13 px across at
# 1280 x 720. And the factor on marks with the option of larger points.
LEAST_IN_HALL, LARGER = 0.62, 1.4


@dataclass(frozen=True)
class Style:
    """Colours, sizes, and which points are marked.

    Attributes
    ----------
    theme : Theme
    scale : float
        Factor on all lengths, widths and letters: marks, strokes and type grow together. In the
        window it is the text size that the user has chosen, in an export the scale of the picture.
    in_hall : bool
        Whether the picture is that of a presentation, in which no mark is small.
    options : ViewOptions
    hovered : int or None
        Index of the point under the mouse.
    partner : int or None
        Index of a second point, if a view highlights a pair.
    named : tuple of int
        Indices of the points that a text beside the plane speaks of.
    selected : frozenset of int
        Indices of selected points.
    held_selected : frozenset of int
        Indices of selected held-out points: those of validation, then those of test.
    marks_step : bool
        Whether the points of the step are marked, if the options allow it.
    ratio : float
        Px of the device per px. Stored pictures of points have this resolution.
    vector : bool
        Whether to draw each point as a shape, and not from a stored picture. This is for vector
        formats and large pictures.
    on_screen : bool
        Whether the picture is in the window, not in a file, in which letters can be searched for.
    axes : bool
        Whether ticks and names are drawn around the plot.
    ground : bool
        Whether the picture is first filled with the colour of the empty plane.
    bands : bool
        Whether the field is drawn as filled regions of equal colour, and not as an image.
    units : (float, float)
        Factors from coordinates to the numbers on both axes.
    size : float
        Size of marks, from 0 to 1; it is less than 1 if points are crowded. See ``roles.py``.
    outline : str
        Colour of the outlines of support vectors; by default, ``theme.ring``. In a race it is the
        colour of the lane.
    sigmoid : Sigmoid or None
        The probability of the class +1 by f, if the plane is shaded by it.
    """

    theme: Theme = LIGHT
    scale: float = 1.0
    in_hall: bool = False
    options: ViewOptions = field(default_factory=ViewOptions)
    hovered: int | None = None
    partner: int | None = None
    named: tuple[int, ...] = ()
    selected: frozenset[int] = frozenset()
    held_selected: frozenset[int] = frozenset()
    marks_step: bool = True
    ratio: float = 1.0
    vector: bool = False
    on_screen: bool = False
    axes: bool = True
    ground: bool = True
    bands: bool = False
    units: tuple[float, float] = (1.0, 1.0)
    size: float = 1.0
    outline: str = ""
    sigmoid: Sigmoid | None = None

    @property
    def of_marks(self) -> Style:
        """The style with no more than marks depend on, by which their pictures are stored."""
        return Style(self.theme, self.scale, ratio=self.ratio, size=self.size, outline=self.outline)

    @property
    def hairline(self) -> int:
        """The width of the lines of the axes, in px."""
        return max(1, round(self.scale))

    @property
    def label(self) -> float:
        """Size of labels that are not figures at axes, px at scale 1."""
        return Metrics(in_hall=self.in_hall).label

    def size_for(self, data: PointSet, camera: Camera) -> float:
        """Return the size of marks of points, as a fraction of their full size."""
        least = LEAST_IN_HALL if self.in_hall else 0.0
        size = max(least, size_of(data, camera, self.scale))
        return size * (LARGER if self.options.larger_points else 1.0)

    def font(self, size: float = LABEL, weight: int = REGULAR) -> QFont:
        """Return a font of ``size`` px at scale 1. On screen all its digits have the same width."""
        return font_of(max(1, round(size * self.scale)), weight, self.vector)

    def letters(self, text: str) -> str:
        """Return a text with the letters of formulas as typeset ones, except in a file."""
        return in_letters(text) if self.on_screen else text

    def pen(self, colour: str | QColor, width: float) -> QPen:
        """Return a solid pen with round ends, not cosmetic; ``width`` is in px at scale 1."""
        name = colour if isinstance(colour, str) else colour.name(QColor.NameFormat.HexArgb)
        # Return a copy, which the caller may change.
        return QPen(_round_pen(name, width * self.scale))


# Pens are cached, since making one takes ten times as long as copying it. Do not change the result.
@lru_cache(maxsize=64)
def _round_pen(colour: str, width: float) -> QPen:
    pen = QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def faded(colour: str, opacity: float) -> QColor:
    """Return a colour with an opacity from 0 to 1."""
    result = QColor(colour)
    result.setAlphaF(opacity)
    return result
