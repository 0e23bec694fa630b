"""A grid of small pictures, one for each part that is left out. A click enlarges a picture."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.run.method import counted
from svmviz.base.words import number
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.panels.selection.small_plane import (
    SmallCanvas,
    draw_boundary,
    draw_ground,
    draw_left_out,
    draw_training,
)
from svmviz.plane.paint.style import Style
from svmviz.selection.part_pictures import LeftOutPart
from svmviz.theme import STRONG, TEXT, TITLE, Look, look_of
from svmviz.widgets.styling import StyleFollower

# Space between two tiles, px at scale 1.
GAP = 8.0
# Minimum width of a picture if there are several in a row, px at scale 1.
MIN_PICTURE_WIDTH = 118.0
# Time after which a paint event paints no picture that is not cached, s. The next event paints it.
PAINT_BUDGET = 0.015


@dataclass(frozen=True)
class PartTile:
    """The rectangles of a picture and of its caption, px."""

    picture: QRectF
    caption: QRectF


class PartsView(StyleFollower, QWidget):
    """Pictures of parts in a grid, whose number of columns makes the pictures as large as possible.

    Attributes
    ----------
    parts : dict of int to LeftOutPart
        Parts that have arrived, by number.
    enlarged : int or None
        Number of the part whose picture fills the view; None if all are shown.
    document : Document
        The document whose points are left out.
    camera : Camera
        The camera of every picture: all pictures show the same region of the plane.
    options : ViewOptions

    Signals
    -------
    enlarged_changed()
        Another picture fills the view, or all are shown.
    """

    enlarged_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[int, LeftOutPart] = {}
        self.enlarged: int | None = None
        self._part_count = 1
        self._in_pairs = False
        self.document = Document()
        self.camera = Camera()
        self.options = ViewOptions()
        self._cached_pictures: dict[int, QPixmap] = {}
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Pictures of the parts")
        self.follow_style(PartsView.repaint_all)

    # State.

    def begin(
        self,
        document: Document,
        camera: Camera,
        count: int,
        options: ViewOptions,
        in_pairs: bool = False,
    ) -> None:
        """Show ``count`` empty rectangles, one for each part of a document.

        If ``in_pairs``, the two parts of each pair are beside each other.
        """
        self.document, self.camera, self._part_count = document, camera, max(1, count)
        self.options, self._in_pairs = options, in_pairs
        self.parts = {}
        if self.enlarged is not None and self.enlarged >= count:
            self.enlarged = None
        self.repaint_all()

    def add(self, parts: list[LeftOutPart]) -> None:
        """Show further parts."""
        self.parts |= {part.result.part: part for part in parts}
        self.update()

    def enlarge(self, part: int | None) -> None:
        """Show one part in the whole view, or all parts if ``part`` is None."""
        if part != self.enlarged:
            self.enlarged = part
            self.repaint_all()
            self.enlarged_changed.emit()

    def repaint_all(self) -> None:
        """Paint every picture again."""
        self._cached_pictures.clear()
        self.update()

    def tiles(self) -> list[PartTile]:
        """Return the tiles of all parts, or the one tile of the enlarged part."""
        count = 1 if self.enlarged is not None else self._part_count
        gap, caption = look_of(self).metrics.px(GAP), self.caption_height
        ratio = self.camera.width / self.camera.height

        def width_of(columns: int) -> float:
            rows = math.ceil(count / columns)
            by_width = (self.width() - gap * (columns - 1)) / columns
            by_height = (self.height() - gap * (rows - 1)) / rows - caption
            return min(by_width, by_height * ratio)

        # If several numbers of columns give the same width, the largest number is taken.
        step = 2 if self._in_pairs and count > 1 else 1
        columns = max(range(count, 0, -step), key=width_of)
        width = max(8.0, width_of(columns))
        height = width / ratio
        left = 0.5 * max(0.0, self.width() - columns * width - gap * (columns - 1))
        tiles = []
        for index in range(count):
            x = left + (index % columns) * (width + gap)
            y = (index // columns) * (height + caption + gap)
            picture = QRectF(math.floor(x), math.floor(y), math.floor(width), math.floor(height))
            tiles.append(
                PartTile(
                    picture, QRectF(picture.left(), picture.bottom(), picture.width(), caption)
                )
            )
        return tiles

    def needed_height(self, width: float) -> int:
        """Return the height that the view needs for all pictures if it has this width, px.

        A row has as many pictures as fit with a width of ``MIN_PICTURE_WIDTH``.
        """
        px = look_of(self).metrics.px
        count = 1 if self.enlarged is not None else self._part_count
        columns = min(count, max(1, int((width + px(GAP)) / (px(MIN_PICTURE_WIDTH) + px(GAP)))))
        if self._in_pairs and count > 1:
            columns = max(2, columns - columns % 2)
        picture_width = (width - px(GAP) * (columns - 1)) / columns
        tile_height = picture_width * self.camera.height / self.camera.width + self.caption_height
        return round(math.ceil(count / columns) * (tile_height + px(GAP)) - px(GAP))

    def caption(self, part: LeftOutPart) -> tuple[str, str]:
        """Return the two texts of a caption: the risk, and the number of points or errors."""
        point_count = len(part.rows)
        if self.document.is_regression:
            return number(part.result.risk, 3), f"on {counted(point_count, 'point')}"
        error_count = int(part.errors(self.document.data.labels).sum())
        return number(part.result.risk, 3), f"{error_count:,} of {point_count:,} wrong"

    @property
    def caption_height(self) -> float:
        """The height of the caption below a picture, px."""
        return 1.25 * QFontMetricsF(look_of(self).font(TITLE, STRONG)).height()

    def _part_at(self, tile: int) -> int:
        return tile if self.enlarged is None else self.enlarged

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        deadline = time.perf_counter() + PAINT_BUDGET
        with QPainter(self) as painter:
            if not look.printing:
                painter.fillRect(self.rect(), QColor(look.theme.card))
            for index, tile in enumerate(self.tiles()):
                part = self._part_at(index)
                if self.has_picture(part):
                    # After the deadline, pictures that are not cached wait for the next event.
                    is_late = time.perf_counter() > deadline and not look.printing
                    if is_late and part not in self._cached_pictures:
                        QTimer.singleShot(0, self, self.update)
                        continue
                    self._paint_picture(painter, part, tile, look)
                    self.paint_over(painter, part, tile, look)
                self._paint_edge(painter, self.is_marked(part), tile, look)

    def _paint_edge(self, painter: QPainter, is_marked: bool, tile: PartTile, look: Look) -> None:
        colour = look.theme.focus if is_marked else look.theme.line_strong
        painter.setPen(QPen(QColor(colour), look.metrics.stroke(2.0 if is_marked else 1.0)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(tile.picture)

    def _paint_picture(self, painter: QPainter, part: int, tile: PartTile, look: Look) -> None:
        """Paint a picture from the cache; in an exported figure, paint it as vector shapes."""
        area = tile.picture
        if look.printing:
            painter.save()
            painter.translate(area.topLeft())
            painter.setClipRect(QRectF(QPointF(), area.size()))
            self.paint_once(painter, part, self.canvas(part, area.size(), look))
            painter.restore()
            return
        picture = self._cached_pictures.get(part)
        if picture is None:
            ratio = self.devicePixelRatioF()
            picture = QPixmap(math.ceil(area.width() * ratio), math.ceil(area.height() * ratio))
            picture.setDevicePixelRatio(ratio)
            with QPainter(picture) as recorder:
                self.paint_once(recorder, part, self.canvas(part, area.size(), look))
            self._cached_pictures[part] = picture
        painter.drawPixmap(area.topLeft(), picture)

    def canvas(self, part: int, size: QSizeF, look: Look) -> SmallCanvas:
        """Return the canvas of the picture of a part, of this size, px."""
        camera = self.camera.resized(size.width(), size.height())
        ratio, vector = self.devicePixelRatioF(), look.printing
        scale = look.metrics.controls
        style = Style(look.theme, scale, options=self.options, ratio=ratio, vector=vector)
        return SmallCanvas.of(self.document, camera, style, look, self.left_out(part))

    # What a picture shows.

    def left_out(self, part: int) -> int:
        """Return the number of points that a picture shows as left out, which sizes their marks."""
        return len(self.parts[part].rows)

    def has_picture(self, part: int) -> bool:
        """Return whether there is a picture of a part."""
        return part in self.parts

    def is_marked(self, part: int) -> bool:
        """Return whether the edge of a picture is marked."""
        return part == self._hovered or (self.hasFocus() and self.enlarged is not None)

    def paint_once(self, painter: QPainter, part: int, canvas: SmallCanvas) -> None:
        """Paint what stays the same until document, size or look change."""
        shown = self.parts[part]
        draw_ground(painter, canvas, shown.field)
        draw_training(painter, canvas)
        draw_boundary(painter, canvas, shown.boundary)
        is_error = shown.errors(self.document.data.labels)
        draw_left_out(painter, canvas, shown.rows, is_error, shown.result.fit.decision)

    def paint_over(self, painter: QPainter, part: int, tile: PartTile, look: Look) -> None:
        """Write the two texts of the caption; shorten or omit the second if it does not fit."""
        risk, details = self.caption(self.parts[part])
        details = f"part {part + 1}: {details}" if self.enlarged is not None else details
        bold, plain = look.font(TITLE, STRONG), look.font(TEXT)
        risk_width = QFontMetricsF(bold).horizontalAdvance(risk)
        painter.setFont(bold)
        painter.setPen(QColor(look.theme.text))
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(tile.caption, alignment, risk)
        left = tile.caption.adjusted(risk_width + look.metrics.px(8), 0.0, 0.0, 0.0)
        painter.setFont(plain)
        painter.setPen(QColor(look.theme.muted))
        for words in (details, details.rpartition(" ")[0], ""):
            if QFontMetricsF(plain).horizontalAdvance(words) <= left.width():
                painter.drawText(left, alignment, words)
                break

    # Events of Qt.

    def part_under(self, position: QPointF) -> int | None:
        """Return the part whose tile is at a position, px.

        Return None if no tile is there, or if its part has not arrived.
        """
        for index, tile in enumerate(self.tiles()):
            part = self._part_at(index)
            if tile.picture.united(tile.caption).contains(position) and part in self.parts:
                return part
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            part = self.part_under(event.position())
            if part is not None:
                self.enlarge(part if self.enlarged is None else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.part_under(event.position()))

    def leaveEvent(self, event: object) -> None:
        self._hover(None)

    def _hover(self, part: int | None) -> None:
        if part != self._hovered:
            self._hovered = part
            cursor = (
                Qt.CursorShape.ArrowCursor if part is None else Qt.CursorShape.PointingHandCursor
            )
            self.setCursor(cursor)
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.enlarged is not None:
            self.enlarge(None)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.repaint_all()

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(420), px(240))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(180), px(120))
