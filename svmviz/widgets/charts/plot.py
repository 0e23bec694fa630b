"""Size hints and mouse signals that all plots share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import look_of

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object

# Minimum width and height of a plot in an exported figure, px at scale 1. They are smaller than on
# screen, because text in a figure may be small.
MIN_PRINTED_SIZE = 120, 96


class PlotSize(Base):
    """Mixin with the size hints of a plot; ``_height`` is its preferred height, px at scale 1."""

    _height: float

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(280), px(self._height))

    def minimumSizeHint(self) -> QSize:
        look = look_of(self)
        if look.printing:
            return QSize(*map(look.metrics.px, MIN_PRINTED_SIZE))
        return QSize(look.metrics.px(160), look.metrics.px(0.6 * self._height))


class PaintedPlot(PlotSize, QWidget):
    """Plot that paints itself, with the same three mouse signals as ``Chart``.

    Parameters
    ----------
    height : float
        Preferred height, px at scale 1.
    parent : QWidget, optional

    Signals
    -------
    hovered(float, float)
        The mouse has moved to this position, in the coordinates of the plot.
    pressed(float, float)
        The left button was pressed or dragged at this position, in the coordinates of the plot.
    released()
        The left button was released.
    left()
        The mouse has left the plot.
    """

    hovered = Signal(float, float)
    pressed = Signal(float, float)
    released = Signal()
    left = Signal()

    def __init__(self, height: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._height = height
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def to_data(self, position: QPointF) -> tuple[float, float]:
        """Convert a position from px of the widget to the coordinates of the plot."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(*self.to_data(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        signal = self.pressed if event.buttons() & Qt.MouseButton.LeftButton else self.hovered
        signal.emit(*self.to_data(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)
