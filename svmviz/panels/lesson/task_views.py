"""The tasks of a card: a question with its answers, and a goal with its ticks."""

from __future__ import annotations

from svmviz.base.notation import rich
from svmviz.lessons.lessons import Goal, Question, Task
from svmviz.lessons.tasks import ShownTask, words_of
from svmviz.stage.open_lesson import GIVEN_UP
from svmviz.widgets.answer_form import AnswerForm
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


class QuestionView(AnswerForm):
    """The question that waits for its answer.

    Parameters
    ----------
    question : Question
    """

    def __init__(self, question: Question) -> None:
        super().__init__(
            question.ask,
            [choice.text for choice in question.choices],
            [] if question.number is None else [""],
        )


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
