"""A large picture of one point left out: the boundary without it, and all errors so far."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.panels.folds.left_out_player import LeftOutPlayer
from svmviz.panels.folds.part_paint import (
    Canvas,
    draw_boundary,
    draw_ground,
    draw_left_out,
    draw_ring,
    draw_training,
)
from svmviz.plane.paint.style import Style
from svmviz.selection.part_pictures import LeftOutPart
from svmviz.theme import look_of
from svmviz.widgets.styling import StyleFollower


class LeftOutView(StyleFollower, QWidget):
    """Paints the point that a player leaves out, with the boundary of the model trained without it.

    Parameters
    ----------
    player : LeftOutPlayer
    parent : QWidget, optional

    Attributes
    ----------
    parts : dict of int to LeftOutPart
        Results that have arrived, by the point left out.
    full_fit : LeftOutPart or None
        The fit on all points; None until it arrives.
    options : ViewOptions
        What the pictures show.
    """

    def __init__(self, player: LeftOutPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.parts: dict[int, LeftOutPart] = {}
        self.full_fit: LeftOutPart | None = None
        self._wrong = np.zeros(0, dtype=bool)
        self._document = Document()
        self._camera = Camera()
        self.options = ViewOptions()
        self._ground: QPixmap | None = None
        self._canvas: Canvas | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Leave-one-out")
        player.moved.connect(self.update)
        self.follow_style(LeftOutView.repaint_all)

    def begin(
        self,
        document: Document,
        camera: Camera,
        parts: dict[int, LeftOutPart],
        options: ViewOptions,
    ) -> None:
        """Show a document without results. The caller fills ``parts`` when they arrive."""
        self._document, self._camera, self.options = document, camera, options
        self.parts, self.full_fit = parts, None
        self._wrong = np.zeros(document.n, dtype=bool)
        self.repaint_all()

    def show_full_fit(self, full_fit: LeftOutPart) -> None:
        """Show the boundary of the model of all points."""
        self.full_fit = full_fit
        self.repaint_all()

    def repaint_all(self) -> None:
        """Drop the stored background, and paint everything again."""
        self._ground = None
        self.update()

    def add(self, parts: list[LeftOutPart]) -> None:
        """Record which points are errors in further results."""
        if not self._document.is_regression:
            labels = self._document.data.labels
            for part in parts:
                self._wrong[part.rows] = part.errors(labels)
        self.update()

    def errors(self) -> np.ndarray:
        """Return the indices of the errors among the points left out so far; none in regression."""
        return np.flatnonzero(self._wrong[: self._player.shown])

    def picture(self) -> QRectF:
        """Return the rectangle of the picture within the widget, px."""
        ratio = self._camera.width / self._camera.height
        width = max(8.0, min(float(self.width()), self.height() * ratio))
        height = width / ratio
        left, top = 0.5 * (self.width() - width), 0.5 * (self.height() - height)
        return QRectF(
            math.floor(left), math.floor(max(0.0, top)), math.floor(width), math.floor(height)
        )

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        look, place = look_of(self), self.picture()
        with QPainter(self) as painter:
            if not look.printing:
                painter.fillRect(self.rect(), QColor(look.theme.card))
            if self.full_fit is not None:
                painter.drawPixmap(place.topLeft(), self._background(self.full_fit, place))
                painter.translate(place.topLeft())
                painter.setClipRect(QRectF(QPointF(), place.size()))
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                assert self._canvas is not None
                self._paint_place(painter, self._canvas, self.full_fit)
                painter.setClipping(False)
                painter.translate(-place.topLeft())
            lit = self.hasFocus()
            colour = look.theme.focus if lit else look.theme.line_strong
            painter.setPen(QPen(QColor(colour), look.metrics.stroke(2.0 if lit else 1.0)))
            painter.drawRect(place)

    def _background(self, full_fit: LeftOutPart, place: QRectF) -> QPixmap:
        if self._ground is None:
            ratio = self.devicePixelRatioF()
            pixmap = QPixmap(math.ceil(place.width() * ratio), math.ceil(place.height() * ratio))
            pixmap.setDevicePixelRatio(ratio)
            look = look_of(self)
            camera = self._camera.resized(place.width(), place.height())
            style = Style(look.theme, look.metrics.marks, self.options, ratio=ratio)
            few = max(1, self._document.n // 5)
            self._canvas = Canvas.of(self._document, camera, style, look, few)
            with QPainter(pixmap) as painter:
                draw_ground(painter, self._canvas, full_fit.field)
                draw_training(painter, self._canvas)
            self._ground = pixmap
        return self._ground

    def _paint_place(self, painter: QPainter, canvas: Canvas, full_fit: LeftOutPart) -> None:
        point = self._player.point
        part = None if point is None else self.parts.get(point)
        changed = part is not None and part.is_retrained
        draw_boundary(painter, canvas, full_fit.boundary, grey=changed)
        if part is not None and changed:
            draw_boundary(painter, canvas, part.boundary)
        errors = self.errors()
        draw_left_out(painter, canvas, errors, np.ones(len(errors), dtype=bool), np.zeros(0))
        if part is not None:
            draw_ring(painter, canvas, int(part.rows[0]))
            wrong = part.errors(self._document.data.labels)
            draw_left_out(painter, canvas, part.rows, wrong, part.result.fit.decision)

    # Events of Qt.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        commands = {
            keys.Key_Space: self._player.toggle,
            keys.Key_Right: lambda: self._player.step(1),
            keys.Key_Left: lambda: self._player.step(-1),
            keys.Key_Home: lambda: self._player.go_to(0),
            keys.Key_End: lambda: self._player.go_to(self._player.n + 1),
        }
        command = commands.get(keys(event.key()))
        if command is None:
            super().keyPressEvent(event)
        else:
            command()

    def event(self, event: QEvent) -> bool:
        """Use the keys of the animation, and not the shortcuts of the window."""
        plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.modifiers() in plain
            and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.repaint_all()

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(420), px(240))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(180), px(140))


KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End)
