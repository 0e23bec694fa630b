"""The Qt model of the table of points.

Number, coordinates and class come from the document; alpha, slack and f(x) come from the frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from solvers import BadInput
from solvers.errors import short_repr, shorten
from solvers.run.formulas import without_rounding
from svmviz.base.words import axis_units, class_titles, listed, number, read_number
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.stage.stage import Stage
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import tip_of

# Columns; NUMBER is the number of the point, FIRST and SECOND are its coordinates. Without
# coordinates FIRST is its name, and SECOND is hidden. ERROR and ETA are shown while steps are
# done by hand.
NUMBER, FIRST, SECOND, CLASS, ALPHA, SLACK, DECISION, ERROR, ETA = range(9)
# Columns whose values come from the frame, each with the attribute of the certificate that has the
# values. In a regression, the column ALPHA shows beta of the expansion instead.
COMPUTED = {ALPHA: "alpha", SLACK: "slack", DECISION: "decision"}
# Tooltips of the headers in classification, and those that differ in regression.
TIPS = {
    NUMBER: "Number of the point",
    CLASS: "Class: type a name; of two classes, also +1 or -1",
    ALPHA: "Dual variable α, between 0 and C",
    SLACK: "Slack ξ = max(0, 1 − y f(x))",
    DECISION: "Decision value f(x)",
    ERROR: "Error E = f(x) − y",
    ETA: "Curvature η of the pair with point i, Kᵢᵢ + Kₖₖ − 2 Kᵢₖ",
}
REGRESSION_TIPS = {
    ALPHA: "Coefficient β = α* − α, between −C and C",
    SLACK: "Slack ξ = max(0, |y − f(x)| − ε)",
}
# Number of significant digits of coordinates. Coordinates far from 0 may differ only in their last
# digits.
COORDINATE_DIGITS = 6
# In place of the number of a point that the machine leaves out.
LEFT_OUT = "–"
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class PointsModel(QAbstractTableModel):
    """Model of the table, with one row per point. An edit of a cell edits the document.

    Parameters
    ----------
    stage : Stage
    parent : QObject, optional

    Signals
    -------
    refused(str)
        An edit was rejected, and this sentence says why. If the sentence is empty, the edit was
        accepted.
    """

    refused = Signal(str)

    def __init__(self, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = stage.session
        self._document = stage.session.document
        # Values of each column of COMPUTED, shape (n,); empty before the first frame.
        self._columns: dict[int, np.ndarray] = {}
        # The values of the column ETA, by point.
        self._etas: Mapping[int, float] = {}
        self._highlighted: int | None = None

    @property
    def document(self) -> Document:
        """The document that the rows show."""
        return self._document

    @property
    def highlighted(self) -> int | None:
        """The highlighted row."""
        return self._highlighted

    def show_document(self) -> None:
        """Show the session's document."""
        before, after = self._document, self._session.document
        is_other_table = (
            (before.n, len(before.editable)) != (after.n, len(after.editable))
            or before.data.axis_names != after.data.axis_names
            or before.task != after.task
            or before.data.items != after.data.items
        )
        if is_other_table:
            self.beginResetModel()
            self._columns = {}
        # An edit of a cell starts from this document, so it must have the newest settings, too.
        self._document = after
        if is_other_table:
            self.endResetModel()
        elif before.editable is not after.editable:
            self._emit_changed(FIRST, CLASS)

    def show_frame(self, frame: Frame) -> None:
        """Show alpha, slack and f of a frame."""
        lane = frame.lane
        if lane is None:
            self._columns = {}
        else:
            self._columns = {
                column: getattr(lane.certificate, name) for column, name in COMPUTED.items()
            }
            if self._document.is_regression:
                self._columns[ALPHA] = lane.expansion.beta
            elif len(labels := self._document.data.labels) == len(f := self._columns[DECISION]):
                sums = zip((f - labels).tolist(), f.tolist(), strict=True)
                errors = [without_rounding(error, (value, 1.0)) for error, value in sums]
                self._columns[ERROR] = np.array(errors)
        self._emit_changed(ALPHA, ERROR)

    def show_etas(self, etas: Mapping[int, float]) -> None:
        """Show η of points."""
        self._etas = etas
        self._emit_changed(ETA, ETA)

    def highlight_row(self, row: int | None) -> None:
        """Highlight another row, or none."""
        changed_rows = (self._highlighted, row)
        self._highlighted = row
        for changed in changed_rows:
            if changed is not None and changed < self.rowCount():
                ends = self.index(changed, NUMBER), self.index(changed, ETA)
                self.dataChanged.emit(*ends, [Role.BackgroundRole])

    def _emit_changed(self, first: int, last: int) -> None:
        """Report that the texts of these columns, both included, may have changed."""
        if self.rowCount():
            ends = self.index(0, first), self.index(self.rowCount() - 1, last)
            self.dataChanged.emit(*ends, [Role.DisplayRole])

    # Overrides of QAbstractTableModel.

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._document.editable)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 9

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        data = self._document.data
        axes = tuple(name for name, _ in axis_units(data, self._document.is_regression))
        if data.items is not None:
            axes = data.items.kind.removesuffix("s").replace("matrix", "name"), axes[1]
        if role == Role.DisplayRole:
            coefficient = "β" if self._document.is_regression else "α"
            return ("#", *axes, "class", coefficient, "ξ", "f", "E", "η")[section]
        if role == Role.TextAlignmentRole:
            return _align(section)
        tips = TIPS | REGRESSION_TIPS if self._document.is_regression else TIPS
        # A long name of an axis is elided in the header.
        tips = tips | dict(zip((FIRST, SECOND), map(tip_of, axes), strict=True))
        return tips.get(section) if role == Role.ToolTipRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.column() == CLASS or (
            index.column() in (FIRST, SECOND) and self._document.has_coordinates
        ):
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role in (Role.DisplayRole, Role.EditRole):
            return self.text(row, column, all_digits=role == Role.EditRole)
        if role == Role.DecorationRole and column == CLASS:
            return icon(self.class_icon(row))
        return None

    def class_icon(self, row: int) -> str:
        """Return the name of the icon of a point's class."""
        document = self._document
        if document.many is not None:
            return f"class-{document.editable.labels[row] + 1}"
        return "plus-class" if document.data.labels[row] > 0 else "minus-class"

    def text(self, row: int, column: int, *, all_digits: bool = False) -> str:
        """Return the text of a cell; with ``all_digits``, coordinates are not rounded."""
        data = self._document.editable
        if column == NUMBER:
            # The texts beside the plane number the points of the machine.
            return f"{row + 1:,}" if row < self._document.n else LEFT_OUT
        if column == FIRST and data.items is not None:
            return shorten(data.items.names[row])
        if column == CLASS:
            return class_titles(data)[data.classes[row]]
        if column >= ALPHA:
            return self._computed(row, column)
        value = float(data.points[row, column - FIRST]) * self._unit(column)
        return repr(value) if all_digits else number(value, COORDINATE_DIGITS)

    def _computed(self, row: int, column: int) -> str:
        values = self._columns.get(column, ())
        value = self._etas.get(row) if column == ETA else values[row] if row < len(values) else None
        return "–" if value is None else number(float(value))

    def _unit(self, column: int) -> float:
        """Return the factor from coordinates to the numbers in their column."""
        return axis_units(self._document.data)[column - FIRST][1]

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        try:
            document = self.with_cell_text(index.row(), index.column(), str(value))
        except BadInput as error:
            self.refused.emit(str(error))
            return False
        self.refused.emit("")
        if document != self._document:
            quantity = "class" if index.column() == CLASS else "coordinate"
            self._session.edit(document, f"Type a {quantity}")
        return True

    def with_cell_text(self, row: int, column: int, text: str) -> Document:
        """Return the document with a new text in a cell; raise BadInput if the text is invalid."""
        document = self._document
        if column == CLASS:
            return document.relabelled([row], self._label(row, text))
        if text == self.text(row, column, all_digits=True):
            # Division by the unit of the axis could change its last digit.
            return document
        axis = shorten(axis_units(document.data, document.is_regression)[column - FIRST][0])
        try:
            value = read_number(text)
        except ValueError:
            quantity = f"{axis} of {self._who(row)}"
            raise BadInput(f"{quantity} must be a number: got {short_repr(text)}.") from None
        if not np.isfinite(value):
            raise BadInput(f"{axis} of {self._who(row)} must be finite: got {short_repr(text)}.")
        points = document.editable.points.copy()
        points[row, column - FIRST] = value / self._unit(column)
        return document.with_points(points, document.editable.labels)

    def _who(self, row: int) -> str:
        return f"point {row + 1}" if row < self._document.n else "the point"

    def _label(self, row: int, text: str) -> int:
        """Return the label of the class named by a text; BadInput if it names none."""
        document = self._document
        titles = class_titles(document.all_points)
        word = text.strip().replace("−", "-").casefold()
        names = [(k, {title}) for k, title in enumerate(titles)]
        if document.many is None:
            names = [(1, {titles[1], "+1", "1", "+"}), (0, {titles[0], "-1", "-"})]
        for k, spellings in names:
            if word in [name.replace("−", "-").casefold() for name in spellings]:
                return document.label_of(k)
        choices = listed([shorten(titles[k]) for k, _ in names], "or")
        raise BadInput(f"The class of {self._who(row)} must be {choices}: got {short_repr(text)}.")


def _align(column: int) -> Qt.AlignmentFlag:
    horizontal = Qt.AlignmentFlag.AlignLeft if column == CLASS else Qt.AlignmentFlag.AlignRight
    return horizontal | Qt.AlignmentFlag.AlignVCenter
