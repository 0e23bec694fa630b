"""Strict reading of JSON: an error names the file, the key, and what the value must be.

``json.loads`` alone accepts NaN and unknown keys, and keeps the last of two equal keys.

msgspec (0.19 and 0.22) and cattrs were tried on broken scenes: an unknown key, setting, solver and
choice, a gamma of -1, a label of 2, a point of three numbers, too few labels, a key twice, a
trailing comma, 1e999, a newer version. Their messages are worse. For ``"kernal"`` msgspec says
"Object contains unknown field `kernal`", and proposes no "kernel"; for the label, "Invalid enum
value 2", without the values allowed; for the version, "Expected `int` <= 2". Neither rejects too
few labels or a key that stands twice. With either library, this file would need as much code as the
library replaces.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.data.lines import file_prefix, line_prefix
from solvers.errors import quote as quote
from solvers.errors import shorten

# Integers with more digits than this are read as floats. Python raises an error for more than 4,300
# digits.
MAX_DIGITS = 15
# Maximum numbers of values, of keys and of lists in a file. They are counted before the text is
# parsed, so that a file that is too large is refused at once. In memory, each takes many times the
# size of its text. A scene of the maximum number of points, a million, has fewer of all.
MAX_VALUES, MAX_KEYS, MAX_LISTS = 5_000_000, 100_000, 1_010_000
# Number of characters that one call of ``str.count`` searches. Other threads wait during a call.
CHUNK = 1_000_000
# How many numbers are read between two reports of the progress.
NUMBERS_PER_REPORT = 20_000


class _Object(dict):
    """A JSON object; ``duplicate`` is the first key that occurs a second time, or None."""

    duplicate: str | None = None


@dataclass(frozen=True)
class Node:
    """A JSON value and its path in the file.

    Attributes
    ----------
    value : object
    path : str
        Such as ``kernel.gamma`` or ``points[3]``; empty for the whole file.
    source : str
        Name of the file, or empty.
    """

    value: Any
    path: str = ""
    source: str = ""

    def fail(self, what: str) -> NoReturn:
        """Raise BadInput with the file, the key, and ``what``: what is wrong with the value."""
        raise BadInput(
            f"{file_prefix(self.source)}{quote(self.path) if self.path else 'it'} {what}"
        )

    def must_be(self, what: str) -> NoReturn:
        """Raise BadInput with the file, the key, the required value and the actual value."""
        self.fail(f"must be {what}: got {self.value_text}.")

    @property
    def value_text(self) -> str:
        """The value as messages show it."""
        if isinstance(self.value, list):
            return f"a list of {len(self.value)}"
        if isinstance(self.value, dict):
            return "an object"
        if isinstance(self.value, str):
            return quote(self.value)
        text = self.value.text if isinstance(self.value, TooLarge) else json.dumps(self.value)
        return shorten(text)

    def members(self, known: Collection[str] | None = None, needed: Iterable[str] = ()) -> Members:
        """Return the values of an object by key.

        Parameters
        ----------
        known : collection of str, optional
            Keys allowed. The error on any other key proposes the most similar one of these.
        needed : iterable of str
            Keys required.
        """
        if not isinstance(self.value, _Object):
            self.must_be("an object, { ... }")
        if self.value.duplicate is not None:
            self.at(self.value.duplicate).fail("is there twice.")
        for key in self.value:
            if known is not None and key not in known:
                self.at(key).fail(f"is not known; {suggest(key, known)}")
        for key in needed:
            if key not in self.value:
                self.at(key).fail("is missing.")
        return {key: self.at(key) for key in self.value}

    def at(self, key: str) -> Node:
        """Return the node of a key of an object; the node's value is None if the key is missing."""
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.value.get(key), path, self.source)

    def __getitem__(self, index: int) -> Node:
        return Node(self.value[index], f"{self.path}[{index}]", self.source)

    def __iter__(self) -> Iterator[Node]:
        return (self[index] for index in range(len(self.items())))

    def items(self, count: int | None = None, what: str = "a list, [ ... ]") -> list[Any]:
        """Return the raw values of a list, of length ``count`` if that is given."""
        if not isinstance(self.value, list) or (count is not None and len(self.value) != count):
            self.must_be(what)
        return self.value

    def rows(self, width: int, what: str, largest: float) -> np.ndarray:
        """Read lists of ``width`` numbers of at most ``largest`` in size, shape (n, width).

        ``what`` says what each list must be.
        """
        # All are checked at once, because making a Node for each of a million points would take
        # seconds. If the check fails, the loop at the end finds the invalid number, and names it.
        if set(map(type, self.value)) <= {list} and set(map(len, self.value)) <= {width}:
            numbers = list(itertools.chain.from_iterable(self.value))
            if set(map(type, numbers)) <= {int, float}:
                values = np.array(numbers, dtype=np.float64).reshape(len(self.value), width)
                if np.abs(values).max(initial=0.0) <= largest:
                    return values
        for row in self:
            row.items(width, what)
            for number in row:
                if abs(number.number()) > largest:
                    number.must_be(f"at most {largest:g} in size")
        raise AssertionError("A row is not valid, for an unknown reason.")

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            self.must_be("text in quotes")
        return self.value

    def one_of(self, choices: Collection[str]) -> str:
        """Return a string that must be one of ``choices``."""
        word = self.text()
        if word not in choices:
            self.fail(f"cannot be {quote(word)}; {suggest(word, choices)}")
        return word

    def number(self, infinite: bool = False) -> float:
        """Return a finite number, or infinity for ``"inf"`` if ``infinite``."""
        if infinite and self.value == "inf":
            return math.inf
        if not is_number(self.value):
            self.must_be('a finite number or "inf"' if infinite else "a finite number")
        return float(self.value)

    def whole(self) -> int:
        """Return a whole number of at least 0."""
        if not is_number(self.value) or self.value < 0 or self.value != int(self.value):
            self.must_be("a whole number, 0 or more")
        return int(self.value)


Members = dict[str, Node]


class TooLarge(float):
    """Infinity, read from a number beyond double precision, with the text of that number."""

    text = ""


def read_json(text: str, source: str = "", report: Report = no_report) -> Node:
    """Parse JSON text.

    Parameters
    ----------
    text : str
    source : str
        Name of the file for messages.
    report : callable(float)
        Called from time to time with the fraction that has been read, 0 to 1. It may raise an
        exception to cancel.

    Raises
    ------
    BadInput
        If the text is not JSON, with the line and the column of the error; or if it exceeds a
        limit.
    """
    values = _count(text, ",", MAX_VALUES, "values", source)
    _count(text, ":", MAX_KEYS, "keys", source)
    _count(text, "[", MAX_LISTS, "lists; each point is one", source)
    numbers = _Numbers(values, report)
    try:
        # Python functions read the numbers, so that other threads can run between two numbers.
        value = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_int=numbers.whole,
            parse_float=numbers.real,
        )
    except json.JSONDecodeError as error:
        place = f"{line_prefix(source, error.lineno)}, column {error.colno}"
        raise BadInput(f"{place}: this is not JSON ({error.msg}).") from None
    except RecursionError:
        raise BadInput(f"{file_prefix(source)}brackets are nested too deeply.") from None
    return Node(value, "", source)


def json_text(value: Any) -> str:
    """Return a value as JSON on one line, with every invisible character of its texts escaped.

    A terminal might execute such a character, and UTF-8 has no half of a surrogate pair.
    """
    text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    if not text.isprintable():
        # The character with the number 127 is ASCII, so that Python leaves it.
        text = json.dumps(value, allow_nan=False).replace("\x7f", r"\u007f")
    return text


def _count(text: str, mark: str, limit: int, what: str, source: str) -> int:
    """Return how often a character occurs; raise BadInput if more often than ``limit``."""
    count = 0
    for start in range(0, len(text), CHUNK):
        count += text.count(mark, start, start + CHUNK)
        if count > limit:
            raise BadInput(f"{file_prefix(source)}there are more than {limit:,} {what}.")
    return count


class _Numbers:
    """Parsers of numbers. They report which fraction of the ``expected`` numbers has been read."""

    def __init__(self, expected: int, report: Report) -> None:
        self._expected, self._report = max(expected, 1), report
        self._read = 0

    def whole(self, digits: str) -> int | float:
        self._note()
        return int(digits) if len(digits) <= MAX_DIGITS else _real(digits)

    def real(self, digits: str) -> float:
        self._note()
        return _real(digits)

    def _note(self) -> None:
        self._read += 1
        if self._read % NUMBERS_PER_REPORT == 0:
            self._report(min(1.0, self._read / self._expected))


def _real(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        value = TooLarge(value)
        value.text = digits
    return value


def is_number(value: Any) -> bool:
    """Return whether a JSON value is a finite number; true and false are not."""
    return type(value) in (float, int) and math.isfinite(value)


def suggest(word: str, known: Collection[str], otherwise: str | None = None) -> str:
    """Return the end of a sentence on an unknown word: a similar known word.

    If none is similar, return ``otherwise``; without it, all known words.
    """
    import difflib

    folded = {other.casefold(): other for other in known}
    matches = difflib.get_close_matches(word.casefold(), folded, n=1)
    if matches:
        return f"did you mean {quote(folded[matches[0]])}?"
    if otherwise is not None:
        return otherwise
    return f"there {'is' if len(known) == 1 else 'are'} {', '.join(map(quote, known))}."


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object()
    for key, value in pairs:
        if key in result and result.duplicate is None:
            result.duplicate = key
        result[key] = value
    return result
