"""A table whose rows and columns grow with the type."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QTableView, QWidget

from svmviz.theme import active


class Table(QTableView):
    """Table view with rows and columns sized by the projector scale.

    The style sheet cannot do that: it cannot tell the header of the rows from that of the
    columns where it sets properties.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setHighlightSections(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self._dress()

    def _dress(self) -> None:
        metrics = active().metrics
        for header, size in (
            (self.verticalHeader(), metrics.px(28)),
            (self.horizontalHeader(), metrics.px(84)),
        ):
            header.setMinimumSectionSize(1)  # else it would raise rows before they are scaled
            header.setDefaultSectionSize(size)
            header.setMinimumSectionSize(metrics.px(24))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._dress()
        super().changeEvent(event)
