"""JSON read strictly: every value knows its place, so that a mistake is told by file and key.

``json.loads`` alone takes NaN, forgets all but the last of two equal keys, and tells nothing of
keys that nobody asked for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from solvers import BadInput
from solvers.data.tables import at, named, shorten

# Integers of more digits are read as floats: Python refuses those of 4,300 digits by an error.
MOST_DIGITS = 15


class _Object(dict):
    """A JSON object that remembers the first key written twice."""

    twice: str | None = None


@dataclass(frozen=True)
class Node:
    """One JSON value, and where it stands.

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
        """Raise BadInput: file, key and what is wrong with it (which follows the key's name)."""
        raise BadInput(f"{named(self.source)}{quote(self.path) if self.path else 'it'} {what}")

    def must_be(self, what: str) -> NoReturn:
        """Raise BadInput: the value is not what it must be."""
        self.fail(f"must be {what}: got {self.shown}.")

    @property
    def shown(self) -> str:
        """The value for a message."""
        if isinstance(self.value, list):
            return f"a list of {len(self.value)}"
        return "an object" if isinstance(self.value, dict) else shorten(json.dumps(self.value))

    def members(self, known: Collection[str] | None = None, needed: Iterable[str] = ()) -> Members:
        """The values of an object by key.

        Parameters
        ----------
        known : collection of str, optional
            Other keys are refused, with the nearest of these.
        needed : iterable of str
            Keys that must be there.
        """
        if not isinstance(self.value, _Object):
            self.must_be("an object, { ... }")
        if self.value.twice is not None:
            self.at(self.value.twice).fail("is there twice.")
        for key in self.value:
            if known is not None and key not in known:
                self.at(key).fail(f"is not known; {suggest(key, known)}")
        for key in needed:
            if key not in self.value:
                self.at(key).fail("is missing.")
        return {key: self.at(key) for key in self.value}

    def at(self, key: str) -> Node:
        """The value of a key; None where there is none."""
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.value.get(key), path, self.source)

    def __getitem__(self, index: int) -> Node:
        return Node(self.value[index], f"{self.path}[{index}]", self.source)

    def __iter__(self) -> Iterator[Node]:
        return (self[index] for index in range(len(self.items())))

    def items(self, count: int | None = None, what: str = "a list, [ ... ]") -> list[Any]:
        """The raw values of a list, of a certain length if ``count`` is given."""
        if not isinstance(self.value, list) or (count is not None and len(self.value) != count):
            self.must_be(what)
        return self.value

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            self.must_be("text in quotes")
        return self.value

    def one_of(self, choices: Collection[str]) -> str:
        """One of some strings."""
        word = self.text()
        if word not in choices:
            self.fail(f"cannot be {quote(word)}; {suggest(word, choices)}")
        return word

    def number(self, infinite: bool = False) -> float:
        """A finite number, or ``"inf"`` where that is allowed."""
        if infinite and self.value == "inf":
            return math.inf
        if not is_number(self.value):
            self.must_be('a finite number or "inf"' if infinite else "a finite number")
        return float(self.value)

    def whole(self) -> int:
        """A whole number of at least 0."""
        if not is_number(self.value) or self.value < 0 or self.value != int(self.value):
            self.must_be("a whole number, 0 or more")
        return int(self.value)


Members = dict[str, Node]


def read_json(text: str, source: str = "") -> Node:
    """Parse JSON text.

    Raises
    ------
    BadInput
        With the line and the column where the text stops being JSON.
    """
    try:
        value = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        place = f"{at(source, error.lineno)}, column {error.colno}"
        raise BadInput(f"{place}: this is not JSON ({error.msg}).") from None
    except RecursionError:
        raise BadInput(f"{named(source)}brackets are nested too deeply.") from None
    return Node(value, "", source)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number (true and false are none)."""
    return type(value) in (float, int) and math.isfinite(value)


def quote(word: str) -> str:
    """A word in quotes, cut to a length that fits into a message."""
    return f'"{shorten(word)}"'


def suggest(word: str, known: Collection[str]) -> str:
    """End of a sentence about an unknown word: the nearest that is known, or all of them."""
    import difflib

    folded = {other.casefold(): other for other in known}
    near = difflib.get_close_matches(word.casefold(), folded, n=1)
    if near:
        return f"did you mean {quote(folded[near[0]])}?"
    return f"there {'is' if len(known) == 1 else 'are'} {', '.join(map(quote, known))}."


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object()
    for key, value in pairs:
        if key in result and result.twice is None:
            result.twice = key
        result[key] = value
    return result


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)
