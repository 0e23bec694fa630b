"""The event of one iteration of the interior point: numbers, sentences and formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.methods.interior_point.state import (
    ALPHA,
    DISTANCE_TO_C,
    LOWER_MULTIPLIER,
    State,
)
from solvers.methods.interior_point.steps import STEP_FRACTION
from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, alpha, assignment, bracketed, number
from solvers.run.method import OldEvent

# A gap below this fraction of P is rounding error, and is shown as 0.
ROUNDING = 1e-14
# The ratio test as LaTeX: the largest length of a step with which no quantity z falls below 0. z
# stands for each distance and each multiplier, as the second text says.
RATIO = (
    r"\min_{\Delta z < 0} \frac{z}{{-}\Delta z}",
    r"z \in \{\alpha_i,\ C - \alpha_i,\ u_i,\ v_i\}",
)


@dataclass(frozen=True)
class BlockingBound:
    """The bound that limits a step: the distance or multiplier z that would reach 0 first.

    Attributes
    ----------
    kind : int
        The kind of z: ``ALPHA``, ``DISTANCE_TO_C``, ``LOWER_MULTIPLIER`` or ``UPPER_MULTIPLIER``.
    variable : int
        The dual variable that z belongs to.
    name : str
        The variable as LaTeX.
    now, change : float
        z before the step, and the change of z in a step of length 1, which is below 0.
    """

    kind: int
    variable: int
    name: str
    now: float
    change: float

    @property
    def ratio(self) -> str:
        """Return ``z / -Delta z`` as LaTeX."""
        return rf"\frac{{{number(self.now)}}}{{{number(-self.change)}}}"

    @property
    def latex(self) -> str:
        """Return the LaTeX name of z: a distance, or a multiplier."""
        if self.kind == DISTANCE_TO_C:
            return f"C - {self.name}"
        if self.kind == ALPHA:
            return self.name
        return self.name.replace(r"\alpha", "u" if self.kind == LOWER_MULTIPLIER else "v")

    def in_words(self, variable: str) -> str:
        """Return a clause on this bound; ``variable`` is the variable's name in sentences."""
        if self.kind in (ALPHA, DISTANCE_TO_C):
            return f"{variable} would reach {'0' if self.kind == ALPHA else 'C'}"
        bound = "0" if self.kind == LOWER_MULTIPLIER else "C"
        return f"the multiplier of {variable} at the bound {bound} would reach 0"


@dataclass(frozen=True)
class PathFollowed(OldEvent):
    """An iteration, which moves all variables.

    :attr:`touched` lists the point that limits the step (if its length is below 1), the point whose
    alpha moved farthest, and the points that became support vectors or ceased to be support
    vectors.

    Attributes
    ----------
    t : int
        Number of the iteration, from 1.
    mu, mu_affine : float
        Mean product of distance and multiplier, in units of the objective: before the step, and
        after the longest possible predictor step.
    sigma : float
        The centring parameter, omega on screen: the step aims at the product ``sigma mu``.
    predicted, length : float
        The length of the longest predictor step, and the length of the step that was taken along
        the corrected direction. Both are at most 1, the length of a whole Newton step.
    first, blocking : BlockingBound or None
        What limits the length of the predictor step and of the step that was taken; None if no
        distance or multiplier falls.
    farthest : str
        The name of the alpha that moved farthest, as LaTeX.
    old, new : float
        The value of this alpha before and after the step.
    bias_before, bias : float or None
        A free bias before and after the step.
    primal, gap : float
        P and the duality gap after the step; infinite while f does not separate (hard margin).
    is_last : bool
        Whether this is the last step, which sets variables to their bounds.
    free_condition : str
        As LaTeX, the equation that the last step solves for the variables between their bounds.
    """

    t: int
    mu: float
    mu_affine: float
    sigma: float
    predicted: float
    length: float
    first: BlockingBound | None
    blocking: BlockingBound | None
    farthest: str
    old: float
    new: float
    bias_before: float | None
    bias: float | None
    primal: float
    gap: float
    is_last: bool
    free_condition: str

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of a step, in the order of computation.

        They give the predictor's step size, sigma, the step size, the new alpha and b, and the gap.
        Those of the last step give only alpha and the gap.
        """
        steps = (
            (self._last_step(),)
            if self.is_last
            else (*self._direction(), self._alpha_step(), *self._bias_step())
        )
        difference = ""
        if not math.isinf(self.primal):
            difference = f"{number(self.primal)} - {bracketed(self.primal - self.gap)} = "
        gap = 0.0 if abs(self.gap) < ROUNDING * abs(self.primal) else self.gap
        return *steps, Formula("P - D", f"P - D = {difference}{number(gap)}")

    def _direction(self) -> tuple[Formula, ...]:
        """Return the formulas of the predictor's step size, of sigma, and of the step size s.

        On screen sigma is called omega.
        """
        ratio = rf"\frac{{{number(self.mu_affine)}}}{{{number(self.mu)}}}"
        letters = r"\frac{\mu_{\mathrm{aff}}}{\mu}"
        if self.mu_affine > self.mu:
            ratio, letters = (rf"\min\left(1,\ {text}\right)" for text in (ratio, letters))
        return (
            _ratio_test(r"s_{\mathrm{aff}}", r"\Delta^{\mathrm{aff}}", 1.0, self.first),
            Formula(
                rf"\omega = \left({letters}\right)^3",
                rf"\omega = \left({ratio}\right)^3 = {number(self.sigma)}",
            ),
            _ratio_test("s", r"\Delta", STEP_FRACTION, self.blocking),
        )

    def _alpha_step(self) -> Formula:
        change = bracketed((self.new - self.old) / self.length)
        return Formula(
            r"\alpha_i \leftarrow \alpha_i + s\, \Delta\alpha_i",
            rf"{self.farthest} \leftarrow {number(self.old)} + {number(self.length)} \cdot {change}"
            rf" = {number(self.new)}",
        )

    def _bias_step(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        change = bracketed((self.bias - self.bias_before) / self.length)
        numbers = (
            rf"b \leftarrow {number(self.bias_before)} + {number(self.length)} \cdot {change}"
            rf" = {number(self.bias)}"
        )
        return (Formula(r"b \leftarrow b + s\, \Delta b", numbers),)

    def _last_step(self) -> Formula:
        return Formula(
            rf"\alpha_i \leftarrow 0 \ \text{{ or }} \ C \ \text{{ near a bound}}, \quad "
            rf"{self.free_condition} \ \text{{ between}}",
            assignment(self.farthest, self.old, self.new),
        )


def _ratio_test(name: str, change: str, fraction: float, blocking: BlockingBound | None) -> Formula:
    """Return the formula of a step size: ``fraction`` of the way to ``blocking``, at most 1."""
    minimum, values = (text.replace(r"\Delta", change) for text in RATIO)
    factor = "" if fraction == 1.0 else rf"{fraction} \cdot "
    letters = rf"{name} = \min\left(1,\ {factor}{minimum}\right), \quad {values}"
    if blocking is None:
        return Formula(letters, f"{name} = 1")
    length = min(1.0, fraction * blocking.now / -blocking.change)
    return Formula(
        letters,
        rf"z = {blocking.latex}, \quad {name} = \min\left(1,\ {factor}{blocking.ratio}\right)"
        rf" = {number(length)}",
    )


def describe(
    problem: Problem, unit: float, states: tuple[State, State], betas: Any, record: Any
) -> PathFollowed:
    """Return the event of the step between two states.

    ``unit`` is S, where ``alpha = S a``. ``betas`` contains beta of both states, shape (n,)
    each.
    """
    before, after = states
    old_beta, beta = betas
    old_scalars, new_scalars = before.scalars[0], after.scalars[0]
    t, is_last = int(new_scalars["steps"]), bool(new_scalars["is_done"])
    first, blocking = (_blocking_bound(problem, record[name]) for name in ("first", "blocking"))
    length = float(record["length"])
    old, new = (unit * state.distance[0] for state in states)
    farthest = int(np.argmax(np.abs(new - old)))
    touched = [problem.point_of(blocking.variable)] if blocking is not None and length < 1.0 else []
    touched += [problem.point_of(farthest), *np.flatnonzero((beta != 0) ^ (old_beta != 0)).tolist()]
    has_free_bias = problem.bias == "free"
    names = ("mu", "mu_affine", "sigma", "predicted", "length", "primal", "gap")
    numbers: dict[str, Any] = {name: float(record[name]) for name in names}
    return PathFollowed(
        touched=tuple(dict.fromkeys(touched)),
        sentence=_last_sentence(t, after.distance)
        if is_last
        else _sentence(problem, t, old_scalars["gap"], record, blocking),
        why="" if is_last else _why(problem, t, first, blocking, record),
        t=t,
        first=first,
        blocking=blocking,
        farthest=alpha(problem, farthest),
        old=float(old[farthest]),
        new=float(new[farthest]),
        bias_before=float(old_scalars["bias"]) if has_free_bias else None,
        bias=float(new_scalars["bias"]) if has_free_bias else None,
        is_last=is_last,
        free_condition=r"y_i f(x_i) = 1"
        if problem.task == "classification"
        else r"|y_i - f(x_i)| = \varepsilon",
        **numbers,
    )


def _blocking_bound(problem: Problem, record: Any) -> BlockingBound | None:
    """Return the bound in a :data:`.state.BLOCKING` record; None if no bound limits the step."""
    variable = int(record["variable"])
    if variable < 0:
        return None
    now, change = float(record["now"]), float(record["change"])
    return BlockingBound(int(record["kind"]), variable, alpha(problem, variable), now, change)


def _sentence(
    problem: Problem, t: int, old_gap: float, record: Any, blocking: BlockingBound | None
) -> str:
    """Return one sentence on an iteration."""
    length, sigma = float(record["length"]), float(record["sigma"])
    new_gap = float(record["gap"])
    if math.isinf(new_gap):
        progress = "not separated yet"
    elif math.isinf(old_gap):
        progress = f"the classes are separated, gap {new_gap:.2g}"
    else:
        progress = f"gap {old_gap:.2g} → {new_gap:.2g}"
    reach = "the whole way" if length == 1.0 else _fraction_in_words(length)
    limit = ""
    if blocking is not None and length < 1.0:
        limit = f"; {problem.name_of(blocking.variable)} limits the step"
    return (
        f"Iteration {t}: {progress}, {reach} along the corrected direction"
        f" (ω = {sigma:.2g}){limit}."
    )


def _why(
    problem: Problem,
    t: int,
    first: BlockingBound | None,
    blocking: BlockingBound | None,
    record: Any,
) -> str:
    """Return a longer sentence: how far predictor and step could go, and what limits them."""
    predicted, length, sigma = (float(record[name]) for name in ("predicted", "length", "sigma"))
    predicted_reach = "the whole way"
    if first is not None and predicted < 1.0:
        bound = first.in_words(problem.name_of(first.variable))
        predicted_reach = f"{_fraction_in_words(predicted)} until {bound}"
    reach = "the whole way"
    if blocking is not None and length < 1.0:
        name = problem.name_of(blocking.variable)
        reach = f"{_fraction_in_words(length)}, just short of where {blocking.in_words(name)}"
    return (
        f"Iteration {t}: aimed straight at the optimum, a step could go {predicted_reach}; so this"
        f" step aims at {sigma:.2g} times the current product of distance and multiplier, and goes"
        f" {reach}."
    )


def _fraction_in_words(length: float) -> str:
    """Return a step length in words; if it rounds to 1, "nearly the whole way"."""
    return "nearly the whole way" if length >= 0.995 else f"{length:.2g} of the way"


def _last_sentence(t: int, distance: np.ndarray) -> str:
    """Return one sentence on the step that sets variables to their bounds."""
    n_at_zero = int(np.count_nonzero(distance[0] == 0))
    n_at_C = int(np.count_nonzero(distance[1] == 0)) if len(distance) == 2 else 0
    return (
        f"Iteration {t}: the path is within rounding error of the optimum, so each α near a bound"
        f" is set to it: {n_at_zero:,} α at 0, {n_at_C:,} at C,"
        f" {distance.shape[1] - n_at_zero - n_at_C:,} between."
    )
