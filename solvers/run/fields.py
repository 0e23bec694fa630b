r"""Texts such as ``Point $i has y·f = $margin.``, whose fields are replaced by named values.

A value is a number, a text, a tuple of numbers, True or False; or None if a step has no such value.
**A text that names a value that is None is left out.** If only a part of it is to be left out, the
part is in double brackets: ``w[[ and b = $b]]``. Several texts may be given, separated by ``||``:
the first one that is not left out is used.

Two numbers with an arrow or "to" between them get enough digits to see by how much they differ.
A field is written according to its value, and to the style after a colon, as in ``${new:()}``:

======  ===============================================  =======================================
value   in a sentence                                    in a formula, as LaTeX
======  ===============================================  =======================================
Index   the number of the point, from 1                  the same
int     with commas: ``1,024``                           with four digits, as a float
float   with three digits                                with four, see :func:`.formulas.number`
tuple   a vector                                         the same
------  -----------------------------------------------  ---------------------------------------
<1      compared with 1: ``0.9996 < 1``                  the same
a|b     a if the value is 1 or True, otherwise b         the same
sub     the number of the point as a subscript
~1      with digits that show that it is not 1           the same
()                                                       in brackets, if it has a sign or power
``+``   as in Python                                     a term of a sum: ``+ 2`` or ``- 2``
others  a format of Python, such as ``.2g``
======  ===============================================  =======================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from solvers.rounding import without_noise
from solvers.run.beats import subscript
from solvers.run.formulas import (
    bracketed,
    compared_with_one,
    digits_of_change,
    latex_compared_with_one,
    near_one,
    number,
    vector,
)

Values = Mapping[str, Any]
_FIELD = re.compile(r"\$(?:(\w+)|\{(\w+)(?::([^}]*))?\})", re.ASCII)
_PART = re.compile(r"\[\[(.*?)\]\]")


# The texts between the fields of an old and a new value.
CHANGES = (" → ", " to ")


class Index(int):
    """Index of a point, from 0. Texts show it as the number of the point, from 1."""


def in_sentence(value: Any, style: str, digits: int = 3) -> str:
    """Write a value for a sentence, as the table at the top says."""
    if "|" in style:
        one, other = style.split("|")
        return one if value == 1 else other
    if isinstance(value, Index):
        return subscript(value + 1) if style == "sub" else f"{value + 1}"
    if style in ("<1", "~1"):
        text = compared_with_one(value)
        return text if style == "<1" else text.split(" ")[0]
    if isinstance(value, tuple):
        entries = (in_sentence(entry, style, digits) for entry in _shown(value))
        return f"({', '.join(entries)})"
    if isinstance(value, float):
        return format(value + 0.0, style or f".{digits}g").replace("inf", "∞")
    return format(value, style or "," if type(value) is int else style)


def _shown(value: tuple[Any, ...]) -> tuple[Any, ...]:
    is_vector = all(type(entry) is float for entry in value)
    return without_noise(value) if is_vector else value


def in_latex(value: Any, style: str, digits: int = 4) -> str:
    """Write a value for a formula, as the table at the top says."""
    if isinstance(value, str):
        return value
    if isinstance(value, Index):
        return f"{value + 1}"
    if isinstance(value, tuple):
        return vector(value, digits)
    if style == "+":
        return f"{'-' if value < 0 else '+'} {bracketed(abs(value), digits)}"
    if style == "()":
        return bracketed(value, digits)
    if style in ("~1", "<1"):
        return near_one(value) if style == "~1" else latex_compared_with_one(value)
    return in_sentence(value, style) if style else number(value, digits)


@dataclass(frozen=True)
class Text:
    """One text of a template: pieces of text, each with the fields that follow it."""

    names: tuple[str, ...]
    pieces: tuple[str | tuple[str, str] | Text, ...]

    def fill(self, values: Values, write: Callable[..., str], digits: Mapping[str, int]) -> str:
        digits = {**self._digits_of_changes(values, write), **digits}
        written = []
        for piece in self.pieces:
            if isinstance(piece, str):
                written.append(piece)
            elif isinstance(piece, Text):
                written.append(piece.fill(values, write, digits) if piece.suits(values) else "")
            else:
                name, style = piece
                extra = (digits[name],) if name in digits else ()
                written.append(write(values[name], style, *extra))
        return "".join(written)

    def _digits_of_changes(self, values: Values, write: Callable[..., str]) -> dict[str, int]:
        """Return the digits of numbers with an arrow between them, as in ``$old → $new``."""
        digits = {}
        for old, arrow, new in zip(self.pieces, self.pieces[1:], self.pieces[2:]):
            if arrow not in CHANGES or write is not in_sentence:
                continue
            names = [piece[0] for piece in (old, new) if isinstance(piece, tuple) and not piece[1]]
            numbers = [values[name] for name in names]
            if len(numbers) < 2 or not all(isinstance(value, float) for value in numbers):
                continue
            digits |= dict.fromkeys(names, digits_of_change(*numbers))
        return digits

    @property
    def all_names(self) -> tuple[str, ...]:
        """Names of the values, those in double brackets included."""
        parts = (piece.names for piece in self.pieces if isinstance(piece, Text))
        return tuple(dict.fromkeys((*self.names, *(name for names in parts for name in names))))

    def suits(self, values: Values) -> bool:
        """Return whether none of the values is None."""
        return None not in [values[name] for name in self.names]


@cache
def texts_of(template: str) -> tuple[Text, ...]:
    """Return the texts of a template, which ``||`` separates."""
    return tuple(_parsed(text) for text in template.split(" || "))


def _parsed(text: str) -> Text:
    pieces: list[Any] = []
    for number_of_part, part in enumerate(_PART.split(text)):
        if number_of_part % 2:
            pieces.append(_parsed(part))
            continue
        position = 0
        for match in _FIELD.finditer(part):
            pieces += [part[position : match.start()], (match[1] or match[2], match[3] or "")]
            position = match.end()
        pieces.append(part[position:])
    names = tuple(dict.fromkeys(piece[0] for piece in pieces if isinstance(piece, tuple)))
    return Text(names, tuple(piece for piece in pieces if piece != ""))


def fill(
    template: str, values: Values, write: Callable[..., str] = in_sentence, **digits: int
) -> str | None:
    """Return the text of a template, or None if it is left out.

    ``write`` is :func:`in_sentence` or :func:`in_latex`; ``digits`` has the numbers of digits for
    some of the names.

    Raises
    ------
    KeyError
        If the template names a value that the step does not have.
    """
    for text in texts_of(template):
        if text.suits(values):
            return text.fill(values, write, digits)
    return None
