"""The table of all points, which can be edited; table and plane share one selection."""

from __future__ import annotations

import math

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from solvers import BadInput
from svmviz.base.keys import DELETE_KEYS
from svmviz.frames.frame import Frame
from svmviz.panels.controls.points.points_cells import CellDelegate
from svmviz.panels.controls.points.points_model import (
    ALPHA,
    CLASS,
    ERROR,
    ETA,
    FIRST,
    NUMBER,
    SECOND,
    PointsModel,
)
from svmviz.stage.stage import Stage
from svmviz.theme import TEXT, active, look_of
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import set_style_property
from svmviz.widgets.table import TableView

NO_POINTS_TEXT = (
    "No points yet.\n"
    "Click in the plane: left for +1, right for −1.\n"
    "Or generate a data set, or open a file, under Data."
)
# Maximum width of a column as a multiple of its minimum.
MAX_STRETCH = 2.0
# Minimum width of each column, and maximum width that its name may claim, px at scale 1.
MIN_WIDTHS = dict.fromkeys(range(ETA + 1), 72) | {NUMBER: 48, CLASS: 96}
MAX_NAME_WIDTH = 110
# The columns that a step of a method needs that is done by hand, with widths that fit beside the
# plane; and those for the choice of a partner, as η is known only of points that may move.
BY_HAND = {
    "smo": {NUMBER: 40, CLASS: 72, ALPHA: 86, ERROR: 86},
    "hulls": {NUMBER: 40, FIRST: 62, SECOND: 62, CLASS: 64, ALPHA: 62},
}
WITH_ETAS = {NUMBER: 40, CLASS: 72, ERROR: 86, ETA: 86}


class FootRow(Column):
    """Row below the table, with a text that wraps.

    The row fixes its height to that of the text at the current width. It does not use Qt's
    height-for-width: a scroll area would then never make the panel lower than its preferred height,
    and would scroll the whole panel, although a lower table would be enough.
    """

    def hasHeightForWidth(self) -> bool:
        return False

    def fit(self) -> None:
        """Fix the height that the text needs at the current width."""
        height = self.box.totalHeightForWidth(self.width())
        if height > 0 and height != self.minimumHeight():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class PointsTable(Column):
    """Table of the points, with their alpha, slack and decision value at the step shown.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=1.0, margin=2.0)
        self._session, self._feed, self._lesson = stage.session, stage.feed, stage.lesson
        # The highlighted point, which all views share.
        self._spotlight = stage.spotlight
        # Whether the program changes the selection of rows. The table's signals are then ignored.
        self._is_updating = False
        self._widths = MIN_WIDTHS
        self.model = PointsModel(stage, self)
        page_area = self.add(QWidget(), 1)
        self._pages = QStackedLayout(page_area)
        self.empty = Label(NO_POINTS_TEXT, role="muted", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table = self._make_table()
        self._pages.addWidget(self.table)
        self._pages.addWidget(self.empty)
        # The row is hidden without a text or a selection, because a low dock has little space.
        self.foot = self.add(FootRow(across=True))
        self.words = self.foot.add(Label(wraps=True), 1)
        self.delete = self.foot.add(QPushButton(icon("trash"), "Delete rows"))
        set_tip(self.delete, "Delete the selected points (Del)")
        self.delete.clicked.connect(self.delete_selected)
        self._connect()
        self._show_document()
        self._show_selection()
        self.follow_style(PointsTable._fit)

    def _make_table(self) -> TableView:
        table = TableView()
        table.setAccessibleName("Points")
        table.setModel(self.model)
        table.setItemDelegate(CellDelegate(self.accepts, table))
        # `CellDelegate` paints each cell in one line.
        table.setWordWrap(False)
        table.setAlternatingRowColors(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setStretchLastSection(False)
        table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        table.setMouseTracking(True)
        table.setEditTriggers(
            TableView.EditTrigger.DoubleClicked
            | TableView.EditTrigger.EditKeyPressed
            | TableView.EditTrigger.AnyKeyPressed
        )
        table.setTabKeyNavigation(False)
        table.viewport().installEventFilter(self)
        return table

    def _connect(self) -> None:
        session = self._session
        session.document_changed.connect(self._show_document)
        session.selection_changed.connect(self._show_selection)
        self._feed.panel_frame_changed.connect(self._show_frame)
        self._spotlight.changed.connect(self._show_highlight)
        self._lesson.changed.connect(self._show_columns)
        self.table.entered.connect(self._on_entered)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.model.refused.connect(self._show_refusal)

    # Display.

    def _show_document(self) -> None:
        self._is_updating = True
        self.model.show_document()
        self._is_updating = False
        self._show_columns()
        self._pages.setCurrentWidget(self.table if self.model.rowCount() else self.empty)
        self._show_selection()

    def _show_columns(self) -> None:
        """Show the columns of the document; while its steps are done by hand, those they need."""
        document = self._session.document
        attempt, is_regression = self._lesson.attempt, document.is_regression
        decision = attempt.decision if attempt is not None else None
        etas = decision.etas if decision is not None else {}
        by_hand = WITH_ETAS if etas else BY_HAND.get(document.method.name)
        self._widths, hidden = MIN_WIDTHS, {ERROR, ETA}
        if decision is not None and by_hand is not None and not is_regression:
            self._widths, hidden = by_hand, MIN_WIDTHS.keys() - by_hand.keys()
        for column in MIN_WIDTHS:
            is_missing = column == SECOND and not document.has_coordinates
            is_target = column == CLASS and is_regression
            self.table.setColumnHidden(column, column in hidden or is_missing or is_target)
        self.model.show_etas(etas)
        self._fit()

    def _show_frame(self, frame: Frame) -> None:
        if self.isVisible():
            self.model.show_frame(frame)

    def _show_selection(self) -> None:
        """Select the rows of the session's selection, in as few ranges as possible."""
        self.delete.setEnabled(bool(self._session.editable_selection))
        self._show_foot()
        if self._is_updating or self._selected_rows() == self._session.editable_selection:
            return
        selection = QItemSelection()
        for first, last in ranges(sorted(self._session.editable_selection)):
            if last < self.model.rowCount():
                selection.select(self.model.index(first, NUMBER), self.model.index(last, ETA))
        self._is_updating = True
        self.table.selectionModel().select(
            selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self._is_updating = False
        if selection and not self.table.hasFocus():
            self.table.scrollTo(self.model.index(min(self._session.editable_selection), NUMBER))

    def _show_highlight(self) -> None:
        if not self.isVisible():
            return
        index = self._spotlight.index
        self.model.highlight_row(index)
        # Scroll to a point that another view highlights, but not to the row under the mouse.
        if index is not None and index < self.model.rowCount() and not self.table.underMouse():
            self.table.scrollTo(self.model.index(index, NUMBER))

    def _on_entered(self, index: QModelIndex) -> None:
        is_known = index.row() < self._session.document.n
        self._spotlight.highlight(index.row() if is_known else None)

    def _show_refusal(self, sentence: str) -> None:
        set_style_property(self.words, "role", "error" if sentence else "muted")
        self.words.setText(sentence)
        self._show_foot()

    def _show_foot(self) -> None:
        self.foot.setVisible(bool(self._session.editable_selection or self.words.text()))
        self.foot.fit()

    # Edits.

    def accepts(self, field: QLineEdit) -> bool:
        """Return whether the text in an editor is valid; if it is not, show the reason."""
        row, column = field.property("cell")
        try:
            self.model.with_cell_text(row, column, field.text())
        except BadInput as error:
            self._show_refusal(str(error))
            set_style_property(field, "invalid", True)
            return False
        return True

    def delete_selected(self) -> None:
        """Delete the selected points."""
        selected = self._session.editable_selection
        if selected:
            text = f"Delete {len(selected):,} points" if len(selected) > 1 else "Delete a point"
            document = self._session.document.removed(selected)
            self._session.select(())
            self._session.edit(document, text)

    def _selected_rows(self) -> frozenset[int]:
        rows: set[int] = set()
        for block in list(self.table.selectionModel().selection()):  # type: ignore[call-overload]
            rows.update(range(block.top(), block.bottom() + 1))
        return frozenset(rows)

    def _on_selected(self) -> None:
        if not self._is_updating:
            self._session.select(self._selected_rows())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in DELETE_KEYS:
            self.delete_selected()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._spotlight.highlight(None)
        elif event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self.model.show_frame(self._feed.frame)

    def _fit(self) -> None:
        """Set the widths of the columns.

        The minimum width of a column is its width in ``MIN_WIDTHS``, or the width of its name if
        the name is wider; a name wider than ``MAX_NAME_WIDTH`` is elided. In an exported figure,
        the width of the cells replaces ``MIN_WIDTHS``, and no name is elided. If the table is wider
        than all columns, they are stretched by one factor, at most ``MAX_STRETCH``.
        """
        px, measure = look_of(self).metrics.px, QFontMetricsF(look_of(self).font(TEXT))
        min_widths = {}
        for column, width in self._widths.items():
            if self.table.isColumnHidden(column):
                continue
            name = self.model.headerData(column, Qt.Orientation.Horizontal)
            name_width = math.ceil(measure.horizontalAdvance(str(name))) + px(20)
            if active().printing:
                min_widths[column] = max(self.table.sizeHintForColumn(column), name_width)
            else:
                min_widths[column] = max(px(width), min(name_width, px(MAX_NAME_WIDTH)))
        stretch = self.table.viewport().width() / sum(min_widths.values())
        for column, width in min_widths.items():
            self.table.setColumnWidth(column, int(width * min(max(stretch, 1.0), MAX_STRETCH)))
        icon_side = look_of(self).metrics.small_icon
        self.table.setIconSize(QSize(icon_side, icon_side))


def ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the ranges of consecutive numbers in an ascending list, as (first, last)."""
    result: list[tuple[int, int]] = []
    for number in numbers:
        if result and number == result[-1][1] + 1:
            result[-1] = (result[-1][0], number)
        else:
            result.append((number, number))
    return result
