r"""Derivations: chains of lines, each a formula in letters and with the numbers of the step shown.

A derivation is a text file in ``assets/derivations``, in Markdown. It begins with its *head*, lines
``key: value`` between two lines ``---``: ``title``, ``source``, ``needs`` (the condition under
which the derivation has numbers), ``suits`` (the same in words) and ``concerns`` (pages of the
help, such as ``panel:kkt, concept:gap``, which link to it). Then come the claim to be shown, and
the lines, each a fenced block ``line`` and the sentence below it::

    ```line
    letters  L(w, b, \xi; \alpha) = \tfrac12 \|w\|^2 + \sum_i \alpha_i (1 - y_i f(x_i))
    numbers  @{L} = @{norm**2 / 2} + @{sum(feasible * (1 - yf))}
    holds    L == norm**2 / 2 + sum(feasible * (1 - yf))
    lit      feasible > 0
    ```
    The slack has vanished from L: its price and its multipliers cancel.

``@{...}`` is a number of the scene: an expression of :mod:`svmviz.lessons.expressions` in the names
of :mod:`svmviz.lessons.values`. ``holds`` is the claim of the line; it is evaluated whenever the
line is shown, and in the tests at many steps of many scenes. ``lit`` is true for the points that
the line speaks of. ``numbers``, ``holds`` and ``lit`` may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from solvers.errors import BadInput
from solvers.run import formulas
from svmviz.base import resources
from svmviz.frames.frame import Frame
from svmviz.lessons.expressions import Expression, Value, read
from svmviz.lessons.text import BLOCK, PLACE, Form, Piece, entries_of, read_expression, read_text
from svmviz.lessons.values import FrameValues

# A negative number needs no brackets at the beginning or after one of these.
OPENING = re.compile(
    r"(?:^|[=<>(,&]|\\(?:leq|geq|le|ge|approx|neq|left\(|quad))\s*(?:\\[,; ]\s*)*$"
)
FORM = Form("a derivation", ("needs", "suits", "concerns"), "paragraphs and blocks ```line")
ONE_C = "Its numbers need one C for all points; here the classes have weights."
KEYS = ("letters", "numbers", "holds", "lit")


@dataclass(frozen=True)
class DerivationLine:
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
        The condition under which the derivation has numbers.
    suits : str
        The same condition, in words that can follow "Its numbers need".
    concerns : tuple of str
        Names of the pages of the help that link to it, such as "panel:kkt".
    aim : str
        The claim to be shown: the text before the first line.
    lines : tuple of DerivationLine
    """

    name: str
    title: str
    source: str
    needs: Expression | None
    suits: str
    concerns: tuple[str, ...]
    aim: str
    lines: tuple[DerivationLine, ...]


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
    is_weighted = frame.lane is not None and frame.lane.problem.weights is not None
    letters = " ".join(line.letters + line.numbers for line in derivation.lines)
    if is_weighted and re.search(r"\bC\b", letters):
        return ShownDerivation(derivation, trouble=ONE_C)
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
    head, pieces = read_text(text, FORM)
    aim: list[str] = []
    lines: list[DerivationLine] = []
    for piece in pieces:
        if piece.kind == BLOCK and piece.word == "line":
            lines.append(_read_line(piece))
        elif piece.kind == BLOCK:
            raise BadInput(f"Line {piece.row}: {FORM.noun} has only {FORM.pieces}.")
        elif lines:
            lines[-1] = _with_sentence(lines[-1], piece)
        else:
            aim.append(piece.text)
    if not lines:
        raise BadInput("A derivation needs at least one block ```line.")
    return Derivation(
        name,
        head["title"],
        head["source"],
        read_expression(head["needs"], 1) if head["needs"] else None,
        head["suits"],
        tuple(filter(None, re.split(r"[,\s]+", head["concerns"]))),
        " ".join(aim),
        tuple(lines),
    )


@cache
def derivations() -> dict[str, Derivation]:
    """Return the derivations that come with the program, by name, in the order of ``order.txt``."""
    folder = resources.path("derivations")
    names = resources.names_in_order(folder)
    return {name: _read_file(folder / f"{name}.md") for name in names}


def derivations_of(page: str) -> tuple[Derivation, ...]:
    """Return the derivations that concern a page of the help, such as ``panel:kkt``."""
    return tuple(found for found in derivations().values() if page in found.concerns)


def _read_file(path: Path) -> Derivation:
    try:
        return read_derivation(path.read_text(encoding="utf-8"), path.stem)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from None


def _read_line(block: Piece) -> DerivationLine:
    found = {entry.key: entry for entry in entries_of(block, KEYS)}
    texts = {key: found[key].text if key in found else "" for key in KEYS}
    if not texts["letters"]:
        raise BadInput(f"Line {block.row}: this line has no letters.")
    for place in PLACE.findall(texts["numbers"]):
        read_expression(place, found["numbers"].row)
    holds, lit = (
        read_expression(texts[key], found[key].row) if texts[key] else None
        for key in ("holds", "lit")
    )
    return DerivationLine(texts["letters"], texts["numbers"], holds, lit, "")


def _with_sentence(line: DerivationLine, paragraph: Piece) -> DerivationLine:
    for place in PLACE.findall(paragraph.text):
        read_expression(place, paragraph.row)
    return replace(line, sentence=f"{line.sentence} {paragraph.text}".strip())
