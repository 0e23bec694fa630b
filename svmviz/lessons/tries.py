"""Changes of a scene: the lines ``try`` of a goal, with which the check of a lesson reaches it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from solvers import KERNELS, METHODS
from solvers.errors import BadInput, shorten
from solvers.settings import settings_of
from svmviz.base.words import read_number
from svmviz.document.document import Document, Penalty
from svmviz.document.user_line import UserLine
from svmviz.lessons.text import Entry

# How many numbers follow each word.
NUMBERS = {"move": 3, "delete": 1, "line": 3, "step": 1, "predict": 1}


@dataclass(frozen=True)
class Try:
    """A change of a scene.

    Attributes
    ----------
    word : str
        ``move``, ``delete``, ``line``, ``step``, ``predict`` (answers that many questions of
        *Predict first*), ``part``, or the name of a control.
    text : str
        The text after the word.
    numbers : tuple of float
        The numbers in the text, if the word is one of NUMBERS.
    row : int
        Number of its line in the text.
    """

    word: str
    text: str
    numbers: tuple[float, ...] = ()
    row: int = 0

    @property
    def is_control(self) -> bool:
        """Whether it sets a control."""
        return self.word not in NUMBERS and self.word != "part"

    def changed(self, document: Document) -> Document:
        """Return a document after the change; ``step`` and ``predict`` change nothing.

        Raises
        ------
        BadInput
            If the change does not fit the document.
        """
        if self.word in ("step", "predict"):
            return document
        if self.word == "part":
            return _with_open_drawer(document)
        if self.word == "line":
            old = document.user_line
            w1, w2, b = self.numbers
            line = UserLine((w1, w2), b)
            return replace(document, user_line=replace(line, parts=old.parts) if old else line)
        if self.word in NUMBERS:
            index = int(self.numbers[0]) - 1
            if not 0 <= index < document.n:
                raise BadInput(f"there is no point {index + 1} here.")
            if self.word == "delete":
                return document.removed((index,))
            return document.moved((index,), self.numbers[1:])
        return _with_control(document, self.word, self.text)


def read_try(entry: Entry) -> Try:
    """Return the change of a line ``try``.

    Raises
    ------
    BadInput
        If the line is not a change; the message names the line.
    """
    word, _, text = entry.text.partition(" ")
    text = text.strip()
    if not text:
        raise BadInput(
            f"Line {entry.row}: a line try is such as C 0.1, move 4 -0.5 -0.5 or step 12."
        )
    if word not in NUMBERS:
        return Try(word, text, row=entry.row)
    try:
        numbers = tuple(read_number(part) for part in re.split(r"[,\s]+", text))
    except ValueError:
        numbers = ()
    if len(numbers) != NUMBERS[word]:
        raise BadInput(f"Line {entry.row}: try {word} has {NUMBERS[word]} numbers.")
    return Try(word, text, numbers, entry.row)


def _with_open_drawer(document: Document) -> Document:
    if document.held_out is None or not len(document.held_out.test):
        raise BadInput("there is no test part here.")
    return replace(document, held_out=replace(document.held_out, seen=True))


def _with_control(document: Document, name: str, text: str) -> Document:
    if name in ("C", "lambda"):
        return replace(document, penalty=Penalty(name, _number(text)))
    if name == "epsilon":
        return replace(document, epsilon=_number(text))
    if name == "bias":
        return replace(document, bias=text)
    for key, known in (("kernel", KERNELS), ("method", METHODS)):
        if name == key and text not in known:
            raise BadInput(f"there is no {key} {shorten(text)!r}; there are {', '.join(known)}.")
    if name == "kernel":
        return replace(document, kernel=KERNELS[text]())
    if name == "method":
        return document.with_method(METHODS[text]())
    if name in settings_of(document.kernel):
        return replace(document, kernel=_with_setting(document.kernel, name, text))
    if name in settings_of(document.method):
        return document.with_method(_with_setting(document.method, name, text))
    raise BadInput(f"there is no control {shorten(name)!r} here.")


def _with_setting(owner: Any, name: str, text: str) -> Any:
    scale = settings_of(owner)[name].scale
    if scale == "switch":
        return replace(owner, **{name: text == "on"})
    if scale in ("choice", "text"):
        return replace(owner, **{name: text})
    number = _number(text)
    return replace(owner, **{name: int(number) if scale == "integer" else number})


def _number(text: str) -> float:
    try:
        return read_number(text)
    except ValueError:
        raise BadInput(f"{shorten(text)!r} is no number.") from None
