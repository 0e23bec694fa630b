"""The beats of a step of the working-set method, and its pseudo-code."""

from __future__ import annotations

from typing import Any

from solvers.methods.smo.beats import beats_of as pair_beats
from solvers.methods.smo.events import PairMoved
from solvers.methods.working_set.events import FreeMoved, RestTested, SetChosen, states_of_pair
from solvers.problem.problem import Problem
from solvers.run.beats import Beat, PseudoCode, counted_points, few, pseudo_code, relabelled, short
from solvers.run.formulas import Formula
from solvers.run.method import Event

CODE = pseudo_code(
    "Osuna et al. 1997; Joachims 1999",
    """
           | repeat
    worst  |   if m − M < tol over all points: stop
    fast   |   B ← worst pair, random violators, free
    worst-first |   B ← worst from above and from below
    osuna  |   B ← last set without α = 0, violators
           |   solve on B:
    pair   |     i, m ← smallest E that may rise, largest to fall
    second |     j ← may fall, largest (Eⱼ − Eᵢ)² / 2η
    move   |     αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ)/η, clipped to [L, H]
    other  |     αᵢ ← αᵢ − yᵢyⱼ Δαⱼ
    newton |     or: K_SS Δ + b = F_S on the free S
    share  |     β_S ← β_S + sΔ, s ≤ 1
    rest   |   F of all points ← F − KΔβ
    """,
)
# The line of each choice of the set.
CHOICE_LINES = {"fast": "fast", "worst": "worst-first", "osuna": "osuna"}
# The lines for those of SMO.
PAIR_LINES = {
    "rise": "pair",
    "fall": "pair",
    "gain": "second",
    "second": "second",
    "top": "move",
    "box": "move",
    "clip": "move",
    "other": "other",
}
LineValues = tuple[tuple[str, str], ...]


def code_of(choice: str) -> PseudoCode:
    """Return the pseudo-code for a choice of the set."""
    return CODE.without(*(line for name, line in CHOICE_LINES.items() if name != choice))


def beats_of(
    problem: Problem, before: Any, after: Any, event: Event, choice: str
) -> tuple[Beat, ...]:
    """Return the beats of a step: of a choice, of a solution on the set, or of a test."""
    if isinstance(event, SetChosen):
        return _choose(event, choice)
    if isinstance(event, FreeMoved):
        return _newton(event)
    if isinstance(event, RestTested):
        return _test(event)
    if isinstance(event, PairMoved):
        old, new, members = states_of_pair(problem, before, after)
        return relabelled(pair_beats(problem, old, new, event, "second-order", members), PAIR_LINES)
    return ()


def _choose(event: SetChosen, choice: str) -> tuple[Beat, ...]:
    chosen, violation = event.formulas()
    again = f", {event.kept} of them again" if event.kept else ""
    return (
        _beat(
            event,
            "Who violates",
            f"Round {event.round}: over all points E contradicts by up to {short(event.violation)},"
            " which is above the tolerance, so there is work to do.",
            (("worst", f"{short(event.violation)} ≥ tol"),),
            (violation,),
            (),
        ),
        _beat(
            event,
            "Choose",
            f"{counted_points(event.size)} form the set B{again}; all other α stay as they are.",
            ((CHOICE_LINES[choice], f"|B| = {event.size}"),),
            (chosen,),
        ),
    )


def _newton(event: FreeMoved) -> tuple[Beat, ...]:
    equations, changes = event.formulas()
    size = counted_points(len(event.touched))
    end = "the whole way" if event.met is None else f"until point {event.met + 1} is at a bound"
    if event.share is not None and event.met is not None:
        end = f"{short(event.share)} of the way, {end}"
    return (
        _beat(
            event,
            "The free points",
            f"{size} of B are free, 0 < α < C: for these together, the best step is a system of"
            " linear equations.",
            (),
        ),
        _beat(
            event,
            "Solve",
            f"Δ leads to where all {len(event.touched)} have the same F, which is b: their joint"
            " optimum.",
            (("newton", f"|S| = {len(event.touched)}"),),
            (equations,),
        ),
        _beat(
            event,
            "As far as the box allows",
            f"The step goes {end}; D rises by {short(event.rise)}.",
            (("share", "s = 1" if event.met is None else "s < 1"),),
            (changes,),
        ),
    )


def _test(event: RestTested) -> tuple[Beat, ...]:
    (violation,) = event.formulas()
    return (
        _beat(
            event,
            "The rest",
            f"Round {event.round} has changed α of {counted_points(event.moved)}: F of all points"
            " outside B follows.",
            (("rest", f"{event.moved} Δβ"),),
        ),
        _beat(
            event,
            "Test",
            f"Over all points E contradicts by {short(max(event.violation, 0.0))}: below the"
            " tolerance it would be the optimum, otherwise a new set is chosen.",
            (("worst", f"m − M = {short(event.violation)}"),),
            (violation,),
        ),
    )


def _beat(
    event: Event,
    name: str,
    sentence: str,
    lines: LineValues,
    formulas: tuple[Formula, ...] = (),
    marked: tuple[int, ...] | None = None,
) -> Beat:
    points, others = few(event.touched if marked is None else marked)
    return Beat(name, sentence, points, others, lines=lines, formulas=formulas)
