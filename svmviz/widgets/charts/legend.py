"""A legend with the names of curves, their colours and their current values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.theme import TEXT, look_of
from svmviz.widgets.plain_text import show_tip
from svmviz.widgets.styling import StyleFollower


@dataclass(frozen=True)
class CurveEntry:
    """Entry of one curve in a legend.

    Attributes
    ----------
    name : str
    colour : str
    value : str
        Current value of the curve; may be empty.
    style : Qt.PenStyle
    tip : str
        Tooltip: what the curve is.
    """

    name: str
    colour: str
    value: str = ""
    style: Qt.PenStyle = Qt.PenStyle.SolidLine
    tip: str = ""


class Legend(StyleFollower, QWidget):
    """Legend with entries in as many columns as fit."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[CurveEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(Legend._fit)

    @property
    def entries(self) -> tuple[CurveEntry, ...]:
        """The entries shown."""
        return self._entries

    def show_entries(self, entries: tuple[CurveEntry, ...]) -> None:
        """Show other entries."""
        if entries == self._entries:
            return
        has_other_names = [new.name for new in entries] != [old.name for old in self._entries]
        self._entries = entries
        if has_other_names:
            self._fit()
        self.update()

    def entry_at(self, position: QPointF) -> CurveEntry | None:
        """Return the entry at a position, px of the widget; None if no entry is there."""
        columns = self._columns()
        row, column = int(position.y() // self._line_height()), 0
        if columns > 1:
            column = int(position.x() // self._entry_width())
        index = row * columns + column
        return self._entries[index] if column < columns and index < len(self._entries) else None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            entry = self.entry_at(QPointF(event.pos()))
            show_tip(event.globalPos(), entry.tip if entry else "", self)
            return True
        return super().event(event)

    def _entry_width(self) -> float:
        """Return the width of each entry, px, in which the widest name and any value fit."""
        return self._value_start() + self._value_width() + look_of(self).metrics.px(12)

    def _value_start(self) -> float:
        """Return the distance of the value from the left edge of an entry, px."""
        px = look_of(self).metrics.px
        names = QFontMetricsF(look_of(self).font(TEXT))
        letters = look_of(self).letters
        widths = [names.horizontalAdvance(letters(entry.name)) for entry in self._entries]
        widest = max(widths, default=0.0)
        return px(28) + widest + px(8)

    def _value_width(self) -> float:
        return QFontMetricsF(look_of(self).font(TEXT)).horizontalAdvance("1.234·10⁻¹⁰")

    def _columns(self) -> int:
        fitting = max(1, int(self.width() // self._entry_width()))
        return min(fitting, max(1, len(self._entries)))

    def _line_height(self) -> int:
        look = look_of(self)
        return math.ceil(QFontMetricsF(look.font(TEXT)).height()) + look.metrics.px(3)

    def _fit(self) -> None:
        rows = math.ceil(len(self._entries) / self._columns())
        self.setFixedHeight(max(1, rows) * self._line_height())

    def sizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(200), self._line_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fitted(self, entry: CurveEntry, width: float) -> tuple[str, float]:
        """Return the name of an entry, cut off if it is too long, and where its value begins, px.

        Values begin after the widest name: at the right edge, a value would be nearer to the name
        of the next entry.
        """
        look, px = look_of(self), look_of(self).metrics.px
        value_width = QFontMetricsF(look.font(TEXT)).horizontalAdvance(entry.value)
        start = min(self._value_start(), width - value_width - px(4))
        room = max(0.0, (start if entry.value else width) - px(36))
        measure = QFontMetricsF(look.font(TEXT))
        return measure.elidedText(
            look.letters(entry.name), Qt.TextElideMode.ElideRight, room
        ), start

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(look.font())
            columns, line = self._columns(), self._line_height()
            width = self.width() if columns == 1 else self._entry_width()
            px, flags = look.metrics.px, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            for index, entry in enumerate(self._entries):
                row, column = divmod(index, columns)
                left, top = column * width, row * line
                name, start = self._fitted(entry, width)
                painter.setPen(QPen(QColor(entry.colour), look.metrics.stroke(3), entry.style))
                middle = top + line / 2
                painter.drawLine(QPointF(left + px(2), middle), QPointF(left + px(20), middle))
                for text, x, ink in (
                    (name, px(28), look.theme.muted),
                    (entry.value, start, look.theme.text),
                ):
                    painter.setPen(QColor(ink))
                    painter.drawText(QRectF(left + x, top, width, line), flags, text)
