"""The beats of a step of the working-set method, and its pseudo-code.

A *beat* is one of the parts in which a step is explained (:mod:`solvers.run.beats`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.methods.smo.beats import beats_of as pair_beats
from solvers.methods.smo.events import PairMoved
from solvers.methods.smo.variable_beats import compared_group
from solvers.methods.working_set.events import (
    FreeMoved,
    RestTested,
    SetChosen,
    shown_violation,
    states_of_pair,
)
from solvers.problem.movable import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.run.beats import (
    Beat,
    ComparedPoints,
    PseudoCode,
    pseudo_code,
    relabelled,
    short,
    strong_or_light,
)
from solvers.run.formulas import Formula
from solvers.run.method import OldEvent, counted

CODE = pseudo_code(
    "Osuna et al. 1997; Joachims 1999",
    """
           | repeat
    worst  |   if violation < tol over all: stop
    fast   |   B ← worst, free, random violators
    worst-first |   B ← the worst from both sides
    osuna  |   B ← last B with α > 0, violators
           |   while violation ≥ tol on B:
    rise   |     i ← αy may rise, smallest E
    fall   |     m ← αy may fall, largest E
    second |     j ← largest (Eⱼ − Eᵢ)² / 2η
    move   |     αⱼ ← clip(αⱼ + yⱼ(Eᵢ − Eⱼ)/η)
    other  |     αᵢ ← αᵢ − yᵢyⱼ Δαⱼ
    newton |     or free S: KΔ + b = F on S
    scaled |     β ← β + sΔ on S, s ≤ 1
    rest   |   F ← F − KΔβ at all points
    """,
)
# For each choice of the set, the label of its line in the pseudo-code.
CHOICE_LINES = {"fast": "fast", "worst": "worst-first", "osuna": "osuna"}
# For lines of SMO's pseudo-code, the label of the line of CODE that says the same, alone or with
# others.
PAIR_LINES = {
    "rise": "rise",
    "fall": "fall",
    "gain": "second",
    "second": "second",
    "top": "move",
    "box": "move",
    "clip": "move",
    "other": "other",
}
# Labels of lines of the pseudo-code, each with its values in a step.
LineValues = tuple[tuple[str, str], ...]


def code_of(choice: str) -> PseudoCode:
    """Return the pseudo-code for a choice of the set."""
    return CODE.without(*(line for name, line in CHOICE_LINES.items() if name != choice))


def beats_of(
    problem: Problem, before: Any, after: Any, event: OldEvent, choice: str
) -> tuple[Beat, ...]:
    """Return the beats of a step, which is a choice, a Newton step, a test, or a pair step."""
    if isinstance(event, SetChosen):
        return _choose(problem, before, event, choice)
    if isinstance(event, FreeMoved):
        return _newton(problem, before, after, event)
    if isinstance(event, RestTested):
        return _test(problem, after, event)
    if isinstance(event, PairMoved):
        old, new, members = states_of_pair(problem, before, after)
        return relabelled(pair_beats(problem, old, new, event, "second-order", members), PAIR_LINES)
    return ()


def _choose(problem: Problem, before: Any, event: SetChosen, choice: str) -> tuple[Beat, ...]:
    chosen, violation = event.formulas
    again = f", {event.n_repeated} of them again" if event.n_repeated else ""
    has_all = event.size == problem.n_variables
    others = "these are all points" if has_all else "all other α stay as they are"
    return (
        _beat(
            event,
            "Violation",
            f"Round {event.round}: over all points the violation is {short(event.violation)},"
            " which is above the tolerance, so the run continues.",
            (("worst", f"{short(event.violation)} ≥ tol"),),
            (violation,),
            (),
            _both_sides(problem, before, event),
        ),
        _beat(
            event,
            "Choose",
            f"{counted(event.size, 'point')} form the set B{again}; {others}.",
            ((CHOICE_LINES[choice], f"|B| = {event.size}"),),
            (chosen,),
            compared=_both_sides(problem, before, event),
        ),
    )


def _newton(problem: Problem, before: Any, after: Any, event: FreeMoved) -> tuple[Beat, ...]:
    equations, changes = event.formulas
    errors = _errors_of_free(problem, before, after)
    number = len(event.touched)
    choice = f"{number} of them move in this step, and " if event.n_free > number else ""
    extent = "the whole way"
    if event.limiting is not None:
        extent = f"until point {problem.point_of(event.limiting) + 1} is at a bound"
        if event.fraction is not None:
            extent = f"{short(event.fraction)} of the way, {extent}"
    return (
        _beat(
            event,
            "The free points",
            f"{counted(event.n_free, 'point')} of B are free, 0 < α < C: "
            f"{choice}the best joint step of their α solves a system of linear equations.",
            (),
            compared=errors[:1],
        ),
        _beat(
            event,
            "Solve",
            f"After the step Δ, F of all {number} would equal b: this is their joint optimum.",
            (("newton", f"|S| = {number}"),),
            (equations,),
            compared=errors[:1],
        ),
        _beat(
            event,
            "As far as the box allows",
            f"The step goes {extent}; D rises by {short(event.rise)}.",
            (("scaled", "s = 1" if event.limiting is None else "s < 1"),),
            (changes,),
            compared=errors,
        ),
    )


def _test(problem: Problem, after: Any, event: RestTested) -> tuple[Beat, ...]:
    (formula,) = event.formulas
    violation = shown_violation(event.m, event.M)
    return (
        _beat(
            event,
            "The rest",
            f"Round {event.round} has changed α of {counted(event.n_changed, 'point')}, so F of all"
            " points outside B is updated.",
            (("rest", f"{event.n_changed} Δβ"),),
        ),
        _beat(
            event,
            "Test",
            f"Over all points the violation is {short(max(violation, 0.0))}: if this is below the"
            " tolerance, the run ends; otherwise a new set is chosen.",
            (("worst", short(violation)),),
            (formula,),
            compared=_both_sides(problem, after, event),
        ),
    )


def _beat(
    event: OldEvent,
    name: str,
    sentence: str,
    lines: LineValues,
    formulas: tuple[Formula, ...] = (),
    marked: tuple[int, ...] | None = None,
    compared: tuple[ComparedPoints, ...] = (),
) -> Beat:
    points, others = strong_or_light(event.touched if marked is None else marked)
    return Beat(name, sentence, points, others, lines=lines, formulas=formulas, compared=compared)


def _both_sides(
    problem: Problem, state: Any, event: SetChosen | RestTested
) -> tuple[ComparedPoints, ...]:
    """Return two groups: the variables that may rise, and those that may fall.

    In each group, the selected variable is the one of the maximal violating pair.
    """
    rising = np.flatnonzero(may_rise(problem, state.beta))
    falling = np.flatnonzero(may_fall(problem, state.beta))
    groups = (("may rise", rising, event.m), ("may fall", falling, event.M))
    b = 0.5 * (event.m + event.M)
    compared_groups = []
    for name, variables, extreme in groups:
        attaining = variables[state.F[variables] == extreme]
        selected = int(attaining[0]) if len(attaining) else None
        compared_groups.append(
            compared_group(problem, name, variables, b - state.F[variables], selected)
        )
    return tuple(compared_groups)


def _errors_of_free(problem: Problem, before: Any, after: Any) -> tuple[ComparedPoints, ...]:
    """Return two groups: the moved points with their errors before, and after, a Newton step.

    All errors are ``E = b - F``, with the same b: the mean of F of the moved points after the step.
    """
    size = int(before.round["size"][0])
    moved = before.local_beta[:size] != after.local_beta[:size]
    if not moved.any():
        return ()
    b = float(after.local_F[:size][moved].mean())
    return tuple(
        compared_group(problem, name, before.points[:size][moved], b - state.local_F[:size][moved])
        for name, state in (("before", before), ("after", after))
    )
