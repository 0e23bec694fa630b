"""The beats of a step of SMO that explain the choice of its pair.

A *beat* is one of the parts in which a step is explained (:mod:`solvers.run.beats`). E is the error
``f - y``; in a regression ``y - eps`` replaces y for alpha*, and ``y + eps`` replaces it for alpha.
"""

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
    curvatures,
    gains,
    short_name,
    tie_clause,
    tie_clause_of_E,
    variable_symbol,
)
from solvers.methods.smo.steps import TAU
from solvers.methods.smo.variable_beats import beat_of, compared_group, point_name
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

# For each task, the conditions under which a variable beta may rise (RISES) or fall (FALLS). beta
# is alpha y in a classification; in a regression it is alpha* or -alpha.
RISES = {"classification": "class +: α < C, class −: α > 0", "regression": "α* < C, or α > 0"}
FALLS = {"classification": "class +: α > 0, class −: α < C", "regression": "α* > 0, or α < C"}


class ChoiceByErrors:
    """The choice of a pair (i, j) by the errors E of the variables ``candidates``.

    As in the pseudo-code, m is here the variable with the largest E among those that may fall. In
    other modules, m is the largest F of the variables that can grow.
    """

    def __init__(
        self, problem: Problem, before: Any, event: PairMoved, candidates: np.ndarray
    ) -> None:
        self._problem, self._event, self._F = problem, event, before.F
        self._i, self._j = event.i, event.j
        self._rising = candidates[may_rise(problem, before.beta)[candidates]]
        self._falling = candidates[may_fall(problem, before.beta)[candidates]]
        # The largest E belongs to the smallest F, because E = b - F. If E of j is as large, m is j.
        self._m = int(self._falling[np.argmin(before.F[self._falling])])
        if before.F[self._m] == before.F[self._j]:
            self._m = self._j
        self._E_i = event.errors[0]
        # Differences of E up to this size are not shown.
        self._negligible = NEGLIGIBLE * abs(event.violation)

    def beats(self, choice: str) -> tuple[Beat, ...]:
        """Return the beats on the variables that may rise, those that may fall, and the pair."""
        if choice == "second-order":
            pair_beats = (self._gains_beat(), self._largest_gain_beat())
        else:
            pair_beats = (self._most_violating_beat(),)
        return self._rise_beat(), self._fall_beat(), *pair_beats

    def _E(self, k: int) -> float:
        """Return E of variable k before the step; 0 if it is only rounding error."""
        terms = (self._E_i, float(self._F[self._i] - self._F[k]))
        E = without_rounding(sum(terms), terms)
        return 0.0 if abs(E) <= self._negligible else E

    def _error_notes(self, variables: list[int]) -> list[tuple[int, str]]:
        """Return notes such as ``E = -1`` for some variables."""
        texts = short_distinct([self._E(k) for k in variables])
        return [(k, f"E = {text}") for k, text in zip(variables, texts, strict=True)]

    def _group(self, name: str, among: np.ndarray, selected: int | None = None) -> ComparedPoints:
        errors = self._E_i + self._F[self._i] - self._F[among]
        return compared_group(self._problem, name, among, errors, selected)

    def _rise_beat(self) -> Beat:
        problem, i = self._problem, self._i
        notes = self._error_notes(_leading_variables(self._rising, -self._F[self._rising], i))
        tied = tie_clause_of_E(problem, i, self._rising, self._F, self._negligible)
        return beat_of(
            problem,
            "Which may rise",
            f"{variable_symbol(problem)} of {counted(len(self._rising), 'point')} may rise"
            f" ({RISES[problem.task]}): the smallest E = f − y is that of"
            f" {point_name(problem, i)}, {_number_of_note(notes[0])}{tied}.",
            (i,),
            notes,
            self._rising,
            lines=(("rise", f"i = {short_name(problem, i)}"),),
            compared=(
                self._group("may rise", self._rising, i),
                self._group("may fall", self._falling),
            ),
        )

    def _fall_beat(self) -> Beat:
        problem, m = self._problem, self._m
        notes = self._error_notes(_leading_variables(self._falling, self._F[self._falling], m))
        tied = tie_clause_of_E(problem, m, self._falling, self._F, self._negligible)
        return beat_of(
            problem,
            "Which may fall",
            f"{variable_symbol(problem)} of {counted(len(self._falling), 'point')} may fall"
            f" ({FALLS[problem.task]}): the largest E is that of {point_name(problem, m)},"
            f" {_number_of_note(notes[0])}{tied}; the violation with"
            f" {short_name(problem, self._i)} is {short(self._event.violation)}.",
            (self._i, m),
            [(self._i, f"E = {short(self._E_i)}"), *notes],
            self._falling,
            lines=(
                ("fall", f"m = {short_name(problem, m)}"),
                ("test", f"{short(self._event.violation)} ≥ tol"),
            ),
            compared=(
                self._group("may rise", self._rising, self._i),
                self._group("may fall", self._falling, m),
            ),
        )

    def _gains(self) -> np.ndarray:
        """Return the gain (see :func:`.gains`) of each variable that may fall.

        The gain is 0 if E of the variable is at most E of i. The gain of j is never set to 0.
        """
        gain = gains(self._problem, self._i, self._falling, self._F)
        difference = self._F[self._i] - self._F[self._falling]
        return np.where((difference > self._negligible) | (self._falling == self._j), gain, 0.0)

    def _gain_notes(self, gain: np.ndarray) -> list[tuple[int, str]]:
        """Return notes with the largest predicted rises of the dual, which are ``gain / 2``."""
        order = np.argsort(-gain, kind="stable")
        order = order[gain[order] > 0.0][:MAX_NOTES]
        texts = short_distinct((0.5 * gain[order]).tolist())
        return [
            (int(self._falling[k]), f"D +{text}")
            for k, text in zip(order.tolist(), texts, strict=True)
        ]

    def _gains_beat(self) -> Beat:
        problem, gain = self._problem, self._gains()
        partners = self._falling[gain > 0.0]
        has_top = (curvatures(problem, self._i, partners) > 0.0).all()
        tau = "" if has_top else f" (with {short(TAU)} for an η that is not above 0)"
        subject = f"each of {len(partners):,} points" if len(partners) > 1 else "the only point"
        return beat_of(
            problem,
            "Its partners",
            f"With {point_name(problem, self._i)}, {subject} with a larger E promises a rise of D"
            f" by (Eₖ − Eᵢ)²/2η{tau}, which is large if Eₖ is far above Eᵢ and η is small; the"
            " largest rise wins.",
            (self._i,),
            self._gain_notes(gain),
            partners,
            lines=(("gain", counted(len(partners), "point")),),
            compared=self._partner_groups(gain, None),
        )

    def _largest_gain_beat(self) -> Beat:
        problem, i, j, gain = self._problem, self._i, self._j, self._gains()
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        gain_of_j = float(gain[self._falling == j][0])
        if j in self._falling[largest]:
            tied = tie_clause(problem, j, self._falling[largest], gain[largest])
            next_gain = float(gain[~largest].max(initial=0.0))
            best, second = short_distinct((0.5 * gain_of_j, 0.5 * next_gain))
            rises = f"{best}, before {second}{tied}" if next_gain else f"{best}{tied}"
            sentence = f"{point_name(problem, j)} promises the largest rise of D, {rises}"
            lines = (("second", f"j = {short_name(problem, j)}"),)
        else:
            sentence = (
                f"the best partner would move by less than rounding, so {point_name(problem, j)}"
                " with the largest E takes its place"
            )
            lines = ()
        return beat_of(
            problem,
            "Why this pair",
            f"Pair ({short_name(problem, i)}, {short_name(problem, j)}): {sentence}.",
            (i, j),
            self._gain_notes(gain),
            self._falling[gain > 0.0],
            lines=lines,
            formulas=(self._event.formulas[0],),
            pair=PairPart.PAIR,
            compared=self._partner_groups(gain, j),
        )

    def _partner_groups(self, gain: np.ndarray, selected: int | None) -> tuple[ComparedPoints, ...]:
        """Return two groups: i, and its possible partners with their predicted rises of D."""
        i, has_gain = self._i, gain > 0.0
        partners = self._group("may fall", self._falling[has_gain], selected)
        rises = tuple((0.5 * gain[has_gain]).tolist())
        return self._group("i", np.array([i]), i), replace(partners, rises=rises)

    def _most_violating_beat(self) -> Beat:
        problem, i, j = self._problem, self._i, self._j
        return beat_of(
            problem,
            "Why this pair",
            f"Pair ({short_name(problem, i)}, {short_name(problem, j)}) violates optimality most:"
            f" E = {short(self._E_i)} may rise and E = {short(self._E(j))} may fall; at the optimum"
            " no E that may fall is above an E that may rise.",
            (i, j),
            [(k, f"E = {short(self._E(k))}") for k in (i, j)],
            lines=(("first", f"j = {short_name(problem, j)}"),),
            formulas=(self._event.formulas[0],),
            pair=PairPart.PAIR,
            compared=(
                self._group("may rise", self._rising, i),
                self._group("may fall", self._falling, j),
            ),
        )


def threshold_beats(
    problem: Problem, before: Any, after: Any, event: PairMoved, choice: str
) -> tuple[Beat, ...]:
    """Return the two beats of Platt's or the random choice: on the violator, on its partner."""
    chosen = SequentialChoice.of(problem, before, after, (event.i, event.j), choice)
    violator, partner = chosen.violator, chosen.partner
    clause = {
        DRAWN: "is drawn at random among all others",
        FURTHEST: f"is free and has the largest |E₁ − E₂|, {short(chosen.distance)}",
        NEXT_FREE: "is the next free point from a random start; the furthest in E would not move",
        NEXT_OF_ALL: "is the next of all points from a random start; no free point would move",
    }[chosen.partner_rule]
    name = short_name(problem, violator)
    return (
        beat_of(
            problem,
            "A violator",
            f"The sweep comes to {point_name(problem, violator)}: it violates its KKT condition by"
            f" {short(chosen.violation)}, so it is one of the pair.",
            (violator,),
            [(violator, f"off by {short(chosen.violation)}")],
            lines=(("violates", point_name(problem, violator)),),
            compared=_violator_and_free(problem, before, violator) if choice == "platt" else (),
        ),
        beat_of(
            problem,
            "Its partner",
            f"Partner of {name} is {short_name(problem, partner)}, which {clause}.",
            (violator, partner),
            [(k, f"E = {short(E)}") for k, E in zip((event.i, event.j), event.errors, strict=True)],
            lines=((chosen.partner_rule, point_name(problem, partner)),),
            formulas=(event.formulas[0],),
            pair=PairPart.PAIR,
        ),
    )


def _number_of_note(note: tuple[int, str]) -> str:
    """Return the number in a note such as ``E = -1``."""
    return note[1].rpartition(" ")[2]


def _leading_variables(variables: np.ndarray, values: np.ndarray, first: int) -> list[int]:
    """Return ``first`` and the variables with the smallest values, at most MAX_NOTES in all."""
    order = variables[np.argsort(values, kind="stable")][:MAX_NOTES].tolist()
    return [first, *(k for k in order if k != first)][:MAX_NOTES]


def _violator_and_free(problem: Problem, before: Any, violator: int) -> tuple[ComparedPoints, ...]:
    """Return two groups: the violator, and the free points whose E Platt compares with its E."""
    errors = before.scalars["b"][0] - before.F
    free = np.flatnonzero(may_rise(problem, before.beta) & may_fall(problem, before.beta))
    group, partners = np.array([violator]), free[free != violator]
    return (
        compared_group(problem, "violates", group, errors[group], violator),
        compared_group(problem, "free", partners, errors[partners]),
    )
