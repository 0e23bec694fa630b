"""Sentences of the Model choice panel: what comes next, and what was found."""

from __future__ import annotations

import math

from svmviz.base.words import count
from svmviz.document.document import Document
from svmviz.panels.selection.cell_words import risk_words, values_words
from svmviz.panels.selection.split.drawer import situation_words
from svmviz.selection.background_search import State
from svmviz.selection.choice_model import ChoiceModel, ModelResult

# Steps of the procedure. The panel shows the sentence of the next step.
PARTS, SEARCH, RUNNING, TAKE, RETRAIN, TEST, DONE = range(7)
STEP_WORDS = {
    PARTS: "Divide the points: the validation part compares models, and the test part judges the "
    "chosen one.",
    SEARCH: "Search trains each candidate on the training part, with several parameters, and "
    "measures its risk on the validation part.",
    RUNNING: "Each model is trained on the training part and measured on the validation part.",
    TAKE: "Take the model with the lowest validation risk. As an estimate this risk is too low, "
    "since the model was chosen for it.",
    RETRAIN: "The model is chosen. Train it again on training and validation part together: more "
    "points usually help. A drawback: C was chosen with fewer points, and only the test "
    "part is left to judge this model.",
    TEST: "Now the test part, once: its error is an honest estimate, as long as no model is chosen "
    "by it.",
}
TEST_USED = (
    "Now the test part, once. Earlier models have seen its points, so its error may be too low; "
    "new test points (panel Split) are honest."
)


def next_step(document: Document, model: ChoiceModel) -> int:
    """Return the next step of the procedure for a document."""
    held_out = document.held_out
    has_validation = held_out is not None and len(held_out.validation) > 0
    has_test = held_out is not None and len(held_out.test) > 0
    if has_test and held_out is not None and held_out.seen:
        return DONE
    if has_test and not has_validation and model.is_taken:
        return TEST
    if not (has_validation and has_test):
        return PARTS
    if model.search.is_active:
        return RUNNING
    if model.best is None or model.is_stale or model.search.state is State.CANCELLED:
        return SEARCH
    return RETRAIN if model.is_taken else TAKE


def step_words(step: int, document: Document) -> str:
    """Return the sentence of a step."""
    if step == DONE:
        return situation_words(document)
    held_out = document.held_out
    if step == TEST and held_out is not None and held_out.used:
        return TEST_USED
    return STEP_WORDS[step]


def sizes_words(document: Document) -> str:
    """Return the numbers of points of the three parts."""
    held_out = document.held_out
    sizes = (
        (document.n, 0, 0)
        if held_out is None
        else (document.n, len(held_out.validation), len(held_out.test))
    )
    return " · ".join(
        f"{count(n)} {name}"
        for n, name in zip(sizes, ("training", "validation", "test"), strict=True)
    )


def model_words(found: ModelResult, document: Document, is_fraction: bool) -> str:
    """Return the risk and the parameters of a model, such as "5 %, C = 1, γ = 10"."""
    if not math.isfinite(found.risk):
        return found.refusal.rstrip(".") or "no risk"
    axes = {axis.name: axis for axis in found.candidate.axes(document)}
    values = values_words(axes, {name: found.values[name] for name in axes})
    risk = risk_words(found.risk, is_fraction)
    return f"{risk} at {values}" if values else risk
