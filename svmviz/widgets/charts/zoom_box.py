"""The view of a chart: pyqtgraph's zooming and moving."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal

from svmviz.widgets.charts.plot_area import Range

# Maximum factor by which a chart is zoomed in.
MAX_ZOOM = 1000.0
LEFT = Qt.MouseButton.LeftButton


class ZoomBox(pg.ViewBox):
    """The plot of a chart, in which the wheel zooms, and a drag moves what is zoomed.

    Parameters
    ----------
    zooms : bool
        Whether the user can zoom.
    equal : bool
        Whether both axes are always zoomed by one factor.

    Signals
    -------
    clicked(QPointF, bool)
        The left button was clicked at this position of the chart, px; the second time if True.
    """

    clicked = Signal(QPointF, bool)

    def __init__(self, *, zooms: bool, equal: bool) -> None:
        super().__init__(enableMenu=False, enableMouse=zooms, defaultPadding=0)
        self._equal = equal
        self._limits: tuple[Range, Range] | None = None
        self.disableAutoRange()
        # With the focus, it would use keys.
        self.setFlag(self.GraphicsItemFlag.ItemIsFocusable, False)

    def show_part(
        self, rect: QRectF, part: tuple[Range, Range], whole: tuple[Range, Range]
    ) -> None:
        """Show a part of the whole in a rectangle of the chart."""
        self.setGeometry(rect)
        if whole != self._limits:
            self._limits = (left, right), (bottom, top) = whole
            self.setLimits(
                xMin=left,
                xMax=right,
                yMin=bottom,
                yMax=top,
                minXRange=(right - left) / MAX_ZOOM,
                minYRange=(top - bottom) / MAX_ZOOM,
            )
        self.setRange(xRange=part[0], yRange=part[1], padding=0)

    def wheelEvent(self, ev: Any, axis: int | None = None) -> None:
        # Several turns may come between two paintings.
        self.updateMatrix()
        # If the mouse is over an axis, the position is in the coordinates of the axis.
        ev.setPos(self.mapFromScene(ev.scenePos()))
        super().wheelEvent(ev, None if self._equal else axis)

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        # A drag with the right button zooms each axis by its own factor.
        if not (self._equal and ev.button() == Qt.MouseButton.RightButton):
            super().mouseDragEvent(ev, axis)

    def mouseClickEvent(self, ev: Any) -> None:
        if ev.button() == LEFT:
            ev.accept()
            self.clicked.emit(QPointF(ev.scenePos()), ev.double())
