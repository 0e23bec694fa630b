"""The lesson that is open: its card, its task, and the answers so far."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from svmviz.lessons.by_hand import Decision
from svmviz.lessons.certificates import AnswerVerdict
from svmviz.lessons.exercise import NOTED, Attempt, Exercise
from svmviz.lessons.fresh import card_with_numbers, has_numbers, with_numbers
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.lessons import Card, Lesson, Task
from svmviz.lessons.questions import Key, Question
from svmviz.lessons.shows import Show
from svmviz.lessons.tasks import ShownTask

RIGHT, GIVEN_UP = "right", "given up"
BEGINS_AGAIN = "The scene has changed, so the exercise begins again."
FIRST_ANSWER = "First answer the question, or look at the answer."
FIRST_ACT = "First do this task, or skip it."
LAST_CARD = "This is the last card."
STILL_OPEN = "This lesson is open. Help > End the lesson leads to the others."


@dataclass
class Record:
    """The record of a task.

    Attributes
    ----------
    result : str
        RIGHT or GIVEN_UP; empty if the task is not done.
    answer : str
        The right answer in words; empty if the task has none.
    wrong : int
        Number of wrong answers.
    seconds : float
        Time from the beginning of the task to its end, or to now.
    attempt : Attempt or None
        What was done of an exercise.
    """

    result: str = ""
    answer: str = ""
    wrong: int = 0
    seconds: float = 0.0
    attempt: Attempt | None = None


class OpenLesson(QObject):
    """The open lesson and the progress in it. A window shows the scenes of its cards.

    Attributes
    ----------
    lesson : Lesson or None
    index : int
        Index of the card shown.
    views : list
        The views that show the lesson now. While there is none, no question limits the steps shown.
        The first view gets the clicks in the plane.
    reply : str
        The reply to the last answer of the present task, or a hint; may be empty.
    left_at : dict of str to int
        By name of a lesson, the index of the card at which it was left; of a lesson that was read
        to its end, the number of its cards.
    records : dict of str to dict
        By name of a lesson, what was done at each task since the program was started: by index of
        the card and of the task.
    opened : dict of str to Lesson
        The lessons that were opened since the program was started, by their names.
    versions : dict of str to int
        By name of a lesson, the version of its fresh points (:mod:`svmviz.lessons.fresh`).

    Signals
    -------
    changed()
        Card, task or reply have changed.
    card_opened(Show)
        A card was opened; the argument says what to show beside it.
    card_done()
        The last task of a card was done.
    step_answered(int)
        A question on this step was answered or given up.
    tool_requested(str)
        The card needs this tool of the mouse.
    concept_requested(str)
        The user clicked a word; this is the page of the help that explains it.
    ended()
    """

    changed = Signal()
    card_opened = Signal(object)
    card_done = Signal()
    step_answered = Signal(int)
    tool_requested = Signal(str)
    concept_requested = Signal(str)
    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lesson: Lesson | None = None
        self.index = 0
        self.views: list[Any] = []
        self.reply = ""
        self.left_at: dict[str, int] = {}
        # A function that makes the further widgets on a card, besides its text and tasks:
        # derivation and controls.
        self.make_extras: Callable[[Show], list[Any]] = lambda _show: []
        self.records: dict[str, dict[tuple[int, int], Record]] = {}
        self.opened: dict[str, Lesson] = {}
        # The name that the student gave when something was handed in.
        self.student = ""
        self.versions: dict[str, int] = {}
        # A function that makes something that may take long, and calls another one with it. The
        # window makes it in the background.
        self.prepare: Callable[[Callable[[], Any], Callable[[Any], None]], None] = (
            lambda make, then: then(make())
        )
        # When the present task began.
        self._began = 0.0

    @property
    def card(self) -> Card | None:
        """The card shown; None if no lesson is open."""
        return self.lesson.cards[self.index] if self.lesson is not None else None

    @property
    def task_index(self) -> int:
        """Index of the present task of the card; the number of tasks if all are done."""
        count = len(self.card.tasks) if self.card is not None else 0
        return next((k for k in range(count) if not self.record(k).result), count)

    @property
    def task(self) -> Task | None:
        """The present task; None if all tasks of the card are done."""
        card, index = self.card, self.task_index
        return card.tasks[index] if card is not None and index < len(card.tasks) else None

    @property
    def is_by_hand(self) -> bool:
        """Whether a decision of a step by hand waits."""
        return self.attempt is not None and self.attempt.decision is not None

    @property
    def attempt(self) -> Attempt | None:
        """What was done of the present exercise; None without one."""
        is_exercise = isinstance(self.task, Exercise)
        return self.record(self.task_index).attempt if is_exercise else None

    @property
    def asked(self) -> Task | Decision | None:
        """The present task; of an exercise that has begun, the decision that waits."""
        return (self.attempt and self.attempt.decision) or self.task

    @property
    def is_last(self) -> bool:
        """Whether the last card is shown."""
        return self.lesson is not None and self.index == len(self.lesson.cards) - 1

    def record(self, task_index: int) -> Record:
        """Return the record of a task of the card."""
        assert self.lesson is not None
        records = self.records.setdefault(self.lesson.name, {})
        return records.setdefault((self.index, task_index), Record())

    def choose(self, lesson: Lesson) -> None:
        """Open a lesson; if it was read to its end, with fresh points."""
        if any(map(has_numbers, lesson.cards)):
            version = self.version_of(lesson)
            self.prepare(lambda: with_numbers(lesson, version), self.begin)
        else:
            self.begin(lesson)

    def version_of(self, lesson: Lesson) -> int:
        """Return the version of the fresh points with which a lesson is to be opened."""
        is_read = self.left_at.get(lesson.name, 0) >= len(lesson.cards)
        return self.versions.get(lesson.name, 0) + is_read

    def renew(self) -> None:
        """Begin the card again with fresh points."""
        lesson, index = self.lesson, self.index
        if lesson is None:
            return
        version = self.versions.get(lesson.name, 0) + 1

        def show(card: Card) -> None:
            if self.lesson is not lesson or self.index != index:
                return
            self.versions[lesson.name] = version
            cards = (*lesson.cards[:index], card, *lesson.cards[index + 1 :])
            self.lesson = self.opened[lesson.name] = replace(lesson, cards=cards, version=version)
            for key in [key for key in self.records[lesson.name] if key[0] == index]:
                del self.records[lesson.name][key]
            self._open(index, goes_on=False)

        self.prepare(lambda: card_with_numbers(lesson, index, version), show)

    def begin(self, lesson: Lesson) -> None:
        """Open a lesson, with its numbers, at the card at which it was left."""
        self._stop_clock()
        if lesson.written is not None:
            self.versions[lesson.name] = lesson.version
        self.lesson, self.records[lesson.name] = lesson, {}
        self.opened[lesson.name] = lesson
        index = self.left_at.get(lesson.name, 0)
        self.index = index if 0 <= index < len(lesson.cards) else 0
        self._open(self.index, goes_on=False)

    def end(self) -> None:
        """Close the lesson; nothing happens if none is open."""
        if self.lesson is not None:
            self._stop_clock()
            self.lesson, self.reply = None, ""
            self.changed.emit()
            self.ended.emit()

    def revise(self, lesson: Lesson | None, index: int, *, is_shown: bool = False) -> None:
        """Replace the lesson by another version of it; a card that shows something else is opened.

        None ends it. If it ``is_shown``, all that has changed is already on screen.
        """
        if lesson is None:
            self.end()
            return
        shown = self.card.show if self.card is not None else None
        self.lesson = self.opened[lesson.name] = lesson
        self.index = min(index, len(lesson.cards) - 1)
        self.left_at[lesson.name] = self.index
        if is_shown:
            return
        if lesson.cards[self.index].show != shown:
            self._open(self.index, goes_on=False)
        else:
            self.changed.emit()

    def open_card(self, index: int) -> None:
        """Show another card."""
        if self.lesson is not None:
            self._open(index, goes_on=False)

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

    def answer(self, answer: Any, key: Key, wrong: Sequence[Key] = ()) -> None:
        """Answer the present question, with the keys of its right and known wrong answers."""
        task = self.task
        if isinstance(task, Question):
            is_right = key.accepts(answer)
            said = "" if is_right else task.reply_to(answer, wrong)
            self._settle(is_right, task.in_words(key) if is_right else "", said)

    def certify(self, verdict: AnswerVerdict) -> None:
        """Enter a solution of the present certificate; ``verdict`` judges it."""
        task = self.task
        if not isinstance(task, CertificateTask):
            return
        said = " ".join(verdict.sentences)
        self._settle(verdict.is_right, said)
        if not verdict.is_right:
            self._say(f"{said} {task.hint}".strip())

    def take_steps(self, shown: ShownTask) -> None:
        """Begin the present exercise with its steps; if it had other ones, begin it again."""
        task, attempt, steps = self.task, self.attempt, shown.steps
        if not isinstance(task, Exercise) or shown.task is not task:
            return
        if shown.trouble:
            self.say(shown.trouble)
        elif steps and (attempt is None or attempt.steps != steps):
            self.record(self.task_index).attempt = Attempt(steps, task.at_end)
            self._say(BEGINS_AGAIN if attempt is not None else "")

    def decide(self, answer: Any) -> None:
        """Answer the present decision of the exercise."""
        if (attempt := self.attempt) is not None:
            done = attempt.done
            self.reply = attempt.answer(answer)
            self._go_on(attempt, done)

    def show_model(self) -> None:
        """Let the run take the present step of the exercise."""
        if (attempt := self.attempt) is not None:
            done = attempt.done
            self.reply = ""
            attempt.show_model()
            self._go_on(attempt, done)

    def _go_on(self, attempt: Attempt, done: int) -> None:
        """Show the steps of an exercise that were just done, and end it after the last one."""
        record = self.record(self.task_index)
        record.wrong = attempt.wrong
        if attempt.decision is None:
            self._finish(RIGHT if attempt.is_right else GIVEN_UP, attempt.summary())
        else:
            if attempt.at_end and not self.reply:
                self.reply = NOTED
            self.changed.emit()
        if attempt.done > done:
            self.step_answered.emit(attempt.shown_step)

    def give_up(self, answer: str = "") -> None:
        """Give up the present task; ``answer`` is the right answer in words, if there is one."""
        if self.task is not None:
            self._finish(GIVEN_UP, answer)

    def show_hint(self) -> None:
        """Show the hint of the present task."""
        if self.task is not None:
            self._say(self.task.hint)

    def watch(self, shown: ShownTask) -> None:
        """Complete the present goal if it is reached."""
        if shown.is_reached and shown.task is self.task:
            self._finish(RIGHT, "")

    @property
    def _is_asking(self) -> bool:
        """Whether a question or certificate is shown that waits for its answer."""
        return bool(self.views) and self.task is not None and not isinstance(self.task, Goal)

    def limit(self) -> float:
        """Return the last step that may be shown: that of the card, while a question waits.

        There is no limit once a goal was reached, because it may have changed the scene or the
        step.
        """
        if self.lesson is None or not self._is_asking:
            return math.inf
        cards = self.lesson.cards[: self.index + 1]
        first = max((k for k, card in enumerate(cards) if card.show.row), default=0)
        done = (*cards[-1].tasks[: self.task_index], *(t for c in cards[first:-1] for t in c.tasks))
        step = cards[first].show.step
        if isinstance(self.task, Exercise):
            return self.attempt.shown_step if self.attempt is not None else self.task.start
        if step is None or any(isinstance(task, Goal) for task in done):
            return math.inf
        return max(step, *map(_step_asked, done), 0)

    def ask_first(self) -> None:
        """Say that the question must be answered before later steps are shown."""
        if self._is_asking:
            self._say(FIRST_ANSWER)

    def go_on(self) -> None:
        """Go to the next card; say what comes first while a task waits, or that there is none."""
        if self.task is not None:
            self._say(FIRST_ACT if isinstance(self.task, Goal) else FIRST_ANSWER)
        elif self.is_last:
            self._say(LAST_CARD)
        else:
            self.go(1)

    def remind(self) -> None:
        """Say on the card how to get to other lessons; nothing happens if no lesson is open."""
        if self.lesson is not None:
            self._say(STILL_OPEN)

    def say(self, sentence: str) -> None:
        """Say a sentence below the task."""
        if sentence != self.reply:
            self.reply = sentence
            self.changed.emit()

    def _say(self, sentence: str) -> None:
        self.reply = sentence
        self.changed.emit()

    def turn(self, direction: int, step: int, is_at_end: bool) -> bool:
        """In a talk, go to the next card, or back, if no further step belongs to this card.

        Parameters
        ----------
        direction : int
            +1 or -1.
        step : int
            The step shown.
        is_at_end : bool
            Whether it is the last step of a run that has ended.

        Returns
        -------
        bool
            Whether the step stays as it is.
        """
        lesson = self.lesson
        if lesson is None or not lesson.is_talk:
            return False
        show = lesson.show_at(self.index, goes_on=False)
        has_steps = show.step != show.last
        if direction > 0:
            has_more = has_steps and not is_at_end and (show.last is None or step < show.last)
            next_index = min(self.index + 1, len(lesson.cards) - 1)
        else:
            has_more = has_steps and step > (show.step or 0)
            next_index = max(self.index - 1, 0)
        if has_more:
            return False
        if next_index != self.index:
            self._open(next_index, goes_on=direction > 0, at_end=direction < 0)
        return True

    def _open(self, index: int, goes_on: bool, at_end: bool = False) -> None:
        """Show a card at its first step, or where going on from it left it."""
        assert self.lesson is not None
        self._stop_clock()
        self.index, self.reply = index, ""
        # The lesson that was read last is the last entry.
        self.left_at.pop(self.lesson.name, None)
        self.left_at[self.lesson.name] = index
        self._began = time.monotonic()
        show = self.lesson.show_at(index, goes_on)
        self.card_opened.emit(replace(show, step=show.last) if at_end else show)
        # On its way to the step of the card the run may have met the limit, unasked.
        self.reply = ""
        self.changed.emit()

    def _settle(self, right: bool, answer: str, why_not: str = "") -> None:
        if right:
            self._finish(RIGHT, answer)
        else:
            self.record(self.task_index).wrong += 1
            self._say(f"No. {why_not}".strip())

    def _finish(self, result: str, answer: str) -> None:
        self._stop_clock()
        asked, record = self.task, self.record(self.task_index)
        record.result, record.answer = result, answer
        self.reply = ""
        if (step := _step_asked(asked)) > 0:
            # What was asked for is now seen.
            self.step_answered.emit(step)
        if self.task is None:
            self.card_done.emit()
        self.changed.emit()

    def _stop_clock(self) -> None:
        """Add the time since the task began, or since this was last called, to its record."""
        now = time.monotonic()
        if self.task is not None:
            self.record(self.task_index).seconds += now - self._began
        self._began = now


def _step_asked(task: Task | None) -> int:
    """Return the last step that a task is about if it names one; otherwise 0."""
    if isinstance(task, Exercise):
        return task.start + task.count
    return task.at if isinstance(task, Question) and isinstance(task.at, int) else 0
