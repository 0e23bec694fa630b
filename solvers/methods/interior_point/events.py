"""What one iteration of the interior point did, in numbers, in words and as formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.methods.interior_point.state import (
    ALPHA,
    BIAS,
    DONE,
    GAP,
    LOWER_PRICE,
    ROOM_TO_C,
    STEPS,
    State,
)
from solvers.methods.interior_point.steps import NEARLY
from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, alpha, bracketed, moved, number
from solvers.run.method import Event

# A gap below this part of P is rounding, and told as 0.
ROUNDING = 1e-14
# The ratio test, over what may not fall below 0: rooms and prices, as the conditions name them.
RATIO = (
    r"\min_{\Delta z < 0} \frac{z}{{-}\Delta z}",
    r"z \in \{\alpha_i,\ C - \alpha_i,\ u_i,\ v_i\}",
)


@dataclass(frozen=True)
class Wall:
    """What ended a step: the value that would have fallen below 0 first.

    Attributes
    ----------
    kind : int
        One of ``ALPHA``, ``ROOM_TO_C``, ``LOWER_PRICE`` and ``UPPER_PRICE``.
    variable : int
    name : str
        LaTeX of the variable alpha.
    now, change : float
        The value before the step, and by how much it falls along the whole direction.
    """

    kind: int
    variable: int
    name: str
    now: float
    change: float

    @property
    def ratio(self) -> str:
        """``z / -Delta z`` as LaTeX."""
        return rf"\frac{{{number(self.now)}}}{{{number(-self.change)}}}"

    @property
    def latex(self) -> str:
        """The name of z: a room, or a price."""
        if self.kind == ROOM_TO_C:
            return f"C - {self.name}"
        if self.kind == ALPHA:
            return self.name
        return self.name.replace(r"\alpha", "u" if self.kind == LOWER_PRICE else "v")

    def in_words(self, variable: str) -> str:
        """What the direction runs into; ``variable`` is how sentences call it."""
        if self.kind in (ALPHA, ROOM_TO_C):
            return f"{variable} would reach {'0' if self.kind == ALPHA else 'C'}"
        bound = "0" if self.kind == LOWER_PRICE else "C"
        return f"the price of {variable} at the bound {bound} would be used up"


@dataclass(frozen=True)
class PathFollowed(Event):
    """One iteration, which moves all points.

    :attr:`touched` are those worth a look: the one that ended the step, the one whose alpha moved
    farthest, and those that came to be support vectors or ceased to be.

    Attributes
    ----------
    t : int
        Number of the iteration, from 1.
    mu, affine : float
        Mean product of room and price before the step, in units of the objective, and what the
        predictor would leave of it.
    sigma : float
        Centring: the step aims at ``sigma mu``.
    predicted, length : float
        Largest steps of the predictor and of the corrected direction, at most 1.
    first, wall : Wall or None
        What the predictor and the corrected direction run into.
    moved : str
        LaTeX of the variable whose alpha moved farthest.
    old, new : float
        That alpha before and after.
    bias_before, bias : float or None
        A free bias before and after.
    primal, gap : float
        P and the duality gap after the step; infinite while a hard margin is not reached.
    last : bool
        Whether this is the step that sets variables on their bounds.
    between : str
        What holds between the bounds at the end, as LaTeX.
    """

    t: int
    mu: float
    affine: float
    sigma: float
    predicted: float
    length: float
    first: Wall | None
    wall: Wall | None
    moved: str
    old: float
    new: float
    bias_before: float | None
    bias: float | None
    primal: float
    gap: float
    last: bool
    between: str

    def formulas(self) -> tuple[Formula, ...]:
        """How far the predictor gets, how much to centre, how far to go, and what is left."""
        steps = (self._end(),) if self.last else (*self._direction(), self._move(), *self._shift())
        left = ""
        if not math.isinf(self.primal):
            left = f"{number(self.primal)} - {bracketed(self.primal - self.gap)} = "
        gap = 0.0 if abs(self.gap) < ROUNDING * abs(self.primal) else self.gap
        return *steps, Formula("P - D", f"P - D = {left}{number(gap)}")

    def _direction(self) -> tuple[Formula, ...]:
        """The predictor, sigma, and the step to take."""
        share = rf"\frac{{{number(self.affine)}}}{{{number(self.mu)}}}"
        letters = r"\frac{\mu_{\mathrm{aff}}}{\mu}"
        if self.affine > self.mu:
            share, letters = (rf"\min\left(1,\ {part}\right)" for part in (share, letters))
        return (
            _ratio_test(r"s_{\mathrm{aff}}", r"\Delta^{\mathrm{aff}}", 1.0, self.first),
            Formula(
                rf"\sigma = \left({letters}\right)^3",
                rf"\sigma = \left({share}\right)^3 = {number(self.sigma)}",
            ),
            _ratio_test("s", r"\Delta", NEARLY, self.wall),
        )

    def _move(self) -> Formula:
        change = bracketed((self.new - self.old) / self.length)
        return Formula(
            r"\alpha_i \leftarrow \alpha_i + s\, \Delta\alpha_i",
            rf"{self.moved} \leftarrow {number(self.old)} + {number(self.length)} \cdot {change}"
            rf" = {number(self.new)}",
        )

    def _shift(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        change = bracketed((self.bias - self.bias_before) / self.length)
        numbers = (
            rf"b \leftarrow {number(self.bias_before)} + {number(self.length)} \cdot {change}"
            rf" = {number(self.bias)}"
        )
        return (Formula(r"b \leftarrow b + s\, \Delta b", numbers),)

    def _end(self) -> Formula:
        return Formula(
            rf"\alpha_i \leftarrow 0 \ \text{{ or }} \ C \ \text{{ near a bound}}, \quad "
            rf"{self.between} \ \text{{ between}}",
            moved(self.moved, self.old, self.new),
        )


def _ratio_test(name: str, change: str, nearly: float, wall: Wall | None) -> Formula:
    """The step to the first wall, or ``nearly`` to it, but no longer than 1."""
    least, which = (part.replace(r"\Delta", change) for part in RATIO)
    factor = "" if nearly == 1.0 else rf"{nearly} \cdot "
    letters = rf"{name} = \min\left(1,\ {factor}{least}\right), \quad {which}"
    if wall is None:
        return Formula(letters, f"{name} = 1")
    length = min(1.0, nearly * wall.now / -wall.change)
    return Formula(
        letters,
        rf"z = {wall.latex}, \quad {name} = \min\left(1,\ {factor}{wall.ratio}\right)"
        rf" = {number(length)}",
    )


def describe(
    problem: Problem, unit: float, states: tuple[State, State], expanded: Any, record: Any
) -> PathFollowed:
    """The event of the step between two states.

    ``unit`` is that of their rooms, in alpha; ``expanded`` are their beta, shape (n,).
    """
    before, after = states
    was, beta = expanded
    t, last = int(after.count[STEPS]), bool(after.count[DONE])
    first, wall = (_wall(problem, record[name]) for name in ("first", "wall"))
    length = float(record["length"])
    old, new = (unit * state.room[0] for state in states)
    furthest = int(np.argmax(np.abs(new - old)))
    touched = [problem.point_of(wall.variable)] if wall is not None and length < 1.0 else []
    touched += [problem.point_of(furthest), *np.flatnonzero((beta != 0) ^ (was != 0)).tolist()]
    free = problem.bias == "free"
    names = ("mu", "affine", "sigma", "predicted", "length", "primal", "gap")
    return PathFollowed(
        touched=tuple(dict.fromkeys(touched)),
        sentence=_last_sentence(t, after.room)
        if last
        else _sentence(problem, t, before.level[GAP], record, wall),
        why="" if last else _why(problem, t, first, wall, record),
        t=t,
        first=first,
        wall=wall,
        moved=alpha(problem, furthest),
        old=float(old[furthest]),
        new=float(new[furthest]),
        bias_before=float(before.level[BIAS]) if free else None,
        bias=float(after.level[BIAS]) if free else None,
        last=last,
        between=r"y_i f(x_i) = 1"
        if problem.task == "classification"
        else r"|y_i - f(x_i)| = \varepsilon",
        **{name: float(record[name]) for name in names},
    )


def _wall(problem: Problem, record: Any) -> Wall | None:
    place = int(record["place"])
    if place < 0:
        return None
    now, change = float(record["now"]), float(record["change"])
    return Wall(int(record["kind"]), place, alpha(problem, place), now, change)


def _sentence(problem: Problem, t: int, gap: float, record: Any, wall: Wall | None) -> str:
    """One plain sentence on an iteration."""
    length, sigma = float(record["length"]), float(record["sigma"])
    now = float(record["gap"])
    if math.isinf(now):
        what = "not separated yet"
    elif math.isinf(gap):
        what = f"the classes are separated, gap {now:.2g}"
    else:
        what = f"gap {gap:.2g} → {now:.2g}"
    how = "the whole way" if length == 1.0 else _way(length)
    where = ""
    if wall is not None and length < 1.0:
        where = f"; {problem.name_of(wall.variable)} ends the step"
    return f"Iteration {t}: {what}, {how} along the corrected direction (σ = {sigma:.2g}){where}."


def _why(problem: Problem, t: int, first: Wall | None, wall: Wall | None, record: Any) -> str:
    """The same at more length: how far the predictor got, and what ended the step."""
    predicted, length, sigma = (float(record[name]) for name in ("predicted", "length", "sigma"))
    got = "the whole way"
    if first is not None and predicted < 1.0:
        got = f"{_way(predicted)} until {first.in_words(problem.name_of(first.variable))}"
    met = "the whole way"
    if wall is not None and length < 1.0:
        name = problem.name_of(wall.variable)
        met = f"{_way(length)}, just short of where {wall.in_words(name)}"
    return (
        f"Iteration {t}: aimed straight at the optimum, a step could go {got}; so this one aims at"
        f" {sigma:.2g} times the present product of distance and price, and goes {met}."
    )


def _way(length: float) -> str:
    """A part of the way in words; what rounds to all of it is not called 1."""
    return "nearly the whole way" if length >= 0.995 else f"{length:.2g} of the way"


def _last_sentence(t: int, room: np.ndarray) -> str:
    """One plain sentence on the step that sets variables on their bounds."""
    zero = int(np.count_nonzero(room[0] == 0))
    full = int(np.count_nonzero(room[1] == 0)) if len(room) == 2 else 0
    return (
        f"Iteration {t}: the path has led within rounding of the optimum, and what lies on a bound"
        f" is set on it: {zero:,} α at 0, {full:,} at C, {room.shape[1] - zero - full:,} between."
    )
