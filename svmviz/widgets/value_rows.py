"""Rows of names and values, either new in every frame or fixed with changing values.

Fixed rows (:class:`KeyValue`) have tooltips and values that can be selected, so they are labels.
New values take about 1 ms per frame. New rows (:class:`ValueRows`) are painted in 0.4 ms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from svmviz.theme import TEXT, look_of
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import StyleFollower

Rows = tuple[tuple[str, str], ...]
# Space between the columns, px at scale 1.
GAP = 14.0
# Smallest factor by which a value is made narrower.
MIN_SQUEEZE = 0.75


class ValueRows(StyleFollower, QWidget):
    """Small table with a column of names and a column of their values.

    The widget keeps the height that the largest number of rows so far has needed. So the widgets
    below it do not move.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = ()
        # The largest number of rows so far.
        self._max_rows = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.follow_style(QWidget.updateGeometry)

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
        return QFontMetricsF(look_of(self).font()).lineSpacing()

    def sizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(160), math.ceil(self._max_rows * self._line_height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, line = look_of(self).theme, self._line_height()
        measure, letters = QFontMetricsF(look_of(self).font()), look_of(self).letters
        rows = [(letters(name), letters(value)) for name, value in self.rows]
        left = max((measure.horizontalAdvance(name) for name, _ in rows), default=0.0)
        left += look_of(self).metrics.px(GAP)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            painter.setFont(look_of(self).font())
            # No row is cut.
            for row, (name, value) in enumerate(rows[: int((self.height() + 1) / line)]):
                painter.setPen(QColor(theme.muted))
                painter.drawText(QRectF(0.0, row * line, self.width(), line), flags, name)
                painter.setPen(QColor(theme.text))
                box = QRectF(left, row * line, self.width() - left, line)
                # A value that is too wide is squeezed, since its end counts as its beginning does.
                squeeze = min(1.0, box.width() / (measure.horizontalAdvance(value) + 1.0))
                painter.save()
                painter.translate(left, 0.0)
                painter.scale(max(squeeze, MIN_SQUEEZE), 1.0)
                painter.drawText(
                    box.translated(-left, 0.0).adjusted(0.0, 0.0, 1e4, 0.0), flags, value
                )
                painter.restore()


class KeyValue(StyleFollower, QWidget):
    """Two columns: muted names, and numbers that are aligned at the right.

    Parameters
    ----------
    rows : sequence of (key, label) or (key, label, tooltip)
    widest : str
        Text that must fit into the column of numbers.
    """

    def __init__(
        self,
        rows: Sequence[tuple[str, ...]],
        widest: str = "−0.0000e−10",
    ) -> None:
        super().__init__()
        self._widest = widest
        self._names: dict[str, Label] = {}
        self._values: dict[str, Label] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        # The column of numbers gets the remaining width, and at least the width of ``widest``.
        self._grid.setColumnStretch(1, 1)
        for row in rows:
            self._add(*row)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(KeyValue._apply_style)

    def set_values(self, texts: Mapping[str, str]) -> None:
        """Show these texts in the rows with these keys; the other rows keep their texts.

        Raises
        ------
        KeyError
            If one of the keys has no row.
        """
        for key, text in texts.items():
            label = self._values[key]
            if label.text() != text:
                label.setText(text)

    def set_names(self, names: Mapping[str, str]) -> None:
        """Show other names of the rows with these keys."""
        for key, text in names.items():
            if self._names[key].text() != text:
                self._names[key].setText(text)

    def text(self, key: str) -> str:
        """Return the text beside the name of a row."""
        return self._values[key].text()

    def _add(self, key: str, label: str, tip: str = "") -> None:
        row = len(self._values)
        name, value = Label(label, self), Label("", self)
        name.setProperty("role", "muted")
        set_tip(name, tip)
        set_tip(value, tip)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(value, row, 1)
        self._names[key], self._values[key] = name, value

    def _apply_style(self) -> None:
        metrics = look_of(self).metrics
        self._grid.setHorizontalSpacing(metrics.space(2))
        self._grid.setVerticalSpacing(metrics.space(1))
        # The font of the look is used, because the labels get the new font later than their parent.
        measure = QFontMetricsF(look_of(self).font(TEXT))
        for label in self._values.values():
            label.setMinimumWidth(math.ceil(measure.horizontalAdvance(self._widest)) + 2)
            label.setFixedHeight(math.ceil(measure.height()) + 2)
