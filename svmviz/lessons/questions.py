"""Questions of a lesson: the block ``predict``, and the right answer at a frame."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from solvers.errors import BadInput
from svmviz.base.words import number as number_text
from svmviz.frames.frame import Frame
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey
from svmviz.lessons.expressions import Expression, Value
from svmviz.lessons.text import Entry, Piece, TaskTexts, entries_of, read_expression, task_texts

CHOICE, NUMBER, RANGE, POINT, PAIR, PLACE, ORDER = KINDS = (
    "choice", "number", "range", "point", "pair", "place", "order",
)  # fmt: skip
MAX_CHOICES = 6
# The number of expressions of a question, for each kind that has expressions.
EXPRESSIONS = {NUMBER: 1, RANGE: 2, POINT: 1, PAIR: 2, PLACE: 2}
KEYS = (
    "ask", "choice", "right", "value", "reply", *EXPRESSIONS, "wrong", ORDER, "at", "hint",
    "because",
)  # fmt: skip
# Values of ``Question.at`` that are not the number of a step.
SHOWN, NEXT, END = "shown", "next", "end"
# A place is right up to this distance, as a fraction of the width of the points.
REACH = 0.03
# Maximum number of points that are named.
MAX_NAMED = 6


@dataclass(frozen=True)
class PlaceKey:
    """A place in the plane; an answer within ``reach`` of it is right. All are in data units."""

    x: float
    y: float
    reach: float

    def accepts(self, answer: Sequence[float]) -> bool:
        """Return whether the answered place is near enough."""
        return math.hypot(answer[0] - self.x, answer[1] - self.y) <= self.reach


@dataclass(frozen=True)
class OrderKey:
    """Sentences in their right order; an answer is a sequence of their indices in this order."""

    texts: tuple[str, ...]

    def accepts(self, answer: Sequence[int]) -> bool:
        """Return whether the answered order is right; equal sentences may be exchanged."""
        return tuple(self.texts[index] for index in answer) == self.texts


Key = ChoiceKey | NumberKey | PointKey | PlaceKey | OrderKey


@dataclass(frozen=True)
class AnswerChoice:
    """One of the answers among which to choose.

    Attributes
    ----------
    text : str
    is_right : bool
    value : Expression or None
        For the check of a lesson, which compares the values of all choices.
    reply : str
        Why this choice is wrong or, of a sentence of an ORDER, why it does not stand where another
        one should; if it is empty, the hint of the question is said.
    """

    text: str
    is_right: bool
    value: Expression | None = None
    reply: str = ""


@dataclass(frozen=True)
class WrongAnswer:
    """An answer of one of EXPRESSIONS to which a wrong idea leads, and the reply to this idea."""

    expressions: tuple[Expression, ...]
    reply: str


@dataclass(frozen=True)
class Question(TaskTexts):
    """A question.

    Attributes
    ----------
    kind : str
        One of KINDS.
    choices : tuple of AnswerChoice
        The choices of a CHOICE, or the sentences of an ORDER in their right order.
    expressions : tuple of Expression
        The expressions that the other kinds ask for.
    at : str or int
        The step whose numbers are asked for: SHOWN, NEXT, END or its number.
    wrong : tuple of WrongAnswer
    """

    kind: str
    choices: tuple[AnswerChoice, ...]
    expressions: tuple[Expression, ...]
    at: str | int
    wrong: tuple[WrongAnswer, ...] = ()

    @property
    def replies(self) -> list[str]:
        """The replies to single wrong answers."""
        return [each.reply for each in (*self.choices, *self.wrong) if each.reply]

    def wrong_keys_at(self, values: Mapping[str, Value], frame: Frame) -> tuple[Key, ...]:
        """Return the answers that have a reply of their own, as keys that accept them."""
        answers = [replace(self, expressions=each.expressions) for each in self.wrong]
        return tuple(answer.key_at(values, frame) for answer in answers)

    def key_at(self, values: Mapping[str, Value], frame: Frame) -> Key:
        """Return the right answer, given the values of names at the step that is asked for.

        Raises
        ------
        BadInput
            If there is none.
        """
        if self.kind == CHOICE:
            return ChoiceKey(frozenset(k for k, c in enumerate(self.choices) if c.is_right))
        if self.kind == ORDER:
            return OrderKey(tuple(choice.text for choice in self.choices))
        if self.kind in (POINT, PAIR):
            places = tuple(points_of(expression, values) for expression in self.expressions)
            if len(frozenset.union(*places)) < len(places):
                raise BadInput("What is asked for is not a pair of points here.")
            return PointKey(places)
        numbers = tuple(_number(e.rounded_value(values)) for e in self.expressions)
        if self.kind == PLACE:
            x, y = numbers
            if not (math.isfinite(x) and math.isfinite(y)):
                raise BadInput("What is asked for is no place here.")
            return PlaceKey(x, y, REACH * _width(frame.document.data.points))
        return NumberKey(numbers)

    def reply_to(self, answer: Any, wrong: Sequence[Key] = ()) -> str:
        """Return what is said of a wrong answer; ``wrong`` has the keys of `wrong_keys_at`."""
        if self.kind == CHOICE:
            own = self.choices[answer].reply
        elif self.kind == ORDER:
            # The first sentence that stands where another one should.
            given = (self.choices[index] for index in answer)
            pairs = zip(given, self.choices, strict=True)
            own = next((one.reply for one, other in pairs if one.text != other.text), "")
        else:
            pairs = zip(self.wrong, wrong, strict=False)
            own = next((each.reply for each, key in pairs if key.accepts(answer)), "")
        return own or self.hint

    def in_words(self, key: Key) -> str:
        """Return the right answer in words; sentences in their order are lines."""
        if isinstance(key, ChoiceKey):
            return " or ".join(self.choices[index].text for index in sorted(key.right))
        if isinstance(key, OrderKey):
            return "\n".join(f"{number}. {text}" for number, text in enumerate(key.texts, start=1))
        if isinstance(key, PointKey):
            noun = "points" if len(key.places) > 1 else "point"
            return f"{noun} {' and '.join(map(_either, key.places))}"
        if isinstance(key, PlaceKey):
            return f"({number_text(key.x)}, {number_text(key.y)})"
        return " to ".join(map(number_text, key.numbers))


def overlap(key: Key, other: Key) -> bool:
    """Return whether two keys of the same kind accept the same answer."""
    if isinstance(key, PointKey) and isinstance(other, PointKey):
        return all(a & b for a, b in zip(key.places, other.places, strict=True))
    if isinstance(other, PlaceKey):
        return key.accepts((other.x, other.y))  # type: ignore[arg-type]
    return isinstance(other, NumberKey) and key.accepts(other.numbers)  # type: ignore[arg-type]


def shuffled(question: Question) -> list[int]:
    """Return the order in which sentences are shown: never the right one, but always the same."""
    right = list(range(len(question.choices)))
    order, draw = right.copy(), random.Random(question.ask)
    while order == right:
        draw.shuffle(order)
    return order


def points_of(expression: Expression, values: Mapping[str, Value]) -> frozenset[int]:
    """Return the indices of the points that an expression means; there is at least one.

    The expression is the number of a point, from 1, or a condition on each point. ``at_largest``
    and ``at_smallest`` mean all points that tie for this value.

    Raises
    ------
    BadInput
        If the expression means no point.
    """
    value = expression.tied_value(values)
    if isinstance(value, str):
        raise BadInput("What is asked for is no point.")
    array = np.asarray(value)
    if array.ndim == 1:
        points = np.flatnonzero(array).tolist()
    elif array.ndim == 0 and not isinstance(value, bool) and float(array).is_integer():
        points = [int(array) - 1] if array >= 1 else []
    else:
        points = []
    if not points:
        raise BadInput("What is asked for is no point here.")
    return frozenset(points)


def read_question(block: Piece) -> Question:
    """Return the question of a block ``predict``.

    Raises
    ------
    BadInput
        If it is wrong; the message names the line.
    """
    entries = entries_of(block, KEYS, ("choice", "right", "value", "reply", "wrong", ORDER))
    texts = {entry.key: entry for entry in entries}
    kinds = {CHOICE if entry.key in ("choice", "right") else entry.key for entry in entries}
    kinds &= {CHOICE, ORDER, *EXPRESSIONS}
    if len(kinds) != 1:
        raise BadInput(
            f"Line {block.row}: a question has lines choice and right, at least one of each, or "
            f"lines {ORDER}, or one line of {', '.join(EXPRESSIONS)}."
        )
    (kind,) = kinds
    choices = () if kind in EXPRESSIONS else _read_choices(entries, kind, block.row)
    wrong = _read_wrong(entries, kind)
    expressions = _read_expressions(texts[kind], EXPRESSIONS[kind]) if kind in EXPRESSIONS else ()
    at = _read_at(texts["at"]) if "at" in texts else SHOWN
    return Question(kind, choices, expressions, at, wrong, **task_texts(block, texts))


def _read_wrong(entries: list[Entry], kind: str) -> tuple[WrongAnswer, ...]:
    """Return the lines ``wrong``, each with the line ``reply`` that follows it."""
    found: list[WrongAnswer] = []
    for entry, following in pairwise([*entries, None]):
        assert entry is not None
        is_answered = following is not None and following.key == "reply"
        if entry.key == "wrong" and (kind not in EXPRESSIONS or not is_answered):
            raise BadInput(
                f"Line {entry.row}: a line wrong is for a question with one line of "
                f"{', '.join(EXPRESSIONS)}, and a line reply follows it."
            )
        if is_answered and kind in EXPRESSIONS:
            assert following is not None
            if entry.key != "wrong":
                raise BadInput(f"Line {following.row}: a reply follows a line wrong.")
            found.append(WrongAnswer(_read_expressions(entry, EXPRESSIONS[kind]), following.text))
    return tuple(found)


def _read_choices(entries: list[Entry], kind: str, row: int) -> tuple[AnswerChoice, ...]:
    choices: list[AnswerChoice] = []
    for entry in entries:
        if entry.key in ("choice", "right", ORDER):
            choices.append(AnswerChoice(entry.text, entry.key != "choice"))
        elif entry.key == "value":
            if not choices or kind != CHOICE or choices[-1].value is not None:
                raise BadInput(f"Line {entry.row}: a value follows the choice that it belongs to.")
            choices[-1] = replace(choices[-1], value=read_expression(entry.text, entry.row))
        elif entry.key == "reply":
            if not choices or (choices[-1].is_right and kind == CHOICE) or choices[-1].reply:
                raise BadInput(f"Line {entry.row}: a reply follows the wrong choice it answers.")
            choices[-1] = replace(choices[-1], reply=entry.text)
    if kind == CHOICE and len({choice.is_right for choice in choices}) != 2:
        raise BadInput(f"Line {row}: a question has lines choice and right, at least one of each.")
    if kind == ORDER and len({choice.text for choice in choices}) < 2:
        raise BadInput(f"Line {row}: a question has at least two different lines {ORDER}.")
    if len(choices) > MAX_CHOICES:
        raise BadInput(f"Line {row}: a question has at most {MAX_CHOICES} choices.")
    if any(not choice.text for choice in choices):
        raise BadInput(f"Line {row}: a choice of this question has no text.")
    return tuple(choices)


def _read_expressions(entry: Entry, count: int) -> tuple[Expression, ...]:
    texts = _split(entry.text) if count > 1 else [entry.text]
    if len(texts) != count:
        raise BadInput(f"Line {entry.row}: {entry.key} has {count} expressions and a comma.")
    return tuple(read_expression(text, entry.row) for text in texts)


def _split(text: str) -> list[str]:
    """Split a text at the commas that are outside all brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _read_at(entry: Entry) -> str | int:
    if not re.fullmatch(rf"{NEXT}|{END}|\d{{1,9}}", entry.text):
        raise BadInput(f"Line {entry.row}: at is {NEXT}, {END} or the number of a step.")
    return int(entry.text) if entry.text.isdigit() else entry.text


def _number(value: Value) -> float:
    if isinstance(value, str) or np.ndim(value):
        raise BadInput("What is asked for is not one number.")
    number = float(value)
    if math.isnan(number):
        raise BadInput("What is asked for is no number here.")
    return number


def _width(points: np.ndarray) -> float:
    """Return the larger of the ranges of the points along both axes."""
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0


def _either(points: frozenset[int]) -> str:
    numbers = [str(index + 1) for index in sorted(points)]
    return " or ".join(numbers[:MAX_NAMED]) + (" or …" if len(numbers) > MAX_NAMED else "")
