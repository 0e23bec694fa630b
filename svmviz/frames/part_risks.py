"""The errors on the training, validation and test part, as numbers and in words.

In a classification the risk is the 0-1 risk, the fraction of points with y f(x) <= 0; in a
regression it is the mean of |y - f(x)|, in units of y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import PointSet
from solvers.selection.risks import risk_named
from svmviz.base.words import count, number
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
    risk : float or None
        None if the test part is locked, or if the part is too large to be evaluated in each frame.
    locked : bool
        Whether this is a test part that was not shown yet.
    seen : bool
        Whether this is a test part that was shown.
    wrong : int or None
        Number of misclassified points; None in a regression, and if there is no risk.
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
        """The same, with "(seen)" if this is a test part that was shown."""
        return f"{self.words} (seen)" if self.seen else self.words


def percent(risk: float) -> str:
    """Return a 0-1 risk as a percentage; the space before the % sign does not break."""
    return f"{number(100.0 * risk, 2)}\N{NO-BREAK SPACE}%"


def part_risks(document: Document, lane: Lane) -> tuple[PartRisk, ...]:
    """Return the errors of a lane on the parts that have points; the training part is first."""
    training = document.data
    risks = [_risk_of(document, TRAINING, _targets(document, training), lane.certificate.decision)]
    held_out = document.held_out
    if held_out is None:
        return tuple(risks)
    start = 0
    for part, data in ((VALIDATION, held_out.validation), (TEST, held_out.test)):
        decision = None if lane.held is None else lane.held[start : start + len(data)]
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
    if held_out is None or lane.held is None or not len(held_out.test):
        return None
    decision = lane.held[len(held_out.validation) :]
    return _risk_of(document, TEST, _targets(document, held_out.test), decision).risk


def error_words(document: Document, lane: Lane) -> tuple[str, ...]:
    """Return the errors in a few words, such as ``training error 0 %, test locked``.

    The longest words are first. Shorter ones leave out the validation error, but neither the
    training error nor the test error.
    """
    first, *others = part_risks(document, lane)
    mean = "mean " if document.is_regression else ""
    training = f"{mean}{first.name} error {first.words}"
    tests = [one for one in others if one.part == TEST]
    texts = [
        [training, *(f"{one.name} {one.with_state}" for one in others)],
        [training, *(f"{one.name} {one.with_state}" for one in tests)],
        [f"train {first.words}", *(f"{one.name}\N{NO-BREAK SPACE}{one.words}" for one in tests)],
    ]
    return tuple(dict.fromkeys(", ".join(each) for each in texts))


def sentence(document: Document, lane: Lane) -> str:
    """Return the errors as a sentence, with the number of misclassified points."""
    each = []
    for risk in part_risks(document, lane):
        notes = [] if risk.wrong is None else [f"{count(risk.wrong)} of {count(risk.points)}"]
        notes += ["seen"] if risk.seen else []
        error = " error" if risk.part == TRAINING and not document.is_regression else ""
        bracket = f" ({', '.join(notes)})" if notes else ""
        each.append(f"{risk.name}{error} {risk.words}{bracket}")
    words = ", ".join(each)
    if document.is_regression:
        return f"Mean |y − f|: {words}."
    return f"{words[:1].upper()}{words[1:]}."


def _targets(document: Document, data: PointSet) -> np.ndarray:
    return data.points[:, 1] if document.is_regression else data.labels.astype(np.float64)


def _risk_of(
    document: Document,
    part: int,
    targets: np.ndarray,
    decision: np.ndarray | None,
    seen: bool = False,
) -> PartRisk:
    n = len(targets)
    if decision is None or not n:
        return PartRisk(part, n, None, seen=seen)
    loss = risk_named(None, document.task).loss(decision, targets, document.epsilon)
    wrong = None if document.is_regression else int(loss.sum())
    return PartRisk(part, n, float(loss.mean()), seen=seen, wrong=wrong)
