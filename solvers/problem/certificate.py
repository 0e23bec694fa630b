"""How good an answer is: computed from the problem and ``(beta, b)``, never by the solver.

Only a *feasible* alpha bounds the optimum from below. Iterates of Pegasos and its kin are not
feasible; for those a repaired alpha (clipped to the box, the equality restored by shrinking the
heavier class, then the best multiple) gives the bound; :attr:`Certificate.repaired` says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.problem.expansion import Expansion, freeze, kernel_sums
from solvers.problem.problem import LARGEST_C, Problem
from solvers.rounding import NOISE

# Kinds of a point by its dual variable.
ZERO, FREE, BOUND = 0, 1, 2
# The smallest y f that counts as separated: ||w||^2 has no digits left much below.
NEAREST = 1e-100


@dataclass(frozen=True, eq=False)
class Certificate:
    """Objective values and optimality measures of one expansion for one problem.

    Attributes
    ----------
    decision : array, shape (n,)
        ``f(x_i)``.
    slack : array, shape (n,)
        ``xi_i = max(0, 1 - y_i f(x_i))``; in regression ``max(0, |y_i - f(x_i)| - epsilon)``.
        What may be the rounding error of f alone is 0.
    alpha : array, shape (n,)
        ``y_i beta_i``; may leave ``[0, C]`` where the method is not a dual one. In regression
        ``alpha*_i + alpha_i``, which is ``|beta_i|``.
    kinds : int8 array, shape (n,)
        ZERO, FREE or BOUND, by alpha.
    violation : array, shape (n,)
        How far each point is from its KKT condition, in units of f.
    primal, dual, gap : float
        ``P``, ``D`` and ``P - D``; ``P`` is infinite while a hard margin is not reached.
    kkt : float
        Largest entry of ``violation``.
    norm : float
        ``||w||`` in the feature space.
    repaired : bool
        Whether the dual is that of a repaired alpha.
    """

    decision: np.ndarray
    slack: np.ndarray
    alpha: np.ndarray
    kinds: np.ndarray
    violation: np.ndarray
    primal: float
    dual: float
    kkt: float
    norm: float
    repaired: bool

    @property
    def gap(self) -> float:
        """Duality gap ``P - D``: the objective is at most this far from its optimum."""
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        """The gap relative to ``max(|P|, |D|)``; infinite while P is."""
        if math.isinf(self.primal):
            return math.inf
        size = max(abs(self.primal), abs(self.dual))
        return self.gap / size if size > 0 else 0.0

    @property
    def margin(self) -> float:
        """``1 / ||w||``: distance from the boundary to a margin line (in the feature space)."""
        return 1.0 / self.norm if self.norm > 0 else math.inf

    def count(self, kind: int) -> int:
        """Number of points of one kind."""
        return int(np.count_nonzero(self.kinds == kind))


def certify(problem: Problem, expansion: Expansion) -> Certificate:
    """Return the :class:`Certificate` of an expansion over the problem's own points.

    It is written over the variables of the dual, of which a point of a regression has two: each
    asks that ``short = side (target - f)``, in classification ``1 - y f``, be at most 0.
    """
    beta, b = expansion.beta, expansion.bias
    variables = problem.unfold(beta)
    alpha = problem.side * variables + 0.0
    feasible = is_feasible(problem, alpha)
    repaired = variables if feasible else problem.side * repair(problem, alpha)
    weights = np.stack([beta] if feasible else [beta, problem.fold(repaired)])
    sums = kernel_sums(expansion.kernel, expansion.X, weights, problem.X)
    decision = sums[0] + b
    short = problem.side * (problem.target - problem.spread(decision))
    slack = problem.worst(np.maximum(0.0, short))
    squared_norm = _squared_norm(problem, beta, sums[0], b)
    dual = (
        float(problem.target @ variables) - 0.5 * squared_norm
        if feasible
        else _best_multiple(problem, repaired, sums[1])
    )
    violation = problem.worst(_violation(short, _kinds(problem, alpha)))
    alpha = problem.fold(alpha)
    return Certificate(
        decision=freeze(decision),
        slack=freeze(np.where(slack > _rounding(problem, beta, b), slack, 0.0)),
        alpha=freeze(alpha),
        kinds=freeze(_kinds(problem, alpha)),
        violation=freeze(violation),
        primal=_primal(problem, squared_norm, slack, decision),
        dual=dual,
        kkt=float(violation.max()),
        norm=math.sqrt(max(squared_norm, 0.0)),
        repaired=not feasible,
    )


def _kinds(problem: Problem, alpha: np.ndarray) -> np.ndarray:
    return np.where(alpha <= 0, ZERO, np.where(alpha >= problem.C, BOUND, FREE)).astype(np.int8)


def is_feasible(problem: Problem, alpha: np.ndarray) -> bool:
    """Whether ``0 <= alpha <= C`` exactly and, with a free bias, ``side' alpha`` is only rounding.

    That is, at most ``1e-9 n max alpha``; relative to C it would let anything pass when C is huge.
    ``alpha`` has shape (N,), an entry a variable.
    """
    if alpha.min() < 0 or alpha.max() > problem.C:
        return False
    if problem.bias != "free":
        return True
    return abs(float(alpha @ problem.side)) <= 1e-9 * float(alpha.max()) * problem.n


def repair(problem: Problem, alpha: np.ndarray) -> np.ndarray:
    """A feasible alpha nearby, shape (N,): clip to the box, then shrink the heavier class.

    Shrinking by a factor keeps every entry in its box and makes the two sums equal, which the
    free bias asks for.
    """
    clipped = np.clip(alpha, 0.0, min(problem.C, LARGEST_C))
    if problem.bias != "free":
        return clipped
    positive = problem.side > 0
    plus, minus = float(clipped[positive].sum()), float(clipped[~positive].sum())
    heavier = positive if plus > minus else ~positive
    factor = min(plus, minus) / max(plus, minus) if max(plus, minus) > 0 else 0.0
    return np.where(heavier, clipped * factor, clipped)


def feasible_start(problem: Problem, guess: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Where a method of the dual starts: ``(beta, F)`` of the variables, shape (N,) each.

    ``F = target - K beta`` (with the 1 of an augmented bias in K). A guess of the points' beta,
    shape (n,), is made feasible; where its dual is below that of zeros, zeros are better.
    """
    zeros, target = np.zeros(problem.size), problem.target
    if guess is None or not np.any(guess):
        return zeros, target.copy()
    variables = problem.unfold(np.asarray(guess, dtype=np.float64))
    alpha = problem.side * variables
    # What is feasible as it is keeps its exact bounds.
    beta = problem.side * (alpha if is_feasible(problem, alpha) else repair(problem, alpha))
    points = problem.fold(beta)
    sums = kernel_sums(problem.kernel, problem.X, points[None, :], problem.X)[0]
    F = target - problem.spread(sums + (points.sum() if problem.bias == "augmented" else 0.0))
    # Twice the dual: a guess that is worse than zeros is not worth starting from.
    return (zeros, target.copy()) if beta @ (target + F) < 0.0 else (beta, F)


def _best_multiple(problem: Problem, variables: np.ndarray, sums: np.ndarray) -> float:
    """The largest dual among ``factor * beta``, factor <= 1: feasible, and never below D(0) = 0."""
    beta = problem.fold(variables)
    bias = float(beta.sum()) if problem.bias == "augmented" else 0.0
    total = float(problem.target @ variables)
    own = _squared_norm(problem, beta, sums, bias)
    factor = min(1.0, max(0.0, total / own)) if own > 0 else 1.0
    return factor * total - 0.5 * factor * factor * own


def _rounding(problem: Problem, beta: np.ndarray, b: float) -> float:
    """Return a bound on the rounding error of ``y_i - f(x_i)`` for all points."""
    sums = float(np.abs(problem.form.diagonal).max()) * float(np.abs(beta).sum())
    return NOISE * max(float(np.abs(problem.target).max()), abs(b), sums)


def _squared_norm(problem: Problem, beta: np.ndarray, sums: np.ndarray, b: float) -> float:
    """``||w||^2 = beta' K beta``, and ``||(w, b)||^2`` where the bias is regularised."""
    own = float(beta @ sums)
    return own + b * b if problem.bias == "augmented" else own


def _primal(
    problem: Problem, squared_norm: float, slack: np.ndarray, decision: np.ndarray
) -> float:
    """``P``; for a hard margin, that of ``(w, b)`` scaled until the nearest point has y f = 1.

    Without the scaling, rounding alone would make it infinite at any ``min y f`` below 1.
    """
    if not problem.hard:
        return 0.5 * squared_norm + problem.C * float(slack.sum())
    nearest = float((problem.y * decision).min())
    # Divided twice, since the square of a tiny number would be 0.
    return 0.5 * squared_norm / nearest / nearest if nearest > NEAREST else math.inf


def _violation(short: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """``alpha = 0 => short <= 0``, ``0 < alpha < C => short = 0``, ``alpha = C => short >= 0``."""
    return np.where(
        kinds == ZERO,
        np.maximum(0.0, short),
        np.where(kinds == BOUND, np.maximum(0.0, -short), np.abs(short)),
    )
