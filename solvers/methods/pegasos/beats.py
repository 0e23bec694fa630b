"""The beats of a step of Pegasos, and its pseudo-code."""

from __future__ import annotations

from solvers.methods.pegasos.events import BatchDrawn
from solvers.run.beats import Beat, PseudoCode, pseudo_code, short, strong_or_light
from solvers.run.formulas import Formula, compared_with_one

CODE = pseudo_code(
    "Shalev-Shwartz et al. 2011",
    """
           | for t = 1, 2, …, T
    draw   |   B ← drawn at random
    rate   |   η ← 1 / (λt)
    test   |   B⁺ ← those with yᵢ f(xᵢ) < 1
    shrink |   w ← (1 − 1/t) w
    add    |   w ← w + η/|B| Σ yᵢxᵢ over B⁺
    theta  |   θ ← θ + 1/|B| Σ yᵢxᵢ over B⁺
    scale  |   w ← η θ
    bias   |   b ← b + η/|B| Σ yᵢ over B⁺
    ball   |   if ‖w‖ > 1/√λ: w ← w / (√λ ‖w‖)
    mean   |   w̄ ← (1 − 1/t) w̄ + w/t
    """,
)


def code_of(form: str, project: bool, average: bool, bias: str) -> PseudoCode:
    """Return the pseudo-code for some settings.

    A regularised b has no line of its own, since it is updated like the entries of w.
    """
    unused = ["shrink", "add"] if form == "theta" else ["theta", "scale"]
    used = {"ball": project, "mean": average, "bias": bias == "free"}
    return CODE.without(*unused, *(label for label, is_used in used.items() if not is_used))


def beats_of(event: BatchDrawn, n: int) -> tuple[Beat, ...]:
    """Return the beats of a step: draw, margin, shrink, add, project and mean.

    In the notation with theta, the beats add and scale replace shrink and add. Parts that the step
    does not carry out have no beat.
    """
    test, step_size, *remaining = event.formulas()
    steps, remaining = (
        (remaining[:2], remaining[2:]) if event.form == "theta" else (remaining[:1], remaining[1:])
    )
    bias, remaining = (remaining[:1], remaining[1:]) if event.bias is not None else ([], remaining)
    projects = event.projection < 1.0 and event.norm is not None
    ball, mean = (remaining[:1], remaining[1:]) if projects else ([], remaining)
    beats = [_draw(event, n, step_size), _margin(event, test)]
    if event.form == "theta":
        beats += _theta(event, steps, bias)
    else:
        beats += _weights(event, steps, bias)
    if projects:
        beats.append(_project(event, tuple(ball)))
    if event.mean is not None:
        sentence = f"The mean of all {event.t:,} iterates moves 1/{event.t:,} of the way to this w."
        beats.append(
            _beat(event, "Mean", sentence, (("mean", f"1/t = {short(1 / event.t)}"),), mean)
        )
    return tuple(beats)


def _beat(
    event: BatchDrawn,
    name: str,
    sentence: str,
    lines: tuple[tuple[str, str], ...],
    formulas: list[Formula] | tuple[Formula, ...] = (),
) -> Beat:
    margins = dict(zip(event.batch, event.margins, strict=True))
    notes = tuple((i, f"y·f = {short(margin)}") for i, margin in list(margins.items())[:5])
    points, others = strong_or_light(event.batch)
    values = tuple((f"point {i + 1}", note) for i, note in notes)
    return Beat(name, sentence, points, others, notes, lines, values, tuple(formulas))


def _draw(event: BatchDrawn, n: int, size: Formula) -> Beat:
    batch = event.batch
    noun = f"point {batch[0] + 1}" if len(batch) == 1 else f"a batch B of {len(batch)} points"
    lines = (
        ("draw", f"i = {batch[0] + 1}" if len(batch) == 1 else f"|B| = {len(batch)}"),
        ("rate", f"η = {short(event.rate)}"),
    )
    sentence = (
        f"Step t = {event.t:,} draws {noun} at random from {n:,}; the step size is"
        f" 1/(λt) = {short(event.rate)}."
    )
    return _beat(event, "The point drawn", sentence, lines, (size,))


def _margin(event: BatchDrawn, test: Formula) -> Beat:
    n_inside, n_drawn = len(event.violating), len(event.batch)
    if n_drawn == 1:
        end = "inside its margin, so it is added" if n_inside else "outside, so nothing is added"
        margin = event.margins[0]
        sentence = f"Point {event.batch[0] + 1} has y·f = {compared_with_one(margin)}: {end}."
        value = "yes" if n_inside else "no"
    else:
        verb, added = ("has", "it is") if n_inside == 1 else ("have", "they are")
        end = f"{added} added to w" if n_inside else "so nothing is added"
        sentence = f"{n_inside} of {n_drawn} drawn points {verb} y·f < 1: {end}."
        value = f"|B⁺| = {n_inside}"
    return _beat(event, "Its margin", sentence, (("test", value),), (test,))


def _weights(event: BatchDrawn, steps: list[Formula], bias: list[Formula]) -> list[Beat]:
    factor = 1.0 - 1.0 / event.t
    shrink = _beat(
        event,
        "Shrink",
        f"w is multiplied by 1 − ηλ = 1 − 1/t = {short(factor)}, the gradient step of the term"
        " λ/2 ‖w‖².",
        (("shrink", f"× {short(factor)}"),),
        () if event.violating else [*steps, *bias],
    )
    if not event.violating:
        return [shrink]
    share = event.rate / len(event.batch)
    lines = [("add", f"× {short(share)}"), *_bias_line(event)]
    inside = len(event.violating)
    subject, pronoun = ("this point", "it") if inside == 1 else (f"each of the {inside}", "them")
    sentence = (
        f"y·x of {subject} is added {short(share)} times to w: the boundary moves away from"
        f" {pronoun}."
    )
    return [shrink, _beat(event, "Add", sentence, tuple(lines), [*steps, *bias])]


def _theta(event: BatchDrawn, steps: list[Formula], bias: list[Formula]) -> list[Beat]:
    beats = []
    if event.violating:
        k = len(event.batch)
        share = "" if k == 1 else f"1/{k} of "
        points = "the point" if len(event.violating) == 1 else "each point"
        sentence = f"The sum θ grows by {share}y·x of {points} inside its margin."
        beats.append(_beat(event, "Add", sentence, (("theta", ""),), steps[:1]))
    rate = short(event.rate)
    sentence = f"w is θ/(λt), the sum times {rate}: the larger t, the smaller this factor."
    lines = (("scale", f"w = {rate} θ"), *_bias_line(event))
    return [
        *beats,
        _beat(event, "Scale", sentence, lines, [*(steps[1:] if event.violating else steps), *bias]),
    ]


def _bias_line(event: BatchDrawn) -> tuple[tuple[str, str], ...]:
    """Return the line of b with its value; empty if b is regularised or does not change."""
    if event.bias is None or event.regularised or not event.violating:
        return ()
    return (("bias", f"b = {short(event.bias)}"),)


def _project(event: BatchDrawn, ball: tuple[Formula, ...]) -> Beat:
    return _beat(
        event,
        "Project",
        f"‖w‖ = {short(event.norm or 0.0)} is beyond the ball of radius 1/√λ, which contains the"
        f" optimum: w is multiplied by {short(event.projection)}.",
        (("ball", f"× {short(event.projection)}"),),
        ball,
    )
