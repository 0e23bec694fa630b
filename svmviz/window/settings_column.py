"""The column of settings: data, kernel and penalty, solver; each in a card that folds."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from svmviz.panels.data_panel import DataPanel
from svmviz.panels.model_panel import ModelPanel
from svmviz.panels.solver_panel import SolverPanel
from svmviz.stage import Stage
from svmviz.widgets.card import Card
from svmviz.widgets.column import Column


class SettingsColumn(Column):
    """Cards below each other.

    Signals
    -------
    open_requested, table_requested : see DataPanel
    """

    open_requested = Signal()
    table_requested = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=2.0, margin=2.0)
        data = DataPanel(stage)
        data.open_requested.connect(self.open_requested)
        data.table_requested.connect(self.table_requested)
        self.cards = {
            "data": self._add("Data", data),
            "model": self._add("Kernel and penalty", ModelPanel(stage)),
            "solver": self._add("Solver", SolverPanel(stage)),
        }
        self.box.addStretch(1)

    def _add(self, title: str, panel: QWidget) -> Card:
        card = Card(title)
        card.add(panel)
        return self.add(card)

    @property
    def folded(self) -> list[str]:
        """Names of the cards that are folded."""
        return [name for name, card in self.cards.items() if card.is_folded]

    def fold(self, names: list[str]) -> None:
        """Fold these cards, and no others."""
        for name, card in self.cards.items():
            card.fold(name in names)
