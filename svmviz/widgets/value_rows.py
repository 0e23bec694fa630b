"""Rows of names and values that may change with every frame without a new layout."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import BODY, look_of
from svmviz.widgets.styling import StyleFollower

Rows = tuple[tuple[str, str], ...]
# Space between the columns, px at scale 1.
GAP = 14.0


class ValueRows(StyleFollower, QWidget):
    """Small table with a column of names and a column of their values.

    The widget keeps the height that the largest number of rows so far has needed. So the widgets
    below it do not move.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type_size = BODY
        self.rows: Rows = ()
        # The largest number of rows so far.
        self._max_rows = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.follow_style(QWidget.updateGeometry)

    def set_type_size(self, size: int) -> None:
        """Set the text size, px at scale 1."""
        self._type_size = size
        self.updateGeometry()

    def set_rows(self, rows: Rows) -> None:
        """Show other rows."""
        if rows == self.rows:
            return
        self.rows = rows
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in rows))
        if len(rows) > self._max_rows:
            self._max_rows = len(rows)
            self.updateGeometry()
        self.update()

    def _line_height(self) -> float:
        return QFontMetricsF(look_of(self).font(self._type_size)).lineSpacing()

    def sizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(160), math.ceil(self._max_rows * self._line_height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, line = look_of(self).theme, self._line_height()
        measure = QFontMetricsF(look_of(self).font(self._type_size))
        left = max((measure.horizontalAdvance(name) for name, _ in self.rows), default=0.0)
        left += look_of(self).metrics.px(GAP)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            for row, (name, value) in enumerate(self.rows):
                painter.setFont(look_of(self).font(self._type_size))
                painter.setPen(QColor(theme.muted))
                painter.drawText(QRectF(0.0, row * line, self.width(), line), flags, name)
                painter.setFont(look_of(self).font(self._type_size, 600))
                painter.setPen(QColor(theme.text))
                painter.drawText(QRectF(left, row * line, self.width() - left, line), flags, value)
