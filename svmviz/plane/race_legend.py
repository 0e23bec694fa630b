"""The legend of a race, as a widget: one strip above all planes."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ground import draw_ground
from svmviz.plane.paint.legend import lay_out
from svmviz.plane.screen_painter import tip_in
from svmviz.plane.widget import PlaneView
from svmviz.widgets.plain_text import show_tip


class RaceLegend(QWidget):
    """The marks of all planes of a race, with their meanings.

    Parameters
    ----------
    plane : PlaneView
        One of the planes; the strip follows it.
    parent : QWidget
    """

    def __init__(self, plane: PlaneView, parent: QWidget) -> None:
        super().__init__(parent)
        self._plane = plane
        plane.painted.connect(self.update)

    @property
    def canvas(self) -> Canvas:
        """What is painted."""
        return self._plane.strip(self.width(), self.height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = event.pos()
            show_tip(event.globalPos(), tip_in(self.canvas, place.x(), place.y()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        canvas = self.canvas
        with QPainter(self) as painter:
            draw_ground(painter, canvas, lay_out(canvas))
