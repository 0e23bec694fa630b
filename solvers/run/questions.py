"""What may be asked before a beat is shown: a question on its outcome, and the right answer.

A beat declares its questions where it declares its sentence; see :mod:`solvers.run.templates`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidates:
    """The points among which a step chooses one, and the values by which it compares them.

    Attributes
    ----------
    points : tuple of int
        Indices of the points. A point of a regression may occur twice, since it has two variables.
    values : tuple of float
        The value of each candidate; empty if all of them are right.
    best : float
        The value of the candidate that the step took.
    name : str
        What the candidates have in common, as in "Point 3 is not one of those that may rise".
    quantity : str
        Symbol of the values, such as E.
    extreme : str
        ``smallest`` or ``largest``: which value the step looks for.
    """

    points: tuple[int, ...]
    values: tuple[float, ...] = ()
    best: float = 0.0
    name: str = ""
    quantity: str = ""
    extreme: str = ""


def candidates(
    points: Sequence[int], values: Iterable[float], taken: int, **words: str
) -> Candidates:
    """Return the candidates of which the one at position ``taken`` was taken."""
    numbers = tuple(map(float, values))
    return Candidates(tuple(points), numbers, numbers[taken], **words)


@dataclass(frozen=True)
class BeatQuestion:
    """A question on the outcome of a beat.

    Exactly one of ``numbers``, ``choices`` and ``candidates`` is not empty.

    Attributes
    ----------
    kind : str
        ``number``, ``case`` or ``point``.
    ask : str
        The question, with the values that its answer is computed from.
    numbers : tuple of float
    labels : tuple of str
        The symbols of the numbers.
    slack : float
        An answer may differ by as much, besides 1 %: the question shows rounded terms.
    choices : tuple of str
    right : int
        Position of the right choice.
    candidates : tuple of Candidates
        For each point that is to be named, those that come into question.
    missed : str
        After a wrong answer: the comparison or formula that the outcome follows from.
    slips : tuple of (float, str)
        Numbers that somebody answers who leaves out a comparison, and what is said to them.
    named : tuple of int
        Indices of the points that the question names.
    """

    kind: str
    ask: str
    numbers: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    slack: float = 0.0
    choices: tuple[str, ...] = ()
    right: int = 0
    candidates: tuple[Candidates, ...] = ()
    missed: str = ""
    slips: tuple[tuple[float, str], ...] = ()
    named: tuple[int, ...] = ()
