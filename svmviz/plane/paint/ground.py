"""What seldom changes: the bare plane, the axes, marks and names of the legend.

Text is most of it, and texts take as long to paint as two thousand points. So what is painted
twice alike is stored as a picture, and from then on a frame begins with that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

from solvers.data.datasets import PointSet
from svmviz.camera.camera import Camera
from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import legend as paint_legend
from svmviz.plane.paint.style import Style

# Pictures that are kept: as many as a race has planes.
MOST = 4


def draw_ground(
    painter: QPainter,
    data: PointSet,
    legend: tuple[paint_legend.Placed, ...],
    camera: Camera,
    style: Style,
) -> None:
    """Fill the picture, and draw what stands around the plot but for the numbers of the legend."""
    named = paint_legend.without_counts(legend)

    def draw(painter: QPainter) -> None:
        whole = QRectF(0.0, 0.0, camera.width, camera.height)
        painter.fillRect(whole, QColor(style.theme.plane))
        paint_axes.draw_axes(painter, data, camera, style)
        paint_legend.draw_names(painter, named, camera, style)

    if style.exact or style.ratio % 1.0:
        draw(painter)
    else:
        key = (camera, style.theme, style.scale, style.ratio, data.axis_names, named)
        _stored.draw(painter, key, (camera.width, camera.height), style.ratio, draw)


class Stored:
    """Pictures of what was drawn before.

    Only the second time makes a picture: while one pans, each is seen but once.

    Parameters
    ----------
    most : int
        How many are kept; the one that was not used for longest goes first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._pictures: OrderedDict[Hashable, QPixmap | None] = OrderedDict()

    def draw(
        self,
        painter: QPainter,
        key: Hashable,
        size: tuple[float, float],
        ratio: float,
        draw: Callable[[QPainter], None],
    ) -> None:
        """Draw what ``key`` tells apart, and which fills all of ``size`` px."""
        if key not in self._pictures:
            self._pictures[key] = None
            if len(self._pictures) > self._most:
                self._pictures.popitem(last=False)
            draw(painter)
            return
        self._pictures.move_to_end(key)
        picture = self._pictures[key]
        if picture is None:
            picture = self._pictures[key] = _painted(size, ratio, draw)
        painter.drawPixmap(0, 0, picture)


def _painted(size: tuple[float, float], ratio: float, draw: Callable[[QPainter], None]) -> QPixmap:
    picture = QPixmap(*(round(side * ratio) for side in size))
    picture.setDevicePixelRatio(ratio)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        draw(painter)
    return picture


_stored = Stored(MOST)
