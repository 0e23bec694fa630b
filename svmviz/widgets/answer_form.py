"""A question with its choices, or with fields for the numbers that answer it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton

from svmviz.base.notation import rich
from svmviz.base.words import BeyondDouble, read_number
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, MutedLabel, RichLabel
from svmviz.widgets.styling import set_style_property

# Maximum number of fields beside each other, and a number that fits into each of them.
PER_ROW, WIDEST = 2, "−00.0000"


class NumberEdit(QLineEdit):
    """A field in which a number with a sign and four decimals can be read."""

    def minimumSizeHint(self) -> QSize:
        # Qt's hint is the room around the text and 17 letters.
        room, measure = super().sizeHint(), self.fontMetrics()
        width = room.width() - 17 * measure.horizontalAdvance("x")
        return QSize(width + measure.horizontalAdvance(WIDEST), room.height())


class AnswerForm(Column):
    """A question that waits for its answer.

    Parameters
    ----------
    ask : str
        The question, as plain text; ``^2`` is a superscript.
    choices : sequence of str
        Texts of the buttons of a question with choices.
    labels : sequence of str
        For each number that is asked for, its symbol, or an empty text.
    across : bool
        Whether the choices are side by side.

    Signals
    -------
    chosen(int)
        A choice was clicked.
    answered(tuple of float)
        All numbers were typed.
    """

    chosen = Signal(int)
    answered = Signal(object)

    def __init__(
        self,
        ask: str,
        choices: Sequence[str] = (),
        labels: Sequence[str] = (),
        across: bool = False,
    ) -> None:
        super().__init__(gap=2.0)
        self.ask_label = self.add(RichLabel(rich(ask)))
        self.ask_label.setWordWrap(True)
        self.ask_label.setProperty("role", "section")
        self.row = self.add(Column(gap=2.0, across=True)) if across or labels else self
        self.choices = [self._add_choice(index, text) for index, text in enumerate(choices)]
        self.fields = []
        for index, label in enumerate(labels):
            if index and index % PER_ROW == 0:
                self.row = self.add(Column(gap=2.0, across=True))
            self.fields.append(self._add_field(label, ask))
        if self.fields:
            row = self.row if len(self.fields) == 1 else self
            self.check = row.add(QPushButton("Check"))
            self.check.clicked.connect(self._read)
        self.refusal = self.add(MutedLabel())
        self.refusal.hide()

    def _add_choice(self, index: int, text: str) -> QPushButton:
        # A single "&" would be taken for a mnemonic.
        button = self.row.add(QPushButton(text.replace("&", "&&")))
        button.clicked.connect(lambda: self.chosen.emit(index))
        return button

    def _add_field(self, label: str, ask: str) -> QLineEdit:
        if label:
            self.row.add(Label(f"{label} ="))
        field = self.row.add(NumberEdit(), 1)
        field.setAccessibleName(f"{ask} {label}".strip())
        field.returnPressed.connect(self._on_return)
        field.textEdited.connect(lambda: _unmark(field))
        return field

    def mark_wrong(self, positions: Sequence[int]) -> None:
        """Mark the fields of wrong numbers, the others as right, and select the first wrong one."""
        for position, field in enumerate(self.fields):
            set_style_property(field, "invalid", position in positions)
            set_style_property(field, "valid", bool(positions) and position not in positions)
        if positions:
            self.fields[positions[0]].setFocus()
            self.fields[positions[0]].selectAll()

    def _on_return(self) -> None:
        """Go to the next empty field, or answer if there is none."""
        empty = next((field for field in self.fields if not field.text().strip()), None)
        if empty is not None and len(self.fields) > 1:
            empty.setFocus()
        else:
            self._read()

    def _read(self) -> None:
        try:
            numbers = tuple(read_number(field.text()) for field in self.fields)
        except (ValueError, BeyondDouble):
            self.refusal.say("Type a number, such as 0.5.")
            self.mark_wrong(range(len(self.fields)))
            return
        self.refusal.hide()
        self.answered.emit(numbers)


def _unmark(field: QLineEdit) -> None:
    for mark in ("invalid", "valid"):
        set_style_property(field, mark, False)
