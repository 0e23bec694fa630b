"""A figure to export: its parts, size, colours, title and caption.

A figure is frozen. If all parts are planes, it can be painted in any thread. Panels are widgets, so
a figure with panels can be painted in the GUI thread only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from svmviz.base.latex import Typeset
from svmviz.export.arrangement import Arrangement, Box, arrangements, place_parts
from svmviz.export.page import FigureSize
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from svmviz.plane.race_tiles import grid, lane_count, shape_of
from svmviz.theme import LABEL, LIGHT, REGULAR, STRONG, TEXT, TITLE, Theme

# Space around the title and the caption, and space between two parts, px at scale 1.
PADDING, GAP = 8.0, 6.0
# Minimum width and height of a legible plane, px at scale 1.
MIN_PLANE = (190.0, 170.0)
# The width that planes need is between these fractions of the page's width. The height that they
# need is between the same fractions of the page's height.
PLANE_SHARES = (0.38, 0.55)
# Preferred maximum of width / height of a plane. So a plane needs at least the height
# ``width / MAX_PLANE_SHAPE``, but no more than ``PLANE_SHARES`` permits.
MAX_PLANE_SHAPE = 2.2
# Maximum height of a caption, as a fraction of the height of the page.
MAX_CAPTION = 0.3
# Size of formulas relative to the caption, and space above each, relative to their size.
FORMULA_SIZE, LINE_GAP = 1.25, 0.35
WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True)
class Drawing:
    """The settings with which all parts of a figure are drawn.

    Attributes
    ----------
    theme : Theme
    scale : float
        Factor on widths of lines and sizes of fonts; 1 is the size in the window.
    titles : bool
        Whether parts have titles.
    transparent : bool
        Whether the background is transparent.
    bands : bool
        Whether the field f is drawn as filled bands, not as an image.
    """

    theme: Theme = LIGHT
    scale: float = 1.0
    titles: bool = True
    transparent: bool = False
    bands: bool = False


class FigurePart(Protocol):
    """A part of a figure, which can be painted into a rectangle."""

    @property
    def title(self) -> str:
        """The title above the part, if there are several parts; empty if it needs none."""
        ...

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint the part into the rectangle from (0, 0) to (width, height), px."""
        ...


@dataclass(frozen=True)
class PlanePart:
    """The plane, or all planes of a race.

    Attributes
    ----------
    picture : Picture
        The picture to paint. The figure replaces its size, and all its settings that a
        :class:`Drawing` has.
    title : str
    """

    picture: Picture
    title: str = ""

    @property
    def is_race(self) -> bool:
        """Whether there are several planes."""
        return len(self.picture.frame.document.methods) > 1

    def picture_of(self, width: int, height: int, drawing: Drawing) -> Picture:
        """Return the picture in ``width`` x ``height`` px, with the settings of a figure."""
        return replace(
            self.picture,
            size=(width, height),
            theme=drawing.theme,
            scale=drawing.scale,
            transparent=drawing.transparent,
            bands=drawing.bands,
        )

    def needed_size(
        self, width: float, height: float, page: FigureSize, scale: float
    ) -> tuple[float, float]:
        """Return the size, px, that this part needs in a box of ``width`` x ``height`` px."""
        grid_size = (1, 1)
        if self.is_race:
            document = self.picture.frame.document
            shape = shape_of(document, self.picture.options)
            grid_size = grid(lane_count(document), round(width), round(height), scale, shape)
        low, high = PLANE_SHARES
        needed_width, needed_height = (
            min(max(n * scale * side, low * page_side), high * page_side)
            for n, side, page_side in zip(
                grid_size, MIN_PLANE, (page.width, page.height), strict=True
            )
        )
        # A plane with equal units on both axes has empty space at the left and right if it is much
        # wider than high. So in a wide box, a plane needs more height.
        least_height = width * grid_size[1] / grid_size[0] / MAX_PLANE_SHAPE
        return needed_width, min(max(needed_height, least_height), high * page.height)

    def paint(self, painter: QPainter, width: int, height: int, drawing: Drawing) -> None:
        """Paint all planes."""
        self.picture_of(width, height, drawing).paint(painter)


@dataclass(frozen=True)
class Figure:
    """The contents and the size of an exported picture.

    Attributes
    ----------
    parts : tuple of FigurePart
        If the first part is a plane, it is the main part, which is larger than the others.
    page : FigureSize
    drawing : Drawing
    title, caption : str
        Texts above and below all parts; empty for none.
    formulas : tuple of Typeset
        Lines of formulas below the caption.
    embeds_fonts : bool
        Whether text in SVG files is text with an embedded font, not outlines of letters.
    boxes : tuple of Box, optional
        The box of each part, including its title. By default, the boxes of the first arrangement
        in :meth:`choices`.
    note : str
        A sentence on what in the figure differs from the requested settings; empty if nothing does.
    longest_caption : str
        If the figure is a frame of a movie, the longest caption of the movie. Every frame has space
        for this caption, so that all frames have the same layout. Empty for a single picture.
    """

    parts: tuple[FigurePart, ...]
    page: FigureSize
    drawing: Drawing = Drawing()
    title: str = ""
    caption: str = ""
    embeds_fonts: bool = False
    boxes: tuple[Box, ...] | None = None
    note: str = ""
    longest_caption: str = ""
    formulas: tuple[Typeset, ...] = ()

    @classmethod
    def of(cls, picture: Picture) -> Figure:
        """Return the figure whose only part is a picture; it has the size of the picture."""
        drawing = Drawing(
            theme=picture.theme,
            scale=picture.scale,
            transparent=picture.transparent,
            bands=picture.bands,
        )
        return cls((PlanePart(picture),), FigureSize(*picture.size), drawing)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in px."""
        return self.page.width, self.page.height

    def scaled(self, factor: float) -> Figure:
        """Return the same figure at another resolution: ``factor`` times as many px per side."""
        width, height = (max(1, round(side * factor)) for side in self.size)
        boxes = self.boxes and tuple(_scaled(box, factor) for box in self.boxes)
        return replace(
            self,
            boxes=boxes,
            page=replace(self.page, width=width, height=height, dpi=self.page.dpi * factor),
            drawing=replace(self.drawing, scale=self.drawing.scale * factor),
        )

    def image(self) -> QImage:
        """Return the figure as an image; needs a ``QGuiApplication``, but no display.

        If there is not enough memory, the image is null.
        """
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
        """Paint the figure on a device of ``size`` px."""
        set_hints(painter)
        if not self.drawing.transparent:
            painter.fillRect(QRectF(0.0, 0.0, *self.size), QColor(self.drawing.theme.plane))
        self.paint_words(painter)
        for part, box in self.placed_parts():
            painter.save()
            painter.translate(box[0], box[1])
            part.paint(painter, box[2], box[3], self.drawing)
            painter.restore()

    def paint_words(self, painter: QPainter) -> None:
        """Draw the title, the caption and the titles of the parts."""
        for text, box, font, colour in self._words():
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(box, WRAPPED, text)
        self._paint_formulas(painter)

    def _paint_formulas(self, painter: QPainter) -> None:
        top = self.size[1] - 0.5 * self._px(PADDING) - self._formulas_height()
        for line in self.formulas:
            size, pad = self._formula_size(), self._px(PADDING)
            top += size * LINE_GAP
            renderer = QSvgRenderer(line.coloured(self.drawing.theme.text))
            renderer.render(painter, QRectF(pad, top, size * line.width, size * line.height))
            top += size * line.height

    def _formula_size(self) -> float:
        """Return the size of type of the formulas, at which the widest one fits, px."""
        room = self.size[0] - 2.0 * self._px(PADDING)
        size = FORMULA_SIZE * self._font(LABEL).pixelSize()
        return min(size, *(room / line.width for line in self.formulas))

    def _formulas_height(self) -> float:
        if not self.formulas:
            return 0.0
        lines = sum(line.height + LINE_GAP for line in self.formulas)
        return self._formula_size() * lines

    # Layout of the parts on the page.

    def placed_parts(self) -> list[tuple[FigurePart, Box]]:
        """Return each part with the box in which it is painted; its title is above this box."""
        boxes = []
        for part, (left, top, width, height) in zip(self.parts, self._boxes(), strict=True):
            title_height = min(self.part_title_height(part), height - 1)
            boxes.append((part, (left, top + title_height, width, height - title_height)))
        return boxes

    def _boxes(self) -> tuple[Box, ...]:
        if self.boxes is not None:
            return self.boxes
        boxes = place_parts(self.choices()[0], self.parts_box(), self.gap, lambda *_: (0.0, 0.0))
        return tuple(boxes[number] for number in range(len(self.parts)))

    def choices(self) -> list[Arrangement]:
        """Return the possible arrangements of the parts, the usual one first."""
        first = self.parts[0]
        planes = isinstance(first, PlanePart)
        above = planes and first.is_race
        return arrangements(len(self.parts), self.parts_box(), main=planes, above=above)

    @property
    def gap(self) -> int:
        """Space between two parts, px."""
        return round(self._px(GAP))

    def part_title_height(self, part: FigurePart) -> int:
        """Return the height of the title of a part, px; 0 if the part has no title."""
        return self._part_title_line() if self._has_title(part) else 0

    def _words(self) -> list[tuple[str, QRectF, QFont, str]]:
        """Return title, caption and titles of parts, each with its box, font and colour."""
        theme, pad = self.drawing.theme, self._px(PADDING)
        width, height = self.size
        texts = []
        if self.title:
            box = QRectF(pad, 0.5 * pad, width - 2.0 * pad, self._title_height())
            texts.append((self.title, box, self._font(TEXT, STRONG), theme.text))
        if self.caption:
            caption_height = self._caption_height()
            top = height - caption_height - self._formulas_height() - 0.5 * pad
            box = QRectF(pad, top, width - 2.0 * pad, caption_height)
            texts.append((self.caption, box, self._caption_font(), theme.text))
        for part, (left, top, part_width, _) in self.placed_parts():
            if self._has_title(part):
                title_height = self._part_title_line()
                box = QRectF(
                    left + pad,
                    top - title_height + 0.5 * self._px(GAP),
                    part_width - pad,
                    title_height,
                )
                texts.append((part.title, box, self._font(LABEL, STRONG), theme.text))
        return texts

    def parts_box(self) -> Box:
        """Return the box between title and caption, in which the parts are placed."""
        width, height = self.size
        pad = self._px(PADDING)
        title_space = math.ceil(self._title_height() + pad) if self.title else 0
        below = self._formulas_height() + (self._caption_height() if self.caption else 0.0)
        caption_space = math.ceil(below + pad) if below else 0
        return 0, title_space, width, max(1, height - title_space - caption_space)

    def _has_title(self, part: FigurePart) -> bool:
        return bool(part.title) and self.drawing.titles

    def _part_title_line(self) -> int:
        """Return the height of the line in which the title of a part is written, px."""
        return math.ceil(QFontMetricsF(self._font(LABEL, STRONG)).height() + self._px(GAP))

    def _title_height(self) -> float:
        return self._height_of(self.title, self._font(TEXT, STRONG))

    def _caption_height(self) -> float:
        font = self._caption_font()
        return max(self._height_of(text, font) for text in (self.caption, self.longest_caption))

    def _caption_font(self) -> QFont:
        # In a movie the caption is larger, since it changes and an audience reads it from afar.
        return self._font(TITLE if self.longest_caption else LABEL)

    def _height_of(self, text: str, font: QFont) -> float:
        box = QRectF(0.0, 0.0, max(1.0, self.size[0] - 2.0 * self._px(PADDING)), 1e6)
        needed = QFontMetricsF(font).boundingRect(box, int(WRAPPED), text).height()
        return min(needed, MAX_CAPTION * self.size[1])

    def _font(self, size: int, weight: int = REGULAR) -> QFont:
        return Style(scale=self.drawing.scale, vector=True).font(size, weight)

    def _px(self, length: float) -> float:
        return length * self.drawing.scale


def _scaled(box: Box, factor: float) -> Box:
    left, top, width, height = box
    right, bottom = left + width, top + height
    left, top, right, bottom = (round(factor * side) for side in (left, top, right, bottom))
    return left, top, max(1, right - left), max(1, bottom - top)


def set_hints(painter: QPainter) -> None:
    """Turn on antialiasing and lossless images."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    # Without this hint, Qt stores images in PDF files as JPEG, which blurs the lines of the field.
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
