"""The primal along a straight line in the space of functions: a convex curve with kinks.

On the line ``f_t = (1 - t) f_0 + t f_1`` through two decision functions, ``||w||^2`` is a parabola
in t, and the argument of each point's loss is linear in t. So the primal along the line,

    P(t) = 1/2 ||w_t||^2 + sum_i C_i loss(z_i(t)),

is convex: no chord lies below the curve, and through each point of the curve there is a line that
is nowhere above it. There is only one such line, except at a kink of P, where some z_i(t) is at the
kink of the loss. At a kink, the line may have any slope from that on the left to that on the right.
These slopes are the *sub-differential* of P at t.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solvers.problem.expansion import Expansion
from solvers.problem.losses import Loss, arguments, losses_for
from solvers.problem.problem import Problem

# Kinks at most this far from t count as being at t.
NEAR = 1e-8


@dataclass(frozen=True, eq=False)
class Slice:
    """The primal along a line. Its loss is linear between its kinks, as hinge and tube are.

    Attributes
    ----------
    squares : (float, float, float)
        c, b and a of ``||w_t||^2 = c + 2 b t + a t^2``.
    start, change : arrays, shape (n,)
        The arguments of the loss are ``z(t) = start + t change``.
    C, epsilon : float
    weights : array, shape (n,)
        ``C_i / C``.
    loss : Loss
    """

    squares: tuple[float, float, float]
    start: np.ndarray
    change: np.ndarray
    C: float
    epsilon: float
    weights: np.ndarray
    loss: Loss

    def values(self, t: np.ndarray) -> np.ndarray:
        """Return P at each t, shape (m,)."""
        t = np.asarray(t, dtype=np.float64)
        c, b, a = self.squares
        at_zero = float((self.weights * self.loss.values(self.start, self.epsilon)).sum())
        losses = at_zero + self._rise(t) - self._rise(np.zeros(()))
        return 0.5 * (c + 2.0 * b * t + a * t * t) + self.C * losses

    def slopes(self, t: np.ndarray) -> np.ndarray:
        """Return the slopes of P just left and just right of each t, shape (2, m)."""
        t = np.asarray(t, dtype=np.float64)
        jumps = self._jumps
        before = np.searchsorted(jumps.places, t - NEAR, "left")
        after = np.searchsorted(jumps.places, t + NEAR, "right")
        sums = jumps.first + np.stack([jumps.sums[before], jumps.sums[after]])
        _, b, a = self.squares
        return b + a * t + self.C * sums

    def kinks(self) -> np.ndarray:
        """Return the t at which the slope jumps, ascending."""
        return np.unique(self._jumps.places)

    def crossing(self, point: int, near: float) -> float | None:
        """Return the t nearest to ``near`` where a point's loss has a kink; None if nowhere."""
        change = float(self.change[point])
        if change == 0.0:
            return None
        kinks = np.array(self.loss.kinks(self.epsilon))
        places = (kinks - self.start[point]) / change
        return float(places[np.abs(places - near).argmin()])

    def point_at(self, t: float) -> int | None:
        """Return the point whose loss has a kink nearest to t; None if no point's loss has one."""
        jumps = self._jumps
        return int(jumps.points[np.abs(jumps.places - t).argmin()]) if len(jumps.places) else None

    def _rise(self, t: np.ndarray) -> np.ndarray:
        """Return the sum of losses at each t, up to a constant."""
        jumps = self._jumps
        passed = np.searchsorted(jumps.places, t)
        return (jumps.first + jumps.sums[passed]) * t - jumps.moments[passed]

    @cached_property
    def _jumps(self) -> _Jumps:
        assert self.loss.slopes is not None
        moving = self.change != 0.0
        start, change, weights = self.start[moving], self.change[moving], self.weights[moving]
        kinks = np.array(self.loss.kinks(self.epsilon))
        left, right = self.loss.slopes(kinks, self.epsilon)
        places = ((kinks[:, None] - start) / change).ravel()
        # Where z falls with t, it passes the kink from the right to the left.
        sizes = ((right - left)[:, None] * (weights * np.abs(change))).ravel()
        order = np.argsort(places)
        places, sizes = places[order], sizes[order]
        far = np.array([kinks.min() - 1.0, kinks.max() + 1.0])
        outermost = self.loss.slopes(far, self.epsilon)[0]
        first = float((np.where(change > 0.0, *outermost) * (weights * change)).sum())
        return _Jumps(
            first,
            places,
            np.tile(np.flatnonzero(moving), len(kinks))[order],
            np.concatenate([[0.0], np.cumsum(sizes)]),
            np.concatenate([[0.0], np.cumsum(sizes * places)]),
        )


class _Jumps(NamedTuple):
    """The slope of the sum of losses: ``first`` far to the left; it jumps at ``places``.

    ``points`` are the indices of the points whose losses have these kinks.
    ``sums[k]`` and ``moments[k]`` are the sums of jump, and of jump times place, over the first k.
    """

    first: float
    places: np.ndarray
    points: np.ndarray
    sums: np.ndarray
    moments: np.ndarray


def slice_between(problem: Problem, first: Expansion, second: Expansion) -> Slice:
    """Return the primal along the line from ``first`` (t = 0) to ``second`` (t = 1).

    Parameters
    ----------
    problem : Problem
        C must be finite.
    first, second : Expansion
        Over the points and with the kernel of the problem.
    """
    sums = [each.sum_at(problem.X) for each in (first, second)]
    biases = first.constant, second.constant
    square = float(first.beta @ sums[0])
    inner = float(first.beta @ sums[1])
    other = float(second.beta @ sums[1])
    if problem.bias == "augmented":
        square += biases[0] ** 2
        inner += biases[0] * biases[1]
        other += biases[1] ** 2
    start, end = (arguments(problem, values + b) for values, b in zip(sums, biases, strict=True))
    loss = next(iter(losses_for(problem.task).values()))
    return Slice(
        (square, inner - square, square - 2.0 * inner + other),
        start,
        end - start,
        problem.C,
        getattr(problem, "epsilon", 0.0),
        np.ones(problem.n) if problem.weights is None else problem.weights,
        loss,
    )
