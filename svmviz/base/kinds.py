"""Names of the three kinds of points: dual variable at 0, between its bounds, at its upper bound.

The conditions are written with the symbol of the problem: α, β, or τ for reduced hulls.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers import Problem


@dataclass(frozen=True)
class Kinds:
    """The conditions of the three kinds, and the upper bound of the variable, as texts.

    Attributes
    ----------
    zero, free, bound : str
        The conditions, such as ``α = 0``, ``0 < α < C`` and ``α = C``.
    at_bound : str
        Words for a variable at its bound, such as ``at C``.
    at_limit : str
        Words of the legend for the same, such as ``α at cap C``.
    limit : str
        A template for a text with the value of the upper bound, such as ``C = {}``.
    """

    zero: str
    free: str
    bound: str
    at_bound: str = "at C"
    at_limit: str = "α at cap C"
    limit: str = "C = {}"

    @property
    def conditions(self) -> tuple[str, str, str]:
        """The conditions in the order ZERO, FREE, BOUND of :mod:`solvers.problem.certificate`."""
        return self.zero, self.free, self.bound


# A classification with a finite C.
SOFT_MARGIN = Kinds("α = 0", "0 < α < C", "α = C")
# With weights of the points, C_i is the C of a point: C times its weight.
WEIGHTED = Kinds("α = 0", "0 < α < Cᵢ", "α = Cᵢ", "at Cᵢ", "α at cap Cᵢ", "Cᵢ = {}")
# With a hard margin alpha has no upper bound, so no point is of the kind α = C.
HARD_MARGIN = Kinds("α = 0", "α > 0", "α = C")
REGRESSION = Kinds("β = 0", "0 < |β| < C", "|β| = C", at_limit="|β| at cap C")
# In reduced hulls, tau is the weight of a point in the nearest point of its hull, and mu is the
# upper bound of tau. alpha is tau times a number that is the same for all points.
REDUCED_HULLS = Kinds("τ = 0", "0 < τ < μ", "τ = μ", "at the cap μ", "τ at cap μ", "τ = μ: α = {}")


def kinds_of(problem: Problem) -> Kinds:
    """Return the kinds of the points of a problem."""
    if problem.task == "regression":
        return REGRESSION
    if problem.capped:
        return REDUCED_HULLS
    if problem.hard:
        return HARD_MARGIN
    return SOFT_MARGIN if problem.weights is None else WEIGHTED
