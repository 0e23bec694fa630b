"""The keys of questions: which answers are right, in lessons and in *Predict first* (key F6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from solvers.run.beats import Candidates

# An answered number is right if it differs by at most this fraction of the number asked for.
ACCURACY = 0.01
# Numbers count as equal if they differ by less than this fraction of the largest number compared.
# Such a difference is a rounding error, or is not visible in the step as it is shown.
ROUNDING = 1e-7


def is_right(answer: float, number: float, scale: float = 0.0) -> bool:
    """Return whether an answered number differs by at most 1 % from the right one.

    This allows an error of one unit in the last of three digits. ``number`` may be only a rounding
    error of larger terms; ``scale`` is the size of these terms.
    """
    if answer == number:
        return True
    tolerance = ACCURACY * (1.0 + ROUNDING) * abs(number) + ROUNDING * scale + 1e-12
    return abs(answer - number) <= tolerance < float("inf")


@dataclass(frozen=True)
class NumberKey:
    """The right answer to a question that asks for one number or for several.

    Attributes
    ----------
    numbers : tuple of float
    slack : float
        An answer is also right if it differs by at most this amount.
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
    """The right answers to a question with choices; one or several are right.

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
    """The right answer to a question that asks for one point, or for several in any order.

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
    """Return the points that tie with the best one: by `is_right`, their values equal its value."""
    scale = max(map(abs, candidates.values), default=0.0)
    values = candidates.values or (candidates.best,) * len(candidates.points)
    pairs = zip(candidates.points, values, strict=True)
    return frozenset(k for k, value in pairs if is_right(value, candidates.best, scale))
