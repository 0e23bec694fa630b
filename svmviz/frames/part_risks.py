"""The errors on the parts (training, validation and test points), as numbers and in words.

In classification the error is the 0-1 risk: the fraction of points whose class is not predicted.
In regression it is the mean of ``|y - f(x)|``, in units of y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import PointSet
from solvers.selection.risks import risk_named
from svmviz.base.notation import of_keys
from svmviz.base.words import class_titles, count, number, percent
from svmviz.document.document import Document
from svmviz.document.held_out import PARTS, TEST, TRAINING, VALIDATION
from svmviz.frames.frame import Lane

LOCKED = "locked"


@dataclass(frozen=True)
class PartRisk:
    """The error on one part.

    Attributes
    ----------
    part : int
        TRAINING, VALIDATION or TEST.
    points : int
        Number of points of the part.
    risk : float or None
        The error. None if the test part is locked, or if the part is so large that f would take too
        long to evaluate in each frame.
    locked : bool
        Whether this is the test part, and the user has not shown it yet.
    seen : bool
        Whether this is the test part, and the user has shown it.
    wrong : int or None
        Number of misclassified points; None in regression, or if ``risk`` is None.
    """

    part: int
    points: int
    risk: float | None
    locked: bool = False
    seen: bool = False
    wrong: int | None = None

    @property
    def name(self) -> str:
        """The name of the part."""
        return PARTS[self.part]

    @property
    def words(self) -> str:
        """The error in a few characters, such as ``2.5 %``, ``0.13`` or ``locked``."""
        if self.locked:
            return LOCKED
        if self.risk is None:
            return "?"
        return number(self.risk, 2) if self.wrong is None else percent(self.risk)

    @property
    def with_state(self) -> str:
        """The error in words, followed by "(seen)" if this is the test part and was shown."""
        return f"{self.words} (seen)" if self.seen else self.words


def part_risks(document: Document, lane: Lane) -> tuple[PartRisk, ...]:
    """Return the errors of a lane on the parts that have points; the training part is first."""
    training = document.data
    risks = [_risk_of(document, TRAINING, _targets(document, training), lane.certificate.decision)]
    held_out = document.held_out
    if held_out is None:
        return tuple(risks)
    start = 0
    for part, data in ((VALIDATION, held_out.validation), (TEST, held_out.test)):
        decision = (
            None
            if lane.held_out_values is None
            else lane.held_out_values[start : start + len(data)]
        )
        start += len(data)
        if not len(data):
            continue
        if part == TEST and not held_out.seen:
            risks.append(PartRisk(part, len(data), None, locked=True))
            continue
        seen = part == TEST
        risks.append(_risk_of(document, part, _targets(document, data), decision, seen))
    return tuple(risks)


def risk_of_test(document: Document, lane: Lane) -> float | None:
    """Return the error on the test part even if it is locked.

    None if there are no test points, or if the frame has no decision values for them.
    """
    held_out = document.held_out
    if held_out is None or lane.held_out_values is None or not len(held_out.test):
        return None
    decision = lane.held_out_values[len(held_out.validation) :]
    return _risk_of(document, TEST, _targets(document, held_out.test), decision).risk


def error_words(document: Document, lane: Lane, machine: str = "") -> tuple[str, ...]:
    """Return alternative wordings of all errors, from the longest to the shortest.

    The caller shows the first wording that fits. The longest has all errors, as in
    ``training error 0 %, validation 5 %, test locked``. Shorter ones leave out a test part that is
    locked, abbreviate "training error", leave out "(seen)", and finally the validation error. All
    begin with ``machine``, such as "machine 1: ".
    """
    first, *others = part_risks(document, lane)
    mean = "mean " if document.is_regression else ""
    training = f"{machine}{mean}{first.name} error {first.words}"
    known = [risk for risk in others if not risk.locked] or others
    texts = [
        [training, *(f"{risk.name} {risk.with_state}" for risk in some)] for some in (others, known)
    ]
    texts += [
        [
            f"{machine}train {first.words}",
            *(f"{risk.name}\N{NO-BREAK SPACE}{risk.words}" for risk in some),
        ]
        for some in (known, [risk for risk in others if risk.part == TEST])
    ]
    return tuple(dict.fromkeys(", ".join(phrases) for phrases in texts))


def wrong_words(document: Document, lane: Lane) -> str:
    """Return how many training and validation points are wrong; empty without validation points."""
    counted = [risk for risk in part_risks(document, lane) if risk.wrong is not None]
    if not any(risk.part == VALIDATION for risk in counted):
        return ""
    return ", ".join(
        f"{risk.name} {count(risk.wrong or 0)} of {count(risk.points)} wrong" for risk in counted
    )


def error_sentence(document: Document, lane: Lane, machine: str = "") -> str:
    """Return the errors as a sentence that begins with ``machine``, with the numbers of points."""
    phrases = []
    for risk in part_risks(document, lane):
        notes = _wrong_per_class(document, lane) if risk.part == TRAINING else []
        if not notes and risk.wrong is not None:
            notes = [f"{count(risk.wrong)} of {count(risk.points)}"]
        notes += ["already used"] if risk.seen and not _is_first_look(document, risk) else []
        error = " error" if risk.part == TRAINING and not document.is_regression else ""
        parenthesis = f" ({', '.join(notes)})" if notes else ""
        words = "error hidden until you test" if risk.locked else f"{risk.words}{parenthesis}"
        phrases.append(f"{risk.name}{error} {words}")
    joined = machine + ", ".join(phrases)
    if document.is_regression:
        return f"Mean |y − f|: {joined}."
    return f"{joined[:1].upper()}{joined[1:]}."


def _wrong_per_class(document: Document, lane: Lane) -> list[str]:
    """Return how many training points of each class are wrong, if the two classes have weights."""
    if not document.has_weights or document.many is not None:
        return []
    loss = risk_named(None, document.task).loss
    wrong = loss(lane.certificate.decision, _targets(document, document.data), document.epsilon)
    parts = [
        (of_keys(title), document.data.labels == label)
        for title, label in zip(reversed(class_titles(document.data)), (1, -1), strict=True)
    ]
    return [
        f"{count(int(wrong[part].sum()))} of {count(int(part.sum()))} of {title}"
        for title, part in parts
        if part.any()
    ]


def _is_first_look(document: Document, risk: PartRisk) -> bool:
    """Return whether the error is that at the opening of the test part: an honest estimate."""
    opened = document.held_out.at_opening if document.held_out else None
    return None not in (opened, risk.risk) and opened == risk.risk


def _targets(document: Document, data: PointSet) -> np.ndarray:
    """Return y of the points, shape (n,): their heights in regression, otherwise their classes."""
    return data.points[:, 1] if document.is_regression else data.labels.astype(np.float64)


def _risk_of(
    document: Document,
    part: int,
    targets: np.ndarray,
    decision: np.ndarray | None,
    seen: bool = False,
) -> PartRisk:
    """Return the error on a part, from y and f of its points; ``decision`` is None if unknown."""
    n = len(targets)
    if decision is None or not n:
        return PartRisk(part, n, None, seen=seen)
    loss = risk_named(None, document.task).loss(decision, targets, document.epsilon)
    wrong = None if document.is_regression else int(loss.sum())
    return PartRisk(part, n, float(loss.mean()), seen=seen, wrong=wrong)
