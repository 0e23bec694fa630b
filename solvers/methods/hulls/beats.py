"""The beats of a step towards the nearest points of two hulls, and the pseudo-code.

A *beat* is one of the parts in which a step is explained (:mod:`solvers.run.beats`).
"""

from __future__ import annotations

from solvers.methods.hulls.events import (
    CorralMoved,
    NearestStep,
    OppositePairMoved,
    TwoWeightsMoved,
    WeightMoved,
)
from solvers.run.beats import (
    Beat,
    PairPart,
    PseudoCode,
    pseudo_code,
    short,
    strong_or_light,
    subscript,
)
from solvers.run.formulas import Formula
from solvers.run.method import counted, named, numbered

# The pseudo-code of each algorithm.
CODES = {
    "pairwise": pseudo_code(
        "Platt 1998, for hulls",
        """
             | repeat for all i of class +, j of class −
        pair |   i, j ← the next pair that moves
        low  |   M ← max(−τᵢ, −τⱼ)
        top  |   δ ← (1 − ⟨u − v, xᵢ − xⱼ⟩) / ‖xᵢ − xⱼ‖²
        box  |   if δ < M
        clip |     δ ← M
        move |   τᵢ ← τᵢ + δ, τⱼ ← τⱼ + δ
        """,
    ),
    "mdm": pseudo_code(
        "Mitchell, Dem'yanov, Malozemov 1974",
        """
             | repeat in the class of larger gap
        pair |   i ← nearest with τ < μ
        far  |   j ← farthest with τ > 0
        low  |   M ← min(τⱼ, μ − τᵢ)
        top  |   δ ← |⟨p − q, xᵢ − xⱼ⟩| / ‖xᵢ − xⱼ‖²
        box  |   if δ > M
        clip |     δ ← M
        move |   τᵢ ← τᵢ + δ, τⱼ ← τⱼ − δ
        """,
    ),
    "wolfe": pseudo_code(
        "Wolfe 1976",
        """
              | repeat
        join  |   corral S ← S and the worst violator
        solve |   Δ ← step to the best τ on S
        drop  |   if a τ meets its bound: S ← S without it
        move  |   τ ← τ + sΔ, s ≤ 1 as far as the box allows
        """,
    ),
}
# Labels of lines of the pseudo-code, each with its values.
LineValues = tuple[tuple[str, str], ...]


def code_of(algorithm: str) -> PseudoCode:
    """Return the pseudo-code of an algorithm."""
    return CODES[algorithm]


def beats_of(event: NearestStep) -> tuple[Beat, ...]:
    """Return the beats of a step: the choice of points, the way to the minimum, and the move."""
    if isinstance(event, CorralMoved):
        return _corral_beats(event)
    if isinstance(event, OppositePairMoved | WeightMoved):
        return _pair_beats(event)
    return ()


def _pair_beats(event: OppositePairMoved | WeightMoved) -> tuple[Beat, ...]:
    i, j = event.i + 1, event.j + 1
    names = [f"τ{subscript(k)}" for k in (i, j)]
    formulas = event.formulas
    if isinstance(event, OppositePairMoved):
        pairs = counted(event.skipped, "pair")
        skipped = f"; {pairs} before it would not move" if event.skipped else ""
        pair = f"Sweep {event.sweep:,} comes to point {i} of class + and {j} of class −{skipped}."
        bound, condition = event.low, "≥ M = max(−τᵢ, −τⱼ)"
        choice = (("pair", f"{i}, {j}"),)
        rule = "Both τ change by the same δ"
        objective = "the objective ‖u − v‖² − Σ τ"
    else:
        pair = (
            f"In the class with the larger gap, point {i} is nearest to the other hull, and of the"
            f" points with weight, point {j} is farthest: weight moves from {j} to {i}."
        )
        bound, condition = event.max_delta, "≤ M = min(τⱼ, μ − τᵢ)"
        choice = (("pair", f"i = {i}"), ("far", f"j = {j}"))
        rule = f"{names[0]} gains the δ that {names[1]} loses"
        objective = "‖p − q‖²"
    lines: list[tuple[str, str]] = [("box", "yes" if event.clipped else "no")]
    lines += [("clip", f"δ = {short(event.delta)}")] if event.clipped else []
    lines.append(("move", f"δ = {short(event.delta)}"))
    reason = "The minimum is beyond M" if event.clipped else "The minimum is allowed"
    return (
        _two_weights_beat(event, "The pair", pair, choice, pair=PairPart.PAIR),
        _two_weights_beat(
            event,
            "The segment",
            f"{rule}, and δ {condition} = {short(bound)}: {objective} is a parabola in δ with"
            f" its minimum at {short(event.unclipped)}.",
            (("low", f"M = {short(bound)}"), ("top", f"δ = {short(event.unclipped)}")),
            formulas[:-1],
            PairPart.SEGMENT,
        ),
        _two_weights_beat(
            event,
            "The step",
            f"{reason}, so δ = {short(event.delta)}:"
            f" {_change_texts(event, names)}{_distance_clause(event)}.",
            tuple(lines),
            formulas[-1:],
            shows_changes=True,
        ),
    )


def _change_texts(event: TwoWeightsMoved, names: list[str]) -> str:
    """Return the changes of two weights as text."""
    parts = zip(names, event.old, event.new, strict=True)
    return ", ".join(f"{name}: {short(old)} → {short(new)}" for name, old, new in parts)


def _distance_clause(event: NearestStep) -> str:
    """Return a clause on the distance of p and q; empty if p or q did not exist before the step."""
    before, after = event.distance_before, event.distance
    if after != after or before != before:
        return ""
    return f"; ‖p − q‖: {before:.4g} → {after:.4g}"


def _two_weights_beat(
    event: TwoWeightsMoved,
    name: str,
    sentence: str,
    lines: LineValues,
    formulas: tuple[Formula, ...] = (),
    pair: PairPart = PairPart.NEW,
    shows_changes: bool = False,
) -> Beat:
    """Return a beat about two weights.

    The notes beside the points are the old weights, or with ``shows_changes`` the old and the new
    weights.
    """
    texts = [
        f"τ {short(a)} → {short(b)}" if shows_changes else f"τ = {short(a)}"
        for a, b in zip(event.old, event.new, strict=True)
    ]
    points = (event.i, event.j)
    return Beat(
        name,
        sentence,
        points=points,
        notes=tuple(zip(points, texts, strict=True)),
        lines=lines,
        values=tuple((f"point {k + 1}", text) for k, text in zip(points, texts, strict=True)),
        formulas=formulas,
        pair=pair,
    )


def _corral_beats(event: CorralMoved) -> tuple[Beat, ...]:
    formulas = event.formulas
    changed = {i for i, _, _ in event.moved}
    size = counted(len(event.corral), "point")
    points, others = strong_or_light(event.corral)
    remaining = f"‖p − q‖²/2 can still fall by at most {short(event.gap)}"
    if not event.added and not event.dropped and not changed:
        reason = (
            f"On the corral S of {size}, τ is already optimal"
            if event.corral
            else "The corral S is empty"
        )
        sentence = f"{reason}: {remaining}, so a point joins next."
        lines = (("solve", f"|S| = {len(event.corral)}"),)
        return (Beat("Best on S", sentence, points, others, lines=lines, formulas=formulas),)
    beats = []
    if event.added:
        beats.append(_joining_beat(event))
    beats.append(
        Beat(
            "The segment",
            f"With all other τ fixed, the best τ on the corral S of {size} solve linear equations;"
            " the step Δ leads to them.",
            points,
            others,
            lines=(("solve", f"|S| = {len(event.corral)}"),),
        )
    )
    lines = [("drop", numbered(event.dropped))] if event.dropped else []
    lines += [("move", f"{len(changed)} τ")] if changed else []
    bound = "is at its bound" if len(event.dropped) == 1 else "are at their bounds"
    end = f" until {named(event.dropped)} {bound}" if event.dropped else ""
    moved = f"{len(changed)} τ move{end}" if changed else "no τ moves"
    points, others = strong_or_light([*changed, *event.corral])
    values = tuple((f"point {i + 1}", f"τ {short(a)} → {short(b)}") for i, a, b in event.moved[:3])
    beats.append(
        Beat(
            "The step",
            f"{moved.capitalize()}{_distance_clause(event)}; {remaining}.",
            points,
            others,
            notes=tuple((i, f"τ {short(a)} → {short(b)}") for i, a, b in event.moved[:3]),
            lines=tuple(lines),
            values=values,
            formulas=formulas,
        )
    )
    return tuple(beats)


def _joining_beat(event: CorralMoved) -> Beat:
    """Return the beat of the points that join the corral."""
    violates = (
        "violates optimality most, by its position along p − q: it joins"
        if len(event.added) == 1
        else "violate optimality most, by their positions along p − q: they join"
    )
    return Beat(
        "The point" if len(event.added) == 1 else "The points",
        f"{named(event.added).capitalize()} {violates} the corral S, the points whose τ may "
        "change.",
        points=event.added,
        others=tuple(k for k in event.corral if k not in event.added),
        lines=(("join", numbered(event.added)),),
    )
