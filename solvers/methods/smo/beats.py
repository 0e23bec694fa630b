"""The beats of a step of SMO, and its pseudo-code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from solvers.methods.smo.choice_beats import ChoiceByErrors, threshold_beats
from solvers.methods.smo.events import BIAS_FREE, BIAS_MEAN, BIAS_MIDDLE, PairMoved
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

# A step counts as cut short if it ends before this fraction of the way to the vertex.
WHOLE_WAY = 1.0 - 1e-9
# What a sentence says of b if no free α determines it.
BIAS_WORDS = {
    BIAS_FREE: "",
    BIAS_MEAN: "; neither is free, so b is the mean of both",
    BIAS_MIDDLE: "; b is the middle of its interval",
}
CODE = pseudo_code(
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
    free        |     1 or 2 free: b ← its E = 0
    mean        |     neither free: b ← E₁ + E₂ = 0
    middle      |     optimal: b ← middle of interval
    """,
)


def code_of(choice: str) -> PseudoCode:
    """Return the pseudo-code of a choice of the pair."""
    if choice == "platt":
        return SWEEPS.without(DRAWN)
    if choice == "random":
        code = SWEEPS.without(FURTHEST, NEXT_FREE, NEXT_OF_ALL)
        return replace(code, source="Platt 1998, simplified")
    if choice == "second-order":
        return CODE.without("first")
    return replace(CODE.without("gain", "second"), source="Keerthi et al. 2001")


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
        chosen = threshold_beats(problem, before, after, event, choice)
    else:
        if candidates is None:
            candidates = np.arange(problem.n_variables)
        chosen = ChoiceByErrors(problem, before, event, candidates).beats(choice)
    return *chosen, *move_beats(problem, event)


def move_beats(problem: Problem, event: PairMoved) -> tuple[Beat, ...]:
    """Return the beats of the move of a pair: its parabola, the box, and the new values."""
    line = "boundary" if problem.task == "classification" else "curve"
    pair, together = (event.i, event.j), event.signs[0] != event.signs[1]
    a_i, a_j = (alpha_of(problem, k) for k in pair)
    relation = "rise or fall together" if together else "have a constant sum"
    cut = is_cut(event)
    end = "H" if event.unclipped[1] > event.old[1] else "L"
    segment = f"between L = {short(event.low)} and H = {short(event.high)}"
    clip = f"beyond {end}, so the step stops there" if cut else "inside, so the step goes there"
    formulas, b = event.formulas(), without_rounding(event.b[1], (1.0,))
    notes = [
        (k, f"α {short(old)} → {short(new)}")
        for k, old, new in zip(pair, event.old, event.new, strict=True)
    ]
    olds = [(k, f"α = {short(old)}") for k, old in zip(pair, event.old, strict=True)]
    clipped = (("clip", f"αⱼ = {end} = {short(event.new[1])}"),) if cut else ()
    return (
        beat_of(
            problem,
            "Direction and parabola",
            f"Σ αy stays, so both α {relation}: along this line D is a parabola with curvature"
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
        beat_of(
            problem,
            "Where the box clips",
            f"The box [0, C]² leaves {a_j} {segment}: the top is {clip}.",
            pair,
            olds,
            lines=(("box", "yes" if cut else "no"), *clipped),
            formulas=formulas[3:5],
            pair=PairPart.SEGMENT,
        ),
        beat_of(
            problem,
            f"New α, b and {line}",
            f"{a_i}: {short(event.old[0])} → {short(event.new[0])}; {a_j}:"
            f" {short(event.old[1])} → {short(event.new[1])}; D rises by {short(event.rise)},"
            f" and the {line} follows{BIAS_WORDS[event.bias_rule]}.",
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


def is_cut(event: PairMoved) -> bool:
    """Return whether a step ended before the vertex of its parabola."""
    to_vertex, taken = (abs(end[1] - event.old[1]) for end in (event.unclipped, event.new))
    return taken < WHOLE_WAY * to_vertex
