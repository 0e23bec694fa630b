"""What a step of SMO tells: the pair, the numbers behind it, and one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.methods.smo.steps import curvature
from solvers.methods.smo.threshold import violations
from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, bracketed, number
from solvers.run.method import Event

# Why a pair was taken: F_i is the largest that asks b to be at least so much (from below), F_j one
# that asks it to be at most so much (from above).
REASONS = {
    "second-order": "{} violates most from below, {} promises the largest rise of the dual",
    "maximal-violation": "{} violates most from below, {} from above",
}
INSIDE = "the optimum along their line lies inside the box"


@dataclass(frozen=True)
class PairMoved(Event):
    """One SMO step, seen in alpha.

    Attributes
    ----------
    i, j : int
        The pair of variables; i grew and j shrank in ``beta = side alpha``.
    old, new, unclipped : tuple of two floats
        ``(alpha_i, alpha_j)`` before, after, and where the parabola alone would have led.
    low, high : float
        The segment ``[L, H]`` that the box and the equality leave for ``alpha_j``.
    eta : float
        Curvature ``K_ii + K_jj - 2 K_ij``.
    violation : float
        ``m - M`` before the step, over the points in play: what the stopping rule looks at.
    rise : float
        How far the dual rose.
    starred : tuple of two bools, or None
        In a regression, whether i and j are variables alpha* (with s = 1; else s = -1).
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    unclipped: tuple[float, float]
    low: float
    high: float
    eta: float
    violation: float
    rise: float
    starred: tuple[bool, bool] | None = None

    def formulas(self) -> tuple[Formula, ...]:
        """Platt's update of alpha_j, before and after it is clipped, and then that of alpha_i."""
        (old_i, old_j), (new_i, new_j) = self.old, self.new
        # In a regression the signs of the variables take the place of the labels.
        sign, name = ("y", r"\alpha_{}") if self.starred is None else ("s", r"\alpha_{}^{{(*)}}")
        letters_i, letters_j = name.format("i"), name.format("j")
        y_j = -1 if self.unclipped[1] > old_j else 1
        # F_i > F_j by the choice of the pair, and E = f - y = -F - b.
        errors = -self.eta * abs(self.unclipped[1] - old_j)
        together = (new_i - old_i) * (new_j - old_j) < 0
        wanted = number(self.unclipped[1])
        return (
            Formula(
                rf"{_hat(letters_j)} = {letters_j} + \frac{{{sign}_j\,(E_i - E_j)}}{{\eta}}",
                rf"{_hat(self._name(1))} = {number(old_j)} + "
                rf"\frac{{{y_j} \cdot {bracketed(errors)}}}{{{number(self.eta)}}} = {wanted}",
            ),
            Formula(
                rf"{self._new(letters_j)} = \mathrm{{clip}}\left({_hat(letters_j)},\ L,\ H\right)",
                rf"{self._new(self._name(1))} = \mathrm{{clip}}\left({wanted},\ "
                rf"{number(self.low)},\ {number(self.high)}\right) = {number(new_j)}",
            ),
            Formula(
                rf"{self._new(letters_i)} = {letters_i} + "
                rf"{sign}_i {sign}_j\,({letters_j} - {self._new(letters_j)})",
                rf"{self._new(self._name(0))} = {number(old_i)} "
                rf"{'+' if together else '-'} "
                rf"\left({number(old_j)} - {number(new_j)}\right) = {number(new_i)}",
            ),
        )

    def _name(self, place: int) -> str:
        """alpha of the first or the second of the pair, by the number of its point."""
        point = (self.touched[0], self.touched[-1])[place] + 1
        star = self.starred is not None and self.starred[place]
        return rf"\alpha_{{{point}}}" + ("^{*}" if star else "")

    @staticmethod
    def _new(name: str) -> str:
        """The name after the step."""
        base, hat, above = name.partition("^{")
        above = above.removesuffix("}") + r"\," if hat else ""
        return rf"{base}^{{{above}\mathrm{{new}}}}"


def _hat(name: str) -> str:
    """The name of where the parabola alone would lead."""
    return name.replace(r"\alpha", r"\hat{\alpha}")


def describe_pair(problem: Problem, before: Any, after: Any, record: Any, choice: str) -> PairMoved:
    """The event between two states, from beta and F of its pair; ``choice`` found the pair."""
    i, j = int(record["i"]), int(record["j"])
    y, C, x = problem.side, problem.C, problem.form.X
    old_i, old_j = float(y[i] * before.beta[i]), float(y[j] * before.beta[j])
    new_i, new_j = float(y[i] * after.beta[i]), float(y[j] * after.beta[j])
    diagonal = problem.form.diagonal
    K_ij = float(problem.kernel(x[i : i + 1], x[j : j + 1])[0, 0])
    eta = float(curvature.python(diagonal[i], diagonal[j], K_ij))
    difference = float(before.F[i] - before.F[j])
    t, free = abs(new_i - old_i), difference / eta
    if y[i] == y[j]:
        low, high = max(0.0, old_i + old_j - C), min(C, old_i + old_j)
    else:
        low, high = max(0.0, old_j - old_i), min(C, C + old_j - old_i)
    rise = t * difference - 0.5 * t * t * eta
    who = f"Pair ({problem.point_of(i) + 1}, {problem.point_of(j) + 1})"
    if choice in REASONS:
        reason = REASONS[choice].format(_told(problem, i, "Point"), _told(problem, j, "point"))
    else:
        who = reason = _why(problem, before, after, (i, j), choice)
    walls = " and ".join(walls_met(problem, (i, j), (old_i, old_j), (new_i, new_j)))
    end = f"the unclipped optimum lies outside the box, so {walls}" if walls else INSIDE
    return PairMoved(
        touched=tuple(dict.fromkeys((problem.point_of(i), problem.point_of(j)))),
        sentence=f"{who}: {walls or 'both are free'}; the dual rises by {rise:.2g}.",
        why=f"{reason}; {end}.",
        i=i,
        j=j,
        old=(old_i, old_j),
        new=(new_i, new_j),
        unclipped=(old_i + float(y[i]) * free, old_j - float(y[j]) * free),
        low=low,
        high=high,
        eta=eta,
        violation=float(record["m"] - record["M"]),
        rise=rise,
        starred=None if problem.task == "classification" else (bool(y[i] > 0.0), bool(y[j] > 0.0)),
    )


def _told(problem: Problem, variable: int, noun: str) -> str:
    """What a reason calls a variable: its point, where that has no other."""
    point = f"{noun} {problem.point_of(variable) + 1}"
    return point if problem.size == problem.n else problem.name_of(variable)


def walls_met(
    problem: Problem, variables: Iterable[int], old: Iterable[float], new: Iterable[float]
) -> list[str]:
    """Which variables a step took to a wall of the box, 0 or C, one clause each.

    ``old`` and ``new`` are alpha of the variables before and after it.
    """
    clauses = []
    for variable, before, after in zip(variables, old, new, strict=True):
        if after == problem.C and before != problem.C:
            clauses.append(f"{problem.name_of(variable)} stops at C")
        elif after == 0.0 and before != 0.0:
            clauses.append(f"{problem.name_of(variable)} falls to 0")
    return clauses


def _why(problem: Problem, before: Any, after: Any, pair: Any, choice: str) -> str:
    """Why this pair, in the words of Platt's kind: who breaks its condition, and which partner."""
    form, beta, F, b = problem.form, before.beta, before.F, before.scalars["b"][0]
    second = int(after.scalars["sweep_position"][0]) - 1
    # In a regression the other variable of its point may have moved.
    first = pair[0] if problem.point_of(pair[1]) == problem.point_of(second) else pair[1]
    broken = float(violations(form, beta, F, b)[second])
    partner = f"partner {problem.point_of(first) + 1}"
    who = f"Point {problem.point_of(second) + 1} breaks KKT by {broken:.2g}; {partner}"
    if choice == "random":
        return f"{who} is drawn at random"
    free = (beta > form.lower) & (beta < form.upper)
    others = free.copy()
    others[second] = False
    distances = np.where(others, np.abs(F - F[second]), -np.inf)
    if others[first] and first == int(distances.argmax()):
        return f"{who} has the largest |E₁ − E₂|, {distances[first]:.2g}"
    if free[first]:
        return f"{who} is the next free one from a random place"
    return f"{who} is the next of all from a random place"
