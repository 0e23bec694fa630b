"""Points drawn from stored pictures, any number of them in one call.

Drawing 2,000 points in one call takes 0.4 ms. With one call per point it would take 1.7 ms, and
even 10 ms while another thread waits for the interpreter lock, since each call releases the lock.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from solvers.problem.certificate import BOUND, FREE
from svmviz.plane.paint.ink import Ink
from svmviz.plane.paint.point_shapes import (
    SELECTED,
    draw_halo,
    draw_hollow_mark,
    draw_mark,
    draw_rings,
)
from svmviz.plane.paint.style import Style
from svmviz.theme import Theme

# Number of sizes of halos that are stored for each class.
HALO_LEVELS = 32
# Classes, and kinds of points with rings, in the order of the stored pictures.
LABELS = (-1, 1)
KINDS = (FREE, BOUND)


@dataclass(frozen=True)
class Atlas:
    """Square pictures of the same size in a row.

    Attributes
    ----------
    pixmap : QPixmap
        The row, in px of the device.
    side : int
        Side of each picture, in px of the device.
    ratio : float
        Px of the device per px.
    """

    pixmap: QPixmap
    side: int
    ratio: float


def mark_atlas(style: Style) -> Atlas:
    """Return the marks of the two classes, in the order of LABELS, filled and then hollow."""
    return _mark_atlas(style.theme, style.scale, style.ratio, style.ink.with_full_rings)


def ring_atlas(style: Style) -> Atlas:
    """Return the rings of KINDS around the mark of class -1, and then of class +1."""
    return _ring_atlas(style.theme, style.scale, style.ratio, style.ink)


def halo_atlas(style: Style) -> Atlas:
    """Return the halos of levels 1 to HALO_LEVELS, of class -1 and then of class +1."""
    return _halo_atlas(style.theme, style.scale, style.ratio, style.ink.with_full_rings)


def stamp(painter: QPainter, atlas: Atlas, centres: np.ndarray, numbers: np.ndarray) -> None:
    """Draw pictures of an atlas with their centres at pixels.

    Parameters
    ----------
    painter : QPainter
    atlas : Atlas
    centres : array, shape (m, 2)
    numbers : int array, shape (m,)
        Numbers of the pictures; the first is 0.
    """
    if not len(centres):
        return
    # The fields of QPainter::PixmapFragment: x, y, source left, top, width, height, scale x, y,
    # rotation, opacity.
    fragments = np.zeros((len(centres), 10))
    fragments[:, 0:2] = centres
    fragments[:, 2] = atlas.side * numbers
    fragments[:, 4:6] = atlas.side
    fragments[:, 6:8] = 1.0 / atlas.ratio
    fragments[:, 9] = 1.0
    # WORKAROUND: PySide6 has the C++ signature (a pointer to the first fragment, and their count)
    # and accepts no list, so it gets the first row of a numpy array. pyqtgraph does the same.
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), atlas.pixmap)


# The cache is small, since the ink of crowded points changes at each zoom.
@lru_cache(maxsize=8)
def _mark_atlas(theme: Theme, scale: float, ratio: float, ink: Ink) -> Atlas:
    style = Style(theme, scale, ink=ink, marks=ink.marks)
    return make_atlas(
        (SELECTED * ink.radius + 2.0) * scale,
        ratio,
        [
            lambda painter, draw=draw, label=label: draw(painter, 0.0, 0.0, label, style)
            for draw in (draw_mark, draw_hollow_mark)
            for label in LABELS
        ],
    )


@lru_cache(maxsize=8)
def _ring_atlas(theme: Theme, scale: float, ratio: float, ink: Ink) -> Atlas:
    style = Style(theme, scale, ink=ink, marks=ink.marks)
    return make_atlas(
        (ink.reach(BOUND) + 2.0) * scale,
        ratio,
        [
            lambda painter, label=label, kind=kind: draw_rings(
                painter, 0.0, 0.0, label, kind, style
            )
            for label in LABELS
            for kind in KINDS
        ],
    )


@lru_cache(maxsize=8)
def _halo_atlas(theme: Theme, scale: float, ratio: float, ink: Ink) -> Atlas:
    style = Style(theme, scale, ink=ink, marks=ink.marks)
    radii = [ink.halo((level + 1) / HALO_LEVELS) for level in range(HALO_LEVELS)]
    return make_atlas(
        (radii[-1] + 1.0) * scale,
        ratio,
        [
            lambda painter, label=label, radius=radius: draw_halo(
                painter, 0.0, 0.0, label, radius, ink.halo_opacity, style
            )
            for label in LABELS
            for radius in radii
        ],
    )


def make_atlas(reach: float, ratio: float, drawings: list[Callable[[QPainter], None]]) -> Atlas:
    """Return an atlas of drawings around their origins; ``reach`` is half their side, in px."""
    # The side is odd, so that the centre of a picture is the centre of a pixel, which makes marks
    # sharp.
    side = 2 * math.ceil(reach * ratio) + 1
    pixmap = QPixmap(side * len(drawings), side)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, draw in enumerate(drawings):
            painter.resetTransform()
            painter.translate((number + 0.5) * side, 0.5 * side)
            painter.scale(ratio, ratio)
            draw(painter)
    return Atlas(pixmap, side, ratio)
