"""Goals and certificates of a lesson: the blocks ``do`` and ``certify``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from solvers.errors import BadInput
from svmviz.lessons.expressions import Expression, Value
from svmviz.lessons.text import Entry, Piece, TaskTexts, entries_of, read_expression, task_texts
from svmviz.lessons.tries import Try, read_try

MAX_PARTS, MAX_TRIES = 6, 12
# The kinds of certificates: the numbers that the student types.
LINE, ALPHA = "w, b", "alpha"
# Default of the largest gap that is right, as a fraction of P.
MAX_GAP = 0.01


@dataclass(frozen=True)
class GoalPart:
    """A part of a goal: its condition, the words beside its tick, and the number of its line."""

    condition: Expression
    words: str
    row: int = 0


@dataclass(frozen=True)
class Goal(TaskTexts):
    """A goal, which is reached when all its parts hold at once.

    Attributes
    ----------
    parts : tuple of Part
    tries : tuple of Try
        Changes that reach it, with which a lesson is checked.
    """

    parts: tuple[GoalPart, ...]
    tries: tuple[Try, ...] = ()


@dataclass(frozen=True)
class CertificateTask(TaskTexts):
    """A task to type a solution. The program says whether it is feasible, and how large its gap is.

    Attributes
    ----------
    kind : str
        LINE or ALPHA.
    gap : float
        The largest gap that is right, as a fraction of P.
    parts : tuple of Part
        Conditions on the typed solution; if there are any, the gap does not matter.
    """

    kind: str
    gap: float
    parts: tuple[GoalPart, ...]


def words_of(task: Goal | CertificateTask) -> list[str]:
    """Return the words beside the tick of each part; if it has none, its condition."""
    return [part.words or part.condition.text for part in task.parts]


def evaluated(
    parts: tuple[GoalPart, ...], values: Mapping[str, Value]
) -> tuple[tuple[bool, ...], list[str]]:
    """Return whether each part holds, and a sentence on each part that has no value."""
    holds, troubles = [], []
    for part in parts:
        try:
            holds.append(part.condition.holds(values))
        except BadInput as error:
            holds.append(False)
            troubles.append(str(error))
    return tuple(holds), troubles


def read_goal(block: Piece) -> Goal:
    """Return the goal of a block ``do``.

    Raises
    ------
    BadInput
        If it is wrong; the message names the line.
    """
    keys = ("ask", "goal", "words", "try", "hint", "because")
    entries = entries_of(block, keys, ("goal", "words", "try"))
    texts = {entry.key: entry for entry in entries}
    parts = _read_parts(entries)
    if not 1 <= len(parts) <= MAX_PARTS:
        raise BadInput(f"Line {block.row}: a block ```do has 1 to {MAX_PARTS} lines goal.")
    tries = tuple(read_try(entry) for entry in entries if entry.key == "try")
    if len(tries) > MAX_TRIES:
        raise BadInput(f"Line {block.row}: a block ```do has at most {MAX_TRIES} lines try.")
    return Goal(parts, tries, **task_texts(block, texts))


def read_certificate(block: Piece) -> CertificateTask:
    """Return the task of a block ``certify``.

    Raises
    ------
    BadInput
        If it is wrong; the message names the line.
    """
    keys = ("ask", "type", "gap", "goal", "words", "hint", "because")
    entries = entries_of(block, keys, ("goal", "words"))
    texts = {entry.key: entry for entry in entries}
    kind = re.sub(r"\s*,\s*", ", ", texts["type"].text) if "type" in texts else ""
    if kind not in (LINE, ALPHA):
        raise BadInput(f"Line {block.row}: a block ```certify has a line type: {LINE} or {ALPHA}.")
    parts = _read_parts(entries)
    if len(parts) > MAX_PARTS or (parts and "gap" in texts):
        raise BadInput(
            f"Line {block.row}: a block ```certify has a line gap, or at most {MAX_PARTS} lines "
            "goal."
        )
    gap = _read_gap(texts["gap"]) if "gap" in texts else MAX_GAP
    return CertificateTask(kind, gap, parts, **task_texts(block, texts))


def _read_parts(entries: list[Entry]) -> tuple[GoalPart, ...]:
    parts: list[GoalPart] = []
    for entry in entries:
        if entry.key == "goal":
            # ``same_line`` always compares with the start of the task.
            text = entry.text.replace("same_line(start)", "same_line")
            parts.append(GoalPart(read_expression(text, entry.row), "", entry.row))
        elif entry.key == "words":
            if not parts or parts[-1].words:
                raise BadInput(f"Line {entry.row}: words follow the goal that they describe.")
            parts[-1] = replace(parts[-1], words=entry.text)
    return tuple(parts)


def _read_gap(entry: Entry) -> float:
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)\s*%", entry.text)
    if match is None:
        raise BadInput(f"Line {entry.row}: a gap is a percentage of P, such as 1 %.")
    return float(match[1]) / 100.0
