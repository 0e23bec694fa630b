"""Guesses about a table, which a user can see and change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Guess(NamedTuple):
    """A guess about a table.

    Attributes
    ----------
    sentence : str
    offer : str
        The other reading in a few words, for a button; empty if there is none.
    options : mapping
        Options of :func:`solvers.data.point_files.parse_points` for the other reading.
    """

    sentence: str
    offer: str = ""
    options: Mapping[str, Any] = MappingProxyType({})


# Called with each guess about a table.
OnGuess = Callable[[Guess], object]
