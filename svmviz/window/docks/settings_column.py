"""The column of settings: one card each for data, kernel and penalty, and solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from svmviz.panels.controls.settings.data_panel import DataPanel
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.stage.stage import Stage
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.column import Column
from svmviz.widgets.help_button import HelpButton
from svmviz.widgets.inputs.choice_box import ChoiceBox

if TYPE_CHECKING:
    from svmviz.window.memory import WindowMemory

# The preference with the names of the cards whose part *More* is open.
OPENED = "opened"


class SettingsColumn(Column):
    """A column of cards that can be folded.

    Attributes
    ----------
    data : DataPanel
    model : ModelPanel
    solver : SolverPanel

    Signals
    -------
    open_requested, table_requested : see DataPanel
    help_requested(str)
        The user asked for the help page of this name.
    """

    open_requested = Signal()
    table_requested = Signal()
    help_requested = Signal(str)

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=2.0, margin=2.0)
        self.data = data = DataPanel(stage)
        data.open_requested.connect(self.open_requested)
        data.table_requested.connect(self.table_requested)
        self.model, self.solver = model, solver = ModelPanel(stage), SolverPanel(stage)
        model.help_requested.connect(self.help_requested)
        self.cards = {
            "data": self._add("Data", data),
            "model": self._add("Kernel and penalty", model),
            "solver": self._add("Solver", solver),
        }
        self.helps = {
            "model": self._explain("model", "kernel", model.kernel),
            "solver": self._explain("solver", "method", solver.method),
            **model.penalty.helps,
            "epsilon": model.epsilon_help,
        }
        self.mores = {"data": data.more, "model": model.more, "solver": solver.more}
        self.box.addStretch(1)

    def _add(self, title: str, panel: QWidget) -> FoldingCard:
        # The card is inserted while it is empty: Qt would style any widgets in it a second time.
        card = self.add(FoldingCard(title))
        card.add(panel)
        return card

    def _explain(self, card: str, chapter: str, choice: ChoiceBox) -> HelpButton:
        """Add a "?" to the title of a card: it opens the help on the chosen kernel or method."""
        button = HelpButton(f"About this {chapter}")
        button.clicked.connect(lambda: self.help_requested.emit(f"{chapter}:{choice.value}"))
        self.cards[card].set_corner(button)
        return button

    def close_mores(self) -> None:
        """Close the parts *More*."""
        for more in self.mores.values():
            more.open(False)
            more.toggled.emit()

    def keep_more(self, memory: WindowMemory) -> None:
        """Open the parts *More* as they were last, also before a restart; remember changes."""
        opened = memory.get(OPENED, []) or []
        for name, more in self.mores.items():
            more.open(name in opened)
            more.toggled.connect(
                lambda: memory.put(OPENED, [n for n, m in self.mores.items() if m.is_open])
            )

    @property
    def folded(self) -> list[str]:
        """Names of the cards that are folded."""
        return [name for name, card in self.cards.items() if card.is_folded]

    def fold(self, names: list[str]) -> None:
        """Fold the cards of these names, and unfold all others."""
        for name, card in self.cards.items():
            card.fold(name in names)
