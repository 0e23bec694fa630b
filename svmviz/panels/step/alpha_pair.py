"""The two alphas that a step of SMO moves, and the dual along their line, as numbers to draw."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers import Event


@dataclass(frozen=True)
class Pair:
    """One SMO step: the constraint line, its *segment* in the box [0, C]^2, and the dual along it.

    Attributes
    ----------
    i, j : int
        The variables.
    old, new : tuple of two floats
        ``(alpha_i, alpha_j)`` before and after the step.
    low, high : float
        The ends of the segment: L and H, of which alpha_j is not outside.
    vertex : float
        alpha_j at the vertex of the parabola; infinite, or ``new`` if the step has no end
        (``is_endless``), if there is no vertex (``has_vertex``).
    eta : float
        The curvature of the parabola.
    slope : float
        The slope of the parabola at the old alpha_j.
    step_rise : float
        By how much the dual rose.
    C : float
        The upper bound of both alphas; may be infinite.
    signs_agree : bool
        Whether the signs of the two variables agree, in a classification their labels. If so, the
        sum of the two alphas is constant, otherwise their difference.
    has_labels : bool
        Whether the signs are labels.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    low: float
    high: float
    vertex: float
    eta: float
    slope: float
    step_rise: float
    C: float
    signs_agree: bool
    has_labels: bool
    has_vertex: bool
    is_endless: bool

    @classmethod
    def of(cls, event: Event) -> Pair | None:
        """Return the pair of an event, or None if the step moved no pair of alphas."""
        if event.kind != "pair":
            return None
        values = event.values
        return cls(
            values["i"],
            values["j"],
            (values["old_i"], values["old_j"]),
            (values["new_i"], values["new_j"]),
            values["low"],
            values["high"],
            values["unclipped"],
            values["eta"],
            -values["y_j"] * values["slope"],
            values["rise"],
            values["C"],
            values["same_signs"],
            values["classification"],
            values["has_top"],
            values["is_endless"],
        )

    def ends_within(self, low: float, high: float) -> np.ndarray:
        """Return the ends of the part of the segment with alpha_j in [low, high], shape (2, 2)."""
        return np.array([self.at(max(self.low, low)), self.at(min(self.high, high))])

    def at(self, alpha_j: float) -> tuple[float, float]:
        """Return ``(alpha_i, alpha_j)`` on the constraint line for an alpha_j."""
        old_i, old_j = self.old
        change = alpha_j - old_j
        return (old_i - change if self.signs_agree else old_i + change), alpha_j

    def rise(self, alpha_j: np.ndarray) -> np.ndarray:
        """Return the rise of the dual from its old value for each alpha_j; same shape.

        The rise is the parabola ``s t - eta t^2 / 2``. Here t is the change of alpha_j, and s is
        the slope at the old value.
        """
        change = alpha_j - self.old[1]
        return change * (self.slope - 0.5 * self.eta * change)

    @property
    def values(self) -> tuple[float, ...]:
        """The old and the new alpha_j, and that at the vertex, if there is a vertex."""
        return self.old[1], self.new[1], *((self.vertex,) if self.has_vertex else ())

    @property
    def is_clipped(self) -> bool:
        """Whether the step did not reach the vertex of the parabola."""
        return not math.isclose(self.new[1], self.vertex, rel_tol=1e-9)
