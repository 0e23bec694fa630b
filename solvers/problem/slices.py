"""The primal along a straight line in the space of functions: a convex curve with kinks.

On the line ``f_t = (1 - t) f_0 + t f_1`` through two decision functions, ``||w||^2`` is a parabola
in t, and the argument of each point's loss is linear in t. So the primal along the line,

    P(t) = 1/2 ||w_t||^2 + C sum_i loss(z_i(t)),

is convex: every chord lies above the curve, and through each of its points go lines that lie below
all of it. There is one such line, except at a kink, where some z_i(t) is at the kink of the loss:
there all slopes between that on the left and that on the right will do (they are the
*sub-differential* of P at t).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.problem.expansion import Expansion
from solvers.problem.losses import Loss, arguments, losses_for
from solvers.problem.problem import Problem

# Arguments of the loss that differ from its kink by at most this fraction count as being there.
NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Slice:
    """The primal along a line.

    Attributes
    ----------
    squares : (float, float, float)
        c, b and a of ``||w_t||^2 = c + 2 b t + a t^2``.
    start, change : arrays, shape (n,)
        The arguments of the loss are ``z(t) = start + t change``.
    C, epsilon : float
    loss : Loss
    """

    squares: tuple[float, float, float]
    start: np.ndarray
    change: np.ndarray
    C: float
    epsilon: float
    loss: Loss

    def values(self, t: np.ndarray) -> np.ndarray:
        """Return P at each t, shape (m,)."""
        t = np.asarray(t, dtype=np.float64)
        c, b, a = self.squares
        losses = self.loss.values(self._arguments(t), self.epsilon)
        return 0.5 * (c + 2.0 * b * t + a * t * t) + self.C * losses.sum(axis=-1)

    def slopes(self, t: np.ndarray) -> np.ndarray:
        """Return the slopes of P just left and just right of each t, shape (2, m)."""
        t = np.asarray(t, dtype=np.float64)
        assert self.loss.slopes is not None
        left, right = self.loss.slopes(self._arguments(t), self.epsilon)
        # Where z falls with t, the points just right of t have the smaller z.
        rises = self.change > 0.0
        sums = np.stack(
            [
                (np.where(rises, left, right) * self.change).sum(axis=-1),
                (np.where(rises, right, left) * self.change).sum(axis=-1),
            ]
        )
        _, b, a = self.squares
        return b + a * t + self.C * sums

    def kinks(self) -> np.ndarray:
        """Return the t at which the slope jumps, ascending."""
        moving = self.change != 0.0
        kinks = [
            (kink - self.start[moving]) / self.change[moving]
            for kink in self.loss.kinks(self.epsilon)
        ]
        return np.unique(np.concatenate([np.zeros(0), *kinks]))

    def _arguments(self, t: np.ndarray) -> np.ndarray:
        """Return z(t), shape (m, n); what is at a kink up to rounding is exactly there."""
        z = self.start + t[..., None] * self.change
        for kink in self.loss.kinks(self.epsilon):
            z = np.where(np.abs(z - kink) <= NEAR * (1.0 + np.abs(self.start)), kink, z)
        return z


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
    biases = first.bias, second.bias
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
        loss,
    )
