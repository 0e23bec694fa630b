"""A table of lanes with different problems: errors, width of the margin and support vectors."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from svmviz.base.words import count, number
from svmviz.document.lanes import titles_of_lanes
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.part_risks import part_risks
from svmviz.plane.race_tiles import MAX_LANES
from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import StyleFollower

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
WIDTH = "width 2 / ‖w‖"
TIPS = {
    WIDTH: "Distance between f = −1 and f = +1, in the feature space of the lane's kernel",
    "support vectors": "Points with α > 0, of which f is made",
}
# The largest number of rows: three parts, the width, the support vectors.
MAX_ROWS = 5


class LaneTable(StyleFollower, QWidget):
    """Table with a column per lane and a row per quantity.

    If it is narrow, the name of a quantity is above its row, and values wrap.
    """

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(MAX_LANES + 1, 1)
        # The labels by row and column; the first row has the names of the lanes.
        self.cells = [
            [
                Label(role="muted" if not column else "section" if row else "caption", wraps=True)
                for column in range(MAX_LANES + 1)
            ]
            for row in range(MAX_ROWS + 1)
        ]
        for labels in self.cells:
            for label in labels[1:]:
                label.setAlignment(RIGHT)
        self._names_above: bool | None = None
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(LaneTable._apply_style)

    def show_lanes(self, frame: Frame) -> None:
        """Show the quantities of the lanes at the step shown."""
        columns = [["", *titles_of_lanes(frame.document)]]
        values = [dict(_values(frame.focused_on(i), lane)) for i, lane in enumerate(frame.lanes)]
        for name in values[0] if values else ():
            columns.append([name, *(own[name] for own in values)])
        for labels, texts in zip(self.cells, columns + [[]] * MAX_ROWS, strict=False):
            for column, label in enumerate(labels):
                label.setVisible(column < len(texts))
                label.setText(texts[column] if column < len(texts) else "")
            if texts:
                set_tip(labels[0], TIPS.get(texts[0], ""))
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Put each name beside its row, or above it if not all texts have room in one line."""
        names_above = self._needed_width > self.width()
        if names_above == self._names_above:
            return
        self._names_above = names_above
        for row, (name, *values) in enumerate(self.cells):
            self._grid.addWidget(name, 2 * row, 0, 1, len(values) + 1 if names_above else 1)
            for column, label in enumerate(values, start=1):
                self._grid.addWidget(label, 2 * row + names_above, column)

    @property
    def _needed_width(self) -> int:
        """Width in which all texts have room in one line, px."""
        columns = [[label for label in column if label.text()] for column in zip(*self.cells)]
        widths = [max(map(_width_of, column)) for column in columns if column]
        return sum(widths) + len(widths) * self._grid.horizontalSpacing()

    @property
    def texts(self) -> list[list[str]]:
        """The texts of the rows that are shown."""
        rows = [[label.text() for label in labels if not label.isHidden()] for labels in self.cells]
        return [row for row in rows if row]

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._grid.setContentsMargins(0, space(2), 0, 0)
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))


def _width_of(label: Label) -> int:
    return label.fontMetrics().horizontalAdvance(label.text())


def _values(frame: Frame, lane: Lane) -> Iterator[tuple[str, str]]:
    """Yield name and value of each quantity of a lane; the frame is seen from this lane."""
    document = frame.document
    for risk in part_risks(document, lane):
        yield f"{risk.name} error", risk.with_state
    if not document.is_regression:
        width = 2.0 * lane.certificate.margin
        yield WIDTH, number(width, 3) if math.isfinite(width) else "–"
    yield "support vectors", f"{count(len(lane.expansion.support))} of {count(lane.problem.n)}"
