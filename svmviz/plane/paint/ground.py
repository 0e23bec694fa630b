"""The ground of a picture: the empty plane, the axes, and the marks and names of the legend.

The ground rarely changes. It is mostly text, which takes as long to paint as 2,000 points. So when
the same ground is painted the second time, it is stored as a picture, and later frames paint that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from svmviz.plane.paint import axes as paint_axes
from svmviz.plane.paint import legend as paint_legend
from svmviz.plane.paint.canvas import Canvas

# Maximum number of grounds in the store: one per plane of a race, and that of its legend.
MAX_STORED = 5


def draw_ground(
    painter: QPainter, canvas: Canvas, legend: tuple[paint_legend.PlacedEntry, ...]
) -> None:
    """Fill the picture, and draw axes and legend, except the counts of the legend."""
    camera, style = canvas.camera, canvas.style
    names = paint_legend.without_counts(legend)

    def draw(painter: QPainter) -> None:
        whole = QRectF(0.0, 0.0, camera.width, camera.height)
        if style.ground:
            painter.fillRect(whole, QColor(style.theme.plane))
        if style.axes:
            paint_axes.draw_axes(painter, canvas)
        paint_legend.draw_names(painter, names, style)

    if style.vector or style.ratio % 1.0:
        draw(painter)
    else:
        key = (
            camera,
            style.theme,
            style.scale,
            style.ratio,
            style.size,
            style.outline,
            style.options.shading,
            canvas.data.axis_names,
            names,
        )
        _stored.draw(painter, key, (camera.width, camera.height), style.ratio, draw)


class PictureCache:
    """Stored pictures of grounds.

    A ground is stored when it is drawn the second time. During a pan nothing is stored, because
    each ground is drawn only once.

    Parameters
    ----------
    limit : int
        Maximum number of grounds, including those drawn only once. If there are more, the least
        recently used one is dropped.
    transparent : bool
        Whether the picture is painted on others, and not on nothing.
    """

    def __init__(self, limit: int, *, transparent: bool = False) -> None:
        self._limit, self._transparent = limit, transparent
        self._pictures: OrderedDict[Hashable, QPixmap | None] = OrderedDict()

    def draw(
        self,
        painter: QPainter,
        key: Hashable,
        size: tuple[float, float],
        ratio: float,
        draw: Callable[[QPainter], None],
    ) -> None:
        """Draw the ground with this key, by calling ``draw`` or from a picture of ``size`` px."""
        if key not in self._pictures:
            self._pictures[key] = None
            if len(self._pictures) > self._limit:
                self._pictures.popitem(last=False)
            draw(painter)
            return
        self._pictures.move_to_end(key)
        picture = self._pictures[key]
        if picture is None:
            picture = self._pictures[key] = _make_picture(size, ratio, draw, self._transparent)
        painter.drawPixmap(0, 0, picture)


def _make_picture(
    size: tuple[float, float], ratio: float, draw: Callable[[QPainter], None], transparent: bool
) -> QPixmap:
    picture = QPixmap(*(round(side * ratio) for side in size))
    if transparent:
        picture.fill(Qt.GlobalColor.transparent)
    picture.setDevicePixelRatio(ratio)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        draw(painter)
    return picture


_stored = PictureCache(MAX_STORED)
