"""The kinds of a point by its dual variable, in the symbols of its problem."""

from __future__ import annotations

from dataclasses import dataclass

from solvers import Problem


@dataclass(frozen=True)
class Kinds:
    """The conditions of the three kinds, and what bounds the variable.

    Attributes
    ----------
    zero, free, bound : str
        Such as ``α = 0``, ``0 < α < C`` and ``α = C``.
    at_bound : str
        Words for a variable at its bound: ``at C``.
    limit : str
        The largest α, with braces in place of its number.
    """

    zero: str
    free: str
    bound: str
    at_bound: str = "at C"
    limit: str = "C = {}"

    @property
    def conditions(self) -> tuple[str, str, str]:
        """The conditions in the order ZERO, FREE, BOUND."""
        return self.zero, self.free, self.bound


SOFT = Kinds("α = 0", "0 < α < C", "α = C")
# With a hard margin alpha has no upper bound.
HARD = Kinds("α = 0", "α > 0", "α = C")
FITTED = Kinds("β = 0", "0 < |β| < C", "|β| = C")
# Weights in a reduced hull: alpha is tau times the same number at every point.
CAPPED = Kinds("τ = 0", "0 < τ < μ", "τ = μ", "at the cap μ", "τ = μ: α = {}")


def kinds_of(problem: Problem) -> Kinds:
    """Return the kinds of the points of a problem."""
    if problem.task == "regression":
        return FITTED
    if problem.capped:
        return CAPPED
    return HARD if problem.hard else SOFT
