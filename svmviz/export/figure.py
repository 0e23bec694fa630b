"""A figure: what leaves the program, at its size, in its colours, with title and caption.

It is frozen, and can be painted in any thread as long as its parts can; those of panels are widgets
and belong to the GUI thread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from svmviz.export.page import Page
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from svmviz.theme import BODY, CAPTION, LIGHT, Theme

# Left, top, width and height, in whole px.
Box = tuple[int, int, int, int]
# Lengths in px at scale 1: around title and caption, and between parts.
PAD, GAP = 8.0, 6.0
# Share of a figure that the planes take from the panels beside them; a page at most this wide for
# its height has them above the panels.
MAIN_SHARE, TALL = 0.62, 1.1
# Width over height that suits a panel.
PANEL_SHAPE = 1.3
# What a caption may take of the height.
MAX_CAPTION = 0.3
WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True)
class Drawing:
    """How the parts of a figure are drawn.

    Attributes
    ----------
    theme : Theme
    scale, marks : float
        See ``Style``.
    titles : bool
        Whether parts have titles.
    transparent : bool
        Whether the page is left as it is where nothing is drawn.
    bands : bool
        Whether the field is filled bands, not an image.
    """

    theme: Theme = LIGHT
    scale: float = 1.0
    marks: float = 1.0
    titles: bool = True
    transparent: bool = False
    bands: bool = False


class Part(Protocol):
    """Something that can be painted into a rectangle."""

    @property
    def title(self) -> str:
        """What is written above it beside other parts; empty if it needs none."""
        ...

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint it from (0, 0) to (width, height)."""
        ...


@dataclass(frozen=True)
class PlanePart:
    """The plane, or all planes of a race.

    Attributes
    ----------
    picture : Picture
        Its frame, camera and options are used; size and colours are those of the figure.
    """

    picture: Picture
    title: str = ""

    @property
    def is_race(self) -> bool:
        """Whether there are several planes."""
        return len(self.picture.frame.document.methods) > 1

    def picture_of(self, width: int, height: int, drawing: Drawing) -> Picture:
        """Return the picture at a size."""
        return replace(
            self.picture,
            size=(width, height),
            theme=drawing.theme,
            scale=drawing.scale,
            marks=drawing.marks,
            titles=drawing.titles,
            transparent=drawing.transparent,
            bands=drawing.bands,
        )

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint all planes."""
        self.picture_of(width, height, drawing).paint(painter)


@dataclass(frozen=True)
class Figure:
    """Everything that a format writes.

    Attributes
    ----------
    parts : tuple of Part
        The first is the main one.
    page : Page
    drawing : Drawing
    title, caption : str
        Written above and below; empty for none.
    embedded : bool
        Whether text in SVG is text with its font, not outlines.
    """

    parts: tuple[Part, ...]
    page: Page
    drawing: Drawing = Drawing()
    title: str = ""
    caption: str = ""
    embedded: bool = False

    @classmethod
    def of(cls, picture: Picture) -> Figure:
        """Return the figure that is a picture alone, as it is."""
        drawing = Drawing(
            theme=picture.theme,
            scale=picture.scale,
            marks=picture.marks,
            titles=picture.titles,
            transparent=picture.transparent,
            bands=picture.bands,
        )
        return cls((PlanePart(picture),), Page(*picture.size), drawing)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in px."""
        return self.page.width, self.page.height

    def scaled(self, factor: float) -> Figure:
        """Return the same figure with other px: as large on a screen of another resolution."""
        width, height = (max(1, round(side * factor)) for side in self.size)
        return replace(
            self,
            page=replace(self.page, width=width, height=height, dpi=self.page.dpi * factor),
            drawing=replace(self.drawing, scale=self.drawing.scale * factor),
        )

    def image(self) -> QImage:
        """Paint it as pixels; needs a ``QGuiApplication``, but no display."""
        kinds = QImage.Format
        transparent = self.drawing.transparent
        kind = kinds.Format_ARGB32_Premultiplied if transparent else kinds.Format_RGB32
        image = QImage(*self.size, kind)
        if image.isNull():
            return image
        image.fill(Qt.GlobalColor.transparent)
        metres = self.page.dpi * 100.0 / 2.54
        image.setDotsPerMeterX(round(metres))
        image.setDotsPerMeterY(round(metres))
        with QPainter(image) as painter:
            self.paint(painter)
        return image

    def paint(self, painter: QPainter) -> None:
        """Paint it on any device that is ``size`` px large."""
        set_hints(painter)
        if not self.drawing.transparent:
            painter.fillRect(QRectF(0.0, 0.0, *self.size), QColor(self.drawing.theme.plane))
        self.paint_words(painter)
        for part, box in self.places():
            painter.save()
            painter.translate(box[0], box[1])
            part.paint(painter, box[2], box[3], self.drawing)
            painter.restore()

    def paint_words(self, painter: QPainter) -> None:
        """Write title, caption and titles of parts."""
        for text, box, font, colour in self._words():
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(box, WRAPPED, text)

    # Layout.

    def places(self) -> list[tuple[Part, Box]]:
        """Return each part with its box below its title."""
        room, first = self._room(), self.parts[0]
        planes = isinstance(first, PlanePart)
        boxes = cells(
            len(self.parts),
            room,
            round(self._px(GAP)),
            main=planes,
            beside=planes and not first.is_race and room[2] > TALL * room[3],
        )
        head = self._head_height()
        placed = []
        for part, (left, top, width, height) in zip(self.parts, boxes, strict=True):
            taken = min(head, height - 1) if self._names(part) else 0
            placed.append((part, (left, top + taken, width, height - taken)))
        return placed

    def _words(self) -> list[tuple[str, QRectF, QFont, str]]:
        """Return texts with their boxes, fonts and colours: title, caption, names of parts."""
        theme, pad = self.drawing.theme, self._px(PAD)
        width, height = self.size
        found = []
        if self.title:
            box = QRectF(pad, 0.5 * pad, width - 2.0 * pad, self._title_height())
            found.append((self.title, box, self._font(BODY, 600), theme.text))
        if self.caption:
            tall = self._caption_height()
            box = QRectF(pad, height - tall - 0.5 * pad, width - 2.0 * pad, tall)
            found.append((self.caption, box, self._font(CAPTION), theme.text))
        for part, (left, top, across, _) in self.places():
            if self._names(part):
                head = self._head_height()
                box = QRectF(left + pad, top - head + 0.5 * self._px(GAP), across - pad, head)
                found.append((part.title, box, self._font(CAPTION, 600), theme.text))
        return found

    def _room(self) -> Box:
        """Return what title and caption leave."""
        width, height = self.size
        pad = self._px(PAD)
        top = math.ceil(self._title_height() + pad) if self.title else 0
        foot = math.ceil(self._caption_height() + pad) if self.caption else 0
        return 0, top, width, max(1, height - top - foot)

    def _names(self, part: Part) -> bool:
        return bool(part.title) and self.drawing.titles

    def _head_height(self) -> int:
        return math.ceil(QFontMetricsF(self._font(CAPTION, 600)).height() + self._px(GAP))

    def _title_height(self) -> float:
        return self._height_of(self.title, self._font(BODY, 600))

    def _caption_height(self) -> float:
        return self._height_of(self.caption, self._font(CAPTION))

    def _height_of(self, text: str, font: QFont) -> float:
        room = QRectF(0.0, 0.0, max(1.0, self.size[0] - 2.0 * self._px(PAD)), 1e6)
        needed = QFontMetricsF(font).boundingRect(room, int(WRAPPED), text).height()
        return min(needed, MAX_CAPTION * self.size[1])

    def _font(self, size: int, weight: int = 400) -> QFont:
        return Style(scale=self.drawing.scale, vector=True).font(size, weight)

    def _px(self, length: float) -> float:
        return length * self.drawing.scale


def cells(count: int, room: Box, gap: int, *, main: bool, beside: bool) -> list[Box]:
    """Return boxes for some parts.

    Parameters
    ----------
    count : int
    room : Box
    gap : int
        Between two of them, px.
    main : bool
        Whether the first is larger; the others then share the rest evenly.
    beside : bool
        Whether the others stand beside the first, not below it.
    """
    left, top, width, height = room
    if count == 1:
        return [room]
    if not main:
        return _grid(count, room, gap)
    length = width if beside else height
    first = round((length - gap) * MAIN_SHARE)
    rest = length - gap - first
    if beside:
        column = (left + first + gap, top, rest, height)
        return [(left, top, first, height), *_split(count - 1, column, gap, downwards=True)]
    row = (left, top + first + gap, width, rest)
    return [(left, top, width, first), *_split(count - 1, row, gap, downwards=False)]


def _grid(count: int, room: Box, gap: int) -> list[Box]:
    """Return boxes of one size in rows, of a shape as near to ``PANEL_SHAPE`` as there is."""
    _, _, width, height = room

    def strangeness(columns: int) -> float:
        rows = math.ceil(count / columns)
        return abs(math.log(width / columns / (height / rows) / PANEL_SHAPE))

    columns = min(range(1, count + 1), key=strangeness)
    rows = _split(math.ceil(count / columns), room, gap, downwards=True)
    boxes = [box for row in rows for box in _split(columns, row, gap, downwards=False)]
    return boxes[:count]


def _split(count: int, room: Box, gap: int, *, downwards: bool) -> list[Box]:
    """Cut a box into ``count`` equal ones."""
    left, top, width, height = room
    whole = height if downwards else width
    size = max(1, (whole - gap * (count - 1)) // count)
    starts = [k * (size + gap) for k in range(count)]
    if downwards:
        return [(left, top + start, width, size) for start in starts]
    return [(left + start, top, size, height) for start in starts]


def set_hints(painter: QPainter) -> None:
    """Draw with smooth edges, and store images without loss."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    # Otherwise PDF files hold images as JPEG, in which lines of the field smear.
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
