"""A painted substitute for the plane, to judge its colours beside each other."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.plane.paint.point_shapes import draw_mark
from svmviz.plane.paint.style import Style
from svmviz.theme import MARKS, active


class Scene(QWidget):
    """A painted substitute for the plane, to judge its colours beside each other."""

    def sizeHint(self) -> QSize:
        scale = active().metrics.scale
        return QSize(int(460 * scale), int(300 * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, scale = active().theme, active().metrics.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = self.width() / scale, self.height() / scale
        painter.scale(scale, scale)
        middle = width / 2
        for left, right, colour in (
            (0, middle - 70, theme.negative_field),
            (middle - 70, middle, theme.negative_band),
            (middle, middle + 70, theme.positive_band),
            (middle + 70, width, theme.positive_field),
        ):
            painter.fillRect(QRectF(left, 0, right - left, height), QColor(colour))
        painter.setPen(QPen(QColor(theme.boundary), MARKS.boundary_width))
        painter.drawLine(QPointF(middle, 0), QPointF(middle, height))
        painter.setPen(QPen(QColor(theme.margin), MARKS.margin_width))
        for x in (middle - 70, middle + 70):
            painter.drawLine(QPointF(x, 0), QPointF(x, height))
        self._points(painter, middle)

    def _points(self, painter: QPainter, middle: float) -> None:
        theme = active().theme
        points = [(1, 120, 50), (1, 160, 120), (1, 70, 200), (1, 40, 90), (1, -30, 240)]
        points += [(-1, -120, 70), (-1, -160, 160), (-1, -70, 130), (-1, -100, 250), (-1, 35, 40)]
        for sign, x, y in points:
            at = QPointF(middle + x, y)
            if (x, y) in ((70, 200), (-70, 130)):
                self._shout(painter, at)
            if sign * x < 70:
                painter.setPen(QPen(QColor(theme.slack), 1.3))
                painter.drawLine(at, QPointF(middle + 70 * sign, y))
            role = BOUND if sign * x < 70 else FREE if sign * x == 70 else ZERO
            draw_mark(painter, at.x(), at.y(), sign, Style(theme), role)

    def _shout(self, painter: QPainter, at: QPointF) -> None:
        theme, radius = active().theme, MARKS.highlight_radius
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in (
            (theme.highlight_halo, MARKS.highlight_halo),
            (theme.highlight, MARKS.highlight_width),
        ):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(at, radius, radius)
