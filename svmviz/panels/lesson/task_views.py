"""The tasks of a card: a question with its answers, and a goal with its ticks."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton

from svmviz.base.notation import rich
from svmviz.base.words import BeyondDouble, read_number
from svmviz.lessons.lessons import Goal, Question, Task
from svmviz.lessons.tasks import ShownTask, words_of
from svmviz.stage.open_lesson import GIVEN_UP
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, MutedLabel, RichLabel

TICK, NO_TICK = "✓", "○"


def wrapped(text: str, role: str = "") -> RichLabel:
    """Return a label of foreign text, whose lines wrap; ``^2`` is a superscript."""
    label = RichLabel(rich(text))
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label


class DoneView(Column):
    """A task that is done, with its reason.

    Parameters
    ----------
    task : Task
    result : str
        RIGHT or GIVEN_UP.
    answer : str
        The right answer of a question.
    """

    def __init__(self, task: Task, result: str, answer: str) -> None:
        super().__init__(gap=1.0)
        self.add(wrapped(f"{NO_TICK if result == GIVEN_UP else TICK} {task.ask}", "muted"))
        if answer:
            self.add(wrapped(answer, "section"))
        if task.because:
            self.add(wrapped(task.because))


class QuestionView(Column):
    """The question that waits for its answer.

    Parameters
    ----------
    question : Question

    Signals
    -------
    chosen(int)
        A choice was clicked.
    answered(float)
        A number was typed.
    """

    chosen = Signal(int)
    answered = Signal(float)

    def __init__(self, question: Question) -> None:
        super().__init__(gap=1.5)
        self.add(wrapped(question.ask, "section"))
        self.choices = [self._add_choice(k, c.text) for k, c in enumerate(question.choices)]
        self.field: QLineEdit | None = None
        if question.number is not None:
            row = self.add(Column(gap=1.5, across=True))
            self.field = row.add(QLineEdit(), 1)
            self.field.setAccessibleName(question.ask)
            self.check = row.add(QPushButton("Check"))
            self.field.returnPressed.connect(self._read)
            self.check.clicked.connect(self._read)
        self.refusal = self.add(MutedLabel())
        self.refusal.hide()

    def _add_choice(self, index: int, text: str) -> QPushButton:
        # A single "&" would be taken for a mnemonic.
        button = self.add(QPushButton(text.replace("&", "&&")))
        button.clicked.connect(lambda: self.chosen.emit(index))
        return button

    def _read(self) -> None:
        assert self.field is not None
        try:
            number = read_number(self.field.text())
        except (ValueError, BeyondDouble):
            self.refusal.setText("Type a number, such as 0.5.")
            self.refusal.show()
            return
        self.refusal.hide()
        self.answered.emit(number)


class GoalView(Column):
    """A goal with a tick for each part.

    Parameters
    ----------
    goal : Goal
    """

    def __init__(self, goal: Goal) -> None:
        super().__init__(gap=1.5)
        self.add(wrapped(goal.ask, "section"))
        self.ticks: list[Label] = []
        for words in words_of(goal):
            row = self.add(Column(gap=1.5, across=True))
            self.ticks.append(row.add(Label(NO_TICK)))
            row.add(wrapped(words), 1)
        self.trouble = self.add(MutedLabel())
        self.trouble.hide()

    def show_task(self, shown: ShownTask) -> None:
        """Tick the parts that hold."""
        for tick, holds in zip(self.ticks, shown.holds, strict=False):
            tick.setText(TICK if holds else NO_TICK)
        self.trouble.setText(shown.trouble)
        self.trouble.setVisible(bool(shown.trouble))
