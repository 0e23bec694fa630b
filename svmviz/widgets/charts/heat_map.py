"""Matrices as coloured cells."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from svmviz.base.words import number
from svmviz.colours.contrast import channels
from svmviz.theme import Theme, active


class HeatMap:
    """A matrix in a rectangle of a widget: one coloured cell per entry, the first row at the top.

    Parameters
    ----------
    values : array, shape (rows, columns)
    limits : (float, float)
        The ends of the colour scale.

    Attributes
    ----------
    place : QRectF
        The rectangle of all cells, px, which the widget sets.
    """

    def __init__(self, values: np.ndarray, limits: tuple[float, float]) -> None:
        self.values = values
        self.limits = limits
        self.place = QRectF()
        self._images: dict[Theme, QImage] = {}

    @property
    def image(self) -> QImage:
        """The cells, one pixel each. It is kept, since 300 rows take 10 ms."""
        theme = active().theme
        if theme not in self._images:
            self._images[theme] = matrix_image(self.values, self.limits)
        return self._images[theme]

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """Return row and column at a position, px; None outside the cells."""
        place, (rows, columns) = self.place, self.values.shape
        if not place.contains(position):
            return None
        row = int((position.y() - place.top()) / place.height() * rows)
        column = int((position.x() - place.left()) / place.width() * columns)
        return min(row, rows - 1), min(column, columns - 1)

    @property
    def cell_side(self) -> float:
        """The shorter side of a cell, px."""
        rows, columns = self.values.shape
        return min(self.place.width() / columns, self.place.height() / rows)

    def row_rect(self, row: int) -> QRectF:
        """Return the rectangle of a row, px."""
        place, height = self.place, self.place.height() / len(self.values)
        return QRectF(place.left(), place.top() + row * height, place.width(), height)

    def column_rect(self, column: int) -> QRectF:
        """Return the rectangle of a column, px."""
        place, width = self.place, self.place.width() / self.values.shape[1]
        return QRectF(place.left() + column * width, place.top(), width, place.height())

    def write_numbers(self, painter: QPainter) -> None:
        """Write the values into the cells, in text or card colour, whichever is easier to read."""
        inks = QColor(active().theme.text), QColor(active().theme.card)
        for (row, column), value in np.ndenumerate(self.values):
            ground = self.image.pixelColor(column, row).lightness()
            painter.setPen(max(inks, key=lambda ink: abs(ink.lightness() - ground)))
            cell = self.row_rect(row).intersected(self.column_rect(column))
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, number(float(value), 2))


def matrix_image(values: np.ndarray, limits: tuple[float, float]) -> QImage:
    """Return an image of values: the background colour at 0, one hue above 0, another hue below.

    Parameters
    ----------
    values : array, shape (rows, columns)
    limits : (float, float)
        The ends of the colour scale.
    """
    theme = active().theme
    largest = max(map(abs, limits))
    fraction = np.clip(values / largest, -1.0, 1.0)[..., None]
    card_colour = np.array(channels(theme.card), dtype=np.float64)
    above, below = (np.array(channels(theme.series[k]), dtype=np.float64) for k in (0, 1))
    mixed = card_colour + np.abs(fraction) * (np.where(fraction >= 0.0, above, below) - card_colour)
    rows, columns = values.shape
    pixels = np.full((rows, columns, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.rint(mixed)
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBX8888)
    return image.copy()
