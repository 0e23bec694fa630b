"""The tasks of a card: a question with its answers, a goal with its ticks, a certificate."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Sequence
from itertools import count
from string import ascii_uppercase
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from svmviz.base.notation import plain, rich
from svmviz.base.words import tidied
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.by_hand import Decision
from svmviz.lessons.certificates import numbers_in_words, right_numbers
from svmviz.lessons.concept_links import link_concepts
from svmviz.lessons.exercise import Attempt
from svmviz.lessons.goals import CertificateTask, Goal, words_of
from svmviz.lessons.lessons import Task
from svmviz.lessons.questions import (
    CHOICE,
    NUMBER,
    ORDER,
    PAIR,
    PLACE,
    POINT,
    RANGE,
    Question,
    shuffled,
)
from svmviz.lessons.tasks import ShownTask
from svmviz.stage.open_lesson import GIVEN_UP, Record
from svmviz.stage.picking import Picking
from svmviz.theme import look_of
from svmviz.widgets.answer_form import AnswerForm
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, MutedLabel, RichLabel

TICK, NO_TICK = "✓", "○"
# Labels of the fields of each kind of question that has fields.
LABELS: dict[str, tuple[str, ...]] = {NUMBER: ("",), RANGE: ("from", "to"), PLACE: ("x₁", "x₂")}
# What is to be done for each kind of question that is answered in the plane.
CLICKS = {
    POINT: "Click the point in the plane.",
    PAIR: "Click the two points in the plane, in any order.",
    PLACE: "Click the place in the plane, or type its coordinates.",
}
ORDER_WORDS = "Click the sentences in their order; click one again to take it back."
# Minimum number of characters of which a line of a button is made.
MIN_LINE = 20


def wrapped(text: str, role: str = "") -> RichLabel:
    """Return a label of foreign text, whose lines wrap; ``^2`` is a superscript."""
    return RichLabel(rich(text).replace("\n", "<br>"), role=role, wraps=True)


def linked(paragraph: str) -> RichLabel:
    """Return a label of foreign text in which concepts of the help are links."""
    label = RichLabel(link_concepts(paragraph), wraps=True)
    flags = Qt.TextInteractionFlag
    # Only texts with links take the Tab key.
    by_key = flags.LinksAccessibleByKeyboard if "<a " in label.text() else flags(0)
    label.setTextInteractionFlags(flags.LinksAccessibleByMouse | by_key)
    return label


def right_answer(task: Task | None, shown: ShownTask | None) -> str:
    """Return the right answer of a task in words; empty if it has none."""
    if isinstance(task, Question) and shown is not None and shown.key is not None:
        return task.in_words(shown.key)
    if isinstance(task, CertificateTask) and shown is not None and shown.end is not None:
        return numbers_in_words(shown.labels, right_numbers(task, shown.end))
    return ""


class DoneView(Column):
    """A task that is done, with its reason.

    Parameters
    ----------
    task : Task
    record : Record
    """

    def __init__(self, task: Task, record: Record) -> None:
        super().__init__(gap=1.0)
        is_right = record.result != GIVEN_UP
        self.add(wrapped(f"{TICK if is_right else NO_TICK} {task.ask}", "muted"))
        answer, _, mistakes = record.answer.partition("\n")
        if answer:
            self.add(wrapped(answer, "good" if is_right and not mistakes else "section"))
        if mistakes:
            self.add(wrapped(mistakes))
        if task.because:
            self.add(wrapped(task.because))


class QuestionView(AnswerForm):
    """The question that waits for its answer.

    Parameters
    ----------
    question : Question

    Signals
    -------
    ordered(tuple of int)
        All sentences were clicked; these are their indices in the question.
    """

    ordered = Signal(object)

    def __init__(self, question: Question) -> None:
        self.question = question
        # The sentences of an ORDER as they are shown, and those clicked so far.
        self._shuffled = shuffled(question) if question.kind == ORDER else []
        self._order: list[int] = []
        # The sentence that was clicked last, and when, ms.
        self._clicked = -1, 0.0
        texts = [choice.text for choice in question.choices]
        if self._shuffled:
            texts = [texts[index] for index in self._shuffled]
        super().__init__(question.ask, texts, LABELS.get(question.kind, ()))
        self._texts = texts
        for button in self.choices:
            # The text is broken to the width of the button, so it must not widen the button.
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for words in (CLICKS.get(question.kind), ORDER_WORDS if self._shuffled else None):
            if words:
                self.add(MutedLabel(words))
        if self._shuffled:
            self.chosen.connect(self._on_sentence)

    def _on_sentence(self, position: int) -> None:
        index, now = self._shuffled[position], 1000.0 * time.monotonic()
        (last, then), self._clicked = self._clicked, (index, now)
        if index == last and now - then < QGuiApplication.styleHints().mouseDoubleClickInterval():
            # The second click of a double click does not take the sentence back.
            return
        if index in self._order:
            self._order.remove(index)
        else:
            self._order.append(index)
        self._number_sentences()
        if len(self._order) == len(self._shuffled):
            order, self._order = tuple(self._order), []
            self._number_sentences()
            self.ordered.emit(order)

    def _number_sentences(self) -> None:
        for button, index, text in zip(
            self.choices, self._shuffled or count(), self._texts, strict=False
        ):
            place = f"{self._order.index(index) + 1}. " if index in self._order else ""
            if self.question.kind == CHOICE and look_of(self).metrics.in_hall:
                # The letters by which a room votes.
                place = f"{ascii_uppercase[index]}. "
            button.setText(in_lines(place + text, button).replace("&", "&&"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The buttons get their new widths after this.
        QTimer.singleShot(0, self, self._number_sentences)


class CertificateView(AnswerForm):
    """The fields of a solution to be typed, with a tick for each part.

    Parameters
    ----------
    task : CertificateTask
    labels : sequence of str
    """

    def __init__(self, task: CertificateTask, labels: Sequence[str]) -> None:
        super().__init__(task.ask, labels=labels)
        self.labels = tuple(labels)


def ask_in_plane(picking: Picking, asked: Task | Decision | None) -> None:
    """Ask for clicks in the plane if a question or decision is answered there."""
    count, wants_place = 0, False
    if isinstance(asked, Question):
        count = {POINT: 1, PAIR: 2}.get(asked.kind, 0)
        wants_place = asked.kind == PLACE
    elif isinstance(asked, Decision):
        count, wants_place = len(asked.question.candidates), asked.place is not None
    if wants_place:
        picking.ask_place()
    elif count:
        picking.ask_points(count)
    else:
        picking.stop()


class HandView(AnswerForm):
    """The decision of an exercise that waits, below the verdict on the one before.

    Points and places may be clicked in the plane, or typed.

    Parameters
    ----------
    attempt : Attempt
        It has a decision that waits.
    n : int
        Number of points.

    Signals
    -------
    decided(object)
        A choice, or what was typed: numbers, or the indices of points.
    """

    decided = Signal(object)

    def __init__(self, attempt: Attempt, n: int) -> None:
        decision = attempt.decision
        assert decision is not None
        self.decision, self._n = decision, n
        question = decision.question
        count = len(question.candidates)
        labels = ("point",) * count or question.labels
        super().__init__(tidied(decision.ask), question.choices, labels, across=True)
        place = f"Step {attempt.done + 1} of {len(attempt.steps)}"
        self.box.insertWidget(0, MutedLabel(place))
        if attempt.said:
            self.box.insertWidget(0, wrapped(attempt.said, "good"))
        if count or decision.place is not None:
            what = "place" if not count else "point" if count == 1 else "two points"
            self.add(MutedLabel(f"Or click the {what} in the plane."))
        self.chosen.connect(self.decided.emit)
        self.answered.connect(self._on_typed)

    def _on_typed(self, numbers: tuple[float, ...]) -> None:
        if not self.decision.question.candidates:
            self.decided.emit(numbers)
            return
        if not set(numbers) <= set(range(1, self._n + 1)) or len(set(numbers)) < len(numbers):
            what = "two different points" if len(numbers) > 1 else "a point"
            self.refusal.say(f"Type the number of {what}, from 1 to {self._n}.")
            return
        self.decided.emit(tuple(int(number) - 1 for number in numbers))

    def mark_missed(self, answer: Any) -> None:
        """Mark the fields of the numbers of an answer that are wrong."""
        if isinstance(self.decision.key, NumberKey):
            self.mark_wrong(self.decision.key.misses(answer))


class GoalView(Column):
    """A goal with a tick for each part.

    Parameters
    ----------
    goal : Goal
    """

    def __init__(self, goal: Goal) -> None:
        super().__init__(gap=2.0)
        self.add(wrapped(goal.ask, "section"))
        self.ticks: list[Label] = []
        for words in words_of(goal):
            row = self.add(Column(gap=2.0, across=True))
            self.ticks.append(row.add(Label(NO_TICK)))
            row.add(wrapped(words), 1)
        self.trouble = self.add(MutedLabel())
        self.trouble.hide()

    def show_task(self, shown: ShownTask) -> None:
        """Tick the parts that hold."""
        for tick, holds in zip(self.ticks, shown.holds, strict=False):
            tick.setText(TICK if holds else NO_TICK)
        self.trouble.say(shown.trouble or shown.note)


def in_lines(text: str, button: QPushButton) -> str:
    """Return a text with line breaks, as wide as a button."""
    words, measure = plain(text), button.fontMetrics()
    room = button.width() - 4 * measure.averageCharWidth()
    letters = int(0.95 * room * len(words) / (measure.horizontalAdvance(words) or 1))
    return "\n".join(textwrap.wrap(words, max(letters, MIN_LINE))) or text
