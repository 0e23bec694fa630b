"""The questions and certificates of a lesson for its page, with their right answers."""

from __future__ import annotations

import math
from typing import Any

from solvers.errors import BadInput
from svmviz.base.words import number
from svmviz.export.html.expressions import LINE_NAMES, LIVE_NAMES, names_in, tree_of
from svmviz.export.html.goals import Recorded
from svmviz.frames.frame import Frame
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey
from svmviz.lessons.certificates import right_numbers
from svmviz.lessons.goals import CertificateTask, words_of
from svmviz.lessons.questions import (
    CHOICE,
    NEXT,
    NUMBER,
    ORDER,
    RANGE,
    Key,
    OrderKey,
    PlaceKey,
    Question,
    shuffled,
)
from svmviz.lessons.tasks import ShownTask, show_task


def question_contents(
    question: Question, recorded: Recorded | None, step: int | None, live: bool
) -> dict[str, Any]:
    """Return a question with its right answers at a step.

    While the page solves (``live``), it computes the numbers that are asked for, if it can.
    """
    made: dict[str, Any] = {
        "type": "question",
        "kind": question.kind,
        "ask": question.ask,
        "hint": question.hint,
        "because": question.because,
        "choices": [choice.text for choice in question.choices],
    }
    if question.kind == ORDER:
        made["order"] = shuffled(question)
    if recorded is None or question.kind in (CHOICE, ORDER):
        key = _key_without_frame(question)
    else:
        frame = recorded.frame(step)
        shown = _shown(question, frame, recorded)
        key = shown.key
        if key is None:
            raise BadInput(shown.trouble)
    names = names_in(question.expressions)
    can_compute = question.kind in (NUMBER, RANGE) and names <= LIVE_NAMES - LINE_NAMES
    if live and can_compute and question.at != NEXT:
        made["parts"] = [tree_of(expression.tree) for expression in question.expressions]
    return {**made, "right": _key_contents(key), "answer": question.in_words(key)}


def certificate_contents(task: CertificateTask, recorded: Recorded) -> dict[str, Any]:
    """Return a certificate with what the page needs to judge a solution."""
    shown = _shown(task, recorded.frame(), recorded)
    if shown.trouble or shown.end is None or shown.end.lane is None:
        raise BadInput(shown.trouble)
    best = right_numbers(task, shown.end)
    pairs = zip(shown.labels, best, strict=True)
    names = names_in(part.condition for part in task.parts)
    is_live = names <= LIVE_NAMES and shown.end.lane.certified_problem.bias == "free"
    return {
        "type": "certificate",
        "kind": task.kind,
        "ask": task.ask,
        "hint": task.hint,
        "because": task.because,
        "labels": list(shown.labels),
        "gap": task.gap,
        "dual": shown.end.lane.certificate.dual,
        "words": words_of(task),
        "parts": [tree_of(part.condition.tree) for part in task.parts] if is_live else [],
        "answer": ", ".join(f"{label} = {number(value)}" for label, value in pairs),
        "way": "live" if is_live else "",
    }


def _shown(task: Question | CertificateTask, frame: Frame, recorded: Recorded) -> ShownTask:
    return show_task(task, frame, recorded.frame(), recorded.runs)


def _key_without_frame(question: Question) -> Key:
    if question.kind not in (CHOICE, ORDER):
        raise BadInput("There is no scene to ask about.")
    # These keys do not use the frame.
    return question.key_at({}, None)  # type: ignore[arg-type]


def _key_contents(key: Key) -> Any:
    """Return what `svmviz.lessons.answers` needs of a key, as JSON."""
    if isinstance(key, ChoiceKey):
        return sorted(key.right)
    if isinstance(key, NumberKey):
        # JSON has no infinity: a text, of which the page makes a number.
        return [n if math.isfinite(n) else str(n).replace("inf", "Infinity") for n in key.numbers]
    if isinstance(key, PointKey):
        return [sorted(points) for points in key.places]
    if isinstance(key, PlaceKey):
        return [key.x, key.y, key.reach]
    assert isinstance(key, OrderKey)
    return list(key.texts)
