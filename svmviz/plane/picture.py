"""A picture that is yet to be painted: everything it depends on, frozen.

It can be painted in any thread: nothing of it is a widget or a pixmap.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from svmviz.camera.camera import Camera, span_ratio
from svmviz.document.view_options import ViewOptions
from svmviz.frames.field import make_field
from svmviz.frames.frame import Frame
from svmviz.frames.viewport import Window
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.axes import arrange
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import draw_title, titles_of
from svmviz.plane.race_tiles import Tile, tiles
from svmviz.theme import LIGHT, Theme

# Nodes of the field along the longer side: pictures are looked at for longer than frames.
NODES = 512


@dataclass(frozen=True)
class Picture:
    """What is on a picture.

    Attributes
    ----------
    frame : Frame
    size : (int, int)
        Width and height of the result, in px.
    theme : Theme
    options : ViewOptions
    scale : float
        Factor on lines, marks and type: a picture of twice the size at twice the scale is the
        same picture, sharper.
    camera : Camera, optional
        What is looked at; by default all points.
    """

    frame: Frame
    size: tuple[int, int]
    theme: Theme = LIGHT
    options: ViewOptions = field(default_factory=ViewOptions)
    scale: float = 1.0
    camera: Camera | None = None

    def __post_init__(self) -> None:
        if min(self.size) < 1:
            raise ValueError(f"a picture needs a size of at least 1x1 px, got {self.size}")

    def image(self) -> QImage:
        """Paint it; needs a ``QGuiApplication``, but no display."""
        width, height = self.size
        image = QImage(width, height, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            self.paint(painter)
        return image

    def paint(self, painter: QPainter) -> None:
        """Paint it on any device that is ``size`` px large: the planes of a race with titles."""
        # Planes and titles leave nothing of this but lines between them.
        painter.fillRect(QRectF(0.0, 0.0, *self.size), QColor(self.theme.line))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        titles = titles_of(self.frame)
        style = Style(theme=self.theme, scale=self.scale, options=self.options, exact=True)
        for tile in tiles(len(titles), *self.size, self.scale):
            if tile.title is not None:
                draw_title(painter, titles[tile.lane], QRectF(*tile.title), style)
            self._paint_plane(painter, tile, style)

    def _paint_plane(self, painter: QPainter, tile: Tile, style: Style) -> None:
        frame = self.frame if tile.title is None else self.frame.seen_by(tile.lane)
        lane = frame.lane
        left, top, width, height = tile.plane
        camera = self._camera(width, height)
        painter.save()
        painter.translate(left, top)
        shown = replace(style, in_play=lane is not None and not lane.at_end)
        draw_plane(painter, refine(frame, camera), camera, shown)
        painter.restore()

    def _camera(self, width: int, height: int) -> Camera:
        document = self.frame.document
        aspect = self.options.aspect_for(document.task)
        camera = self.camera or Camera().fitted(document.data.points, aspect)
        return arrange(camera, width, height, self.scale)


def refine(frame: Frame, camera: Camera) -> Frame:
    """The same frame with a finer field, over exactly what a camera shows."""
    if frame.lane is None:
        return frame
    ratio = span_ratio(camera)
    columns, rows = max(16, round(NODES * min(1.0, ratio))), max(16, round(NODES / max(1.0, ratio)))
    window = Window(*camera.view, columns, rows)
    lane = frame.lane
    found = make_field(lane.problem, lane.expansion, frame.document.factors, window)
    shown = replace(lane, field=found)
    return replace(frame, lanes=tuple(shown if one is lane else one for one in frame.lanes))
