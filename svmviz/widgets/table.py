"""A table whose rows and columns grow with the size of controls."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QTableView

from svmviz.theme import look_of
from svmviz.widgets.styling import StyleFollower


class TableView(StyleFollower, QTableView):
    """Table whose row heights and column widths follow the size of controls.

    A style sheet cannot set these sizes, because it cannot give the header of the rows another
    section size than the header of the columns.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setHighlightSections(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.follow_style(TableView._apply_style)

    def _apply_style(self) -> None:
        metrics = look_of(self).metrics
        for header, size in (
            (self.verticalHeader(), metrics.px(28)),
            (self.horizontalHeader(), metrics.px(84)),
        ):
            header.setMinimumSectionSize(1)  # the old minimum must not enlarge the new default
            header.setDefaultSectionSize(size)
            header.setMinimumSectionSize(metrics.px(24))

    def setSelectionModel(self, selectionModel: QItemSelectionModel) -> None:
        super().setSelectionModel(selectionModel)
        # The header gets an empty selection of its own. With the selection of the table, the header
        # would look for columns that are selected in every row: 400 ms for 20,000 rows.
        header = self.horizontalHeader()
        header.setSelectionModel(QItemSelectionModel(selectionModel.model(), header))
