"""The bar of a recorded run: its length, the current step, and marks of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import Look, look_of
from svmviz.widgets.plain_text import set_tip


class ScrubBar(QWidget):
    """Bar from the first to the last recorded step, with a handle to drag.

    If the clock measures kernel evaluations or seconds, each "step" here is a position on that
    clock. Steps that are recorded during a drag do not change the scale, so the handle stays under
    the mouse.

    Signals
    -------
    scrubbed(int)
        The user has pressed or dragged the handle to this step.
    ranged(int, int)
        The user has dragged with Shift from one step to a later one.
    """

    # The type is object, because a reading of a clock may need more than the 32 bits of Qt's int.
    scrubbed = Signal(object)
    ranged = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._step, self._length, self._growing = 0, 0, False
        # Length of the recording when the drag began; None if there is no drag.
        self._drag_length: int | None = None
        # The arguments ``density`` and ``length`` of `show_marks`.
        self._density, self._marked_length = np.zeros(0), 0
        self._range: tuple[int, int] | None = None
        self._flags: tuple[int, ...] = ()
        # The step at which a drag with Shift began; None without one.
        self._range_from: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Recorded steps")
        # Position of the mouse, px from the left; None if it is elsewhere.
        self._mouse_x: float | None = None
        # Returns the text of a step for the tooltip.
        self.words: Callable[[int], str] = lambda step: f"Step {step:,}"

    @property
    def step(self) -> int:
        """The current step, at the handle."""
        return self._step

    @property
    def span(self) -> int:
        """The step at the right end of the bar."""
        return max(1, self._length if self._drag_length is None else self._drag_length)

    @property
    def density(self) -> np.ndarray:
        """Fraction of marked steps in each part of the run, shape (m,), as in `show_marks`."""
        return self._density

    def show_position(self, step: int, length: int, growing: bool) -> None:
        """Show the current step and the length, without emitting; a dragged handle keeps its step.

        ``growing`` says whether steps are still being recorded.
        """
        if self._drag_length is not None:
            step = self._step
        if (step, length, growing) != (self._step, self._length, self._growing):
            self._step, self._length, self._growing = step, length, growing
            self.update()

    def show_marks(self, density: np.ndarray, length: int) -> None:
        """Show which of the first ``length`` steps are marked; they are divided into m equal parts.

        ``density`` is the fraction of marked steps in each part, shape (m,).
        """
        self._density, self._marked_length = density, length
        self.update()

    def show_range(self, steps: tuple[int, int] | None, flags: tuple[int, ...]) -> None:
        """Show a range of steps, which is played round and round, and flags at some steps."""
        self._range, self._flags = steps, flags
        self.update()

    def marks(self, step: int) -> bool:
        """Return whether a step is marked; False if a mark stands for several steps."""
        is_single = len(self._density) == self._marked_length
        return is_single and 0 < step <= len(self._density) and self._density[step - 1] > 0.0

    def sizeHint(self) -> QSize:
        metrics = look_of(self).metrics
        return QSize(metrics.px(320), metrics.px(28))

    def minimumSizeHint(self) -> QSize:
        metrics = look_of(self).metrics
        return QSize(metrics.px(120), metrics.px(28))

    def x_of(self, step: float) -> float:
        """Return the position of a step, px from the left."""
        inset = look_of(self).metrics.px(10)
        return inset + min(step / self.span, 1.0) * (self.width() - 2 * inset)

    def step_at(self, x: float) -> int:
        """Return the step at a position, px from the left."""
        inset = look_of(self).metrics.px(10)
        fraction = (x - inset) / max(self.width() - 2 * inset, 1)
        return round(min(max(fraction, 0.0), 1.0) * self.span)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._length:
            self._drag_length = self._length
            has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._range_from = self.step_at(event.position().x()) if has_shift else None
            self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse_x = event.position().x()
        if self._drag_length is not None:
            self._scrub(event)
        set_tip(self, self.words(self.step_at(event.position().x())))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._drag_length is not None:
            self._drag_length = self._range_from = None
            self.update()

    def _scrub(self, event: QMouseEvent) -> None:
        self._step = self.step_at(event.position().x())
        if self._range_from is not None and self._step != self._range_from:
            self.ranged.emit(*sorted((self._range_from, self._step)))
        self.scrubbed.emit(self._step)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._mouse_x = None
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = look.metrics.px(11)
            self._paint_marks(painter, look, middle)
            self._paint_line(painter, look, middle)
            self._paint_flags(painter, look, middle)
            if self._length:
                self._paint_handle(painter, look, middle)

    def _paint_line(self, painter: QPainter, look: Look, middle: float) -> None:
        theme, height = look.theme, look.metrics.px(5)
        start, end = self.x_of(0), self.x_of(self.span)
        played_colour = theme.accent if self._length else theme.disabled
        bars = [(theme.pressed, end), (played_colour, self.x_of(self._step))]
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, right in bars:
            painter.setBrush(QColor(colour))
            bar = QRectF(start - height / 2, middle - height / 2, right - start + height, height)
            painter.drawRoundedRect(bar, height / 2, height / 2)
        if self._mouse_x is not None and self._length:
            painter.setPen(QPen(QColor(theme.muted), look.metrics.stroke(1.5)))
            x = self.x_of(self.step_at(self._mouse_x))
            painter.drawLine(QPointF(x, middle - height), QPointF(x, middle + height))

    def _paint_flags(self, painter: QPainter, look: Look, middle: float) -> None:
        """Paint the range as a bracket above the bar, and each flag as a triangle on it."""
        colour, stroke = QColor(look.theme.accent), look.metrics.stroke
        top = middle - stroke(9)
        if self._range is not None:
            left, right = (self.x_of(step) for step in self._range)
            painter.setPen(QPen(colour, stroke(2.5)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            foot = middle + stroke(5)
            painter.drawPolyline(
                [QPointF(left, foot), QPointF(left, top), QPointF(right, top), QPointF(right, foot)]
            )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        half = stroke(4.5)
        for step in self._flags:
            x = self.x_of(step)
            corners = (x - half, 0.5), (x + half, 0.5), (x, middle - stroke(3))
            painter.drawPolygon([QPointF(*corner) for corner in corners])

    def _paint_marks(self, painter: QPainter, look: Look, middle: float) -> None:
        """Paint a short line below the bar for each part with marked steps.

        The line is darker if a larger fraction of the steps is marked.
        """
        marked_parts = np.flatnonzero(self._density)
        if not len(marked_parts):
            return
        top, height = middle + look.metrics.px(8), look.metrics.px(5)
        # The line of a part is at the last step of the part.
        steps_per_part = self._marked_length / len(self._density)
        spacing = self.x_of(steps_per_part) - self.x_of(0)
        colour, width = QColor(look.theme.text), look.metrics.stroke(2)
        if spacing < width:
            # Lines without gaps are painted as one picture with a pixel per part. Single lines
            # would take 4 ms. The middle of each pixel is at the last step of its part.
            left = self.x_of(0.5 * steps_per_part)
            right = self.x_of(self._marked_length + 0.5 * steps_per_part)
            painter.drawImage(QRectF(left, top, right - left, height), self._marks_image(colour))
            return
        for part in marked_parts.tolist():
            colour.setAlphaF(_opacity(float(self._density[part])))
            x = self.x_of((part + 1) * steps_per_part) - width / 2
            painter.fillRect(QRectF(x, top, width, height), colour)

    def _marks_image(self, colour: QColor) -> QImage:
        """Return the marks as an image, one pixel high and one pixel wide per part."""
        opacity = np.where(self._density > 0, _opacity(self._density), 0.0)
        pixels = np.empty((1, len(opacity), 4), dtype=np.uint8)
        pixels[0, :, :3] = colour.blue(), colour.green(), colour.red()
        pixels[0, :, 3] = np.rint(255.0 * opacity)
        n, image_format = len(opacity), QImage.Format.Format_ARGB32
        return QImage(pixels.tobytes(), n, 1, 4 * n, image_format).copy()

    def _paint_handle(self, painter: QPainter, look: Look, middle: float) -> None:
        theme, metrics = look.theme, look.metrics
        at = QPointF(self.x_of(self._step), middle)
        painter.setPen(QPen(QColor(theme.accent), metrics.stroke(2)))
        is_active = self._drag_length is not None or self.underMouse()
        painter.setBrush(QColor(theme.accent_soft if is_active else theme.card))
        painter.drawEllipse(at, metrics.stroke(7), metrics.stroke(7))


def _opacity(density: Any) -> Any:
    """Return the opacity of a mark; it is at least 0.15, so that one marked step is visible."""
    return 0.15 + 0.6 * density
