"""Sentences on the cells of a map, each of which stands for the model with certain parameters."""

from __future__ import annotations

import math

from solvers.run.method import counted
from solvers.selection.estimate import NOTES
from svmviz.base.words import PERCENT, number, percent
from svmviz.selection.axes import Axis, axes_of
from svmviz.selection.map_model import MapModel
from svmviz.selection.plan import VALIDATION, held_words

# Procedures whose parts are single points. The spread of their risks is not written, since it does
# not show how precise the mean is.
SINGLE_POINTS = ("leave-one-out",)
# The sentence on the estimate by the validation part of the document's split.
VALIDATION_NOTE = "One validation part gives no spread; the test part has no influence."


def risk_words(value: float, in_percent: bool, digits: int = 3) -> str:
    """Return a risk as text. If ``in_percent``, it is a fraction and is written in percent."""
    if not math.isfinite(value):
        return "–"
    return percent(value, digits) if in_percent else number(value, digits)


def spread_words(mean: float, spread: float, in_percent: bool) -> str:
    """Return "mean ± spread"; if ``in_percent``, both are fractions and are written in percent."""
    deviation = number((100.0 if in_percent else 1.0) * spread, 2)
    return (
        f"{risk_words(mean, in_percent).removesuffix(PERCENT)} ± {deviation}{PERCENT * in_percent}"
    )


def values_words(axes: dict[str, Axis], values: dict[str, float]) -> str:
    """Return the values of parameters as text, such as "C = 1, γ = 0.5"."""
    return ", ".join(f"{axes[name].label} = {number(value, 3)}" for name, value in values.items())


def cell_words(model: MapModel, cell: int, beginning: str) -> str:
    """Return one or two sentences on a cell.

    ``beginning`` is the beginning of the first sentence, such as "Lowest risk: ", or empty.
    """
    settings, document = model.result_settings, model.document
    if settings is None or document is None:
        return ""
    opening = f"{beginning}{values_words(axes_of(document), settings.values(cell))}"
    if refusal := model.cells.refusal(cell):
        return f"{opening}: {refusal.rstrip('.')}."
    numbers = model.cells.numbers(cell)
    if not math.isfinite(numbers.risk):
        return f"{opening}: no result yet."
    in_percent = model.is_fraction
    risk = risk_words(numbers.risk, in_percent)
    if math.isfinite(numbers.spread) and settings.plan.procedure not in SINGLE_POINTS:
        risk = spread_words(numbers.risk, numbers.spread, in_percent)
    text = (
        f"{opening}: risk {risk}, training {risk_words(numbers.training, in_percent, 2)}, "
        f"{number(numbers.support, 3)} support vectors."
    )
    unfinished = model.cells.unfinished(cell)
    return f"{text} {unfinished}." if unfinished else text


def notes_words(model: MapModel) -> str:
    """Return sentences on cells without a risk, and on how far the risks can be trusted."""
    settings = model.result_settings
    if settings is None:
        return ""
    is_fixed = settings.plan.procedure == VALIDATION
    sentences = [VALIDATION_NOTE if is_fixed else NOTES[settings.plan.procedure]]
    if not is_fixed:
        sentences.insert(0, f"{settings.plan.words}.")
    if settings.shape != (1, 1):
        sentences.append("The lowest of many risks underestimates the risk of its cell.")
    if model.document is not None and "C" not in settings.names:
        sentences.append(held_words(model.document))
    refused = model.cells.refused
    if refused:
        reason = model.cells.refusal(refused[0]).rstrip(".")
        cells = counted(len(refused), "cell")
        sentences.insert(0, f"The risk of {cells} cannot be computed: {reason}.")
    return " ".join(filter(None, sentences))
