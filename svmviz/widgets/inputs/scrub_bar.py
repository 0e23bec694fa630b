"""The bar of a recorded run: its length, the step shown, and marks."""

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
    """A line from the first to the last recorded step, with a handle to drag.

    ``scrubbed(int)`` is emitted during a drag. Steps recorded during a drag do not change the
    scale, so that the step stays under the mouse.

    Parameters
    ----------
    parent : QWidget, optional
    """

    # Not int, for which Qt has 32 bits: readings of a clock may need more.
    scrubbed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step, self._length, self._growing = 0, 0, False
        self._held: int | None = None
        self._density, self._marked = np.zeros(0), 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Recorded steps")
        self._hover: float | None = None
        # Text of a step for the tooltip.
        self.words: Callable[[int], str] = lambda step: f"Step {step:,}"

    @property
    def step(self) -> int:
        """Step that is shown."""
        return self._step

    @property
    def span(self) -> int:
        """Step at the right end."""
        return max(1, self._length if self._held is None else self._held)

    @property
    def density(self) -> np.ndarray:
        """Fractions of marked steps, shape (m,), as in `show_marks`."""
        return self._density

    def show_position(self, step: int, length: int, growing: bool) -> None:
        """Show a step of the recording, without emitting; during a drag the step stays."""
        if self._held is not None:
            step = self._step
        if (step, length, growing) != (self._step, self._length, self._growing):
            self._step, self._length, self._growing = step, length, growing
            self.update()

    def show_marks(self, density: np.ndarray, length: int) -> None:
        """Show the fraction of marked steps in each of m equal parts of ``length`` steps, (m,)."""
        self._density, self._marked = density, length
        self.update()

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
        """Return the step under a place, px from the left."""
        inset = look_of(self).metrics.px(10)
        share = (x - inset) / max(self.width() - 2 * inset, 1)
        return round(min(max(share, 0.0), 1.0) * self.span)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._length:
            self._held = self._length
            self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover = event.position().x()
        if self._held is not None:
            self._scrub(event)
        set_tip(self, self.words(self.step_at(event.position().x())))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            self.update()

    def _scrub(self, event: QMouseEvent) -> None:
        self._step = self.step_at(event.position().x())
        self.scrubbed.emit(self._step)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = look.metrics.px(11)
            self._paint_marks(painter, look, middle)
            self._paint_line(painter, look, middle)
            if self._length:
                self._paint_handle(painter, look, middle)

    def _paint_line(self, painter: QPainter, look: Look, middle: float) -> None:
        theme, height = look.theme, look.metrics.px(5)
        start, end = self.x_of(0), self.x_of(self.span)
        ink = theme.accent if self._length else theme.disabled
        parts = [(theme.pressed, end), (ink, self.x_of(self._step))]
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, right in parts:
            painter.setBrush(QColor(colour))
            bar = QRectF(start - height / 2, middle - height / 2, right - start + height, height)
            painter.drawRoundedRect(bar, height / 2, height / 2)
        if self._hover is not None and self._length:
            painter.setPen(QPen(QColor(theme.muted), look.metrics.stroke(1.5)))
            x = self.x_of(self.step_at(self._hover))
            painter.drawLine(QPointF(x, middle - height), QPointF(x, middle + height))

    def _paint_marks(self, painter: QPainter, look: Look, middle: float) -> None:
        """Paint short lines below the bar, darker if more of their steps carry a mark."""
        busy = np.flatnonzero(self._density)
        if not len(busy):
            return
        top, height = middle + look.metrics.px(8), look.metrics.px(5)
        steps = self._marked / len(self._density)
        apart = self.x_of(steps) - self.x_of(0)
        colour = QColor(look.theme.text)
        if apart < look.metrics.stroke(2):
            # If there are no gaps between the marks, they are one picture with a pixel per part:
            # single lines would take 4 ms.
            ends = self.x_of(0.5 * steps), self.x_of(self._marked + 0.5 * steps)
            painter.drawImage(QRectF(ends[0], top, ends[1] - ends[0], height), self._strip(colour))
            return
        thick = look.metrics.stroke(2)
        for place in busy.tolist():
            colour.setAlphaF(_darkness(float(self._density[place])))
            x = self.x_of((place + 1) * steps) - thick / 2
            painter.fillRect(QRectF(x, top, thick, height), colour)

    def _strip(self, colour: QColor) -> QImage:
        """Return the marks as a picture one pixel high."""
        shares = np.where(self._density > 0, _darkness(self._density), 0.0)
        pixels = np.empty((1, len(shares), 4), dtype=np.uint8)
        pixels[0, :, :3] = colour.blue(), colour.green(), colour.red()
        pixels[0, :, 3] = np.rint(255.0 * shares)
        kind = QImage.Format.Format_ARGB32
        return QImage(pixels.tobytes(), len(shares), 1, 4 * len(shares), kind).copy()

    def _paint_handle(self, painter: QPainter, look: Look, middle: float) -> None:
        theme, metrics = look.theme, look.metrics
        at = QPointF(self.x_of(self._step), middle)
        painter.setPen(QPen(QColor(theme.accent), metrics.stroke(2)))
        filled = self._held is not None or self.underMouse()
        painter.setBrush(QColor(theme.accent_soft if filled else theme.card))
        painter.drawEllipse(at, metrics.stroke(7), metrics.stroke(7))


def _darkness(density: Any) -> Any:
    """Return the opacity of a mark; a part with few marked steps must be visible, too."""
    return 0.15 + 0.6 * density
