"""A frozen picture of the plane, which contains everything that is needed to paint it later.

It can be painted in any thread, since it contains no widget and no pixmap.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from svmviz.camera.camera import Camera, span_ratio
from svmviz.document.view_options import ViewOptions
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Frame
from svmviz.frames.viewport import Grid
from svmviz.plane.draw import draw_plane, without_margin
from svmviz.plane.paint.axes import have_room
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ground import draw_ground
from svmviz.plane.paint.legend import lay_out, strip_height, strip_of, with_legend
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title, titles_of, worded_alike
from svmviz.plane.race_tiles import Tile, shape_of, tiles
from svmviz.theme import LIGHT, Theme

# Number of nodes of the field along the longer side: more than in a frame on screen.
NODES = 512


@dataclass(frozen=True)
class Picture:
    """Contents and size of a picture.

    Attributes
    ----------
    frame : Frame
    size : (int, int)
        Width and height of the result, in px.
    theme : Theme
    options : ViewOptions
    scale : float
        Factor on lines, marks and text. With twice the size and twice the scale, the picture looks
        the same but is sharper.
    camera : Camera, optional
        Only the section that it shows is used, not its size. By default, all points are shown.
    axes : bool
        Whether the axes have numbers and names.
    transparent : bool
        Whether the background around and under the plots is not painted.
    bands : bool
        Whether the field is drawn as filled regions of equal colour, and not as an image.
    glides : bool
        Whether a lane that glides (``Lane.glide``) is shown between two steps, and not at its step.
    """

    frame: Frame
    size: tuple[int, int]
    theme: Theme = LIGHT
    options: ViewOptions = field(default_factory=ViewOptions)
    scale: float = 1.0
    camera: Camera | None = None
    axes: bool = True
    transparent: bool = False
    bands: bool = False
    glides: bool = False

    def __post_init__(self) -> None:
        if min(self.size) < 1:
            raise ValueError(f"a picture needs a size of at least 1x1 px, got {self.size}")

    def image(self) -> QImage:
        """Return the painted image. This needs a ``QGuiApplication``, but no display."""
        width, height = self.size
        image = QImage(width, height, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            self.paint(painter)
        return image

    def paint(self, painter: QPainter) -> None:
        """Paint the plane, or the planes of a race with titles, on a device of ``size`` px."""
        if not self.transparent:
            # This colour remains visible only where no plane is: in the gaps between planes, and at
            # the right and the bottom, where some px may be left over.
            painter.fillRect(QRectF(0.0, 0.0, *self.size), QColor(self.theme.line))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        titles = self.titles()
        strip = self.strip()
        if strip is not None:
            draw_ground(painter, strip, lay_out(strip))
        for tile in self.tiles():
            if tile.title is not None:
                draw_title(painter, titles[tile.lane], QRectF(*tile.title), self.style)
            painter.save()
            painter.translate(*tile.plane[:2])
            draw_plane(painter, self.canvas(tile))
            painter.restore()

    def titles(self) -> list[Title]:
        """Return the titles of the lanes; without a race, an empty list."""
        widths = [tile.title[2] for tile in self.tiles() if tile.title is not None]
        return worded_alike(titles_of(self.frame), min(widths), self.style) if widths else []

    @property
    def style(self) -> Style:
        """The style of all planes: colours, sizes and options."""
        return Style(
            theme=self.theme,
            scale=self.scale,
            options=self.options,
            vector=True,
            axes=self.axes and have_room(*self.tiles()[0].plane[2:], self.scale),
            ground=not self.transparent,
            bands=self.bands,
        )

    def tiles(self) -> tuple[Tile, ...]:
        """Return one tile per lane: the rectangles of its plane and of its title."""
        document = self.frame.document
        shape = shape_of(document, self.options)
        return tiles(len(document.methods), *self.size, self.scale, shape, self._strip_height)

    @property
    def _strip_height(self) -> int:
        style = Style(scale=self.scale, options=self.options, vector=True)
        return strip_height(self.frame.document, self.size[0], style)

    def strip(self) -> Canvas | None:
        """Return the strip with the legend of a race, which is above all planes; None without."""
        if not self._strip_height:
            return None
        camera = self._camera(*self.tiles()[0].plane[2:])
        canvas = without_margin(Canvas(self.frame, camera, self.style))
        return strip_of(canvas, self.size[0], self._strip_height)

    def canvas(self, tile: Tile) -> Canvas:
        """Return what one plane shows."""
        frame = self.frame.focused_on(tile.lane) if self.frame.lanes else self.frame
        lane = frame.lane
        camera = self._camera(*tile.plane[2:])
        style = replace(self.style, marks_step=lane is not None and not lane.at_end)
        return Canvas(refine(frame, camera, glides=self.glides), camera, style)

    def _camera(self, width: int, height: int) -> Camera:
        document = self.frame.document
        aspect = self.options.aspect_for(document.task)
        camera = self.camera or Camera().fitted(document.visible_points, aspect)
        return with_legend(document, camera, width, height, self.style)


def refine(frame: Frame, camera: Camera, *, glides: bool = False) -> Frame:
    """Return the frame with a finer field over exactly the section that a camera shows.

    If ``glides`` is true and the lane in focus glides, the finer field is that of the glide, which
    mixes two steps. Otherwise it is the field of the lane's step.
    """
    if frame.lane is None:
        return frame
    ratio = span_ratio(camera)
    columns, rows = max(16, round(NODES * min(1.0, ratio))), max(16, round(NODES / max(1.0, ratio)))
    pixels = max(camera.plot_width, camera.plot_height)
    grid = Grid(*camera.view, columns, rows, pixels=pixels)
    lane = frame.lane
    glide = lane.glide if glides else None
    expansion = lane.expansion if glide is None else glide.expansion
    # In a glide f at the points is not known.
    decision = lane.certificate.decision if glide is None else None
    fine_field = make_field(lane.problem, expansion, frame.document.factors, grid, None, decision)
    fine_lane = replace(lane, field=fine_field, glide=glide and replace(glide, field=fine_field))
    return replace(frame, lanes=tuple(fine_lane if each is lane else each for each in frame.lanes))
