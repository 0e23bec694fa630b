"""The beats of a step of sub-gradient descent, and its pseudo-code."""

from __future__ import annotations

from solvers.methods.subgradient.events import WeightsMoved, change_of_J
from solvers.run.beats import Beat, PseudoCode, pseudo_code, short, strong_or_light
from solvers.run.formulas import Formula
from solvers.run.method import counted

CODE = pseudo_code(
    "Shor 1985",
    """
             | for t = 1, 2, …
    inside   |   B⁺ ← all i with yᵢ f(xᵢ) < 1
    inverse  |   η ← 1 / (λt)
    constant |   η ← η₀
    root     |   η ← η₀ / √t
    shrink   |   w ← (1 − ηλ) w
    add      |   w ← w + η/n Σ yᵢxᵢ over B⁺
    bias     |   b ← b + η/n Σ yᵢ over B⁺
    best     |   if J(w) < J(best): best ← w
    """,
)
RULES = ("inverse", "constant", "root")
# The text before the value of the step size in a sentence, for each rule.
RATE_TEXTS = {"inverse": "1/(λt) = ", "constant": "", "root": "η₀/√t = "}


def code_of(rule: str, best: bool, bias: str) -> PseudoCode:
    """Return the pseudo-code for some settings.

    A regularised b has no line of its own, since it is updated like the entries of w.
    """
    unused = [other for other in RULES if other != rule]
    used = {"best": best, "bias": bias == "free"}
    return CODE.without(*unused, *(label for label, is_used in used.items() if not is_used))


def beats_of(event: WeightsMoved) -> tuple[Beat, ...]:
    """Return the beats of a step: points inside, step size, shrink, add, and the best so far."""
    eta, step, *remaining = event.formulas
    bias, best = (remaining[:1], remaining[1:]) if event.bias is not None else ([], remaining)
    inside, n = len(event.violating), event.count
    change = change_of_J(event.value_before, event.value)
    verb = "is" if inside == 1 else "are"
    inside_text = (
        f"{counted(inside, 'point')} of {n:,} {verb} inside the margin, y·f < 1: each adds −y·x to"
        " the sub-gradient of the hinge loss"
        if inside
        else f"No point of {n:,} is inside the margin, y·f < 1: the hinge loss has the slope 0"
    )
    beats = [
        _beat(
            event,
            "Look at all points",
            f"{inside_text}.",
            (("inside", f"|B⁺| = {inside}"),),
        ),
        _beat(
            event,
            "Step size",
            f"Step t = {event.t:,} has the step size"
            f" η = {RATE_TEXTS[event.rule]}{short(event.eta)}.",
            ((event.rule, f"η = {short(event.eta)}"),),
            (eta,),
        ),
    ]
    factor = short(1.0 - event.eta_lam)
    shrink = (("shrink", f"× {factor}"),)
    if not inside:
        sentence = f"No point is inside, so w is only multiplied by 1 − ηλ = {factor}: {change}."
        beats.append(_beat(event, "Shrink", sentence, shrink, (step, *bias)))
    else:
        sentence = f"w is multiplied by 1 − ηλ = {factor}, the gradient step of the term λ/2 ‖w‖²."
        beats.append(_beat(event, "Shrink", sentence, shrink))
        share = short(event.eta / n)
        has_free_bias = event.bias is not None and not event.regularised
        lines = (
            ("add", f"× {share}"),
            *([("bias", f"b = {short(event.bias or 0.0)}")] * has_free_bias),
        )
        sentence = f"y·x of each point inside is added {share} times to w: {change}."
        beats.append(_beat(event, "Add", sentence, lines, (step, *bias)))
    if event.best_before is not None:
        is_best = event.value < event.best_before
        result = "the new best, and is shown" if is_best else "not below it, so the best stays"
        sentence = f"The best J so far was {event.best_before:.4g}; {event.value:.4g} is {result}."
        lines = (("best", f"J = {event.best:.4g}"),) if is_best else ()
        beats.append(_beat(event, "Best so far", sentence, lines, tuple(best)))
    return tuple(beats)


def _beat(
    event: WeightsMoved,
    name: str,
    sentence: str,
    lines: tuple[tuple[str, str], ...],
    formulas: tuple[Formula, ...] = (),
) -> Beat:
    points, others = strong_or_light(event.violating)
    return Beat(name, sentence, points, others, lines=lines, formulas=formulas)
