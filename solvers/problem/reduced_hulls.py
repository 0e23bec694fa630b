"""The nearest points of reduced convex hulls, as a problem for certificates.

No method is run on this problem. It is the problem for which the iterates of the method
:mod:`solvers.methods.hulls` are certified if the hulls are reduced, or if the factor by which f is
scaled may be inexact.

In each class the weights ``tau_i = alpha_i / sum alpha`` sum to 1 and are at most ``mu``. A reduced
hull contains the means of the points of its class with such weights. If p and q are points of the
two hulls, then ``p - q = sum_i y_i tau_i phi(x_i)``. The problem and its dual are ::

    min 1/2 ||p - q||^2     max 1/2 h(w)^2,  h(w) = min_{p', q'} <w, p' - q'> / ||w||

where p' and q' range over the points of the reduced hulls. If h is positive, it is the width of the
widest strip perpendicular to w that separates the hulls, so h is at most the distance of p and q.
Let ``g_i = y_i <p - q, phi(x_i)>``. The KKT conditions are: each class has a number r such that
``g_i >= r`` if ``tau_i = 0``, ``g_i = r`` if ``0 < tau_i < mu``, and ``g_i <= r`` if
``tau_i = mu``.

Source: Crisp and Burges 1999; Bennett and Bredensteiner 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class ReducedHulls(Problem):
    """Reduced hulls of two classes, in the variables ``alpha_i = scale tau_i``.

    The upper bound of alpha, the attribute C, is ``scale mu``. There is no penalty.

    Parameters
    ----------
    X, y, kernel, bias
        As in :class:`Problem`.
    mu : float
        The upper bound of the weights ``tau_i``.
    scale : float
        The sum of alpha in each class, constant during a run, above 0.
    """

    capped: ClassVar[bool] = True

    mu: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        # Set after the checks of the base class, since this C may exceed the limits of a penalty.
        object.__setattr__(self, "C", self.scale * self.mu)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.X, self.y, self.kernel, 1.0, self.bias, self.mu, self.scale)
        return type(self), kept

    def shortfall(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return ``r - y f``, shape (n,).

        Here r is in units of ``y f``, where ``f(x) = scale <p - q, phi(x)> + b``: it is ``scale``
        times the r of the module's docstring, plus ``y b``. The r of each class is chosen so that
        the largest violation in this class is minimal.
        """
        margins, alpha = self.y * decision, self.y * beta
        shortfall = np.empty(self.n)
        for in_class in (self.y > 0, self.y < 0):
            grow, shrink = margins[in_class & (alpha < self.C)], margins[in_class & (alpha > 0.0)]
            ends = _ends_of_r(grow, shrink)
            shortfall[in_class] = sum(ends) / len(ends) - margins[in_class]
        return shortfall

    def objectives(self, decision: np.ndarray, alpha: np.ndarray) -> tuple[float, float]:
        """Return P, ``1/2 ||p - q||^2``, and D, ``1/2 h(w)^2``, for the current ``w = p - q``.

        D is a lower bound on the minimum of P. If h(w) is negative, D is 0.
        """
        margins = self.y * decision
        distance_squared, strip_width = 0.0, 0.0
        for in_class in (self.y > 0, self.y < 0):
            total = float(alpha[in_class].sum())
            if total <= 0.0:
                return math.inf, 0.0
            # The bias cancels between the classes.
            distance_squared += float(alpha[in_class] @ margins[in_class]) / total
            strip_width += _min_mean(margins[in_class], self.mu)
        # So far both sums over the classes are in units of f. The weights of f are scale (p - q),
        # so the first sum is scale ||p - q||^2.
        distance_squared = max(0.0, distance_squared / self.scale)
        if distance_squared == 0.0:
            return 0.0, 0.0
        h = max(0.0, strip_width / self.scale) / math.sqrt(distance_squared)
        return 0.5 * distance_squared, 0.5 * h * h

    def kkt_coordinates(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return ``(y f - r + 1, alpha)``, shape (n, 2).

        The corners of the KKT staircase are then the same as in classification.
        """
        return np.column_stack([1.0 - self.shortfall(decision, beta), self.y * beta + 0.0])


def _ends_of_r(grow: np.ndarray, shrink: np.ndarray) -> list[float]:
    """Return the finite ends, first the upper one, of the interval that KKT allows for r.

    ``grow`` has ``y f`` of the points whose weight can grow, and ``shrink`` of those whose weight
    can shrink. KKT requires ``max(shrink) <= r <= min(grow)``. If one of these arrays is empty, its
    end is infinite and left out. Before the optimum, the lower end may be above the upper end.
    """
    ends = [float(grow.min())] if len(grow) else []
    return [*ends, float(shrink.max())] if len(shrink) else ends


def _min_mean(values: np.ndarray, cap: float) -> float:
    """Return the minimum of ``sum tau_i values_i`` for ``0 <= tau <= cap``, ``sum tau = 1``."""
    ordered = np.sort(values)
    remaining = 1.0 - cap * np.arange(len(ordered))
    return float(np.clip(remaining, 0.0, cap) @ ordered)
