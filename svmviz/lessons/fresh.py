"""Cards with the numbers of their scene, and with fresh points whenever they are done again.

In the texts of a card with a scene of its own, ``@{...}`` is a number of the scene: an expression
of :mod:`svmviz.lessons.task_values`; ``@{condition|words|other words}`` chooses words. In a task
they are those of the step that it asks for, otherwise of the step that the card shows.

A card with a line ``fresh`` gets other points each time. They are drawn from a seed until the card
is sound: its lines ``keep`` hold, :mod:`svmviz.lessons.check` finds no fault, its answers are not
all the same number, and every number in its texts and answers has at most three decimals, so that
it can be found by hand.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from solvers import Run
from solvers.cancelling import check_cancelled
from solvers.errors import BadInput, shorten
from svmviz.base.words import number as number_text
from svmviz.base.words import read_number
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.check import Stand, check_card, check_lesson
from svmviz.lessons.expressions import Value, read
from svmviz.lessons.lessons import Card, Lesson, Task
from svmviz.lessons.questions import SHOWN, Question
from svmviz.lessons.task_values import TaskValues
from svmviz.lessons.tasks import frame_at, show_task
from svmviz.lessons.text import PLACE

# Points are drawn at most so often; some of a thousand sets are sound.
MAX_DRAWS = 4000
# Numbers of fresh cards have at most so many decimals, up to rounding errors.
MAX_DECIMALS, NOISE = 3, 1e-9
# After one of these a negative number stands in brackets.
OPERATOR = re.compile(r"[-+−·/*]\s*$")


class _LongNumber(BadInput):
    """A number that cannot be written without rounding."""


def with_numbers(lesson: Lesson, version: int = 0) -> Lesson:
    """Return a lesson with the numbers of its scenes, and with the points of a version.

    Version 0 has the points of the text.

    Raises
    ------
    BadInput
        If a number has no value; the message names the line.
    """
    places = range(len(lesson.cards))
    cards = tuple(card_with_numbers(lesson, index, version) for index in places)
    return replace(lesson, cards=cards, version=version, written=lesson.written or lesson)


def faults_in(lesson: Lesson) -> list[str]:
    """Return a sentence on each fault of a lesson, as ``svmviz lesson --check`` prints them.

    Raises
    ------
    BadInput
        If a number in its texts has no value; the message names the line.
    """
    with np.errstate(all="ignore"):
        return [*check_lesson(with_numbers(lesson)), *trouble_with_fresh(lesson)]


def has_numbers(card: Card) -> bool:
    """Return whether `card_with_numbers` changes a card."""
    return card.show.fresh is not None or any(map(PLACE.search, card.texts))


def card_with_numbers(lesson: Lesson, index: int, version: int) -> Card:
    """Return a card with the numbers of its scene, and with the points of a version."""
    lesson = lesson.written or lesson
    card = lesson.cards[index]
    if not has_numbers(card):
        return card
    if version and card.show.fresh is not None:
        return _drawn(card, f"{lesson.name}, {card.title}, {version}") or _filled(card)
    return _filled(card)


def trouble_with_fresh(lesson: Lesson) -> list[str]:
    """Return a sentence on each card for which no fresh points are found."""
    return [
        f"Line {card.show.row}: {trouble}"
        for card in lesson.cards
        if card.show.fresh is not None and (trouble := _trouble(card))
    ]


def _trouble(card: Card) -> str:
    try:
        values = TaskValues(Stand(card.show.read_scene().document, card.show.step).frame()[0], None)
        for condition in card.show.keep:
            if not condition.holds(values):
                return f"keep {shorten(condition.text)} is not true of the points of the scene."
    except BadInput as error:
        return str(error)
    is_found = _drawn(card, card.title) is not None
    return "" if is_found else f"of {MAX_DRAWS:,} sets of fresh points none is sound."


def _drawn(card: Card, seed: str) -> Card | None:
    scene, draw = card.show.read_scene(), random.Random(seed)
    assert card.show.fresh is not None
    points = scene.document.data.points
    unit, farthest = card.show.fresh, int(np.abs(points).max() / card.show.fresh + 1e-9)
    for _ in range(MAX_DRAWS):
        check_cancelled()
        drawn = [
            [unit * draw.randint(-farthest, farthest) for _axis in row] for row in points.tolist()
        ]
        if len(set(map(tuple, drawn))) < len(drawn) or np.array_equal(drawn, points):
            continue
        document = scene.document
        document = replace(document, data=replace(document.data, points=np.array(drawn)))
        line = write_scene_line(replace(scene, document=document))
        made = replace(card, show=replace(card.show, scene=line))
        if (sound := _if_sound(made, document)) is not None:
            return sound
    return None


def _if_sound(card: Card, document: Document) -> Card | None:
    """Return a card with fresh points and its numbers; None if it is not sound."""
    try:
        frame, runs = Stand(document, card.show.step).frame()
        values = TaskValues(frame, None)
        if not all(condition.holds(values) for condition in card.show.keep):
            return None
        answers: list[str] = []
        for task in card.tasks:
            key = show_task(task, frame, frame, runs).key
            if isinstance(key, NumberKey):
                answers += map(_written, key.numbers)
        if len(answers) > 1 and len(set(answers)) == 1:
            return None
        filled = _filled(card, frame, runs)
    except BadInput:
        return None
    return None if any(check_card(card, Stand())) else filled


def _filled(card: Card, frame: Frame | None = None, runs: tuple[Run, ...] = ()) -> Card:
    """Return a card with numbers in its texts. Without a frame, they may be rounded."""
    is_exact = frame is not None
    try:
        if frame is None:
            frame, runs = Stand(card.show.read_scene().document, card.show.step).frame()
        values = TaskValues(frame, None)
        body = tuple(
            fill(part, values, is_exact) if isinstance(part, str) else part for part in card.body
        )
        tasks = tuple(_filled_task(task, frame, runs, is_exact) for task in card.tasks)
    except _LongNumber:
        raise
    except BadInput as error:
        raise BadInput(f"Line {card.row}: {error}") from None
    return replace(card, body=body, tasks=tasks)


def _filled_task(task: Task, frame: Frame, runs: tuple[Run, ...], is_exact: bool) -> Task:
    texts = {"ask": task.ask, "hint": task.hint, "because": task.because}
    if not any(map(PLACE.search, texts.values())):
        return task
    at = task.at if isinstance(task, Question) else SHOWN
    values = TaskValues(frame_at(frame, runs, at), None)
    return replace(task, **{key: fill(text, values, is_exact) for key, text in texts.items()})


def fill(text: str, values: Mapping[str, Value], is_exact: bool = False) -> str:
    """Return a text with numbers in place of its expressions.

    Raises
    ------
    BadInput
        If an expression has no value or, with ``is_exact``, a number would be rounded.
    """

    def written(match: re.Match[str]) -> str:
        expression, *words = match[1].split("|")
        if words:
            return words[0 if read(expression).holds(values) else 1]
        value = np.asarray(read(expression).rounded_value(values), dtype=np.float64)
        if value.ndim:
            return f"({', '.join(_written(entry, is_exact) for entry in value.tolist())})"
        text_of_number = _written(float(value), is_exact)
        is_operand = value < 0.0 and OPERATOR.search(text[: match.start()])
        return f"({text_of_number})" if is_operand else text_of_number

    return PLACE.sub(written, text)


def _written(value: float, is_exact: bool = True) -> str:
    text = number_text(0.0 if abs(value) <= NOISE else value)
    if is_exact and not (
        abs(value - round(value, MAX_DECIMALS)) <= NOISE and abs(read_number(text) - value) <= NOISE
    ):
        raise _LongNumber(f"{text} has too many digits.")
    return text
