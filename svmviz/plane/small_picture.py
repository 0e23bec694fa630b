"""Small pictures of the plane, for lists."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QColor, QImage, QPainter, QPen

from svmviz.camera.camera import Camera, Margins
from svmviz.colours.themes import Theme
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import refine

# Size of a picture, px: three times that in a list, for screens of high density.
SIZE = (240, 216)
# Factor on marks and lines, so that they are visible in the small picture.
SCALE = 2.0


def paint(frame: Frame, options: ViewOptions, theme: Theme) -> QImage:
    """Return a picture of all points, in a race with the lane in focus; works in any thread."""
    document, (width, height) = frame.document, SIZE
    camera = Camera(width=width, height=height, margins=Margins(0.0, 0.0, 0.0, 0.0)).fitted(
        document.visible_points, options.aspect_for(document.task)
    )
    details = "legend", "grid", "numbers", "alpha_numbers", "touched"
    plain = replace(options, **dict.fromkeys(details, False), hulls="never", pen=True)
    style = Style(theme=theme, scale=SCALE, options=plain, vector=True, axes=False)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_plane(painter, Canvas(refine(frame, camera), camera, style))
        painter.setPen(QPen(QColor(theme.line_strong), 2 * SCALE))
        painter.drawRect(image.rect())
    return image
