"""What a student hands in after a lesson: one line of text, which a teacher reads into a table.

::

    svmviz-marks:1:Ada Lovelace:the-gap:3f2a91:r0t35,r2t80,g1t12,-0t0:2026-11-29:7c41

Between the colons are the version of the form, the name, the lesson with the version of its
questions, one mark for each question (right, given up or not done; wrong tries; seconds), the day,
and the check number of all before it. It finds typing errors. It proves nothing: who can read this
can write any line.
"""

from __future__ import annotations

import hashlib
import re
import urllib.parse
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solvers.errors import BadInput, shorten
from svmviz.lessons.lessons import Lesson

PREFIX, VERSION = "svmviz-marks", 1
START = f"{PREFIX}:{VERSION}"
ABOUT = (
    "A line with your name, the lesson, and what you answered when, for your teacher. You send it "
    "yourself. Its check number finds typing errors; it does not prove who answered."
)
RIGHT, GIVEN_UP, OPEN = "r", "g", "-"
# Characters of a name, and the largest number of a mark: a day in seconds is less.
MAX_NAME, MAX_NUMBER = 80, 99_999
_MARK = re.compile(r"([rg-])(\d{1,5})t(\d{1,5})")
_LINE = re.compile(rf"{PREFIX}:[^\s:]*(?::[^\n:]*)*")
# Characters of a name that stay as they are; a colon separates fields.
_PLAIN = " ,.'"
_FIELDS = 8


class Mark(NamedTuple):
    """What was done at a question or goal: RIGHT, GIVEN_UP or OPEN, wrong tries, and seconds."""

    result: str
    wrong: int
    seconds: int

    @property
    def words(self) -> str:
        """The result in words."""
        tries = f" after {self.wrong} wrong" if self.wrong else ""
        return {RIGHT: "right", GIVEN_UP: "given up", OPEN: "not done"}[self.result] + tries


@dataclass(frozen=True)
class HandIn:
    """A line that was handed in.

    Attributes
    ----------
    student, lesson, version, day : str
        ``version`` is that of the questions (:func:`version_of`); ``day`` is as 2026-11-29.
    marks : tuple of Mark
        One for each question and goal, in their order.
    """

    student: str
    lesson: str
    version: str
    marks: tuple[Mark, ...]
    day: str

    def count(self, result: str, *, first_try: bool = False) -> int:
        """Return the number of questions with a result; with ``first_try``, without wrong ones."""
        return sum(m.result == result and not (first_try and m.wrong) for m in self.marks)

    @property
    def seconds(self) -> int:
        """The time of all questions."""
        return sum(mark.seconds for mark in self.marks)


def version_of(lesson: Lesson) -> str:
    """Return six digits that change when a question of the lesson does."""
    # Students have different points, and so different numbers in their questions.
    cards = (lesson.written or lesson).cards
    texts = [f"{card.title}\n{task.ask}" for card in cards for task in card.tasks]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:6]


def line_of(student: str, lesson: Lesson, marks: Sequence[Mark], day: str) -> str:
    """Return the line to be handed in; a long name is cut."""
    shown = ",".join(
        f"{m.result}{min(m.wrong, MAX_NUMBER)}t{min(m.seconds, MAX_NUMBER)}" for m in marks
    )
    name = urllib.parse.quote(" ".join(student.split())[:MAX_NAME], safe=_PLAIN)
    text = f"{START}:{name}:{lesson.name}:{version_of(lesson)}:{shown}:{day}"
    return f"{text}:{_check_number(text)}"


def lines_in(text: str) -> list[tuple[int, str]]:
    """Return all that look like lines to be handed in, with the numbers of their lines."""
    rows = enumerate(text.splitlines(), start=1)
    return [
        (number, match.group().rstrip()) for number, row in rows for match in _LINE.finditer(row)
    ]


def read_line(line: str) -> HandIn:
    """Read a line that was handed in.

    Raises
    ------
    BadInput
        If it is damaged or of another version.
    """
    fields = [" ".join(field.split()) for field in line.strip().split(":")]
    if len(fields) != _FIELDS or fields[0] != PREFIX:
        raise BadInput(
            f"The line is not whole: it has {len(fields)} parts between colons, not {_FIELDS}."
        )
    _, version, name, lesson, questions, marks, day, check = fields
    if version != str(VERSION):
        raise BadInput(
            f"The line has version {shorten(version)}; this program knows version {VERSION}."
        )
    if check != _check_number(":".join(fields[:-1])):
        raise BadInput("The line was changed or mistyped: its check number does not fit.")
    found = [_MARK.fullmatch(mark) for mark in marks.split(",")] if marks else []
    if not all(found):
        raise BadInput("The line has a mark that is none.")
    return HandIn(
        urllib.parse.unquote(name),
        lesson,
        questions,
        tuple(Mark(m[1], int(m[2]), int(m[3])) for m in found if m is not None),
        day,
    )


def _check_number(text: str) -> str:
    return f"{zlib.crc32(text.encode()) & 0xFFFF:04x}"
