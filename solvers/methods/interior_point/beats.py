"""The beats of an iteration of the interior point, and its pseudo-code."""

from __future__ import annotations

import math

from solvers.methods.interior_point.events import BlockingBound, PathFollowed
from solvers.methods.interior_point.steps import STEP_FRACTION
from solvers.problem.problem import Problem
from solvers.run.beats import Beat, pseudo_code, short, strong_or_light
from solvers.run.formulas import Formula

CODE = pseudo_code(
    "Mehrotra 1992",
    f"""
            | u, v ← multipliers of α ≥ 0, α ≤ C
            | repeat until the gap is small
    affine  |   Δᵃᶠᶠ ← Newton step to αu = 0, (C − α)v = 0
    first   |   sᵃᶠᶠ ← longest step along Δᵃᶠᶠ
    center  |   ω ← (μᵃᶠᶠ / μ)³
    correct |   Δ ← Newton step to αu = (C − α)v = ωμ
    length  |   s ← {STEP_FRACTION} · longest step along Δ
    move    |   α, b, u, v ← each + sΔ
    end     | each α near a bound ← this bound
    """,
)


def beats_of(problem: Problem, event: PathFollowed) -> tuple[Beat, ...]:
    """Return the beats of an iteration: predictor, corrector, the longest step, and the step."""
    formulas = event.formulas
    if event.is_last:
        return (_beat("The end", event.sentence, event.touched, (("end", ""),), formulas),)
    predicted_reach = _reach(problem, event.predicted, event.first, "until")
    reach = _reach(problem, event.length, event.blocking, "just short of where")
    blocking = [] if event.blocking is None else [problem.point_of(event.blocking.variable)]
    first = [] if event.first is None else [problem.point_of(event.first.variable)]
    gap = "" if math.isinf(event.gap) else f"; the gap is now {event.gap:.3g}"
    return (
        _beat(
            "Predictor",
            f"Straight towards the optimum, the step could go {predicted_reach}.",
            first,
            (("affine", ""), ("first", f"s = {short(event.predicted)}")),
            formulas[:1],
        ),
        _beat(
            "Corrector",
            f"After it μ, the mean of distance times multiplier, would be {short(event.mu_affine)}"
            f" instead of {short(event.mu)}; so aim at ωμ, where ω = min(1, their ratio)³ ="
            f" {short(event.sigma)}.",
            (),
            (("center", f"ω = {short(event.sigma)}"), ("correct", "")),
            formulas[1:2],
        ),
        _beat(
            "The longest step",
            f"Along the corrected direction the step goes {reach}; so all distances and"
            " multipliers stay above 0.",
            blocking,
            (("length", f"s = {short(event.length)}"),),
            formulas[2:3],
        ),
        _beat(
            "The step",
            f"All α move by s of the way, for instance from {short(event.old)} to"
            f" {short(event.new)}{gap}.",
            event.touched,
            (("move", f"s = {short(event.length)}"),),
            formulas[3:],
        ),
    )


def _reach(problem: Problem, length: float, bound: BlockingBound | None, end: str) -> str:
    """Return a clause that says how far a step goes, and which bound limits it."""
    if bound is None or length == 1.0:
        return "the whole way"
    return f"{short(length)} of the way, {end} {bound.in_words(problem.name_of(bound.variable))}"


def _beat(
    name: str,
    sentence: str,
    points_to_mark: list[int] | tuple[int, ...],
    lines: tuple[tuple[str, str], ...],
    formulas: tuple[Formula, ...],
) -> Beat:
    points, others = strong_or_light(points_to_mark)
    return Beat(name, sentence, points, others, lines=lines, formulas=formulas)
