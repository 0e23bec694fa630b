"""Templates of the questions of a beat; :mod:`solvers.run.templates` says how they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solvers.run.beats import BeatQuestion, Candidates, subscript
from solvers.run.fields import Index, Values, fill, in_sentence, texts_of
from solvers.run.formulas import Sums, digits_of_sums

# Digits of the numbers in a question. The student computes the answer from these numbers.
QUESTION_DIGITS = 4
# Terms that are rounded to QUESTION_DIGITS digits change their sum by up to this fraction of the
# largest term.
ROUNDED = 1e-3


@dataclass(frozen=True)
class QuestionTemplate:
    """The template of a :class:`.BeatQuestion`.

    ``names`` are a label and the name of a value for each answer; ``slips`` maps names to texts;
    ``sizes`` are numbers, and names of the terms of which the answer is the sum.
    """

    kind: str
    names: tuple[tuple[str, str], ...]
    ask: str
    missed: str = ""
    slips: Mapping[str, str] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()

    def fill(self, values: Values, sums: Sums) -> BeatQuestion | None:
        """Return the question, or None if it is left out: it names a value that is None."""
        answers = [values[name] for _, name in self.names]
        if any(answer is None for answer in answers):
            return None
        values, needed = digits_of_sums([name for _, name in self.names], values, sums)
        text = next((x for x in texts_of(self.ask) if x.suits(values)), None)
        if text is None:
            return None
        digits = {**dict.fromkeys(text.all_names, QUESTION_DIGITS), **needed}
        ask = text.fill(values, in_sentence, digits)
        ask, choices = _choices(ask) if self.kind == "case" else (ask, ())
        numbers = _numbered(self.names, values) if self.kind == "number" else ()
        right = values[self.names[0][1]] if choices else 0
        slips = ((values[name], fill(text, values)) for name, text in self.slips.items())
        named = (values[name] for name in text.all_names)
        return BeatQuestion(
            self.kind,
            ask,
            numbers=tuple(number for _, number in numbers),
            labels=tuple(label for label, _ in numbers),
            slack=ROUNDED * max((_size(name, values) for name in self.sizes), default=0.0),
            choices=choices,
            right=int(not right) if isinstance(right, bool) else int(right),
            candidates=_candidates(answers) if self.kind == "point" else (),
            missed=fill(self.missed, values) or "",
            slips=tuple((float(x), words) for x, words in slips if x is not None and words),
            named=tuple(int(value) for value in named if isinstance(value, Index)),
        )


def _size(name: str, values: Values) -> float:
    """Return the size of a term: a number, or the name of a value or vector."""
    value = float(name) if name.isdigit() else values[name]
    entries = value if isinstance(value, tuple) else (value or 0.0,)
    return max((abs(entry) for entry in entries if math.isfinite(entry)), default=0.0)


def _choices(ask: str) -> tuple[str, tuple[str, ...]]:
    """Return the question and its choices, which follow the question mark."""
    question, _, choices = ask.rpartition("? ")
    return f"{question}?", tuple(choice.strip() for choice in choices.split("|"))


def _numbered(names: Iterable[tuple[str, str]], values: Values) -> list[tuple[str, float]]:
    """Return label and number of each value; labels of a vector's entries have subscripts."""
    numbers: list[tuple[str, float]] = []
    for label, name in names:
        value = values[name]
        if isinstance(value, tuple):
            numbers += [(f"{label}{subscript(k)}", float(x)) for k, x in enumerate(value, 1)]
        else:
            numbers.append((label, float(value)))
    return numbers


def _candidates(answers: Iterable[Any]) -> tuple[Candidates, ...]:
    """Return the candidates for each point; an answer may be a tuple of them, for several."""
    found: list[Candidates] = []
    for answer in answers:
        if isinstance(answer, Candidates):
            found.append(answer)
        elif isinstance(answer, tuple):
            found += answer
        else:
            points = [answer] if isinstance(answer, int) else answer
            found.append(Candidates(tuple(map(int, points))))
    return tuple(found)


def labelled(names: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of a label, which may be empty, and a name from ``L=low H=high``."""
    parts = (name.rpartition("=") for name in names.split())
    return tuple((label, name) for label, _, name in parts)
