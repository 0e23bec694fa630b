"""The two alphas that a step of SMO moves, and the dual along their line, as numbers to draw."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.methods.smo.events import PairMoved


@dataclass(frozen=True)
class Pair:
    """One SMO step: the constraint line, its *segment* in the box [0, C]^2, and the dual along it.

    Attributes
    ----------
    event : PairMoved
    signs_agree : bool
        Whether the signs of the two variables agree, in a classification their labels. If so, the
        sum of the two alphas is constant, otherwise their difference.
    C : float
        The upper bound of both alphas; may be infinite.
    """

    event: PairMoved
    signs_agree: bool
    C: float

    def ends_within(self, low: float, high: float) -> np.ndarray:
        """Return the ends of the part of the segment with alpha_j in [low, high], shape (2, 2)."""
        return np.array([self.at(max(self.event.low, low)), self.at(min(self.event.high, high))])

    def at(self, alpha_j: float) -> tuple[float, float]:
        """Return ``(alpha_i, alpha_j)`` on the constraint line for an alpha_j."""
        old_i, old_j = self.event.old
        change = alpha_j - old_j
        return (old_i - change if self.signs_agree else old_i + change), alpha_j

    def rise(self, alpha_j: np.ndarray) -> np.ndarray:
        """Return the rise of the dual from its old value for each alpha_j; same shape.

        The rise is the parabola ``s t - eta t^2 / 2``. Here t is the change of alpha_j, and s is
        the slope at the old value.
        """
        change = alpha_j - self.event.old[1]
        return change * (self.slope - 0.5 * self.event.eta * change)

    @property
    def slope(self) -> float:
        """The slope of the parabola at the old alpha_j."""
        return -self.event.signs[1] * self.event.slope

    @property
    def values(self) -> tuple[float, ...]:
        """The old and the new alpha_j, and that at the vertex, if there is a vertex."""
        event = self.event
        return event.old[1], event.new[1], *((event.unclipped[1],) if event.has_top else ())

    @property
    def is_clipped(self) -> bool:
        """Whether the step did not reach the vertex of the parabola."""
        return not math.isclose(self.event.new[1], self.event.unclipped[1], rel_tol=1e-9)
