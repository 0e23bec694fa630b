"""The column of settings: one card each for data, kernel and penalty, and solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from svmviz.panels.controls.settings.data_panel import DataPanel
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.stage.stage import Stage
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.column import Column
from svmviz.widgets.icon_button import SmallButton
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
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=2.0, margin=2.0)
        self._stage = stage
        self.data, self.model, self.solver = DataPanel(stage), ModelPanel(stage), SolverPanel(stage)
        data, model, solver = self.data, self.model, self.solver
        self.cards = {
            "data": self._add("Data", data),
            "model": self._add("Kernel and penalty C", model),
            "solver": self._add("Method", solver),
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

    def _explain(self, card: str, chapter: str, choice: ChoiceBox) -> SmallButton:
        """Add a "?" to the title of a card: it opens the help on the chosen kernel or method."""
        button = SmallButton("question-mark", f"About this {chapter}")
        ask = self._stage.lesson.concept_requested.emit
        button.clicked.connect(lambda: ask(f"{chapter}:{choice.value}"))
        self.cards[card].set_corner(button)
        return button

    def put_last(self, name: str) -> None:
        """Move a card below all others, and fold it."""
        card = self.cards[name]
        self.box.removeWidget(card)
        # The last item is a stretch.
        self.box.insertWidget(self.box.count() - 1, card)
        card.fold(True)

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
