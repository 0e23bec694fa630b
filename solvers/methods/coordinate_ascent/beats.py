"""The beats of a step of coordinate ascent, and its pseudo-code."""

from __future__ import annotations

import math

from solvers.methods.coordinate_ascent.events import PointVisited
from solvers.run.beats import Beat, pseudo_code, short, subscript
from solvers.run.formulas import Formula

CODE = pseudo_code(
    "Hsieh et al. 2008",
    """
          | repeat
    visit |   for i in the order of the sweep
    slope |     G ← yᵢ f(xᵢ) − 1
    stay  |     if αᵢ is at a bound, −G points out: next i
    top   |     α ← αᵢ − G / Kᵢᵢ
    box   |     if α ∉ [0, C]
    clip  |       α ← the nearer of 0 and C
    w     |     w ← w + (α − αᵢ) yᵢxᵢ
    alpha |     αᵢ ← α
    """,
)
LineValues = tuple[tuple[str, str], ...]


def beats_of(event: PointVisited) -> tuple[Beat, ...]:
    """Return the beats of a step: the point, its gradient, and, if alpha moves, the clip."""
    i, alpha, G = event.i, f"α{subscript(event.i + 1)}", short(event.gradient)
    gradient_formula, *formulas = event.formulas
    visit = _beat(
        event,
        "The point",
        f"Sweep {event.sweep:,} visits point {i + 1}: y·f = {short(event.margin)}, and {alpha} ="
        f" {short(event.old)}.",
        (("visit", f"i = {i + 1}"),),
        f"y·f = {short(event.margin)}",
    )
    if event.projected_gradient == 0.0:
        where = (
            "is at the top of its parabola"
            if event.gradient == 0.0
            else f"would leave [0, C] at {short(event.old)}"
        )
        stay = _beat(
            event,
            "Its gradient",
            f"G = y·f − 1 = {G}: {alpha} {where}, so it stays and nothing moves.",
            (("slope", f"G = {G}"), ("stay", "yes")),
            f"G = {G}",
            (gradient_formula, *formulas),
        )
        return visit, stay
    verb = "rise" if event.gradient < 0.0 else "fall"
    top = (
        "has no top" if math.isinf(event.unclipped) else f"has its top at {short(event.unclipped)}"
    )
    gradient = _beat(
        event,
        "Its gradient",
        f"G = y·f − 1 = {G}, the slope of −D: {alpha} must {verb}; the parabola of D with"
        f" curvature {short(event.curvature)} {top}.",
        (("slope", f"G = {G}"), ("top", f"α = {short(event.unclipped)}")),
        f"G = {G}",
        (gradient_formula, *formulas[: len(formulas) - _count_updates(event)][:1]),
    )
    return visit, gradient, _clip(event, alpha, tuple(formulas))


def _clip(event: PointVisited, alpha: str, formulas: tuple[Formula, ...]) -> Beat:
    """Return the beat of the new alpha and w."""
    is_clipped = event.new != event.unclipped and event.new in (0.0, event.upper)
    lines = [("box", "yes" if is_clipped else "no")]
    lines += [("clip", f"α = {short(event.new)}")] if is_clipped else []
    if event.new != event.old:
        lines.append(("w", f"Δα = {short(event.new - event.old)}"))
        lines.append(("alpha", f"{alpha} = {short(event.new)}"))
    end = f"stops at {'C' if event.new else '0'}" if is_clipped else "goes to its top"
    return _beat(
        event,
        "The clip",
        f"{alpha}: {short(event.old)} → {short(event.new)}: it {end}; w moves by Δα·y·x and D"
        f" rises by {short(event.rise)}.",
        tuple(lines),
        f"α {short(event.old)} → {short(event.new)}",
        formulas[-_count_updates(event) - (len(formulas) > 1 + _count_updates(event)) :],
    )


def _count_updates(event: PointVisited) -> int:
    """Return how many formulas of the event, its last ones, are those of w and b."""
    return 1 if event.bias is None else 2


def _beat(
    event: PointVisited,
    name: str,
    sentence: str,
    lines: LineValues,
    note: str,
    formulas: tuple[Formula, ...] = (),
) -> Beat:
    return Beat(
        name,
        sentence,
        points=(event.i,),
        notes=((event.i, note),),
        lines=lines,
        values=((f"point {event.i + 1}", note),),
        formulas=formulas,
    )
