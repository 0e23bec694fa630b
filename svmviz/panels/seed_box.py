"""A field with the seed of random points, and a button for the next seed."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from svmviz.base.words import read_whole
from svmviz.theme import BODY, active, font
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.plain_text import Label, set_tip, show_tip
from svmviz.widgets.styling import set_style_property

MAX_SEED = 999_999
INVALID_TIP = f"The seed must be a whole number from 0 to {MAX_SEED:,}."
TIP = "The same seed gives the same points on every machine."


class SeedBox(Column):
    """Field for the seed, and a button with dice for the next seed.

    Parameters
    ----------
    parent : QWidget, optional

    Signals
    -------
    chosen()
        The user has changed the seed.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, across=True, parent=parent)
        self._value = 0
        self.label = self.add(Label("Seed"))
        self.field = self.add(NumberField())
        self.dice = self.add(QPushButton(icon("generate"), ""))
        self.label.setBuddy(self.field)
        set_tip(self.label, TIP)
        self.field.setProperty("role", "quiet")
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName("Seed")
        self.field.textEdited.connect(lambda _text: self._mark())
        self.field.editingFinished.connect(self._on_typed)
        set_tip(self.dice, "Other random points: the next seed")
        self.dice.setAccessibleName("Next seed")
        self.dice.clicked.connect(lambda: self._choose((self._value + 1) % (MAX_SEED + 1)))
        self.follow_style(SeedBox._fit)
        self._show()

    @property
    def value(self) -> int:
        """The seed, from 0 to 999,999."""
        return self._value

    def set_value(self, seed: int) -> None:
        """Show a seed, without emitting."""
        if seed != self._value:
            self._value = seed
            self._show()

    def _choose(self, seed: int) -> None:
        self._value = seed
        self._show()
        self.chosen.emit()

    def _show(self) -> None:
        self.field.setText(str(self._value))
        self._mark()

    def _typed_seed(self) -> int | None:
        """Return the seed in the field; None if the text is invalid."""
        seed = read_whole(self.field.text().strip())
        return seed if seed is not None and seed <= MAX_SEED else None

    def _on_typed(self) -> None:
        seed = self._typed_seed()
        if seed is None:
            show_tip(self.field.mapToGlobal(QPoint(0, 0)), INVALID_TIP, self.field)
        if self.field.isModified() and seed is not None:
            self.field.setModified(False)
            if seed != self._value:
                self._choose(seed)

    def _mark(self) -> None:
        """Mark the field if its text is invalid."""
        invalid = self._typed_seed() is None
        set_tip(self.field, INVALID_TIP if invalid else TIP)
        set_style_property(self.field, "invalid", invalid)

    def _fit(self) -> None:
        widest = QFontMetricsF(font(BODY, 600)).horizontalAdvance(str(MAX_SEED))
        self.field.setFixedWidth(math.ceil(widest) + active().metrics.px(14))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.isModified():
            self._show()
        else:
            super().keyPressEvent(event)
