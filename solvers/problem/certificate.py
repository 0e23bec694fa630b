"""Objective values and KKT violations of ``(beta, b)``, computed independently of the solver.

The dual value of alpha is a lower bound on the optimum only if alpha is *feasible*. Primal methods
such as Pegasos have infeasible iterates. Their bound is the dual value of a *repaired* alpha, which
is made in three steps:

1. Clip alpha to the box ``0 <= alpha_i <= C_i``.
2. With a free bias, multiply the alphas of the class with the larger sum of alpha by a factor
   below 1, so that ``sum alpha_i y_i = 0``. (In a regression, the variables with sign +1 and those
   with sign -1 take the place of the classes.)
3. Multiply all alphas by the factor between 0 and 1 for which the dual is largest.

:attr:`Certificate.repaired` says whether the bound is that of a repaired alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.evaluator import kernel_sums
from solvers.problem.expansion import Expansion, freeze
from solvers.problem.problem import MAX_C, Problem
from solvers.rounding import NOISE

# The beta of n points count as summing to 0 if |sum beta| <= ZERO_SUM n max |beta|.
ZERO_SUM = 1e-9
# Kinds of a point: alpha = 0, alpha between 0 and C_i, and alpha = C_i.
ZERO, FREE, BOUND = 0, 1, 2
# With a hard margin, f counts as separating if the smallest y_i f(x_i) is above this number. The
# number is not 0: P is ||w||^2 / 2 divided by the square of the smallest y_i f(x_i), and for much
# smaller values of f, ||w||^2 underflows.
MIN_MARGIN = 1e-100


@dataclass(frozen=True, eq=False)
class Certificate:
    """Objective values and optimality measures of one expansion for one problem.

    Attributes
    ----------
    decision : array, shape (n,)
        ``f(x_i)``.
    slack : array, shape (n,)
        ``xi_i = max(0, 1 - y_i f(x_i))``; in regression ``max(0, |y_i - f(x_i)| - epsilon)``.
        A value within the rounding error of f is 0.
    alpha : array, shape (n,)
        ``y_i beta_i``; may be outside ``[0, C_i]`` if the method is primal. In regression
        ``alpha*_i + alpha_i``, which is ``|beta_i|``.
    kinds : int8 array, shape (n,)
        ZERO, FREE or BOUND, from alpha.
    violation : array, shape (n,)
        The violation of each point's KKT condition, in units of f.
    primal, dual, gap : float
        ``P``, ``D`` and ``P - D``. With a hard margin ``P`` is infinite while f does not separate
        the classes. For :class:`solvers.problem.reduced_hulls.ReducedHulls` ``P`` is
        ``1/2 ||p - q||^2``, where p and q are the current points of the two hulls, and ``D`` is a
        lower bound on the minimum of P.
    kkt : float
        Largest entry of ``violation``.
    norm : float
        ``||w||`` in the feature space; with an augmented bias ``||(w, b)||``.
    repaired : bool
        Whether ``dual`` is the dual value of a repaired alpha. If not, it is that of ``alpha``.
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
        """Return the duality gap ``P - D``: P is above the optimum by at most this number."""
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        """Return the gap relative to ``max(|P|, |D|)``; infinite if P is infinite."""
        if math.isinf(self.primal):
            return math.inf
        size = max(abs(self.primal), abs(self.dual))
        return self.gap / size if size > 0 else 0.0

    @property
    def margin(self) -> float:
        """Return ``1 / norm``, the distance from boundary to margin line in the feature space."""
        return 1.0 / self.norm if self.norm > 0 else math.inf

    def count(self, kind: int) -> int:
        """Return the number of points of one kind."""
        return int(np.count_nonzero(self.kinds == kind))


def proves_optimum(problem: Problem, expansion: Expansion) -> bool:
    """Return whether the gap of an expansion bounds its distance from the optimum.

    It does if the dual is concave; see :class:`solvers.kernels.mercer.Concavity`.
    """
    try:
        return problem.concavity.proves(expansion.beta)
    except BadInput:
        return False


def certify(problem: Problem, expansion: Expansion) -> Certificate:
    """Return the :class:`Certificate` of an expansion over the problem's own points.

    The dual has N variables: one for each point of a classification, two for each point of a
    regression. ``problem.variables_of`` splits the beta of each point among the variables of this
    point, and ``problem.to_variables`` repeats a value of the point for each of these variables.
    ``problem.sum_per_point`` and ``problem.max_per_point`` combine the values of a point's
    variables.
    """
    expansion = _as_solved(problem, expansion)
    beta, b = expansion.beta, expansion.constant
    variables = problem.variables_of(beta)
    alpha = problem.sign * variables + 0.0
    feasible = is_feasible(problem, alpha)
    feasible_variables = variables if feasible else problem.sign * repair(problem, alpha)
    weights = np.stack([beta] if feasible else [beta, problem.sum_per_point(feasible_variables)])
    points = expansion.from_origin(problem.X)
    sums = kernel_sums(expansion.kernel.program(), expansion.centered, weights, points)
    decision = sums[0] + b
    slack = problem.max_per_point(
        np.maximum(0.0, problem.sign * (problem.target - problem.to_variables(decision)))
    )
    # In a classification this is 1 - y f: positive inside the margin, negative outside it.
    shortfall = problem.shortfall(decision, beta)
    squared_norm = _squared_norm(problem, beta, sums[0], b)
    dual = (
        float(problem.target @ variables) - 0.5 * squared_norm
        if feasible
        else _best_multiple(problem, feasible_variables, sums[1])[1]
    )
    violation = problem.max_per_point(_violation(shortfall, _kinds(alpha, problem.bounds)))
    alpha = problem.sum_per_point(alpha)
    primal = _primal(problem, squared_norm, slack, decision)
    # Only reduced hulls have other objectives; for all other problems `objectives` returns None.
    primal, dual = problem.objectives(decision, alpha) or (primal, dual)
    return Certificate(
        decision=freeze(decision),
        slack=freeze(np.where(slack > _rounding(problem, beta, b), slack, 0.0)),
        alpha=freeze(alpha),
        kinds=freeze(_kinds(alpha, problem.caps)),
        violation=freeze(violation),
        primal=primal,
        dual=dual,
        kkt=float(violation.max()),
        norm=math.sqrt(max(squared_norm, 0.0)),
        repaired=not feasible,
    )


def _as_solved(problem: Problem, expansion: Expansion) -> Expansion:
    """Return the same f as this problem computes it, so that rounding cannot hide a violation.

    f is not changed if the problem has computed it, or if its beta do not sum to 0. In the latter
    case f depends on the origin and on constants of the kernel.
    """
    differs = problem.origin is not None or problem.used_kernel is not problem.kernel
    if not differs or expansion.origin is not None or expansion.kernel != problem.kernel:
        return expansion
    beta = expansion.beta
    if abs(float(beta.sum())) > ZERO_SUM * float(np.abs(beta).max()) * problem.n:
        return expansion
    shift = 0.0
    if problem.origin is not None:
        shift = float((beta @ problem.centered) @ problem.origin)
    return problem.expansion(np.array(beta), expansion.bias + shift)


def _kinds(alpha: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    return np.where(alpha <= 0, ZERO, np.where(alpha >= bounds, BOUND, FREE)).astype(np.int8)


def is_feasible(problem: Problem, alpha: np.ndarray) -> bool:
    """Return whether alpha, shape (N,), satisfies the constraints of the dual.

    ``0 <= alpha_i <= C_i`` must hold exactly. With a free bias, ``sign' alpha = 0`` must hold up to
    a rounding error of ``1e-9 n max alpha``. The tolerance is relative to alpha, not to C, since
    with a huge C every alpha would be accepted.
    """
    if alpha.min() < 0 or (alpha > problem.bounds).any():
        return False
    if problem.bias != "free":
        return True
    return abs(float(alpha @ problem.sign)) <= ZERO_SUM * float(alpha.max()) * problem.n


def repair(problem: Problem, alpha: np.ndarray) -> np.ndarray:
    """Return a feasible alpha near the given one, shape (N,).

    Alpha is clipped to the box. With a free bias, the alphas of sign +1 and those of sign -1 must
    have equal sums. So the alphas of the sign with the larger sum are then multiplied by a factor
    below 1, and stay in the box.
    """
    clipped = np.clip(alpha, 0.0, np.minimum(problem.bounds, MAX_C))
    if problem.bias != "free":
        return clipped
    positive = problem.sign > 0
    plus, minus = float(clipped[positive].sum()), float(clipped[~positive].sum())
    in_larger = positive if plus > minus else ~positive
    factor = min(plus, minus) / max(plus, minus) if max(plus, minus) > 0 else 0.0
    return np.where(in_larger, clipped * factor, clipped)


def feasible_start(problem: Problem, guess: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of a dual method: ``(beta, F)`` of the variables, shape (N,) each.

    ``F = target - K beta``; with an augmented bias, 1 is added to every entry of K. The guess is a
    beta of the points, shape (n,); it is made feasible. beta starts at 0 if there is no guess, or
    if the dual value of the guess is negative. (The dual value of beta = 0 is 0.)
    """
    zeros, target = np.zeros(problem.n_variables), problem.target
    if guess is None or not np.any(guess):
        return zeros, target.copy()
    variables = problem.variables_of(np.asarray(guess, dtype=np.float64))
    alpha = problem.sign * variables
    # A feasible alpha is not changed, so that values of exactly 0 or C stay exact.
    beta = problem.sign * (alpha if is_feasible(problem, alpha) else repair(problem, alpha))
    points = problem.sum_per_point(beta)
    sums = _sums(problem, points[None, :])[0]
    F = target - problem.to_variables(sums + (points.sum() if problem.bias == "augmented" else 0.0))
    twice_the_dual = beta @ (target + F)
    return (zeros, target.copy()) if twice_the_dual < 0.0 else (beta, F)


def feasible_alpha(expansion: Expansion, problem: Problem) -> np.ndarray:
    """Return the feasible alpha whose dual value is :attr:`Certificate.dual`, shape (N,).

    It is the alpha of the expansion if that is feasible, otherwise the repaired one.
    """
    alpha = problem.sign * problem.variables_of(expansion.beta) + 0.0
    if is_feasible(problem, alpha):
        return alpha
    repaired = repair(problem, alpha)
    variables = problem.sign * repaired
    beta = problem.sum_per_point(variables)
    sums = _sums(problem, beta[None, :])[0]
    return _best_multiple(problem, variables, sums)[0] * repaired


def _best_multiple(
    problem: Problem, variables: np.ndarray, sums: np.ndarray
) -> tuple[float, float]:
    """Return the factor from 0 to 1 for which the dual of its multiple is largest, and that dual.

    ``variables``, shape (N,), are the signed variables of a feasible alpha, so all these multiples
    are feasible. ``sums`` is ``K beta``, shape (n,), where beta is the sum of ``variables`` per
    point. The dual is at least 0, since the factor may be 0.
    """
    beta = problem.sum_per_point(variables)
    bias = float(beta.sum()) if problem.bias == "augmented" else 0.0
    linear_term = float(problem.target @ variables)
    squared_norm = _squared_norm(problem, beta, sums, bias)
    factor = min(1.0, max(0.0, linear_term / squared_norm)) if squared_norm > 0 else 1.0
    return factor, factor * linear_term - 0.5 * factor * factor * squared_norm


def _sums(problem: Problem, weights: np.ndarray) -> np.ndarray:
    """Return ``sum_i weights_ri k(x_i, x_j)`` at the points of the problem, shape (r, n)."""
    program, points = problem.used_kernel.program(), problem.centered
    return kernel_sums(program, points, weights, points)


def _rounding(problem: Problem, beta: np.ndarray, b: float) -> float:
    """Return a bound on the rounding error of ``y_i - f(x_i)`` for all points."""
    sums = float(np.abs(problem.dual_form.diagonal).max()) * float(np.abs(beta).sum())
    return NOISE * max(float(np.abs(problem.target).max()), abs(b), sums)


def _squared_norm(problem: Problem, beta: np.ndarray, sums: np.ndarray, b: float) -> float:
    """Return ``||w||^2 = beta' K beta``, or ``||(w, b)||^2`` if the bias is regularised."""
    squared_norm = float(beta @ sums)
    return squared_norm + b * b if problem.bias == "augmented" else squared_norm


def _primal(
    problem: Problem, squared_norm: float, slack: np.ndarray, decision: np.ndarray
) -> float:
    """Return ``P``; for a hard margin, P after ``(w, b)`` is scaled so that ``min y f = 1``.

    Without the scaling, P would be infinite whenever rounding error makes ``min y f`` less than 1.
    """
    if not problem.hard:
        return 0.5 * squared_norm + problem.C * problem.weighted_sum(slack)
    min_margin = float((problem.y * decision).min())
    # Divided twice, since the square of a tiny number would underflow to 0.
    return 0.5 * squared_norm / min_margin / min_margin if min_margin > MIN_MARGIN else math.inf


def _violation(shortfall: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return how much each shortfall violates its KKT condition, shape (N,).

    By KKT the shortfall is at most 0 if alpha = 0, at least 0 if alpha = C_i, and otherwise 0.
    """
    return np.where(
        kinds == ZERO,
        np.maximum(0.0, shortfall),
        np.where(kinds == BOUND, np.maximum(0.0, -shortfall), np.abs(shortfall)),
    )
