"""The column of settings: data, kernel and penalty, solver; each in a card that folds."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from svmviz.panels.data_panel import DataPanel
from svmviz.panels.model_panel import ModelPanel
from svmviz.panels.solver_panel import SolverPanel
from svmviz.stage import Stage
from svmviz.widgets.card import Card
from svmviz.widgets.column import Column


class SettingsColumn(QScrollArea):
    """Cards below each other; scrolls up and down, but never cuts anything at the side.

    Signals
    -------
    open_requested, table_requested : see DataPanel
    """

    open_requested = Signal()
    table_requested = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        data = DataPanel(stage)
        data.open_requested.connect(self.open_requested)
        data.table_requested.connect(self.table_requested)
        self.column = Column(gap=2.0, margin=2.0)
        self.cards: dict[str, Card] = {}
        for name, title, panel in (
            ("data", "Data", data),
            ("model", "Kernel and penalty", ModelPanel(stage)),
            ("solver", "Solver", SolverPanel(stage)),
        ):
            self.cards[name] = self._add(title, panel)
        self.column.box.addStretch(1)
        self.setWidget(self.column)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _add(self, title: str, panel: QWidget) -> Card:
        card = Card(title)
        card.add(panel)
        return self.column.add(card)

    @property
    def folded(self) -> list[str]:
        """Names of the cards that are folded."""
        return [name for name, card in self.cards.items() if card.is_folded]

    def fold(self, names: list[str]) -> None:
        """Fold these cards, and no others."""
        for name, card in self.cards.items():
            card.fold(name in names)

    def needed_height(self) -> int:
        """Height in which nothing has to be scrolled, px."""
        return self.column.minimumSizeHint().height()

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(
            self.column.minimumSizeHint().width() + bar, super().minimumSizeHint().height()
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # The content is wider or narrower than it was, and so is what the dock must leave it.
            self.updateGeometry()
        return super().event(event)
