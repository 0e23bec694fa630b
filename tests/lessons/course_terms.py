"""The terms of a course: in which lesson each is introduced, and where it is used before that.

``assets/lessons/terms.txt`` has a term per line and, after a bar, the ways in which it is written.
A lesson names in its head the terms that it ``defines``, and the lessons that it ``needs``. It may
use the terms that these define, and their own needs, and its own terms once the text of a card, or
the reason below a question, has introduced them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from svmviz.base import resources
from svmviz.lessons.lessons import Card, CardFormula, Lesson, words_before


@dataclass(frozen=True)
class Passage:
    """A text of a lesson, its line, and whether a term may be introduced in it."""

    text: str
    row: int
    introduces: bool


@functools.cache
def terms() -> dict[str, re.Pattern[str]]:
    """Return the pattern of each term."""
    text = (resources.path("lessons") / "terms.txt").read_text(encoding="utf-8")
    rows = (row.partition("|") for row in text.splitlines() if row.strip())
    return {term.strip(): _pattern(ways) for term, _, ways in rows}


def unknown_terms(course: Mapping[str, Lesson]) -> list[str]:
    """Return a sentence on each term that a lesson of a course uses before it is introduced."""
    faults = []
    for place, (name, lesson) in enumerate(course.items()):
        before = list(course)[:place]
        faults += [f"{name} needs {n}, which does not come before it." for n in lesson.needs
                   if n not in before]  # fmt: skip
        faults += [f"{name} defines {term}, which is no term." for term in lesson.defines
                   if term not in terms()]  # fmt: skip
        known = {t for n in needed(name, course) for t in course[n].defines}
        faults += [f"{name}: {sentence}" for sentence in _faults(lesson, known)]
    return faults


def needed(name: str, course: Mapping[str, Lesson]) -> set[str]:
    """Return the names of the lessons that a lesson needs, and of those that these need."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = {n for n in course[waiting.pop()].needs if n in course and n != name} - found
        found |= new
        waiting += new
    return found


def passages(lesson: Lesson) -> Iterator[Passage]:
    """Return the texts of a lesson in the order in which they are read."""
    for card in lesson.cards:
        yield from _passages(card)


def _passages(card: Card) -> Iterator[Passage]:
    yield Passage(card.title, card.row, True)
    for part in card.body:
        if isinstance(part, CardFormula):
            yield Passage("\n".join(part.lines), part.row, True)
        else:
            yield Passage(part, card.row, True)
    for task in card.tasks:
        yield Passage(words_before(task), task.row, False)
        yield Passage(task.because, task.row, True)


def _faults(lesson: Lesson, known: set[str]) -> Iterator[str]:
    for term, pattern in terms().items():
        if term in known:
            if term in lesson.defines:
                yield f"{term} is defined by a lesson before."
            continue
        first = next((p for p in passages(lesson) if pattern.search(p.text)), None)
        if term not in lesson.defines:
            if first is not None:
                yield f"line {first.row}: {term} is used and was not introduced."
        elif first is None:
            yield f"{term} is not introduced."
        elif not first.introduces:
            yield f"line {first.row}: {term} is used before the text of a card introduces it."


def _pattern(ways: str) -> re.Pattern[str]:
    """Return the pattern of words and symbols, which stand alone."""
    parts = []
    for way in map(str.strip, ways.split(",")):
        # A letter may have an index. After a backslash it belongs to a command of LaTeX. A support
        # vector machine is none of its support vectors.
        before = r"(?<![\w\\^])" if way[0].isalpha() else ""
        after = r"(?![A-Za-z0-9_α-ω′'’-]| machine)" if way[-1].isalpha() else ""
        parts.append(before + re.escape(way) + after)
    return re.compile("|".join(parts))
