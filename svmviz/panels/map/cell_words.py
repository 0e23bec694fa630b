"""Cells of a map in words."""

from __future__ import annotations

import math

from solvers.selection.estimate import NOTES
from svmviz.base.words import number
from svmviz.selection.axes import Axis, axes_of
from svmviz.selection.map_model import MapModel

# Procedures whose parts are single points: their spread does not show how precise the mean is.
SINGLE_POINTS = ("leave-one-out",)


def risk_words(value: float, percent: bool, digits: int = 3) -> str:
    """Return a risk in words; a fraction of points in percent."""
    if not math.isfinite(value):
        return "–"
    return f"{number(100.0 * value, digits)} %" if percent else number(value, digits)


def values_words(axes: dict[str, Axis], values: dict[str, float]) -> str:
    """Return parameters and their values."""
    return ", ".join(f"{axes[name].label} = {number(value, 3)}" for name, value in values.items())


def cell_words(model: MapModel, cell: int, what: str) -> str:
    """Return one cell in one or two sentences; ``what`` says which cell it is."""
    settings, document = model.shown, model.document
    if settings is None or document is None:
        return ""
    head = f"{what}{values_words(axes_of(document), settings.values(cell))}"
    if refusal := model.cells.refusal(cell):
        return f"{head}: {refusal.rstrip('.')}."
    known = model.cells.numbers(cell)
    if not math.isfinite(known.risk):
        return f"{head}: no result yet."
    percent = model.is_share
    risk = risk_words(known.risk, percent)
    if math.isfinite(known.spread) and settings.plan.procedure not in SINGLE_POINTS:
        spread = number((100.0 if percent else 1.0) * known.spread, 2)
        risk = f"{risk.removesuffix(' %')} ± {spread}{' %' * percent}"
    text = (
        f"{head}: risk {risk}, training {risk_words(known.training, percent, 2)}, "
        f"{number(known.support, 3)} support vectors."
    )
    unfinished = model.cells.unfinished(cell)
    return f"{text} {unfinished}." if unfinished else text


def notes_words(model: MapModel) -> str:
    """Return sentences on what the numbers of the map do not mean."""
    settings = model.shown
    if settings is None:
        return ""
    sentences = [NOTES[settings.plan.procedure]]
    if settings.shape != (1, 1):
        sentences.append("The lowest of many risks is too low an estimate for its cell.")
    refused = model.cells.refused
    if refused:
        cells = "1 cell has" if len(refused) == 1 else f"{len(refused):,} cells have"
        sentences.insert(0, f"{cells} no risk: {model.cells.refusal(refused[0]).rstrip('.')}.")
    return " ".join(sentences)
