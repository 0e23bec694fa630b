"""The beats of a step of SMO, and its pseudo-code.

A *beat* is one of the parts in which a step is explained (:mod:`solvers.run.beats`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from solvers.methods.smo.bias_rules import BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE
from solvers.methods.smo.choice_beats import ChoiceByErrors, threshold_beats
from solvers.methods.smo.events import PairMoved
from solvers.methods.smo.pair_choice import (
    DRAWN,
    FURTHEST,
    NEXT_FREE,
    NEXT_OF_ALL,
)
from solvers.methods.smo.variable_beats import alpha_of, beat_of
from solvers.problem.problem import Problem
from solvers.run.beats import (
    Beat,
    PairPart,
    PseudoCode,
    pseudo_code,
    short,
)
from solvers.run.formulas import without_rounding

# A step counts as cut short by the box if it goes less than this fraction of the distance to the
# vertex of the parabola. The fraction differs from 1 only to allow for rounding error.
FULL_FRACTION = 1.0 - 1e-9
# For each rule by which b is computed (see bias_rules.py), a clause at the end of the last beat. It
# is empty if free α determine b.
BIAS_CLAUSES = {
    BIAS_FREE: "",
    BIAS_MEAN: "; neither is free, so b is the mean of both",
    BIAS_MIDDLE: "; b is the middle of its interval",
}
# The pseudo-code of the two choices that compare the errors of all points, and below it that of the
# two choices that sweep over the points.
PAIR_CODE = pseudo_code(
    "Fan, Chen and Lin 2005",
    """
           | repeat
    rise   |   i ← αy may rise, smallest Eₖ
    fall   |   m ← αy may fall, largest Eₖ
    test   |   if Eₘ − Eᵢ < tol: stop
    gain   |   Dₖ ← (Eₖ − Eᵢ)² / 2ηᵢₖ, Eₖ > Eᵢ
    second |   j ← may fall, largest Dₖ
    first  |   j ← m
    eta    |   η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ
    top    |   αⱼ ← αⱼ + yⱼ(Eᵢ − Eⱼ) / η
    box    |   if αⱼ ∉ [L, H]
    clip   |     αⱼ ← the nearer end
    other  |   αᵢ ← αᵢ − yᵢyⱼ Δαⱼ
    free   |   b ← b − mean E of the free
    middle |   none: b ← middle of interval
    """,
)
SWEEP_CODE = pseudo_code(
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
    free        |     1 or 2 free: b ← its E = 0
    mean        |     neither free: b ← E₁ + E₂ = 0
    middle      |     optimal: b ← middle of interval
    """,
)


def code_of(choice: str) -> PseudoCode:
    """Return the pseudo-code of a choice of the pair."""
    if choice == "platt":
        return SWEEP_CODE.without(DRAWN)
    if choice == "random":
        code = SWEEP_CODE.without(FURTHEST, NEXT_FREE, NEXT_OF_ALL)
        return replace(code, source="Platt 1998, simplified")
    if choice == "second-order":
        return PAIR_CODE.without("first")
    return replace(PAIR_CODE.without("gain", "second"), source="Keerthi et al. 2001")


def beats_of(
    problem: Problem,
    before: Any,
    after: Any,
    event: PairMoved,
    choice: str,
    candidates: np.ndarray | None = None,
) -> tuple[Beat, ...]:
    """Return the beats of a step; the parameters are those of :func:`.describe_pair`."""
    if choice in ("platt", "random"):
        chosen = threshold_beats(problem, before, after, event, choice)
    else:
        if candidates is None:
            candidates = np.arange(problem.n_variables)
        chosen = ChoiceByErrors(problem, before, event, candidates).beats(choice)
    return *chosen, *move_beats(problem, event)


def move_beats(problem: Problem, event: PairMoved) -> tuple[Beat, ...]:
    """Return the beats of the move of a pair: its parabola, the box, and the new values."""
    line = "boundary" if problem.task == "classification" else "curve"
    pair, have_opposite_signs = (event.i, event.j), event.signs[0] != event.signs[1]
    a_i, a_j = (alpha_of(problem, k) for k in pair)
    relation = "rise or fall together" if have_opposite_signs else "have a constant sum"
    is_short, has_goal = is_cut_short(event), event.has_top or event.is_endless
    end = "H" if event.unclipped[1] > event.old[1] else "L"
    segment = f"between L = {short(event.low)} and H = {short(event.high)}"
    formulas, b = event.formulas, without_rounding(event.b[1], (1.0,))
    changes = zip(pair, event.old, event.new, strict=True)
    notes = [(k, f"α {short(old)} → {short(new)}") for k, old, new in changes]
    old_notes = [(k, f"α = {short(old)}") for k, old in zip(pair, event.old, strict=True)]
    clipped = (("clip", f"αⱼ = {end} = {short(event.new[1])}"),) if is_short else ()
    return (
        beat_of(
            problem,
            "Direction and parabola",
            f"Σ αy is constant, so both α {relation}: along this line D {_shape(event, a_j)}.",
            pair,
            old_notes,
            lines=(
                ("eta", f"η = {short(event.eta)}"),
                ("top", f"αⱼ = {short(event.unclipped[1])}" if has_goal else "none: η ≤ 0"),
            ),
            formulas=formulas[1:3],
            pair=PairPart.VERTEX,
        ),
        beat_of(
            problem,
            "Where the box clips",
            f"The box [0, C]² leaves {a_j} {segment}: {_stop(event, end)}.",
            pair,
            old_notes,
            lines=(("box", "yes" if is_short else "no"), *clipped),
            formulas=formulas[3:5],
            pair=PairPart.SEGMENT,
        ),
        beat_of(
            problem,
            f"New α, b and {line}",
            f"{a_i}: {short(event.old[0])} → {short(event.new[0])}; {a_j}:"
            f" {short(event.old[1])} → {short(event.new[1])}; D rises by {short(event.rise)},"
            f" and the {line} follows{BIAS_CLAUSES[event.bias_rule]}.",
            pair,
            notes,
            lines=(
                ("other", f"αᵢ = {short(event.new[0])}"),
                (event.bias_rule, f"b = {short(b)}"),
            ),
            formulas=formulas[5:],
            pair=PairPart.NEW,
        ),
    )


def _shape(event: PairMoved, a_j: str) -> str:
    """Return the rest of a sentence on the dual along the line: its curvature and its top."""
    eta = short(event.eta)
    if event.has_top:
        top = f"{a_j} = {short(event.unclipped[1])}"
        return f"is a parabola with curvature η = {eta} and its top at {top}"
    no_top = f"has the curvature η = {eta}, which is not above 0, and so no top"
    if event.is_endless:
        return f"{no_top}; no bound ends the step, so η = {short(event.divisor)} is taken instead"
    return f"{no_top}: it rises up to the end of the box"


def _stop(event: PairMoved, end: str) -> str:
    """Return the rest of a sentence on where the step stops; ``end`` is L or H."""
    if event.is_endless:
        goal = short(event.new[1])
        return f"there is neither a top nor an end, so the step goes to {goal}"
    if not event.has_top:
        return f"there is no top, so the step goes to {end}"
    if is_cut_short(event):
        return f"the top is beyond {end}, so the step stops there"
    return "the top is inside, so the step goes there"


def is_cut_short(event: PairMoved) -> bool:
    """Return whether a step ended at the edge of the box, before a vertex or without one."""
    to_vertex, taken = (abs(alphas[1] - event.old[1]) for alphas in (event.unclipped, event.new))
    return taken < FULL_FRACTION * to_vertex
