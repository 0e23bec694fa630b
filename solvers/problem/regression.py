"""Regression with the epsilon-insensitive loss, as a problem for the methods of the dual.

``min 1/2 ||w||^2 + C sum_i max(0, |y_i - f(x_i)| - epsilon)``. Each point has two dual variables:
``alpha*_i`` raises f at a point above the tube, ``alpha_i`` lowers f at a point below it. With the
signed ``beta = (alpha*, -alpha)`` and targets ``y - epsilon`` and ``y + epsilon`` the dual is that
of a classification in which every point occurs twice::

    max  sum_v target_v beta_v - 1/2 beta' K beta
    s.t. 0 <= beta_v <= C (v < n),  -C <= beta_v <= 0 (v >= n),  sum_v beta_v = 0

K is the Gram matrix of these 2 n points. The equality is required only if the bias is free.
Methods need no branch for regression. This ``beta`` has 2 n entries, one per variable. In the rest
of this file ``beta`` has n entries, one per point: the coefficients
``beta_i = alpha*_i - alpha_i`` of the expansion.

Source: Smola and Schoelkopf 2004.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.data.coordinates import MAX_COORDINATE
from solvers.errors import BadInput, short_repr
from solvers.problem.expansion import freeze
from solvers.problem.problem import Problem, one_per_point


@dataclass(frozen=True, eq=False)
class Regression(Problem):
    """Epsilon-SVR: ``min 1/2 ||w||^2 + C sum_i max(0, |y_i - f(x_i)| - epsilon)``.

    Parameters
    ----------
    X, kernel, C, bias, weights
        As in :class:`Problem`; C must be finite. The same f minimises ``lam/2 ||w||^2`` plus the
        mean of the losses with ``lam = 1 / (C n)``, and ``lam/2 ||w||^2`` plus the sum of the
        losses with ``lam = 1 / C``.
    y : array, shape (n,)
        Targets: any real numbers.
    epsilon : float
        Half the width of the tube in which no error counts, at least 0, in units of y.

    Raises
    ------
    BadInput
        If the input is invalid; the message is one sentence.
    """

    task: ClassVar[str] = "regression"
    need: ClassVar[str] = "a regression needs at least one"

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))
        super().__post_init__()
        if self.hard:
            raise BadInput("Regression needs a finite C: some points may have to leave the tube.")

    @property
    def n_variables(self) -> int:
        return 2 * self.n

    @functools.cached_property
    def sign(self) -> np.ndarray:
        """Return +1 for alpha* and -1 for alpha of each point, shape (2 n,)."""
        return freeze(np.repeat([1.0, -1.0], self.n))

    @functools.cached_property
    def target(self) -> np.ndarray:
        """Return ``y - epsilon`` for alpha* and ``y + epsilon`` for alpha, shape (2 n,)."""
        return freeze(self.to_variables(self.y) - self.epsilon * self.sign)

    def to_variables(self, values: np.ndarray) -> np.ndarray:
        return np.concatenate([values, values])

    def sum_per_point(self, values: np.ndarray) -> np.ndarray:
        return values[: self.n] + values[self.n :]

    def variables_of(self, beta: np.ndarray) -> np.ndarray:
        """Return ``(alpha*, -alpha)``, shape (2 n,).

        For each point alpha* or alpha is 0, as at every optimum.
        """
        return np.concatenate([np.maximum(beta, 0.0), np.minimum(beta, 0.0)])

    def max_per_point(self, values: np.ndarray) -> np.ndarray:
        return np.maximum(values[: self.n], values[self.n :])

    def point_of(self, variable: int) -> int:
        return variable % self.n

    def name_of(self, variable: int) -> str:
        symbol = "α*" if variable < self.n else "α"
        return f"{symbol} of point {self.point_of(variable) + 1}"

    @property
    def kkt_corners(self) -> np.ndarray:
        """Return the corners of the KKT staircase, shape (6, 2), in coordinates ``(y - f, beta)``.

        beta is 0 for points inside the tube, C for points above it, and -C for points below it. On
        the upper edge of the tube beta is between 0 and C, on the lower edge between -C and 0. If
        the points have weights, ``beta / s`` takes the place of beta.
        """
        C, edge = self.C, self.epsilon
        return np.array(
            [(-math.inf, -C), (-edge, -C), (-edge, 0.0), (edge, 0.0), (edge, C), (math.inf, C)]
        )

    def kkt_coordinates(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return ``(y_i - f(x_i), beta_i)`` of each point, shape (n, 2)."""
        return np.column_stack([self.y - decision, self._per_weight(beta)])

    def _checked_y(self, targets: Any, n: int) -> np.ndarray:
        y = one_per_point(targets, n, "targets", "numbers, one per point")
        is_invalid = ~(np.abs(y) <= MAX_COORDINATE)
        if is_invalid.any():
            first = int(np.argmax(is_invalid))
            raise BadInput(
                f"The target of point {first + 1} must be at most {MAX_COORDINATE:g} in size:"
                f" got {y[first]:g}."
            )
        return freeze(y)


def checked_epsilon(value: Any) -> float:
    """Return epsilon as a float; raise BadInput if it is not from 0 to MAX_COORDINATE."""
    try:
        epsilon = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        epsilon = math.nan
    if not 0.0 <= epsilon <= MAX_COORDINATE:
        limit = f"at most {MAX_COORDINATE:g}" if epsilon > 0.0 else "a number of at least 0"
        raise BadInput(f"epsilon must be {limit}: got {short_repr(value)}.")
    return epsilon
