"""Points drawn from stored pictures, many in one call, or one by one in a vector format.

Drawing 2,000 points in one call takes 0.4 ms. With one call per point it would take 1.7 ms, and
even 10 ms while another thread waits for the interpreter lock, since each call releases the lock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from svmviz.plane.paint.point_shapes import FRAME, SELECTED, draw_cross, draw_halo, draw_mark
from svmviz.plane.paint.roles import CROSS, FREE, FULL_HALO, HALO_OPACITY, ROLES
from svmviz.plane.paint.style import Style

# Draws a picture around x and y, px, with a factor on its size.
Drawing = Callable[[QPainter, float, float, float], None]


class Atlas:
    """Square pictures of the same size in a row, which is painted when it is first needed.

    Parameters
    ----------
    style : Style
        The style without what no picture depends on: ``Style.of_marks``.
    reach : float
        Half the side of a picture, px at scale 1.
    drawings : iterable of Drawing
    """

    def __init__(self, style: Style, reach: float, drawings: Iterable[Drawing]) -> None:
        self._drawings, self._ratio = list(drawings), style.ratio
        # The side is odd, so that the centre of a picture is the centre of a pixel, which makes
        # marks sharp.
        self._side = 2 * math.ceil(reach * style.scale * style.ratio) + 1

    @cached_property
    def _pixmap(self) -> QPixmap:
        side = self._side
        pixmap = QPixmap(side * len(self._drawings), side)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, draw in enumerate(self._drawings):
                painter.resetTransform()
                painter.translate((number + 0.5) * side, 0.5 * side)
                painter.scale(self._ratio, self._ratio)
                draw(painter, 0.0, 0.0, 1.0)
        return pixmap

    def draw(
        self,
        painter: QPainter,
        style: Style,
        centres: np.ndarray,
        numbers: np.ndarray,
        factors: np.ndarray | float = 1.0,
    ) -> None:
        """Draw pictures with their centres at pixels.

        Parameters
        ----------
        painter : QPainter
        style : Style
        centres : array, shape (m, 2)
        numbers : int array, shape (m,)
            Numbers of the pictures; the first is 0.
        factors : array, shape (m,), or float
            Factors on the sizes of the pictures.
        """
        if not len(centres):
            return
        if style.vector:
            columns = centres.tolist(), numbers.tolist(), np.full(len(centres), factors).tolist()
            for (x, y), number, factor in zip(*columns, strict=True):
                self._drawings[number](painter, x, y, factor)
            return
        # The fields of QPainter::PixmapFragment: x, y, source left, top, width, height, scale x, y,
        # rotation, opacity.
        fragments = np.zeros((len(centres), 10))
        fragments[:, 0:2] = centres
        fragments[:, 2] = self._side * numbers
        fragments[:, 4:6] = self._side
        fragments[:, 6:8] = np.reshape(factors, (-1, 1)) / self._ratio
        fragments[:, 9] = 1.0
        # WORKAROUND: PySide6 has the C++ signature (a pointer to the first fragment, and their
        # count) and accepts no list, so it gets the first row of a numpy array. pyqtgraph does the
        # same.
        first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
        painter.drawPixmapFragments(first, len(fragments), self._pixmap)


# The caches are small, since the size of crowded points changes at each zoom.
@lru_cache(maxsize=8)
def mark_atlas(style: Style, kinds: tuple[int, ...]) -> Atlas:
    """Return the marks of all roles and of some kinds, and then those of selected points."""

    def drawing(label: int, role: int, is_selected: bool) -> Drawing:
        return lambda painter, x, y, _factor: draw_mark(
            painter, x, y, label, style, role, is_selected=is_selected
        )

    reach = max(mark.radius(style.size) for mark in ROLES.values()) + SELECTED + FRAME
    pictures = product((False, True), ROLES, kinds)
    return Atlas(style, reach + 1.0, [drawing(label, role, is_s) for is_s, role, label in pictures])


def mark_numbers(
    roles: np.ndarray, marks: np.ndarray, kinds: tuple[int, ...], *, are_selected: bool = False
) -> np.ndarray:
    """Return the numbers of marks in :func:`mark_atlas`, shape (m,)."""
    numbers = len(kinds) * roles.astype(int) + np.searchsorted(kinds, marks)
    return numbers + len(kinds) * len(ROLES) if are_selected else numbers


@lru_cache(maxsize=8)
def cross_atlas(style: Style) -> Atlas:
    """Return the cross of an error."""
    radius = ROLES[FREE].radius(style.size)
    reach = CROSS.reach * radius + CROSS.backing
    return Atlas(style, reach, [lambda p, x, y, _factor: draw_cross(p, x, y, radius, style)])


@lru_cache(maxsize=8)
def halo_atlas(style: Style, kinds: tuple[int, ...]) -> Atlas:
    """Return the largest halo of each kind of mark."""

    def drawing(label: int) -> Drawing:
        return lambda painter, x, y, factor: draw_halo(
            painter, x, y, label, factor * FULL_HALO, HALO_OPACITY, style
        )

    return Atlas(style, FULL_HALO + 1.0, map(drawing, kinds))
