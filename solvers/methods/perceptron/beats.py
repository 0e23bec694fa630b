"""The beats of a step of the perceptron, and its pseudo-code."""

from __future__ import annotations

from solvers.methods.perceptron.events import PointSeen
from solvers.run.beats import Beat, pseudo_code, short, subscript

CODE = pseudo_code(
    "Rosenblatt 1958; Novikoff 1962",
    """
         | repeat until a sweep has no mistake
    look |   for i in the order of the sweep
    test |     if yᵢ f(xᵢ) ≤ 0
    plus |     if f(xᵢ) < 0 and yᵢ = +1, or f(xᵢ) ≥ 0 and yᵢ = −1
    w    |       w ← w + yᵢ xᵢ
    b    |       b ← b + yᵢ
    """,
)


def beats_of(event: PointSeen) -> tuple[Beat, ...]:
    """Return the beats of a step: look at a point, decide whether it is a mistake, add it to w.

    Without a mistake, the step has only the first two beats.
    """
    i, f = event.i, event.label * event.margin
    test, *update = event.formulas()
    margin = f"y·f = {short(event.margin)}"
    look = Beat(
        "Look",
        f"Sweep {event.sweep} comes to point {i + 1} of class {event.label:+d}:"
        f" f = {short(f)}, so {margin}.",
        points=(i,),
        notes=((i, margin),),
        lines=(("look", f"i = {i + 1}"),),
        values=((f"point {i + 1}", margin),),
    )
    if not event.mistake:
        where = "on its side of the boundary"
        if event.margin == 0.0:
            where = "on the boundary, where f = 0 predicts its class +1"
        sentence = f"Point {i + 1} is {where}: no mistake, so nothing changes."
        return look, _decision_beat(event, "No mistake", sentence, (test, *update), "no")
    where = "on the wrong side" if event.margin < 0.0 else "on the boundary, where f = 0"
    mistake = f"Point {i + 1} is {where}: a mistake, so it is added to w."
    sign = "+" if event.label > 0 else "−"
    lines = [("w", f"w {sign} x{subscript(i + 1)}")]
    b = ""
    if event.bias is not None:
        lines.append(("b", f"b = {short(event.bias)}"))
        b = f", and {event.label:+d} to b"
    add = Beat(
        "Add",
        f"y·x of point {i + 1} is added to w{b}, so the boundary moves; mistakes at this point so"
        f" far: {event.count:,}.",
        points=(i,),
        notes=((i, f"mistakes: {event.count:,}"),),
        lines=tuple(lines),
        values=(("mistakes", f"{event.mistakes:,}"),),
        formulas=tuple(update),
    )
    return look, _decision_beat(event, "A mistake", mistake, (test,), "yes"), add


def _decision_beat(
    event: PointSeen, name: str, sentence: str, formulas: tuple, answer: str
) -> Beat:
    line = "plus" if event.zero_is_positive else "test"
    return Beat(
        name,
        sentence,
        points=(event.i,),
        notes=((event.i, f"y·f = {short(event.margin)}"),),
        lines=((line, f"{short(event.margin)}: {answer}"),),
        formulas=formulas,
    )
