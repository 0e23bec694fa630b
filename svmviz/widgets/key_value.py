"""A column of names and a column of numbers, which do not move when the numbers change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from svmviz.theme import BODY, look_of
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import StyleFollower


class KeyValue(StyleFollower, QWidget):
    """Two columns: muted names, and numbers that are aligned at the right.

    Parameters
    ----------
    rows : sequence of (key, label) or (key, label, tooltip)
    widest : str
        Text that must fit into the column of numbers.
    parent : QWidget, optional
    """

    def __init__(
        self,
        rows: Sequence[tuple[str, ...]],
        widest: str = "−0.0000e−10",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._widest = widest
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
        self._values[key] = value

    def _apply_style(self) -> None:
        metrics = look_of(self).metrics
        self._grid.setHorizontalSpacing(metrics.space(3))
        self._grid.setVerticalSpacing(metrics.space(1))
        # The font of the look is used, because the labels get the new font later than their parent.
        measure = QFontMetricsF(look_of(self).font(BODY))
        for label in self._values.values():
            label.setMinimumWidth(math.ceil(measure.horizontalAdvance(self._widest)) + 2)
            label.setFixedHeight(math.ceil(measure.height()) + 2)
