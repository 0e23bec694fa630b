"""An axis of a chart, with its numbers, grid lines and name."""

from __future__ import annotations

import re
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from svmviz.theme import LABEL, TEXT, Look
from svmviz.widgets.charts.plot_area import PlotArea, TickPairs

# Alignments of the numbers beside the vertical and below the horizontal axis.
BESIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
BELOW = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class ChartAxis(pg.AxisItem):
    """Axis of x, or of y if ``vertical``, with numbers at round places.

    By pyqtgraph, a wheel or a drag over it zooms or moves the view along it. The item has the size
    of its chart, so its px are those of the chart.

    Attributes
    ----------
    swatches : tuple of int
        The series of the theme whose colours the signs ■ in the name have, in their order.
    """

    swatches: tuple[int, ...] = ()

    def __init__(self, view: pg.ViewBox, *, vertical: bool) -> None:
        super().__init__("left" if vertical else "bottom")
        self._vertical = vertical
        # Otherwise each change of ranges would rewrite the label of pyqtgraph, which is not used.
        self.enableAutoSIPrefix(False)
        self.linkToView(view)

    def arrange(self, rect: QRect, area: PlotArea, ticks: TickPairs, name: str, look: Look) -> None:
        """Lie in a chart with this rectangle; the axis is drawn again."""
        self._area, self._ticks, self._name, self._look = area, ticks, name, look
        if self._vertical:
            self.setWidth(rect.width())
        else:
            self.setHeight(rect.height())
        self.setGeometry(QRectF(rect))

    def shape(self) -> QPainterPath:
        """Return the place beside the plot, where the axis uses the mouse."""
        plot, path = self._area.rect, QPainterPath()
        if self._vertical:
            path.addRect(QRectF(0.0, plot.top(), plot.left(), plot.height()))
        else:
            path.addRect(QRectF(plot.left(), plot.bottom(), plot.width(), self.size().height()))
        return path

    def paint(self, p: QPainter, opt: Any, widget: Any) -> None:
        """Paint nothing: the chart calls :meth:`draw` for its background, which Qt caches."""

    def draw(self, painter: QPainter) -> None:
        """Draw grid lines, numbers and name."""
        look, plot = self._look, self._area.rect
        measure, gap = QFontMetricsF(look.font(LABEL)), look.metrics.px(4)
        grid = QPen(QColor(look.theme.grid), look.metrics.stroke(1.0))
        ink, height = QPen(QColor(look.theme.axis)), 2.0 * measure.height()
        painter.save()
        painter.setFont(look.font(LABEL))
        for value, text in self._ticks:
            x, y = self._area.pixel(value, value).toTuple()
            if self._vertical:
                line = QLineF(plot.left(), y, plot.right(), y)
                box = QRectF(0.0, y - 0.5 * height, plot.left() - gap, height)
            else:
                line = QLineF(x, plot.top(), x, plot.bottom())
                # The last number is not cut at the edge of the chart. The box is wider than any.
                x = min(x, self.size().width() - 0.5 * measure.horizontalAdvance(text))
                box = QRectF(x - 100.0, plot.bottom() + gap, 200.0, height)
            painter.setPen(grid)
            painter.drawLine(line)
            if self.isVisible():
                painter.setPen(ink)
                painter.drawText(box, BESIDE if self._vertical else BELOW, text)
        if self._name:
            self._draw_name(painter)
        painter.restore()

    def _draw_name(self, painter: QPainter) -> None:
        """Write the name at the middle of the plot, or as near as the chart allows.

        A name that is longer than the chart is elided. A symbol of one or two letters is upright.
        """
        look, size, centre = self._look, self.size(), self._area.rect.center()
        measure = QFontMetricsF(look.font(TEXT))
        room, middle = (size.height(), centre.y()) if self._vertical else (size.width(), centre.x())
        name = measure.elidedText(look.letters(self._name), Qt.TextElideMode.ElideRight, room)
        width = min(measure.horizontalAdvance(name) + 2.0, room)
        middle = min(max(middle, 0.5 * width), room - 0.5 * width)
        if not self._vertical:
            painter.translate(middle - 0.5 * width, size.height() - measure.height())
        elif len(self._name) < 3:
            width = measure.height()
            painter.translate(0.0, middle - 0.5 * width)
        else:
            painter.translate(0.0, middle + 0.5 * width)
            painter.rotate(-90.0)
        painter.setFont(look.font(TEXT))
        colours = iter(look.theme.series[number] for number in self.swatches)
        left = 0.5 * (width - measure.horizontalAdvance(name))
        box = QRectF(left, 0.0, width, measure.height())
        for part in re.split("(■)", name):
            colour = next(colours, "") if part == "■" else ""
            painter.setPen(QColor(colour or look.theme.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, part)
            box.translate(measure.horizontalAdvance(part), 0.0)
