r"""Derivations: chains of lines, each a formula in letters and with the numbers of the step shown.

A derivation is a text file in ``assets/derivations``, in Markdown. It begins with its *head*, lines
``key: value`` between two lines ``---``: ``title``, ``source``, ``needs`` (the condition under
which its numbers are those of the scene) and ``suits`` (the same in words). Then come what is to be
shown, and the lines, each a fenced block ``line`` and the sentence below it::

    ```line
    letters  L(w, b, \xi; \alpha) = \tfrac12 \|w\|^2 + \sum_i \alpha_i (1 - y_i f(x_i))
    numbers  @{L} = @{norm**2 / 2} + @{sum(feasible * (1 - yf))}
    holds    L == norm**2 / 2 + sum(feasible * (1 - yf))
    lit      feasible > 0
    ```
    The slack has vanished from L: its price and its multipliers cancel.

``@{...}`` is a number of the scene: an expression of :mod:`svmviz.lessons.expressions` in the names
of :mod:`svmviz.lessons.values`. ``holds`` is the claim of the line; it is evaluated whenever the
line is shown, and in the tests at many steps of many scenes. ``lit`` says which points the line
speaks of. ``numbers``, ``holds`` and ``lit`` may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt

from solvers.errors import BadInput
from solvers.run import formulas
from svmviz.base import resources
from svmviz.frames.frame import Frame
from svmviz.lessons.expressions import Expression, Value, read
from svmviz.lessons.values import FrameValues

PLACE = re.compile(r"@\{([^{}]*)\}")
# After one of these, or at the beginning, a negative number needs no brackets.
OPENING = re.compile(
    r"(?:^|[=<>(,&]|\\(?:leq|geq|le|ge|approx|neq|left\(|quad))\s*(?:\\[,; ]\s*)*$"
)
HEAD = ("title", "source", "needs", "suits")
KEYS = ("letters", "numbers", "holds", "lit")
MAX_SIZE = 100_000


@dataclass(frozen=True)
class Line:
    """One line of a derivation.

    Attributes
    ----------
    letters : str
        LaTeX.
    numbers : str
        LaTeX with places ``@{expression}``; empty if the line has no numbers.
    holds, lit : Expression or None
        The claim, and which points it speaks of.
    sentence : str
        Why the line follows; plain text, with places too.
    """

    letters: str
    numbers: str
    holds: Expression | None
    lit: Expression | None
    sentence: str

    def numbers_at(self, values: Mapping[str, Value]) -> str:
        """Return the formula with the numbers of a step, as LaTeX."""

        def write(match: re.Match[str]) -> str:
            value = np.asarray(read(match[1]).rounded_value(values), dtype=np.float64)
            if value.ndim:
                return formulas.vector(value.tolist())
            text = formulas.number(float(value))
            is_first = OPENING.search(self.numbers[: match.start()])
            return text if is_first else formulas.in_brackets(text)

        return PLACE.sub(write, self.numbers)

    def lit_at(self, values: Mapping[str, Value]) -> tuple[int, ...]:
        """Return the indices, from 0, of the points that the line speaks of."""
        if self.lit is None:
            return ()
        return tuple(np.flatnonzero(np.atleast_1d(self.lit.value(values))).tolist())


@dataclass(frozen=True)
class Derivation:
    """A chain of lines from what is known to what is to be shown.

    Attributes
    ----------
    name : str
        The name of its file, without the ending.
    title, source : str
    needs : Expression or None
        The condition under which its numbers are those of the scene.
    suits : str
        The same in words that can follow "Its numbers need".
    aim : str
        What is to be shown: the text before the first line.
    lines : tuple of Line
    """

    name: str
    title: str
    source: str
    needs: Expression | None
    suits: str
    aim: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class ShownLine:
    """A line with the numbers of a step.

    Attributes
    ----------
    numbers : str
        LaTeX; empty if the line has no numbers.
    holds : bool or None
        Whether its claim holds; None if it has none.
    lit : tuple of int
        Indices of the points that it speaks of.
    """

    numbers: str
    holds: bool | None
    lit: tuple[int, ...]


@dataclass(frozen=True)
class ShownDerivation:
    """A derivation at a step: all of its lines, or why it has no numbers here."""

    derivation: Derivation
    lines: tuple[ShownLine, ...] = ()
    trouble: str = ""


def show(derivation: Derivation, frame: Frame) -> ShownDerivation:
    """Return the derivation with the numbers of the lane in focus."""
    try:
        values = FrameValues(frame)
        if derivation.needs is not None and not derivation.needs.holds(values):
            return ShownDerivation(derivation, trouble=f"Its numbers need {derivation.suits}.")
        lines = tuple(
            ShownLine(
                line.numbers_at(values),
                None if line.holds is None else line.holds.holds(values),
                line.lit_at(values),
            )
            for line in derivation.lines
        )
    except BadInput as error:
        return ShownDerivation(derivation, trouble=str(error))
    return ShownDerivation(derivation, lines)


def read_derivation(text: str, name: str) -> Derivation:
    """Return the derivation that a text contains.

    Raises
    ------
    BadInput
        If the text is no derivation; the message names the line.
    """
    if len(text) > MAX_SIZE:
        raise BadInput(f"A derivation has at most {MAX_SIZE:,} characters.")
    head, body, first = _split(text)
    aim: list[str] = []
    lines: list[Line] = []
    for token in MarkdownIt("commonmark").parse(body):
        row = first + (token.map[0] if token.map else 0)
        if token.type == "fence" and token.info.strip() == "line":
            lines.append(_read_line(token.content, row))
        elif token.type == "inline":
            words = " ".join(token.content.split())
            if lines:
                lines[-1] = _with_sentence(lines[-1], words, row)
            else:
                aim.append(words)
        elif not token.type.startswith("paragraph"):
            raise BadInput(f"Line {row}: a derivation has only paragraphs and blocks ```line.")
    if not lines:
        raise BadInput("A derivation needs at least one block ```line.")
    needs = _read(head["needs"], 1) if head.get("needs") else None
    if not head.get("title"):
        raise BadInput("A derivation begins with a head that has a title.")
    return Derivation(
        name,
        head["title"],
        head.get("source", ""),
        needs,
        head.get("suits", ""),
        " ".join(aim),
        tuple(lines),
    )


@cache
def derivations() -> dict[str, Derivation]:
    """Return the derivations that come with the program, by name, in the order of ``order.txt``."""
    folder = resources.path("derivations")
    names = (folder / "order.txt").read_text(encoding="utf-8").split()
    return {name: _read_file(folder / f"{name}.md") for name in names}


def _read_file(path: Path) -> Derivation:
    try:
        return read_derivation(path.read_text(encoding="utf-8"), path.stem)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from None


def _split(text: str) -> tuple[dict[str, str], str, int]:
    """Return the head, the body, and the number of the first line of the body."""
    rows = text.splitlines()
    if not rows or rows[0].strip() != "---":
        raise BadInput("Line 1: a derivation begins with its head, between two lines ---.")
    head: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        if row.strip() == "---":
            return head, "\n".join(rows[number:]), number + 1
        key, colon, value = row.partition(":")
        if not colon or key.strip() not in HEAD:
            raise BadInput(
                f"Line {number}: the head has lines {', '.join(HEAD)}, each with a colon."
            )
        head[key.strip()] = value.strip()
    raise BadInput("The head of a derivation ends with a line ---.")


def _read_line(content: str, row: int) -> Line:
    found: dict[str, str] = {}
    for number, entry in enumerate(content.splitlines(), start=row + 1):
        key, _, value = entry.strip().partition(" ")
        if not key:
            continue
        if key not in KEYS or key in found:
            raise BadInput(f"Line {number}: a block ```line has {', '.join(KEYS)}, each once.")
        found[key] = value.strip()
    if not found.get("letters"):
        raise BadInput(f"Line {row}: this line has no letters.")
    for place in PLACE.findall(found.get("numbers", "")):
        _read(place, row)
    holds, lit = (_read(found[key], row) if found.get(key) else None for key in ("holds", "lit"))
    return Line(found["letters"], found.get("numbers", ""), holds, lit, "")


def _with_sentence(line: Line, words: str, row: int) -> Line:
    for place in PLACE.findall(words):
        _read(place, row)
    return Line(
        line.letters, line.numbers, line.holds, line.lit, f"{line.sentence} {words}".strip()
    )


def _read(text: str, row: int) -> Expression:
    try:
        return read(text)
    except BadInput as error:
        raise BadInput(f"Line {row}: {error}") from None
