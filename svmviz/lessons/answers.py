"""The keys of questions: which answers are right, in lessons and in *Predict first* (key F6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from solvers.run.beats import Candidates

# A number that is answered is right within this fraction of the number asked for.
ACCURACY = 0.01
# Numbers that differ by less than this fraction of the largest one compared look equal: either they
# are, but for rounding errors, or the step itself shows them as equal.
ROUNDING = 1e-7


def is_right(answer: float, number: float, scale: float = 0.0) -> bool:
    """Return whether a number that was answered is right: it differs by at most 1 %.

    So a number of three digits is right if it is wrong by one unit of its last digit. ``scale`` is
    the size of the terms of which ``number`` may be a rounding error.
    """
    if answer == number:
        return True
    tolerance = ACCURACY * (1.0 + ROUNDING) * abs(number) + ROUNDING * scale + 1e-12
    return abs(answer - number) <= tolerance < float("inf")


@dataclass(frozen=True)
class NumberKey:
    """One number that is asked for, or several at once.

    Attributes
    ----------
    numbers : tuple of float
    slack : float
        How far an answer may be off, besides 1 %.
    """

    numbers: tuple[float, ...]
    slack: float = 0.0

    def accepts(self, answer: Sequence[float]) -> bool:
        """Return whether all numbers are right."""
        return not self.misses(answer)

    def misses(self, answer: Sequence[float]) -> list[int]:
        """Return the positions of the numbers that are wrong."""
        pairs = zip(answer, self.numbers, strict=True)
        return [
            k
            for k, (given, number) in enumerate(pairs)
            if not (is_right(given, number) or abs(given - number) <= self.slack)
        ]


@dataclass(frozen=True)
class ChoiceKey:
    """One of several choices, of which one or several are right.

    Attributes
    ----------
    right : frozenset of int
    """

    right: frozenset[int]

    def accepts(self, answer: int) -> bool:
        """Return whether the choice is right."""
        return answer in self.right


@dataclass(frozen=True)
class PointKey:
    """One point that is asked for, or several, which may be answered in any order.

    Attributes
    ----------
    places : tuple of frozenset of int
        For each point that is asked for, the indices of the points that are right.
    """

    places: tuple[frozenset[int], ...]

    def accepts(self, answer: Sequence[int]) -> bool:
        """Return whether the points are right."""
        return len(answer) == len(self.places) and any(
            all(point in right for point, right in zip(order, self.places, strict=True))
            for order in permutations(answer)
        )


def right_points(candidates: Candidates) -> frozenset[int]:
    """Return the points that tie with the best one: their values are right for its value."""
    scale = max(map(abs, candidates.values), default=0.0)
    values = candidates.values or (candidates.best,) * len(candidates.points)
    pairs = zip(candidates.points, values, strict=True)
    return frozenset(k for k, value in pairs if is_right(value, candidates.best, scale))
