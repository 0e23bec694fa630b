"""The picture of leave-one-out: the boundary trained without one point, and all errors so far."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.panels.selection.folds.left_out_player import LeftOutPlayer
from svmviz.panels.selection.folds.part_paint import (
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
    """A picture of the point that a player leaves out, and the boundary of the model without it.

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
        The view options of the window.
    """

    def __init__(self, player: LeftOutPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.parts: dict[int, LeftOutPart] = {}
        self.full_fit: LeftOutPart | None = None
        self._is_error = np.zeros(0, dtype=bool)
        self._document = Document()
        self._camera = Camera()
        self.options = ViewOptions()
        self._cached_background: QPixmap | None = None
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
        """Show a document without results.

        When results arrive, the caller adds them to ``parts`` and then calls :meth:`add`.
        """
        self._document, self._camera, self.options = document, camera, options
        self.parts, self.full_fit = parts, None
        self._is_error = np.zeros(document.n, dtype=bool)
        self.repaint_all()

    def show_full_fit(self, full_fit: LeftOutPart) -> None:
        """Show the boundary of the model of all points."""
        self.full_fit = full_fit
        self.repaint_all()

    def repaint_all(self) -> None:
        """Paint everything again, including the background, which is cached."""
        self._cached_background = None
        self.update()

    def add(self, parts: list[LeftOutPart]) -> None:
        """Record which points are errors in results that the caller has added to ``parts``."""
        if not self._document.is_regression:
            labels = self._document.data.labels
            for part in parts:
                self._is_error[part.rows] = part.errors(labels)
        self.update()

    def errors(self) -> np.ndarray:
        """Return the indices of the errors among the points left out so far; none in regression."""
        return np.flatnonzero(self._is_error[: self._player.shown])

    def picture_rect(self) -> QRectF:
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
        look, rect = look_of(self), self.picture_rect()
        with QPainter(self) as painter:
            if not look.printing:
                painter.fillRect(self.rect(), QColor(look.theme.card))
            if self.full_fit is not None:
                painter.drawPixmap(rect.topLeft(), self._background(self.full_fit, rect))
                painter.translate(rect.topLeft())
                painter.setClipRect(QRectF(QPointF(), rect.size()))
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                assert self._canvas is not None
                self._paint_point(painter, self._canvas, self.full_fit)
                painter.setClipping(False)
                painter.translate(-rect.topLeft())
            has_focus = self.hasFocus()
            colour = look.theme.focus if has_focus else look.theme.line_strong
            painter.setPen(QPen(QColor(colour), look.metrics.stroke(2.0 if has_focus else 1.0)))
            painter.drawRect(rect)

    def _background(self, full_fit: LeftOutPart, rect: QRectF) -> QPixmap:
        if self._cached_background is None:
            ratio = self.devicePixelRatioF()
            pixmap = QPixmap(math.ceil(rect.width() * ratio), math.ceil(rect.height() * ratio))
            pixmap.setDevicePixelRatio(ratio)
            look = look_of(self)
            camera = self._camera.resized(rect.width(), rect.height())
            style = Style(look.theme, look.metrics.marks, self.options, ratio=ratio)
            # The marks of points left out are as large as if one of 5 folds were left out at once.
            marked_at_once = max(1, self._document.n // 5)
            self._canvas = Canvas.of(self._document, camera, style, look, marked_at_once)
            with QPainter(pixmap) as painter:
                draw_ground(painter, self._canvas, full_fit.field)
                draw_training(painter, self._canvas)
            self._cached_background = pixmap
        return self._cached_background

    def _paint_point(self, painter: QPainter, canvas: Canvas, full_fit: LeftOutPart) -> None:
        point = self._player.point
        part = None if point is None else self.parts.get(point)
        has_changed = part is not None and part.is_retrained
        draw_boundary(painter, canvas, full_fit.boundary, grey=has_changed)
        if part is not None and has_changed:
            draw_boundary(painter, canvas, part.boundary)
        errors = self.errors()
        draw_left_out(painter, canvas, errors, np.ones(len(errors), dtype=bool), np.zeros(0))
        if part is not None:
            draw_ring(painter, canvas, int(part.rows[0]))
            is_error = part.errors(self._document.data.labels)
            draw_left_out(painter, canvas, part.rows, is_error, part.result.fit.decision)

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
        """Claim the keys of the animation for the widget; they are also shortcuts of the window."""
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


# The keys of `LeftOutView.keyPressEvent`.
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End)
