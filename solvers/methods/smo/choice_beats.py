"""The beats of a step of SMO that explain the choice of its pair."""

from __future__ import annotations

from dataclasses import replace
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
    number_of,
    tied_with,
    ties_of,
    variables_word,
)
from solvers.methods.smo.variable_beats import beat_of, compared, point_name
from solvers.problem.movable import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.beats import (
    MAX_NOTES,
    Beat,
    ComparedPoints,
    PairPart,
    short,
    short_distinct,
)
from solvers.run.formulas import NEGLIGIBLE, without_rounding
from solvers.run.method import counted

# Which variables may rise and which may fall, for each task.
RISES = {"classification": "class +: α < C, class −: α > 0", "regression": "α* < C, or α > 0"}
FALLS = {"classification": "class +: α > 0, class −: α < C", "regression": "α* > 0, or α < C"}


class ChoiceByErrors:
    """The choice of a pair by its errors E, among the variables ``candidates``."""

    def __init__(
        self, problem: Problem, before: Any, event: PairMoved, candidates: np.ndarray
    ) -> None:
        self._problem, self._event, self._F = problem, event, before.F
        self._i, self._j = event.i, event.j
        self._rising = candidates[may_rise(problem, before.beta)[candidates]]
        self._falling = candidates[may_fall(problem, before.beta)[candidates]]
        # Among the variables that may fall, the one with the largest E.
        self._m = int(self._falling[np.argmin(before.F[self._falling])])
        if before.F[self._m] == before.F[self._j]:
            self._m = self._j
        self._E_i = event.errors[0]
        # Differences of E up to this size are not shown.
        self._negligible = NEGLIGIBLE * abs(event.violation)

    def beats(self, choice: str) -> tuple[Beat, ...]:
        """Return which variables may rise, which may fall, and why this pair was taken."""
        second = choice == "second-order"
        pair = (
            (self._predicted_gains(), self._largest_gain()) if second else (self._most_violating(),)
        )
        return self._rise(), self._fall(), *pair

    def _E(self, k: int) -> float:
        """Return E of variable k before the step; rounding error counts as 0."""
        terms = (self._E_i, float(self._F[self._i] - self._F[k]))
        E = without_rounding(sum(terms), terms)
        return 0.0 if abs(E) <= self._negligible else E

    def _errors_of(self, variables: list[int]) -> list[tuple[int, str]]:
        """Return notes ``E = -1`` of some variables."""
        texts = short_distinct([self._E(k) for k in variables])
        return [(k, f"E = {text}") for k, text in zip(variables, texts, strict=True)]

    def _compared(
        self, name: str, among: np.ndarray, selected: int | None = None
    ) -> ComparedPoints:
        errors = self._E_i + self._F[self._i] - self._F[among]
        return compared(self._problem, name, among, errors, selected)

    def _rise(self) -> Beat:
        problem, i = self._problem, self._i
        notes = self._errors_of(_leading(self._rising, -self._F[self._rising], i))
        tied = ties_of(problem, i, self._rising, self._F, self._negligible)
        return beat_of(
            problem,
            "Which may rise",
            f"{variables_word(problem)} of {counted(len(self._rising), 'point')} may rise"
            f" ({RISES[problem.task]}): the smallest E = f − y is that of"
            f" {point_name(problem, i)}, {_value(notes[0])}{tied}.",
            (i,),
            notes,
            self._rising,
            lines=(("rise", f"i = {number_of(problem, i)}"),),
            compared=(
                self._compared("may rise", self._rising, i),
                self._compared("may fall", self._falling),
            ),
        )

    def _fall(self) -> Beat:
        problem, m = self._problem, self._m
        notes = self._errors_of(_leading(self._falling, self._F[self._falling], m))
        tied = ties_of(problem, m, self._falling, self._F, self._negligible)
        return beat_of(
            problem,
            "Which may fall",
            f"{variables_word(problem)} of {counted(len(self._falling), 'point')} may fall"
            f" ({FALLS[problem.task]}): the largest E is that of {point_name(problem, m)},"
            f" {_value(notes[0])}{tied}; the violation with {number_of(problem, self._i)} is"
            f" {short(self._event.violation)}.",
            (self._i, m),
            [(self._i, f"E = {short(self._E_i)}"), *notes],
            self._falling,
            lines=(
                ("fall", f"m = {number_of(problem, m)}"),
                ("test", f"{short(self._event.violation)} ≥ tol"),
            ),
            compared=(
                self._compared("may rise", self._rising, self._i),
                self._compared("may fall", self._falling, m),
            ),
        )

    def _gains(self) -> np.ndarray:
        """Return the gain of each variable that may fall; 0 if its E is not above that of i."""
        gain = gains(self._problem, self._i, self._falling, self._F)
        difference = self._F[self._i] - self._F[self._falling]
        return np.where((difference > self._negligible) | (self._falling == self._j), gain, 0.0)

    def _gain_notes(self, gain: np.ndarray) -> list[tuple[int, str]]:
        """Return notes with the predicted rise of the dual, for the largest gains."""
        order = np.argsort(-gain, kind="stable")
        order = order[gain[order] > 0.0][:MAX_NOTES]
        texts = short_distinct((0.5 * gain[order]).tolist())
        return [
            (int(self._falling[k]), f"D +{text}")
            for k, text in zip(order.tolist(), texts, strict=True)
        ]

    def _predicted_gains(self) -> Beat:
        problem, gain = self._problem, self._gains()
        partners = self._falling[gain > 0.0]
        each = f"each of {len(partners):,} points" if len(partners) > 1 else "the only point"
        return beat_of(
            problem,
            "Its partners",
            f"With {point_name(problem, self._i)}, {each} with a larger E promises a rise of D by"
            " (Eₖ − Eᵢ)²/2η: far in E, near in the kernel; the largest rise wins.",
            (self._i,),
            self._gain_notes(gain),
            partners,
            lines=(("gain", counted(len(partners), "point")),),
            compared=self._partners(gain, None),
        )

    def _largest_gain(self) -> Beat:
        problem, i, j, gain = self._problem, self._i, self._j, self._gains()
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        own = float(gain[self._falling == j][0])
        if j in self._falling[largest]:
            tied = tied_with(problem, j, self._falling[largest], gain[largest])
            rest = gain[~largest]
            largest_rest = float(rest.max(initial=0.0))
            best, second = short_distinct((0.5 * own, 0.5 * largest_rest))
            words = f"{best}, before {second}{tied}" if largest_rest else f"{best}{tied}"
            sentence = f"{point_name(problem, j)} promises the largest rise of D, {words}"
            lines = (("second", f"j = {number_of(problem, j)}"),)
        else:
            sentence = (
                f"the best partner would move by less than rounding, so {point_name(problem, j)}"
                " with the largest E takes its place"
            )
            lines = ()
        return beat_of(
            problem,
            "Why this pair",
            f"Pair ({number_of(problem, i)}, {number_of(problem, j)}): {sentence}.",
            (i, j),
            self._gain_notes(gain),
            self._falling[gain > 0.0],
            lines=lines,
            formulas=(self._event.formulas()[0],),
            pair=PairPart.PAIR,
            compared=self._partners(gain, j),
        )

    def _partners(self, gain: np.ndarray, selected: int | None) -> tuple[ComparedPoints, ...]:
        """Return i, and the variables with a larger E with their predicted rises of the dual."""
        i, has_gain = self._i, gain > 0.0
        partners = self._compared("may fall", self._falling[has_gain], selected)
        rises = tuple((0.5 * gain[has_gain]).tolist())
        return self._compared("i", np.array([i]), i), replace(partners, rises=rises)

    def _most_violating(self) -> Beat:
        problem, i, j = self._problem, self._i, self._j
        return beat_of(
            problem,
            "Why this pair",
            f"Pair ({number_of(problem, i)}, {number_of(problem, j)}) violates optimality most: E ="
            f" {short(self._E_i)} may rise and E = {short(self._E(j))} may fall; at the optimum"
            " no E that may fall is above one that may rise.",
            (i, j),
            [(k, f"E = {short(self._E(k))}") for k in (i, j)],
            lines=(("first", f"j = {number_of(problem, j)}"),),
            formulas=(self._event.formulas()[0],),
            pair=PairPart.PAIR,
            compared=(
                self._compared("may rise", self._rising, i),
                self._compared("may fall", self._falling, j),
            ),
        )


def threshold_beats(
    problem: Problem, before: Any, after: Any, event: PairMoved, choice: str
) -> tuple[Beat, ...]:
    """Return the beats of Platt's choice or of the random choice: a violator, and its partner."""
    chosen = SequentialChoice.of(problem, before, after, (event.i, event.j), choice)
    second, first = chosen.second, chosen.first
    how = {
        DRAWN: "is drawn at random among all others",
        FURTHEST: f"is free and has the largest |E₁ − E₂|, {short(chosen.distance)}",
        NEXT_FREE: "is free and the next from a random start; the furthest would not move",
        NEXT_OF_ALL: "is the next of all points from a random start; no free one would move",
    }[chosen.how]
    name = number_of(problem, second)
    return (
        beat_of(
            problem,
            "A violator",
            f"The sweep comes to {point_name(problem, second)}: it violates its KKT condition by"
            f" {short(chosen.violation)}, so it is one of the pair.",
            (second,),
            [(second, f"off by {short(chosen.violation)}")],
            lines=(("violates", point_name(problem, second)),),
            compared=_compared_free(problem, before, second) if choice == "platt" else (),
        ),
        beat_of(
            problem,
            "Its partner",
            f"Partner of {name} is {number_of(problem, first)}, which {how}.",
            (second, first),
            [(k, f"E = {short(E)}") for k, E in zip((event.i, event.j), event.errors, strict=True)],
            lines=((chosen.how, point_name(problem, first)),),
            formulas=(event.formulas()[0],),
            pair=PairPart.PAIR,
        ),
    )


def _value(note: tuple[int, str]) -> str:
    """Return the number of a note ``E = -1``."""
    return note[1].rpartition(" ")[2]


def _leading(variables: np.ndarray, values: np.ndarray, first: int) -> list[int]:
    """Return ``first``, then the variables with the smallest values: MAX_NOTES in all."""
    order = variables[np.argsort(values, kind="stable")][:MAX_NOTES].tolist()
    return [first, *(k for k in order if k != first)][:MAX_NOTES]


def _compared_free(problem: Problem, before: Any, second: int) -> tuple[ComparedPoints, ...]:
    """Return the violator, and the free points, which Platt's choice compares with it by E."""
    errors = before.scalars["b"][0] - before.F
    free = np.flatnonzero(may_rise(problem, before.beta) & may_fall(problem, before.beta))
    violator, partners = np.array([second]), free[free != second]
    return (
        compared(problem, "violates", violator, errors[violator], second),
        compared(problem, "free", partners, errors[partners]),
    )
