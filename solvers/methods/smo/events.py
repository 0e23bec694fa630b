"""The event of a step of SMO: the pair, its numbers and formulas, and sentences about the step.

F, m and M are those of :mod:`solvers.methods.smo.smo`: m is the largest F of the variables that can
grow, and M is the smallest F of the variables that can shrink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.methods.smo.bias_rules import bias_formula, bias_rule
from solvers.methods.smo.pair_choice import reason_for
from solvers.problem.problem import Problem
from solvers.rounding import EPS
from solvers.run.formulas import (
    NEGLIGIBLE,
    Formula,
    adding_up,
    in_brackets,
    number,
    without_rounding,
)
from solvers.run.method import OldEvent

# Clause for a step that took no variable to a bound.
BOTH_FREE = "both are free after the step"
# Clauses for a step to the top of its parabola, and for one without a top.
INSIDE_BOX = "the optimum along their line lies inside the box"
NO_TOP = "the dual has no top along their line"


@dataclass(frozen=True)
class PairMoved(OldEvent):
    """One SMO step, in terms of alpha.

    Attributes
    ----------
    i, j : int
        The pair of variables; beta_i grew and beta_j shrank, where beta is alpha times its sign
        (see ``signs``).
    old, new, unclipped : tuple of two floats
        ``(alpha_i, alpha_j)`` before the step, after the step, and at the top of the parabola. If
        there is no top, ``unclipped`` is infinitely far in the direction of the step. But if no
        bound ends the step either, it is the pair at which the step ends (see ``divisor``).
    low, high : float
        L and H: the box and the equality constraint leave ``alpha_j`` the segment ``[L, H]``.
    C : float
    kernel : tuple of three floats
        ``K_ii``, ``K_jj`` and ``K_ij``.
    eta : float
        The curvature ``K_ii + K_jj - 2 K_ij``. If it is not above 0, there is no top.
    slope : float
        ``F_i - F_j``, the slope of the dual along the line before the step.
    signs : tuple of two ints
        Labels of the pair; in a regression +1 for a variable alpha* and -1 for a variable alpha.
    decisions, targets : tuples of two floats
        f at the two points before the step, and the targets of the two variables. The error of a
        variable is ``E = f - target``.
    epsilon : float or None
        In a regression, half the width of the tube; None in a classification.
    bias : Formula
        The formula for b, and b after the step.
    bias_rule : str
        The rule by which b is computed: BIAS_FREE, from F of free points; BIAS_MEAN, the mean of
        F_i and F_j, because i and j are both at a bound; BIAS_MIDDLE, ``(m + M) / 2``.
    b : tuple of two floats
        b before and after the step.
    violation : float
        ``m - M`` over the variables among which the pair was chosen, before the step.
    rise : float
        By how much the dual rose.
    starred : tuple of two bools, or None
        In a regression, whether i is a variable alpha*, and whether j is; None in a classification.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    unclipped: tuple[float, float]
    low: float
    high: float
    C: float
    kernel: tuple[float, float, float]
    eta: float
    slope: float
    signs: tuple[int, int]
    decisions: tuple[float, float]
    targets: tuple[float, float]
    epsilon: float | None
    bias: Formula
    bias_rule: str
    b: tuple[float, float]
    violation: float
    rise: float
    starred: tuple[bool, bool] | None = None

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of Platt's update, in the order of their computation.

        The formulas are for the errors, the curvature, alpha_j before clipping, the segment [L, H],
        alpha_j after clipping, alpha_i and b. In a regression the signs of the variables replace
        the labels.
        """
        return (
            self._error_formula(),
            self._curvature_formula(),
            self._unclipped_formula(),
            self._segment_formula(),
            self._clipped_formula(),
            self._alpha_i_formula(),
            self.bias,
        )

    @property
    def has_top(self) -> bool:
        """Return whether the dual has a top along the line."""
        return self.eta > 0.0

    @property
    def is_endless(self) -> bool:
        """Return whether there is neither a top nor a bound to end the step (hard margin)."""
        return not self.has_top and math.isfinite(self.unclipped[1])

    @property
    def divisor(self) -> float:
        """Return eta, or the tiny number that replaces it in a step with no end."""
        K_ii, K_jj, _ = self.kernel
        return self.eta if self.has_top else _smallest_eta(K_ii, K_jj)

    @property
    def errors(self) -> tuple[float, float]:
        """Return ``(E_i, E_j)`` before the step; an E that hardly changes the step becomes 0."""
        E_i, E_j = (
            without_rounding(f - target, (f, target))
            for f, target in zip(self.decisions, self.targets, strict=True)
        )
        limit = NEGLIGIBLE * abs(E_i - E_j)
        return (0.0 if abs(E_i) <= limit else E_i), (0.0 if abs(E_j) <= limit else E_j)

    def _error_formula(self) -> Formula:
        equations = []
        for index, sign in enumerate(self.signs):
            f, target, error = self.decisions[index], self.targets[index], self.errors[index]
            name = rf"E_{{{self._point(index)}}}"
            if self.epsilon is None:
                terms, result = adding_up((f, target), error, lambda a, b: a - b)
                equations.append(rf"{name} = {terms[0]} - {in_brackets(terms[1])} = {result}")
                continue
            y = target + sign * self.epsilon
            terms, result = adding_up(
                (f, y, self.epsilon), error, lambda a, b, c, s=sign: a - b + s * c
            )
            shift = "+" if sign > 0 else "-"
            equations.append(
                rf"{name} = {terms[0]} - {in_brackets(terms[1])} {shift} {terms[2]} = {result}"
            )
        letters = r"E_k = f(x_k) - y_k"
        if self.epsilon is not None:
            letters = r"E_k = f(x_k) - y_k + s_k\,\varepsilon"
        return Formula(letters, r", \quad ".join(equations))

    def _curvature_formula(self) -> Formula:
        terms, result = adding_up(self.kernel, self.eta, lambda a, b, c: a + b - 2.0 * c)
        numbers = (
            rf"\eta = {terms[0]} + {in_brackets(terms[1])} - 2 \cdot {in_brackets(terms[2])}"
            rf" = {result}"
        )
        if self.is_endless:
            numbers += rf", \quad \eta \leftarrow {number(self.divisor)}"
        return Formula(r"\eta = K_{ii} + K_{jj} - 2 K_{ij}", numbers)

    def _unclipped_formula(self) -> Formula:
        (_, old_j), unclipped = self.old, self.unclipped[1]
        sign, letters = self._sign_letter, self._symbol("j")
        E_i, E_j = self.errors
        y_j = self.signs[1]
        if not (self.has_top or self.is_endless):
            return Formula(
                rf"{_with_hat(letters)} = \infty \text{{ if }} {sign}_j\,(E_i - E_j) > 0, "
                rf"\text{{ else }} {{-}}\infty, \quad \text{{because }} \eta \leq 0",
                rf"{_with_hat(self._name(1))} = {number(unclipped)}",
            )
        terms, result = adding_up(
            (old_j, E_i, E_j, self.divisor), unclipped, lambda a, b, c, d: a + y_j * (b - c) / d
        )
        return Formula(
            rf"{_with_hat(letters)} = {letters} + \frac{{{sign}_j\,(E_i - E_j)}}{{\eta}}",
            rf"{_with_hat(self._name(1))} = {terms[0]} + \frac{{{y_j} \cdot "
            rf"\left({terms[1]} - {in_brackets(terms[2])}\right)}}{{{terms[3]}}} = {result}",
        )

    def _segment_formula(self) -> Formula:
        """Return L and H: both alphas stay in [0, C], and their sum or difference is constant."""
        (old_i, old_j), C = self.old, self.C
        a, b = self._symbol("i"), self._symbol("j")
        if self.signs[0] == self.signs[1]:
            letters = rf"L = \max(0,\ {a} + {b} - C), \quad H = \min(C,\ {a} + {b})"
            low, L = adding_up((old_i, old_j, C), self.low, lambda p, q, c: max(0.0, p + q - c))
            high, H = adding_up((old_i, old_j, C), self.high, lambda p, q, c: min(c, p + q))
            low_text = f"{low[0]} + {low[1]} - {low[2]}"
            high_text = f"{high[0]} + {high[1]}"
        else:
            letters = rf"L = \max(0,\ {b} - {a}), \quad H = \min(C,\ C + {b} - {a})"
            low, L = adding_up((old_i, old_j, C), self.low, lambda p, q, _: max(0.0, q - p))
            high, H = adding_up((old_i, old_j, C), self.high, lambda p, q, c: min(c, c + q - p))
            low_text = f"{low[1]} - {low[0]}"
            high_text = f"{high[2]} + {high[1]} - {high[0]}"
        return Formula(
            letters,
            rf"L = \max\left(0,\ {low_text}\right) = {L}, \quad "
            rf"H = \min\left({high[2]},\ {high_text}\right) = {H}",
        )

    def _clipped_formula(self) -> Formula:
        letters = self._symbol("j")
        terms, result = adding_up(
            (self.unclipped[1], self.low, self.high), self.new[1], lambda t, a, b: min(max(t, a), b)
        )
        return Formula(
            rf"{self._marked(letters)} = \mathrm{{clip}}\left({_with_hat(letters)},\ L,\ H\right)",
            rf"{self._marked(self._name(1))} = \mathrm{{clip}}\left({terms[0]},\ "
            rf"{terms[1]},\ {terms[2]}\right) = {result}",
        )

    def _alpha_i_formula(self) -> Formula:
        (old_i, old_j), (new_i, new_j) = self.old, self.new
        sign, letters_i, letters_j = self._sign_letter, self._symbol("i"), self._symbol("j")
        sign_product = self.signs[0] * self.signs[1]
        terms, result = adding_up(
            (old_i, old_j, new_j), new_i, lambda a, b, c: a + sign_product * (b - c)
        )
        return Formula(
            rf"{self._marked(letters_i)} = {letters_i} + "
            rf"{sign}_i {sign}_j\,({letters_j} - {self._marked(letters_j)})",
            rf"{self._marked(self._name(0))} = {terms[0]} {'+' if sign_product > 0 else '-'} "
            rf"\left({terms[1]} - {terms[2]}\right) = {result}",
        )

    @property
    def _sign_letter(self) -> str:
        return "y" if self.starred is None else "s"

    def _symbol(self, index: str) -> str:
        """Return the LaTeX symbol of alpha with the letter i or j instead of a number."""
        return rf"\alpha_{index}" + ("" if self.starred is None else "^{(*)}")

    def _point(self, index: int) -> int:
        """Return the number, from 1, of the first (index 0) or second (1) point of the pair."""
        return (self.touched[0], self.touched[-1])[index] + 1

    def _name(self, index: int) -> str:
        """Return the LaTeX name of the first (index 0) or second (1) variable of the pair."""
        star = self.starred is not None and self.starred[index]
        return rf"\alpha_{{{self._point(index)}}}" + ("^{*}" if star else "")

    @staticmethod
    def _marked(name: str) -> str:
        """Return the LaTeX name with the mark "new", for the value after the step."""
        base, caret, above = name.partition("^{")
        above = above.removesuffix("}") + r"\," if caret else ""
        return rf"{base}^{{{above}\mathrm{{new}}}}"


def _with_hat(name: str) -> str:
    """Return the LaTeX name with a hat, for the value at the top of the parabola."""
    return name.replace(r"\alpha", r"\hat{\alpha}")


def describe_pair(
    problem: Problem,
    before: Any,
    after: Any,
    record: Any,
    choice: str,
    biases: tuple[float, float],
    candidates: np.ndarray | None = None,
) -> PairMoved:
    """Return the event of the step between two states.

    Parameters
    ----------
    before, after : states with ``beta``, ``F`` and ``scalars``
    record : the record of the step, with the fields of :data:`.state.EVENT`
    choice : str
        The setting ``pair`` of SMO.
    biases : tuple of two floats
        b before and after the step.
    candidates : int array, optional
        The variables among which the pair was chosen; all by default.
    """
    i, j = pair = int(record["i"]), int(record["j"])
    y, C = problem.sign, problem.C
    old, new = (_alphas(problem, state.beta, pair) for state in (before, after))
    kernel, eta = _curvature_of(problem, i, j)
    F_i, F_j = before.F[[i, j]].tolist()
    low, high = _segment_of(old, C, bool(y[i] == y[j]))
    has_bound = y[j] > 0.0 or math.isfinite(high)
    t, unclipped_t = abs(new[0] - old[0]), _way_to_top(kernel, eta, F_i - F_j, has_bound)
    rise = t * (F_i - F_j) - 0.5 * t * t * eta
    name, reason = reason_for(problem, before, after, pair, choice, candidates)
    bounds = " and ".join(bounds_reached(problem, pair, old, new))
    targets = float(problem.target[i]), float(problem.target[j])
    return PairMoved(
        touched=tuple(dict.fromkeys((problem.point_of(i), problem.point_of(j)))),
        sentence=f"{name}: {bounds or BOTH_FREE}; the dual rises by {rise:.2g}.",
        why=f"{reason}; {_end_of_step(eta, bounds)}.",
        i=i,
        j=j,
        old=old,
        new=new,
        unclipped=(old[0] + float(y[i]) * unclipped_t, old[1] - float(y[j]) * unclipped_t),
        low=low,
        high=high,
        C=C,
        kernel=kernel,
        eta=eta,
        slope=F_i - F_j,
        signs=(int(y[i]), int(y[j])),
        decisions=(biases[0] - F_i + targets[0], biases[0] - F_j + targets[1]),
        targets=targets,
        epsilon=getattr(problem, "epsilon", None),
        bias=bias_formula(problem, after, biases[1], choice),
        bias_rule=bias_rule(problem, after, biases[1], choice, pair),
        b=biases,
        violation=float(record["m"] - record["M"]),
        rise=rise,
        starred=None if problem.n_variables == problem.n else (bool(y[i] > 0.0), bool(y[j] > 0.0)),
    )


def _alphas(problem: Problem, beta: np.ndarray, pair: tuple[int, int]) -> tuple[float, float]:
    """Return alpha of a pair of variables."""
    i, j = pair
    return float(problem.sign[i] * beta[i]), float(problem.sign[j] * beta[j])


def _curvature_of(problem: Problem, i: int, j: int) -> tuple[tuple[float, float, float], float]:
    """Return ``(K_ii, K_jj, K_ij)`` and eta of a pair; an eta that is rounding error becomes 0."""
    X, diagonal = problem.dual_form.X, problem.dual_form.diagonal
    K_ij = float(problem.kernel(X[i : i + 1], X[j : j + 1])[0, 0])
    K_ii, K_jj = float(diagonal[i]), float(diagonal[j])
    kernel, eta = (K_ii, K_jj, K_ij), K_ii + K_jj - 2.0 * K_ij
    # The step divides by any eta above 0, however tiny.
    return kernel, eta if eta > 0.0 else without_rounding(eta, kernel)


def _way_to_top(
    kernel: tuple[float, float, float], eta: float, slope: float, has_bound: bool
) -> float:
    """Return t at the top of the parabola; see ``unclipped`` if there is no top.

    ``has_bound`` says whether a bound ends the step, as :func:`.steps.step_length` asks.
    """
    if eta > 0.0:
        return slope / eta
    return math.inf if has_bound else slope / _smallest_eta(*kernel[:2])


def _end_of_step(eta: float, bounds: str) -> str:
    """Return a clause on where the step ended; ``bounds`` are the clauses of the bounds reached."""
    if eta > 0.0:
        return f"the unclipped optimum lies outside the box, so {bounds}" if bounds else INSIDE_BOX
    return f"{NO_TOP}, so {bounds}" if bounds else f"{NO_TOP}, and no bound ends the step"


def _smallest_eta(K_ii: float, K_jj: float) -> float:
    """Return the number by which :func:`.steps.step_length` divides if nothing ends the step."""
    return EPS * (abs(K_ii) + abs(K_jj))


def _segment_of(old: tuple[float, float], C: float, equal_signs: bool) -> tuple[float, float]:
    """Return L and H of alpha_j; ``old`` is ``(alpha_i, alpha_j)`` before the step."""
    old_i, old_j = old
    if equal_signs:
        return max(0.0, old_i + old_j - C), min(C, old_i + old_j)
    return max(0.0, old_j - old_i), min(C, C + old_j - old_i)


def bounds_reached(
    problem: Problem, variables: Iterable[int], old: Iterable[float], new: Iterable[float]
) -> list[str]:
    """Return a clause for each variable that a step took to 0 or C.

    ``old`` and ``new`` are alpha of the variables before and after the step.
    """
    clauses = []
    for variable, before, after in zip(variables, old, new, strict=True):
        if after == problem.C and before != problem.C:
            clauses.append(f"{problem.name_of(variable)} stops at C")
        elif after == 0.0 and before != 0.0:
            clauses.append(f"{problem.name_of(variable)} falls to 0")
    return clauses
