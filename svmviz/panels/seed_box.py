"""A field with the seed of random points, and a button for the next seed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QPushButton

from solvers import BadInput
from svmviz.base.words import read_whole
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.plain_text import Label, set_tip, show_tip

MAX_SEED = 999_999
INVALID_TIP = f"The seed must be a whole number from 0 to {MAX_SEED:,}."
TIP = "The same seed gives the same points on every machine."


class SeedBox(Column):
    """Field for the seed, and a button with dice for the next seed.

    Signals
    -------
    chosen()
        The user has changed the seed.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(gap=1.0, across=True)
        self._value = 0
        self.label = self.add(Label("Seed"))
        self.field = self.add(NumberField(_read_seed, str, TIP))
        self.dice = self.add(QPushButton(icon("generate"), ""))
        self.label.setBuddy(self.field)
        set_tip(self.label, TIP)
        self.field.setAccessibleName("Seed")
        self.field.typed.connect(self._choose)
        self.field.refused.connect(self._show_refusal)
        set_tip(self.dice, "Other random points: the next seed")
        self.dice.setAccessibleName("Next seed")
        self.dice.clicked.connect(lambda: self._choose((self._value + 1) % (MAX_SEED + 1)))
        self.follow_style(SeedBox._fit)
        self.field.set_value(0)

    @property
    def value(self) -> int:
        """The seed, from 0 to 999,999."""
        return self._value

    def set_value(self, seed: int) -> None:
        """Show a seed, without emitting."""
        self._value = seed
        self.field.set_value(seed)

    def _choose(self, seed: int) -> None:
        if seed != self._value:
            self.set_value(seed)
            self.chosen.emit()

    def _show_refusal(self, sentence: str) -> None:
        if sentence:
            show_tip(self.field.mapToGlobal(QPoint(0, 0)), sentence, self.field)

    def _fit(self) -> None:
        self.field.fit_to(str(MAX_SEED))


def _read_seed(text: str) -> int:
    seed = read_whole(text.strip())
    if seed is None or seed > MAX_SEED:
        raise BadInput(INVALID_TIP)
    return seed
