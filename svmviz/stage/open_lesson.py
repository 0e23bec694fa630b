"""The lesson that is open: its card, its task, and what was answered."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from svmviz.base.words import number as number_text
from svmviz.lessons.answers import is_right
from svmviz.lessons.lessons import Card, Lesson, Question, Task
from svmviz.lessons.tasks import ShownTask

RIGHT, GIVEN_UP = "right", "given up"


class OpenLesson(QObject):
    """A lesson and how far it is done; a window shows the scenes of its cards.

    Attributes
    ----------
    lesson : Lesson or None
    index : int
        Index of the card shown.
    is_shown : bool
        Whether a view shows it. Only then does a question hold the steps.
    reply : str
        What is said to the last answer of the present task, or a hint; may be empty.
    left_at : dict of str to int
        By name of a lesson, the index of the card at which it was left; of a lesson that was read
        to its end, the number of its cards.

    Signals
    -------
    changed()
        Another card, task or reply.
    card_opened(Show)
        A card is opened; this is to be shown beside it.
    ended()
    """

    changed = Signal()
    card_opened = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lesson: Lesson | None = None
        self.index = 0
        self.is_shown = False
        self.reply = ""
        self.left_at: dict[str, int] = {}
        # By card and task: RIGHT or GIVEN_UP, and the answer in words.
        self._results: dict[tuple[int, int], tuple[str, str]] = {}

    @property
    def card(self) -> Card | None:
        """The card shown; None if no lesson is open."""
        return self.lesson.cards[self.index] if self.lesson is not None else None

    @property
    def task_index(self) -> int:
        """Index of the present task of the card; the number of tasks if all are done."""
        count = len(self.card.tasks) if self.card is not None else 0
        return next((k for k in range(count) if not self.result(k)), count)

    @property
    def task(self) -> Task | None:
        """The present task; None if all tasks of the card are done."""
        card, index = self.card, self.task_index
        return card.tasks[index] if card is not None and index < len(card.tasks) else None

    @property
    def is_last(self) -> bool:
        """Whether the last card is shown."""
        return self.lesson is not None and self.index == len(self.lesson.cards) - 1

    def result(self, task_index: int) -> str:
        """Return RIGHT or GIVEN_UP for a task of the card; empty if it is not done."""
        return self._results.get((self.index, task_index), ("", ""))[0]

    def right_answer(self, task_index: int) -> str:
        """Return the answer of a task of the card that is done; empty if it has none."""
        return self._results.get((self.index, task_index), ("", ""))[1]

    def begin(self, lesson: Lesson) -> None:
        """Open a lesson at the card at which it was left."""
        self.lesson, self._results = lesson, {}
        index = self.left_at.get(lesson.name, 0)
        self._open(index if 0 <= index < len(lesson.cards) else 0, goes_on=False)

    def end(self) -> None:
        """Close the lesson; nothing happens if none is open."""
        if self.lesson is not None:
            self.lesson, self.reply, self._results = None, "", {}
            self.changed.emit()
            self.ended.emit()

    def go(self, direction: int) -> None:
        """Go to the next card, or back; beyond the last card the lesson ends."""
        if self.lesson is None:
            return
        index = self.index + direction
        if index >= len(self.lesson.cards):
            self.left_at[self.lesson.name] = index
            self.end()
        elif index >= 0:
            self._open(index, goes_on=direction > 0)

    def choose(self, index: int) -> None:
        """Answer the present question by a choice."""
        task = self.task
        if isinstance(task, Question) and index < len(task.choices):
            self._settle(task, task.choices[index].is_right, None)

    def answer(self, answer: float, number: float) -> None:
        """Answer the present question by a number, given the number that is right."""
        task = self.task
        if isinstance(task, Question):
            self._settle(task, is_right(answer, number), number)

    def give_up(self, number: float | None = None) -> None:
        """Show the answer of the present task, given the number that is right if it has one."""
        if self.task is not None:
            self._finish(GIVEN_UP, number)

    def show_hint(self) -> None:
        """Show the hint of the present task."""
        if self.task is not None:
            self.reply = self.task.hint
            self.changed.emit()

    def watch(self, shown: ShownTask) -> None:
        """Go on if the goal that is watched is reached."""
        if shown.is_reached and shown.task is self.task:
            self._finish(RIGHT, None)

    def holds(self, direction: int) -> bool:
        """Return whether a question holds this step, and ask for its answer then."""
        is_held = self.is_shown and direction > 0 and isinstance(self.task, Question)
        if is_held:
            self.reply = "First answer the question, or look at the answer."
            self.changed.emit()
        return is_held

    def _open(self, index: int, goes_on: bool) -> None:
        assert self.lesson is not None
        self.index, self.reply = index, ""
        self.left_at[self.lesson.name] = index
        self.card_opened.emit(self.lesson.show_at(index, goes_on))
        self.changed.emit()

    def _settle(self, task: Question, right: bool, number: float | None) -> None:
        if right:
            self._finish(RIGHT, number)
        else:
            self.reply = f"No. {task.hint}".strip()
            self.changed.emit()

    def _finish(self, result: str, number: float | None) -> None:
        answer = "" if number is None else number_text(number)
        if isinstance(self.task, Question) and self.task.choices:
            answer = " or ".join(choice.text for choice in self.task.choices if choice.is_right)
        self.reply = ""
        self._results[self.index, self.task_index] = (result, answer)
        self.changed.emit()
