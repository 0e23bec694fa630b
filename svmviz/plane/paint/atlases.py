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

from svmviz.plane.paint.canvas import LABELS
from svmviz.plane.paint.point_shapes import FRAME, SELECTED, draw_cross, draw_halo, draw_mark
from svmviz.plane.paint.roles import CROSS, FREE, FULL_HALO, HALO_OPACITY, ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import Theme


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


def mark_atlas(style: Style, kinds: tuple[int, ...] = LABELS) -> Atlas:
    """Return the marks of all roles and of some kinds, and then those of selected points."""
    return _mark_atlas(style.theme, style.scale, style.ratio, style.size, style.outline, kinds)


def mark_numbers(
    roles: np.ndarray,
    marks: np.ndarray,
    kinds: tuple[int, ...] = LABELS,
    *,
    are_selected: bool = False,
) -> np.ndarray:
    """Return the numbers of marks in :func:`mark_atlas`, shape (m,)."""
    numbers = len(kinds) * roles.astype(int) + np.searchsorted(kinds, marks)
    return numbers + len(kinds) * len(ROLES) if are_selected else numbers


def cross_atlas(style: Style) -> Atlas:
    """Return the cross of an error."""
    return _cross_atlas(style.theme, style.scale, style.ratio, style.size)


def halo_atlas(style: Style, kinds: tuple[int, ...]) -> Atlas:
    """Return the largest halo of each kind of mark."""
    return _halo_atlas(style.theme, style.scale, style.ratio, kinds)


def stamp(
    painter: QPainter,
    atlas: Atlas,
    centres: np.ndarray,
    numbers: np.ndarray,
    factors: np.ndarray | float = 1.0,
) -> None:
    """Draw pictures of an atlas with their centres at pixels.

    Parameters
    ----------
    painter : QPainter
    atlas : Atlas
    centres : array, shape (m, 2)
    numbers : int array, shape (m,)
        Numbers of the pictures; the first is 0.
    factors : array, shape (m,), or float
        Factors on the sizes of the pictures.
    """
    if not len(centres):
        return
    # The fields of QPainter::PixmapFragment: x, y, source left, top, width, height, scale x, y,
    # rotation, opacity.
    fragments = np.zeros((len(centres), 10))
    fragments[:, 0:2] = centres
    fragments[:, 2] = atlas.side * numbers
    fragments[:, 4:6] = atlas.side
    fragments[:, 6:8] = np.reshape(factors, (-1, 1)) / atlas.ratio
    fragments[:, 9] = 1.0
    # WORKAROUND: PySide6 has the C++ signature (a pointer to the first fragment, and their count)
    # and accepts no list, so it gets the first row of a numpy array. pyqtgraph does the same.
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), atlas.pixmap)


# The caches are small, since the size of crowded points changes at each zoom.
@lru_cache(maxsize=8)
def _mark_atlas(
    theme: Theme, scale: float, ratio: float, size: float, outline: str, kinds: tuple[int, ...]
) -> Atlas:
    style = Style(theme, scale, size=size, outline=outline)
    reach = max(mark.radius(size) for mark in ROLES.values()) + SELECTED + FRAME
    return make_atlas(
        (reach + 1.0) * scale,
        ratio,
        [
            lambda painter, label=label, role=role, is_selected=is_selected: draw_mark(
                painter, 0.0, 0.0, label, style, role, is_selected=is_selected
            )
            for is_selected in (False, True)
            for role in ROLES
            for label in kinds
        ],
    )


@lru_cache(maxsize=8)
def _cross_atlas(theme: Theme, scale: float, ratio: float, size: float) -> Atlas:
    style, radius = Style(theme, scale, size=size), ROLES[FREE].radius(size)
    reach = CROSS.reach * radius + CROSS.backing
    return make_atlas(
        reach * scale, ratio, [lambda painter: draw_cross(painter, 0.0, 0.0, radius, style)]
    )


@lru_cache(maxsize=8)
def _halo_atlas(theme: Theme, scale: float, ratio: float, kinds: tuple[int, ...]) -> Atlas:
    style = Style(theme, scale)
    return make_atlas(
        (FULL_HALO + 1.0) * scale,
        ratio,
        [
            lambda painter, label=label: draw_halo(
                painter, 0.0, 0.0, label, FULL_HALO, HALO_OPACITY, style
            )
            for label in kinds
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
