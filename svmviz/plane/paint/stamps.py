"""Points drawn from stored pictures: any number of them in one call.

2,000 points take 0.4 ms. One call for each would take 1.7 ms, and 10 ms while another thread
wants the interpreter lock, because each call lets it go.
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
from svmviz.plane.paint.point_shapes import (
    draw_halo,
    draw_hollow_mark,
    draw_mark,
    draw_rings,
    halo_radius,
    reach_of,
)
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS, Theme

# Sizes of halos that are told apart.
HALO_LEVELS = 32
LABELS = (-1, 1)
KINDS = (FREE, BOUND)


@dataclass(frozen=True)
class Atlas:
    """Pictures in a row, each as wide as high.

    Attributes
    ----------
    pixmap : QPixmap
        Its own px are px of the device.
    side : int
        Side of each picture, in px of the device.
    ratio : float
        Px of the device in one px.
    """

    pixmap: QPixmap
    side: int
    ratio: float


def mark_atlas(style: Style, share: float) -> Atlas:
    """Points of the two classes, in the order of LABELS, and the same hollow."""
    return _mark_atlas(style.theme, style.scale, style.ratio, share)


def ring_atlas(style: Style, share: float) -> Atlas:
    """Rings of the kinds of support vectors, in the order of KINDS."""
    return _ring_atlas(style.theme, style.scale, style.ratio, share)


def halo_atlas(style: Style, share: float) -> Atlas:
    """Halos of 1 to HALO_LEVELS, of class -1 and then of class +1."""
    return _halo_atlas(style.theme, style.scale, style.ratio, share)


def stamp(painter: QPainter, atlas: Atlas, places: np.ndarray, numbers: np.ndarray) -> None:
    """Put pictures of an atlas with their centres at pixels.

    Parameters
    ----------
    painter : QPainter
    atlas : Atlas
    places : array, shape (m, 2)
    numbers : int array, shape (m,)
        Which picture; the first is 0.
    """
    if not len(places):
        return
    # The fields of QPainter::PixmapFragment: x, y, source left, top, width, height, scale x, y,
    # rotation, opacity.
    fragments = np.zeros((len(places), 10))
    fragments[:, 0:2] = places
    fragments[:, 2] = atlas.side * numbers
    fragments[:, 4:6] = atlas.side
    fragments[:, 6:8] = 1.0 / atlas.ratio
    fragments[:, 9] = 1.0
    # WORKAROUND: PySide6 has the C++ signature (a pointer to the first, and a count), but takes no
    # list; so it is handed the first of an array that numpy laid out. pyqtgraph does the same.
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), atlas.pixmap)


# Few are kept: ``share`` is another with every point that is added to a crowd.
@lru_cache(maxsize=8)
def _mark_atlas(theme: Theme, scale: float, ratio: float, share: float) -> Atlas:
    style = Style(theme, scale)
    return _make(
        (1.2 * MARKS.point_radius * share + 2.0) * scale,
        ratio,
        [
            lambda painter, draw=draw, label=label: draw(painter, 0.0, 0.0, label, share, style)
            for draw in (draw_mark, draw_hollow_mark)
            for label in LABELS
        ],
    )


@lru_cache(maxsize=8)
def _ring_atlas(theme: Theme, scale: float, ratio: float, share: float) -> Atlas:
    style = Style(theme, scale)
    return _make(
        (reach_of(BOUND, share) + 2.0) * scale,
        ratio,
        [
            lambda painter, kind=kind: draw_rings(painter, 0.0, 0.0, kind, share, style)
            for kind in KINDS
        ],
    )


@lru_cache(maxsize=8)
def _halo_atlas(theme: Theme, scale: float, ratio: float, share: float) -> Atlas:
    style = Style(theme, scale)
    radii = [halo_radius((level + 1) / HALO_LEVELS, share) for level in range(HALO_LEVELS)]
    return _make(
        (radii[-1] + 1.0) * scale,
        ratio,
        [
            lambda painter, label=label, radius=radius: draw_halo(
                painter, 0.0, 0.0, label, radius, style
            )
            for label in LABELS
            for radius in radii
        ],
    )


def _make(reach: float, ratio: float, drawings: list[Callable[[QPainter], None]]) -> Atlas:
    """Draw each picture around its own origin; ``reach`` is how far it goes, in px."""
    # Odd, so that the middle of a picture is the middle of a pixel and stays sharp.
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
