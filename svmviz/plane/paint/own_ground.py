"""The ground of points that the grid of f misses: each gets a disc in the colour of its f.

Around such a point f changes its sign within less than a cell of the grid, which is a px at rest.
So the island around it would be invisible, or visible only where the grid happens to meet it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from svmviz.base.words import count
from svmviz.frames.frame import Field, Lane
from svmviz.plane.paint.atlases import Atlas, Drawing
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import shade_of, shades
from svmviz.plane.paint.names import write_note
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import LABEL

# Radius of the disc beyond the mark, and width of the line around it, px at scale 1.
BEYOND, LINE = 3.5, 1.0


def draw_own_ground(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw the lines around all discs, and then the discs, so that discs that meet are one."""
    style, field = canvas.style, lane.shown_field
    if not len(field.missed):
        return
    pixels = canvas.camera.to_pixels(canvas.data.points[field.missed])
    is_positive = lane.certificate.decision[field.missed] >= 0.0
    atlas = _atlas(style.of_marks, style.options.shading)
    for numbers in (0 * is_positive, 1 + is_positive):
        atlas.draw(painter, style, pixels, numbers)


@lru_cache(maxsize=8)
def _atlas(style: Style, shading: str) -> Atlas:
    """Return the disc of the line, and those of class -1 and +1."""
    reach = ROLES[FREE].reach(style.size) + BEYOND
    by_class = shades(style.theme, shading)[shade_of(np.array([-1.0, 1.0]))].tolist()

    def drawing(colour: QColor, radius: float) -> Drawing:
        def draw(painter: QPainter, x: float, y: float, _factor: float) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)

        return draw

    line = drawing(QColor(style.theme.boundary), reach + LINE)
    discs = [drawing(QColor.fromRgba(colour), reach) for colour in by_class]
    return Atlas(style, reach + LINE + 1.0, [line, *discs])


def sentence_on(field: Field) -> str:
    """Return what the picture cannot show; empty if it shows everything."""
    missed = len(field.missed)
    if not missed:
        return ""
    noun = "point" if missed == 1 else "points"
    return f"The boundary round {count(missed)} {noun} is finer than this picture."


def write_sentence(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Write the sentence in the lower left corner of the plot."""
    style, words = canvas.style, sentence_on(field)
    if words:
        write_note(painter, canvas, words, style.font(LABEL), style.theme.muted, 6.0, below=True)
