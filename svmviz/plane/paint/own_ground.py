"""The ground of points that the grid of f misses: each gets a disc in the colour of its f.

Around such a point f changes its sign within less than a cell of the grid, which is a px at rest.
So the island around it would be invisible, or visible only where the grid happens to meet it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from svmviz.base.words import count
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Field, Lane
from svmviz.plane.paint import atlases
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import shade_of, shades
from svmviz.plane.paint.roles import FREE, ROLES
from svmviz.plane.paint.style import Style, faded
from svmviz.theme import LABEL, Theme

# Radius of the disc beyond the mark, and width of the line around it, px at scale 1.
BEYOND, LINE = 3.5, 1.0
# Distance of the sentence from the edges of the plot, px at scale 1.
EDGE = 6.0


def draw_own_ground(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw the lines around all discs, and then the discs, so that discs that meet are one."""
    style, field = canvas.style, lane.shown_field
    if not len(field.missed):
        return
    pixels = canvas.camera.to_pixels(canvas.data.points[field.missed])
    is_positive = lane.certificate.decision[field.missed] >= 0.0
    if not style.vector:
        atlas = _atlas(style.theme, style.scale, style.ratio, style.size, style.options.shading)
        for pictures in (np.zeros(len(pixels)), 1 + is_positive):
            atlases.stamp(painter, atlas, pixels, pictures)
        return
    for is_line in (True, False):
        for (x, y), positive in zip(pixels.tolist(), is_positive.tolist(), strict=True):
            _draw_disc(painter, x, y, positive, is_line, style)


def _draw_disc(
    painter: QPainter, x: float, y: float, is_positive: bool, is_line: bool, style: Style
) -> None:
    table = shades(style.theme, style.options.shading)
    colour = QColor.fromRgba(int(table[shade_of(np.array([1.0 if is_positive else -1.0]))][0]))
    radius = ROLES[FREE].reach(style.size) + BEYOND + (LINE if is_line else 0.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.theme.boundary) if is_line else colour)
    painter.drawEllipse(QPointF(x, y), radius * style.scale, radius * style.scale)


@lru_cache(maxsize=8)
def _atlas(theme: Theme, scale: float, ratio: float, size: float, shading: str) -> atlases.Atlas:
    """Return the disc of the line, and those of class -1 and +1."""
    options = ViewOptions(shading=shading)
    style = Style(theme, scale, options=options, size=size)
    reach = (ROLES[FREE].reach(size) + BEYOND + LINE + 1.0) * scale
    pictures = ((True, True), (False, False), (True, False))
    return atlases.make_atlas(
        reach,
        ratio,
        [
            lambda painter, positive=positive, is_line=is_line: _draw_disc(
                painter, 0.0, 0.0, positive, is_line, style
            )
            for positive, is_line in pictures
        ],
    )


def sentence_on(field: Field) -> str:
    """Return what the picture cannot show; empty if it shows everything."""
    missed = len(field.missed)
    if not missed:
        return ""
    noun = "point" if missed == 1 else "points"
    return f"The boundary round {count(missed)} {noun} is finer than this picture."


def write_sentence(painter: QPainter, canvas: Canvas, field: Field) -> None:
    """Write the sentence in the lower left corner of the plot."""
    plot, style, words = canvas.plot, canvas.style, sentence_on(field)
    if not words:
        return
    edge = EDGE * style.scale
    painter.setFont(style.font(LABEL))
    measure = QFontMetricsF(painter.font())
    words = measure.elidedText(words, Qt.TextElideMode.ElideRight, plot.width() - 4.0 * edge)
    box = QRectF(0.0, 0.0, measure.horizontalAdvance(words) + 2.0 * edge, measure.height() + edge)
    box.moveBottomLeft(plot.bottomLeft() + QPointF(edge, -edge))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(style.theme.plane, 0.85))
    painter.drawRoundedRect(box, 0.5 * edge, 0.5 * edge)
    painter.setPen(QColor(style.theme.muted))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
