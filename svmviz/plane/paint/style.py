"""How the plane is drawn: everything about a picture that is not in its frame or its camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen

from solvers.problem.expansion import freeze
from svmviz.document.view_options import ViewOptions
from svmviz.theme import CAPTION, LIGHT, MARKS, Theme
from svmviz.theme.contrast import mix
from svmviz.theme.look import font_of

# Up to so many points keep their full size; more of them shrink, slowly, down to a share.
ROOMY, SMALLEST = 250, 0.5


@dataclass(frozen=True)
class Style:
    """Colours, sizes and what is marked.

    Attributes
    ----------
    theme : Theme
    scale : float
        Factor on every length, width and letter: projector scale in the window, picture scale
        in an export.
    options : ViewOptions
    hovered : int or None
        Index of the point under the mouse.
    selected : frozenset of int
        Indices of selected points.
    in_play : bool
        Whether the points that the step touched are marked, if the options allow it.
    ratio : float
        Device px in one px; stored pictures of points are made as sharp as this.
    exact : bool
        Draw every point as a shape of its own and none from stored pictures: for vector formats
        and for large pictures.
    """

    theme: Theme = LIGHT
    scale: float = 1.0
    options: ViewOptions = field(default_factory=ViewOptions)
    hovered: int | None = None
    selected: frozenset[int] = frozenset()
    in_play: bool = True
    ratio: float = 1.0
    exact: bool = False

    def font(self, size: float = CAPTION, weight: int = 400) -> QFont:
        """Font with figures of one width; ``size`` in px at scale 1."""
        return font_of(max(1, round(size * self.scale)), weight)

    def pen(self, colour: str | QColor, width: float) -> QPen:
        """Solid pen with round ends, ``width`` in px at scale 1; never cosmetic."""
        name = colour if isinstance(colour, str) else colour.name(QColor.NameFormat.HexArgb)
        # A copy, which whoever asked may change.
        return QPen(_round_pen(name, width * self.scale))


# Kept, because making one takes ten times as long as copying it. Never changed.
@lru_cache(maxsize=64)
def _round_pen(colour: str, width: float) -> QPen:
    pen = QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def point_share(n: int) -> float:
    """Factor on the marks of n points, from 1 down to ``SMALLEST``: many points need room."""
    return 1.0 if n <= ROOMY else max(SMALLEST, (ROOMY / n) ** 0.35)


def point_radius(n: int) -> float:
    """Radius of each of n points, in px at scale 1."""
    return MARKS.point_radius * point_share(n)


def faded(colour: str, opacity: float) -> QColor:
    """A colour with an opacity from 0 to 1."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made


@lru_cache(maxsize=8)
def shades(theme: Theme) -> np.ndarray:
    """Colours for ``Field.shades``, from f = -infinity to +infinity: 0xffrrggbb, shape (256,).

    Pale at 0, full at the ends, rising quickly: most of it is there at ``|f| = 1``.
    """
    colours = []
    for level in range(256):
        value = (level - 127.5) / 127.5
        end = theme.positive_field if value > 0 else theme.negative_field
        colours.append(QColor(mix(theme.plane, end, abs(value) ** 0.4)).rgba())
    return freeze(np.array(colours, dtype=np.uint32))
