"""The beats of a step of SMO, and its pseudo-code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.methods.smo.events import PairMoved
from solvers.methods.smo.pair_choice import (
    DRAWN,
    EQUAL_GAIN,
    FURTHEST,
    NEXT_FREE,
    NEXT_OF_ALL,
    SequentialChoice,
    gains,
    named,
    number_of,
    tied_with,
    ties_of,
    variables_word,
)
from solvers.problem.movable import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.beats import (
    MAX_NOTES,
    Beat,
    PairPart,
    PseudoCode,
    counted_points,
    pseudo_code,
    short,
    short_apart,
    subscript,
)
from solvers.run.formulas import Formula, without_rounding

# A step is cut short if it ends before this fraction of the way to the vertex.
WHOLE_WAY = 1.0 - 1e-9
# Which variables may rise and fall, by the task.
RISES = {"classification": "class +: α < C, class −: α > 0", "regression": "α* < C, or α > 0"}
FALLS = {"classification": "class +: α > 0, class −: α < C", "regression": "α* > 0, or α < C"}
CODE = pseudo_code(
    "Fan, Chen and Lin 2005",
    """
           | repeat
    rise   |   i ← αy may rise, smallest Eₖ
    fall   |   m ← αy may fall, largest Eₖ
    test   |   if Eₘ − Eᵢ < tol: stop
    gain   |   Dₖ ← (Eₖ − Eᵢ)² / 2ηᵢₖ if Eₖ > Eᵢ
    second |   j ← may fall, largest Dₖ
    first  |   j ← m
    eta    |   η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ
    top    |   αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ) / η
    box    |   if αⱼ ∉ [L, H]
    clip   |     αⱼ ← the nearer end
    other  |   αᵢ ← αᵢ − yᵢyⱼ Δαⱼ
    bias   |   b ← so that mean E of the free is 0
    """,
)
SWEEPS = pseudo_code(
    "Platt 1998",
    """
                | for 2 in all points, then the free
    violates    |   if 2 violates KKT by > tol
    furthest    |     1 ← free, largest |E₁ − E₂|
    next-free   |     else 1 ← next free, random start
    next-of-all |     else 1 ← next of all, random start
    drawn       |     1 ← drawn at random
    eta         |     η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ
    top         |     αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ) / η
    box         |     if αⱼ ∉ [L, H]
    clip        |       αⱼ ← the nearer end
    other       |     αᵢ ← αᵢ − yᵢyⱼ Δαⱼ
    bias        |     b ← E = 0 at a free one of 1, 2
    """,
)


def code_of(choice: str) -> PseudoCode:
    """Return the pseudo-code of a choice of the pair."""
    if choice == "platt":
        return SWEEPS.without(DRAWN)
    if choice == "random":
        return SWEEPS.without(FURTHEST, NEXT_FREE, NEXT_OF_ALL)
    return CODE.without("first") if choice == "second-order" else CODE.without("gain", "second")


def beats_of(
    problem: Problem,
    before: Any,
    after: Any,
    event: PairMoved,
    choice: str,
    candidates: np.ndarray | None = None,
) -> tuple[Beat, ...]:
    """Return the beats of a step; the parameters are those of ``describe_pair``."""
    if choice in ("platt", "random"):
        chosen = _threshold_beats(problem, before, after, event, choice)
    else:
        every = np.arange(problem.n_variables) if candidates is None else candidates
        chosen = _Choice(problem, before, event, every).beats(choice)
    return *chosen, *move_beats(problem, event)


class _Choice:
    """The choice of a pair by its errors E, among the variables ``every``."""

    def __init__(self, problem: Problem, before: Any, event: PairMoved, every: np.ndarray) -> None:
        self._problem, self._event, self._F = problem, event, before.F
        self._i, self._j = event.i, event.j
        self._rising = every[may_rise(problem, before.beta)[every]]
        self._falling = every[may_fall(problem, before.beta)[every]]
        # The one that contradicts most.
        self._m = int(self._falling[np.argmin(before.F[self._falling])])
        if before.F[self._m] == before.F[self._j]:
            self._m = self._j
        self._E_i = event.errors[0]

    def beats(self, choice: str) -> tuple[Beat, ...]:
        """Return who may rise, who may fall, and why this pair."""
        second = choice == "second-order"
        pair = (self._promises(), self._best()) if second else (self._worst(),)
        return self._rise(), self._fall(), *pair

    def _E(self, k: int) -> float:
        terms = (self._E_i, float(self._F[self._i] - self._F[k]))
        return without_rounding(sum(terms), terms)

    def _errors_of(self, variables: list[int]) -> list[tuple[int, str]]:
        texts = short_apart([self._E(k) for k in variables])
        return [(k, f"E = {text}") for k, text in zip(variables, texts, strict=True)]

    def _rise(self) -> Beat:
        problem, i = self._problem, self._i
        notes = self._errors_of(_leading(self._rising, -self._F[self._rising], i))
        tied = ties_of(problem, i, self._rising, self._F)
        return _beat(
            problem,
            "Who may rise",
            f"{variables_word(problem)} of {counted_points(len(self._rising))} may rise"
            f" ({RISES[problem.task]}): the smallest E = f − y is that of"
            f" {_point(problem, i)}, {_value(notes[0])}{tied}.",
            (i,),
            notes,
            self._rising,
            lines=(("rise", f"i = {number_of(problem, i)}"),),
        )

    def _fall(self) -> Beat:
        problem, m = self._problem, self._m
        notes = self._errors_of(_leading(self._falling, self._F[self._falling], m))
        tied = ties_of(problem, m, self._falling, self._F)
        return _beat(
            problem,
            "Who may fall",
            f"{variables_word(problem)} of {counted_points(len(self._falling))} may fall"
            f" ({FALLS[problem.task]}): the largest E is that of {_point(problem, m)},"
            f" {_value(notes[0])}{tied}; it contradicts {number_of(problem, self._i)} by"
            f" {short(self._event.violation)}.",
            (self._i, m),
            [(self._i, f"E = {short(self._E_i)}"), *notes],
            self._falling,
            lines=(
                ("fall", f"m = {number_of(problem, m)}"),
                ("test", f"{short(self._event.violation)} ≥ tol"),
            ),
        )

    def _gains(self) -> np.ndarray:
        return gains(self._problem, self._i, self._falling, self._F)

    def _gain_notes(self, gain: np.ndarray) -> list[tuple[int, str]]:
        order = np.argsort(-gain, kind="stable")
        order = order[gain[order] > 0.0][:MAX_NOTES]
        texts = short_apart((0.5 * gain[order]).tolist())
        return [
            (int(self._falling[k]), f"D +{text}")
            for k, text in zip(order.tolist(), texts, strict=True)
        ]

    def _promises(self) -> Beat:
        problem, gain = self._problem, self._gains()
        behind = self._falling[gain > 0.0]
        return _beat(
            problem,
            "Its partners",
            f"With {_point(problem, self._i)}, each of {counted_points(len(behind))} with a larger"
            " E promises a rise of D by (Eₖ − Eᵢ)²/2η: far in E, near in the kernel; the largest"
            " rise wins.",
            (self._i,),
            self._gain_notes(gain),
            behind,
            lines=(("gain", f"{len(behind)} k"),),
        )

    def _best(self) -> Beat:
        problem, i, j, gain = self._problem, self._i, self._j, self._gains()
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        own = float(gain[self._falling == j][0])
        if j in self._falling[largest]:
            tied = tied_with(problem, j, self._falling[largest], gain[largest])
            rest = gain[~largest]
            largest_rest = float(rest.max(initial=0.0))
            best, second = short_apart((0.5 * own, 0.5 * largest_rest))
            words = f"{best}, before {second}{tied}" if largest_rest else f"{best}{tied}"
            sentence = f"{_point(problem, j)} promises the largest rise of D, {words}"
            lines = (("second", f"j = {number_of(problem, j)}"),)
        else:
            sentence = (
                f"the best partner would move by less than rounding, so {_point(problem, j)}"
                " with the largest E takes its place"
            )
            lines = ()
        return _beat(
            problem,
            "Why this pair",
            f"Pair ({number_of(problem, i)}, {number_of(problem, j)}): {sentence}.",
            (i, j),
            self._gain_notes(gain),
            self._falling[gain > 0.0],
            lines=lines,
            formulas=(self._event.formulas()[0],),
            pair=PairPart.PAIR,
        )

    def _worst(self) -> Beat:
        problem, i, j = self._problem, self._i, self._j
        return _beat(
            problem,
            "Why this pair",
            f"Pair ({number_of(problem, i)}, {number_of(problem, j)}) contradicts most: E ="
            f" {short(self._E_i)} may rise and E = {short(self._E(j))} may fall; at the optimum"
            " no E that may fall is above one that may rise.",
            (i, j),
            [(k, f"E = {short(self._E(k))}") for k in (i, j)],
            lines=(("first", f"j = {number_of(problem, j)}"),),
            formulas=(self._event.formulas()[0],),
            pair=PairPart.PAIR,
        )


def _threshold_beats(
    problem: Problem, before: Any, after: Any, event: PairMoved, choice: str
) -> tuple[Beat, ...]:
    found = SequentialChoice.of(problem, before, after, (event.i, event.j), choice)
    second, first = found.second, found.first
    how = {
        DRAWN: "is drawn at random among all others",
        FURTHEST: f"is free and has the largest |E₁ − E₂|, {short(found.distance)}",
        NEXT_FREE: "is free and the next from a random start; the furthest would not move",
        NEXT_OF_ALL: "is the next of all points from a random start; no free one would move",
    }[found.how]
    name = number_of(problem, second)
    return (
        _beat(
            problem,
            "Who violates",
            f"The sweep comes to {_point(problem, second)}: it violates its KKT condition by"
            f" {short(found.violation)}, so it is one of the pair.",
            (second,),
            [(second, f"off by {short(found.violation)}")],
            lines=(("violates", f"2 = {name}"),),
        ),
        _beat(
            problem,
            "Its partner",
            f"Partner of {name} is {number_of(problem, first)}, which {how}.",
            (second, first),
            [(k, f"E = {short(E)}") for k, E in zip((event.i, event.j), event.errors, strict=True)],
            lines=((found.how, f"1 = {number_of(problem, first)}"),),
            formulas=(event.formulas()[0],),
            pair=PairPart.PAIR,
        ),
    )


def move_beats(problem: Problem, event: PairMoved) -> tuple[Beat, ...]:
    """Return how a pair moves: direction and parabola, the box, and the new values."""
    pair, together = (event.i, event.j), event.signs[0] != event.signs[1]
    a_i, a_j = (alpha_of(problem, k) for k in pair)
    law = "rise or fall together" if together else "have a constant sum"
    cut = is_cut(event)
    end = "H" if event.unclipped[1] > event.old[1] else "L"
    room = f"between L = {short(event.low)} and H = {short(event.high)}"
    clip = f"beyond {end}, so the step stops there" if cut else "inside, so the step goes there"
    formulas = event.formulas()
    notes = [
        (k, f"α {short(old)} → {short(new)}")
        for k, old, new in zip(pair, event.old, event.new, strict=True)
    ]
    olds = [(k, f"α = {short(old)}") for k, old in zip(pair, event.old, strict=True)]
    clipped = (("clip", f"αⱼ = {end} = {short(event.new[1])}"),) if cut else ()
    return (
        _beat(
            problem,
            "Direction and parabola",
            f"Σ αy stays, so both α {law}: along this line D is a parabola with curvature"
            f" η = {short(event.eta)} and its top at {a_j} = {short(event.unclipped[1])}.",
            pair,
            olds,
            lines=(
                ("eta", f"η = {short(event.eta)}"),
                ("top", f"αⱼ = {short(event.unclipped[1])}"),
            ),
            formulas=formulas[1:3],
            pair=PairPart.VERTEX,
        ),
        _beat(
            problem,
            "Where the box clips",
            f"The box [0, C]² leaves {a_j} {room}: the top is {clip}.",
            pair,
            olds,
            lines=(("box", "yes" if cut else "no"), *clipped),
            formulas=formulas[3:5],
            pair=PairPart.SEGMENT,
        ),
        _beat(
            problem,
            "New α, b and boundary",
            f"{a_i}: {short(event.old[0])} → {short(event.new[0])}; {a_j}:"
            f" {short(event.old[1])} → {short(event.new[1])}; D rises by {short(event.rise)},"
            " and the boundary follows.",
            pair,
            notes,
            lines=(("other", f"αᵢ = {short(event.new[0])}"), ("bias", f"b = {short(event.b[1])}")),
            formulas=formulas[5:],
            pair=PairPart.NEW,
        ),
    )


def is_cut(event: PairMoved) -> bool:
    """Return whether a step ended before the vertex of its parabola."""
    way, taken = (abs(end[1] - event.old[1]) for end in (event.unclipped, event.new))
    return taken < WHOLE_WAY * way


def _beat(
    problem: Problem,
    name: str,
    sentence: str,
    variables: Sequence[int],
    notes: Sequence[tuple[int, str]] = (),
    others: Sequence[int] | np.ndarray = (),
    lines: tuple[tuple[str, str], ...] = (),
    formulas: tuple[Formula, ...] = (),
    pair: PairPart = PairPart.NOTHING,
) -> Beat:
    """Return a beat of variables: points are marked, and notes are also its table."""
    points = _points_of(problem, variables)
    compared = _points_of(problem, others)
    return Beat(
        name=name,
        sentence=sentence,
        points=points,
        others=tuple(point for point in compared if point not in points),
        notes=tuple((problem.point_of(k), note) for k, note in notes),
        lines=lines,
        values=tuple((_point(problem, k), note) for k, note in notes),
        formulas=formulas,
        pair=pair,
    )


def _value(note: tuple[int, str]) -> str:
    """Return the number of a note ``E = -1``."""
    return note[1].rpartition(" ")[2]


def _points_of(problem: Problem, variables: Sequence[int] | np.ndarray) -> tuple[int, ...]:
    return tuple(dict.fromkeys(problem.point_of(int(k)) for k in variables))


def _leading(variables: np.ndarray, values: np.ndarray, first: int) -> list[int]:
    """Return the variables with the smallest values, ``first`` before its equals."""
    order = variables[np.argsort(values, kind="stable")][:MAX_NOTES].tolist()
    return [first, *(k for k in order if k != first)][:MAX_NOTES]


def _point(problem: Problem, variable: int) -> str:
    return named(problem, variable, "point")


def alpha_of(problem: Problem, variable: int) -> str:
    """Return α with the number of its point as an index; with a star if it raises f."""
    star = "*" if problem.task == "regression" and problem.sign[variable] > 0 else ""
    return f"α{subscript(problem.point_of(variable) + 1)}{star}"
