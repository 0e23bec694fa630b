"""The controls of a card in a page. A run is recorded for each combination of their values.

If the page solves by itself, it has sliders for C and gamma instead.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from solvers.errors import BadInput
from solvers.settings import Setting, settings_of
from svmviz.base.words import number
from svmviz.document.document import Document
from svmviz.lessons.goals import Goal
from svmviz.lessons.tries import Try

# Maximum number of runs that are recorded for one card.
MAX_RUNS = 60
# The controls that are not settings of a kernel or a method, with their ranges.
MODEL = {
    "C": Setting("C", "", low=1e-2, high=1e3, scale="log"),
    "lambda": Setting("λ", "", low=1e-4, high=10.0, scale="log"),
    "epsilon": Setting("ε", "", low=0.0, high=1.0),
    "bias": Setting(
        "Bias",
        "",
        scale="choice",
        choices=(("free", "free"), ("none", "none"), ("augmented", "regularised")),
    ),
}


@dataclass(frozen=True)
class CardControl:
    """A control of a card.

    Attributes
    ----------
    name, label : str
    values : tuple of str
        The values, as in lines ``try``.
    texts : tuple of str
        The values as they are shown.
    start : int
        Index of the document's value.
    is_ordered : bool
        Whether the values are numbers, so that a slider shows them.
    """

    name: str
    label: str
    values: tuple[str, ...]
    texts: tuple[str, ...]
    start: int
    is_ordered: bool


def controls_of(
    document: Document, names: Sequence[str], goals: Sequence[Goal]
) -> list[CardControl]:
    """Return the controls of these names, if the document has them and a page can offer them.

    If a goal needs the drawer of the test part, it is added as a control.
    """
    tries = [change for goal in goals for change in goal.tries]
    drawer = _drawer(document) if any(change.word == "part" for change in tries) else None
    runs = MAX_RUNS // 2 if drawer else MAX_RUNS
    share = max(2, int(runs ** (1.0 / max(1, len(names)))))
    made = (*(_control(document, name, tries, share) for name in names), drawer)
    return [control for control in made if control is not None]


def documents_of(document: Document, controls: Sequence[CardControl]) -> list[Document | None]:
    """Return the document of each combination of values; the last control changes fastest.

    The document is None if the combination is refused.
    """
    found: list[Document | None] = []
    for values in product(*(control.values for control in controls)):
        changed: Document | None = document
        try:
            for control, value in zip(controls, values, strict=True):
                if value != control.values[control.start]:
                    changed = Try(control.name, value).changed(changed)
            changed.problem()
        except BadInput:
            changed = None
        found.append(changed)
    return found


def _drawer(document: Document) -> CardControl | None:
    """Return the control that opens the test part; None if there is no part, or it is open."""
    held_out = document.held_out
    if held_out is None or held_out.seen or not len(held_out.test):
        return None
    label = f"Reveal the {len(held_out.test)} test points"
    return CardControl("part", label, ("", "test"), ("closed", "open"), 0, False)


def _control(document: Document, name: str, tries: list[Try], count: int) -> CardControl | None:
    settings = {**MODEL, **settings_of(document.kernel), **settings_of(document.method)}
    setting = settings.get(name)
    if setting is None or setting.scale == "text":
        return None
    present = _present(document, name)
    if setting.choices:
        values = tuple(key for key, *_ in setting.choices)
        texts = tuple(str(words[1]) for words in setting.choices)
        return CardControl(name, setting.label, values, texts, values.index(present), False)
    if setting.scale == "switch":
        return CardControl(name, setting.label, ("off", "on"), ("off", "on"), int(present), False)
    numbers = _ladder(setting, [present, *_tried(document, name, tries)], count)
    texts = tuple(map(number, numbers))
    start = numbers.index(float(present))
    return CardControl(name, setting.label, tuple(map(repr, numbers)), texts, start, True)


def _present(document: Document, name: str):
    if name in ("C", "epsilon", "bias"):
        return getattr(document, name)
    if name == "lambda":
        return document.lam
    owner = document.kernel if name in settings_of(document.kernel) else document.method
    return getattr(owner, name)


def _tried(document: Document, name: str, tries: list[Try]) -> Iterator[float]:
    """Yield the numbers to which tries set a control, except those that the document refuses."""
    for change in tries:
        if change.word == name:
            with contextlib.suppress(BadInput):
                yield _present(change.changed(document), name)


def _ladder(setting: Setting, kept: list[float], count: int) -> list[float]:
    """Return about ``count`` numbers over the range of a setting and the numbers ``kept``, sorted.

    ``kept`` may contain infinity, and 0 even on a logarithmic scale.
    """
    is_log = setting.scale == "log"
    inner = [value for value in kept if math.isfinite(value) and (value > 0.0 or not is_log)]
    low, high = min([setting.low, *inner]), max([setting.high, *inner])
    if setting.scale == "integer":
        return sorted({*map(float, kept), *map(float, range(int(low), int(low) + min(count, 8)))})
    count = min(count, 31)
    steps = np.geomspace(low, high, count) if is_log else np.linspace(low, high, count)
    rounded = {float(f"{value:.2g}") for value in steps.tolist()}
    allowed = {v for v in rounded if setting.hard_low <= v <= setting.hard_high}
    return sorted({*kept, *(v for v in allowed if v > setting.hard_low or not setting.open_low)})
