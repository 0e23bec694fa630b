"""Notes on how a lesson teaches: whether each wrong idea has its reply, and each answer its reason.

A student who answers right sees no hint and no reply. So the reason below a question stands alone,
and a wrong answer is told what is wrong with its own idea.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from solvers.errors import shorten
from svmviz.lessons.lessons import Lesson, Task
from svmviz.lessons.questions import CHOICE, ORDER, Question

# The first words of a reason that goes on from a sentence the student may not have seen.
GOES_ON = re.compile(r"(?:Then|So|Therefore|Hence|Thus|But|And|Otherwise|That is why)\b")


def teaching_notes(lesson: Lesson) -> list[str]:
    """Return a sentence on each question or goal that only those understand who answer wrong."""
    notes: list[str] = []
    said: dict[str, int] = {}
    for task in (task for card in lesson.cards for task in card.tasks):
        notes += [f"Line {task.row}: {words}" for words in _notes_on(task)]
        for text in _said_of_wrong_answers(task):
            if text in said:
                notes.append(f"Line {task.row}: {_quoted(text)} is said in line {said[text]} too.")
            said.setdefault(text, task.row)
    return notes


def _notes_on(task: Task) -> Iterator[str]:
    if not task.because:
        yield "no line because says why the answer is right."
    elif match := GOES_ON.match(task.because):
        yield (
            f"the reason begins with {match[0]!r}, as if it went on from a hint, which those "
            "who answer right do not see."
        )
    elif task.because == task.hint:
        yield "the reason repeats the hint."
    if isinstance(task, Question) and task.kind == CHOICE:
        yield from _notes_on_choices(task)
    elif isinstance(task, Question) and task.kind == ORDER and not task.replies:
        yield "one hint answers every wrong order; give a sentence a line reply."


def _notes_on_choices(task: Question) -> Iterator[str]:
    wrong = [choice for choice in task.choices if not choice.is_right]
    silent = [choice for choice in wrong if not choice.reply]
    if len(silent) > 1:
        yield f"one hint answers {len(silent)} wrong choices; give each a line reply."
    right = {choice.text.strip(" .") for choice in task.choices if choice.is_right}
    if task.because.strip(" .") in right:
        yield "the reason only repeats the answer."


def _said_of_wrong_answers(task: Task) -> Iterator[str]:
    if task.hint:
        yield task.hint
    if isinstance(task, Question):
        yield from task.replies


def _quoted(text: str) -> str:
    return f"“{shorten(text)}”"
