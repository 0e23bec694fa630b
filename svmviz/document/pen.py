"""Strokes of the pen: lines that a lecturer draws on the plane, in data units, and their text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from solvers.data.coordinates import MAX_COORDINATE
from solvers.errors import BadInput, shorten

# Names of the two colours.
COLOURS = ("green", "violet")
# Maximum number of places of a stroke, and of all strokes on a plane, which then are painted in
# 20 ms. A written letter has some ten.
MAX_PLACES, MAX_ALL = 1000, 4000


@dataclass(frozen=True)
class Stroke:
    """A line through places, or a dot at one place.

    Attributes
    ----------
    colour : str
        One of COLOURS.
    places : tuple of (float, float)
        In data units.
    """

    colour: str
    places: tuple[tuple[float, float], ...]

    @property
    def text(self) -> str:
        """The colour and the coordinates, which :func:`read_stroke` reads to the last bit."""
        return " ".join([self.colour, *(repr(number) for place in self.places for number in place)])


def read_stroke(text: str) -> Stroke:
    """Return the stroke in a text, such as ``green 0.5 1.25 0.75 1.5``.

    Raises
    ------
    BadInput
        If it is wrong; the sentence begins with "a stroke".
    """
    colour, *words = text.split()[: 2 * MAX_PLACES + 2] or [""]
    if colour not in COLOURS:
        raise BadInput(
            f"a stroke begins with its colour, {' or '.join(COLOURS)}: got {shorten(colour)!r}."
        )
    if not words or len(words) % 2 or len(words) > 2 * MAX_PLACES:
        raise BadInput(
            f"a stroke has two numbers, x and y, for each of its 1 to {MAX_PLACES:,} places."
        )
    numbers = [_read_coordinate(word) for word in words]
    return Stroke(colour, tuple(zip(numbers[::2], numbers[1::2], strict=True)))


def read_strokes(texts: Iterable[str], fail: Callable[[int, str], NoReturn]) -> tuple[Stroke, ...]:
    """Return the stroke in each text.

    ``fail`` is called with the index of the first text that is wrong, or with which there are too
    many places, and with a sentence on it.
    """
    strokes, count = [], 0
    for index, text in enumerate(texts):
        try:
            strokes.append(read_stroke(text))
        except BadInput as error:
            fail(index, str(error))
        count += len(strokes[-1].places)
        if count > MAX_ALL:
            fail(index, f"the strokes on a plane have at most {MAX_ALL:,} places.")
    return tuple(strokes)


def newest_strokes(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """Return the strokes without the first ones, if there are too many."""
    count = sum(len(stroke.places) for stroke in strokes)
    while count > MAX_ALL:
        count, strokes = count - len(strokes[0].places), strokes[1:]
    return strokes


def _read_coordinate(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not abs(number) <= MAX_COORDINATE:
        raise BadInput(f"a stroke has numbers for its coordinates: got {shorten(word)!r}.")
    return number
