"""The check of a lesson, which tries its tasks with right and wrong answers.

A question is sound if it has an answer at the step that is shown, and if the right answer is ahead
of the second one by 10 % or both are accepted. A goal is sound if it does not hold at its start and
its lines ``try`` reach it. A certificate is sound if the optimum is right and half of it is not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from solvers import Run, solve
from solvers.errors import BadInput, shorten
from svmviz.base.latex import fault_in
from svmviz.base.words import percent
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Viewport
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey
from svmviz.lessons.by_hand import Decision
from svmviz.lessons.certificates import right_numbers, verdict
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.lessons import Card, Lesson, Task
from svmviz.lessons.questions import CHOICE, SHOWN, Question, overlap
from svmviz.lessons.shows import ALPHA, Show
from svmviz.lessons.task_values import TaskValues
from svmviz.lessons.tasks import ShownTask, TaskStudy, frame_at

# Minimum lead of the right answer over the second one, as a fraction of the larger of the two.
MIN_LEAD = 0.1
# A number below this differs from 0 only because of the tolerance of the run.
MIN_NUMBER = 1e-6
# The names, and other expressions, whose values a panel prints.
PRINTED = {
    "alpha": ("alpha", "support"),
    "line": ("own_width", "own_width / 2", "own_errors", "100 * own_width / width"),
    "kkt": ("alpha", "yf", "free", "at_C"),
    "loss": ("yf", "xi"),
    "model": ("w", "b", "norm", "width", "support", "free", "at_C", "errors", "xi"),
    "objective": ("P", "D", "gap"),
    "pair": ("alpha", "eta", "low", "high", "unclipped"),
    "quadratic-program": ("alpha",),
    "step": ("alpha", "eta", "low", "high", "unclipped"),
    "table": ("alpha", "f", "xi"),
}
# A name, one of its entries, or its sum, whose value a student can read off. Other expressions must
# be computed.

PLAIN = re.compile(r"(?:sum\()?(\w+)\)?(?:\[[\d, ]+\])?")
# Panels in which the user can change settings, as with the controls of a card.
SET_MODEL = {"settings", "map", "budget", "hulls", "model-choice"}
# Maximum number of characters with which the missed parts of a goal are listed.
MAX_MISSED = 400


@dataclass
class Stand:
    """The position of the check in a lesson: document, step (None for the end), panels, run."""

    document: Document | None = None
    step: int | None = None
    panels: tuple[str, ...] = ()
    run: Run | None = field(default=None, repr=False)
    solved: Document | None = None

    def frame(self) -> tuple[Frame, tuple[Run, ...]]:
        """Return the frame at the step, and its runs.

        Raises
        ------
        BadInput
            If there is no scene, or it cannot be solved.
        """
        document = self.document
        if document is None:
            raise BadInput("there is no scene to ask about.")
        if self.run is None or self.solved is not document:
            self.run, self.solved = solve(document.problem(), document.method), document
        run = self.run
        step = run.steps if self.step is None else min(self.step, run.steps)
        grid = Viewport(-1.0, 1.0, -1.0, 1.0).grid(4, moving=False)
        return make_frame(document, (run,), step, grid), (run,)


def check_lesson(lesson: Lesson) -> list[str]:
    """Return a sentence on each fault, such as a task that is not sound; it names the line."""
    troubles, stand = [], Stand()
    for card in lesson.cards:
        troubles += check_card(card, stand)
    return troubles


def notes_on(lesson: Lesson) -> list[str]:
    """Return a sentence on each question whose answer is printed by a panel of the card."""
    notes, panels = [], ()
    for card in lesson.cards:
        panels = card.show.panels if card.show.row else panels
        for task in card.tasks:
            if not isinstance(task, Question) or task.at != SHOWN:
                continue
            asked = {expression.text for expression in task.expressions}
            asked |= {match[1] for text in asked if (match := PLAIN.fullmatch(text))}
            notes += [
                f"Line {task.row}: the panel {panel} prints the answer, {name}."
                for panel in panels
                for name in sorted(asked & set(PRINTED.get(panel, ())))
            ]
    return notes


def check_card(card: Card, stand: Stand) -> Iterator[str]:
    """Check a card, and go to the state at its end; return a sentence on each fault."""
    show = card.show
    for formula in card.formulas:
        for row, line in enumerate(formula.lines, start=formula.row + 1):
            if fault := fault_in(line):
                yield f"Line {row}: this formula cannot be typeset: {fault}."
    try:
        yield from _check_show(card, stand)
    except BadInput as error:
        yield f"Line {show.row or card.row}: {error}"
        return
    for task in card.tasks:
        try:
            faults = [f"Line {task.row}: {words}" for words in _check_task(task, stand)]
            yield from _unknown_names(task, stand) or faults
        except BadInput as error:
            yield f"Line {task.row}: {error}"
        if isinstance(task, Goal) and not SET_MODEL.intersection(stand.panels):
            yield from _check_controls(task, show)


def _check_show(card: Card, stand: Stand) -> Iterator[str]:
    show = card.show
    if show.scene:
        stand.document = show.read_scene().document
    if show.row:
        stand.step, stand.panels = show.step, show.panels
        yield from _check_step(show, stand)
    if ALPHA in show.hide and any("alpha" in PRINTED.get(panel, ()) for panel in show.panels):
        yield f"Line {show.row}: α is hidden, but a panel of this card shows it."
    if show.hide and not card.tasks:
        yield f"Line {show.row}: without a task nothing is hidden."


def _unknown_names(task: Task, stand: Stand) -> list[str]:
    """Return a sentence on each condition with an unknown name, at the end of the lines try."""
    faults = []
    for part in task.parts if isinstance(task, Goal | CertificateTask) and stand.document else ():
        try:
            part.condition.check_names(TaskValues(stand.frame()[0], None))
        except BadInput as error:
            faults.append(f"Line {part.row}: {error}")
    return faults


def _check_controls(task: Goal, show: Show) -> Iterator[str]:
    """Check that the card has each control that the goal needs, because Settings are hidden."""
    for change in task.tries:
        if change.is_control and change.word not in show.controls:
            yield (
                f"Line {change.row}: the card has no control {shorten(change.word)}, and during a "
                f"lesson Settings are hidden; add it to the line controls of the block ```show."
            )


def _check_step(show: Show, stand: Stand) -> Iterator[str]:
    last = max(show.step or 0, show.last or 0)
    if last and stand.document is not None:
        _frame, (run,) = stand.frame()
        if last > run.steps:
            yield f"Line {show.row}: there is no step {last}; the run has {run.steps}."


def _check_task(task: Task, stand: Stand) -> Iterator[str]:
    if isinstance(task, Question) and task.kind == CHOICE:
        if any(choice.value is not None for choice in task.choices):
            yield from _check_choices(task, stand)
        return
    document = stand.document
    if document is None:
        yield "there is no scene to ask about."
        return
    frame, runs = stand.frame()
    study = TaskStudy(task, document)
    shown = study(frame, runs)
    if shown.trouble and not isinstance(task, Goal):
        yield shown.trouble
    elif isinstance(task, Question):
        yield from _check_question(task, frame, runs, shown)
    elif isinstance(task, Exercise):
        if len(shown.steps) < task.count:
            yield f"the run has only {len(shown.steps)} of these {task.count} steps."
        for step in shown.steps:
            faults = (fault for each in step.decisions for fault in _check_decision(each))
            yield from (f"in step {step.step}, {fault}" for fault in faults)
    elif isinstance(task, CertificateTask):
        assert shown.end is not None
        yield from _check_certificate(task, shown.end)
    else:
        yield from _check_goal(task, stand, study)


def _check_decision(decision: Decision) -> Iterator[str]:
    """Check that numbers can be typed, and that one choice is right."""
    key = decision.key
    if isinstance(key, NumberKey):
        yield from _check_numbers(key, decision.answer)
    elif isinstance(key, ChoiceKey) and len(key.right) > 1:
        yield "it cannot be told whether the step is cut short."


def _check_numbers(key: NumberKey, words: str) -> Iterator[str]:
    wrong = tuple(1.1 * number if number else 0.1 for number in key.numbers)
    if not all(map(math.isfinite, key.numbers)):
        yield f"the answer is {words}."
    elif any(0.0 < abs(number) < MIN_NUMBER for number in key.numbers):
        yield f"the answer is {words}, which no one types: ask for a 0 as 0."
    elif not key.accepts(key.numbers) or key.accepts(wrong):
        yield f"{words} and a number 10 % away are both right, or both wrong."


def _check_question(
    task: Question, frame: Frame, runs: tuple[Run, ...], shown: ShownTask
) -> Iterator[str]:
    key = shown.key
    for each, wrong in zip(task.wrong, shown.wrong, strict=True):
        if key is not None and overlap(key, wrong):
            texts = ", ".join(expression.text for expression in each.expressions)
            yield f"wrong {shorten(texts)}: this answer is right."
    if isinstance(key, NumberKey):
        yield from _check_numbers(key, task.in_words(key))
    elif isinstance(key, PointKey):
        count = frame.document.n
        if any(len(points) == count for points in key.places):
            yield "every point is right."
        values = TaskValues(frame_at(frame, runs, task.at), None)
        for expression in task.expressions:
            lead = expression.lead(values)
            if lead < MIN_LEAD:
                yield (
                    f"{shorten(expression.text)}: the second point is only {percent(lead)} "
                    "behind, so that it cannot be seen which one is right."
                )


def _check_choices(task: Question, stand: Stand) -> Iterator[str]:
    """Check that the right choices have the largest or the smallest values, with enough lead."""
    if any(choice.value is None for choice in task.choices):
        yield "either every choice has a line value, or none."
        return
    frame, runs = stand.frame()
    values = TaskValues(frame_at(frame, runs, task.at), None)
    numbers = {True: [], False: []}
    for choice in task.choices:
        assert choice.value is not None
        value = np.asarray(choice.value.value(values))
        if value.ndim or value.dtype.kind not in "fb":
            yield f"{shorten(choice.value.text)} is not one number."
            return
        numbers[choice.is_right].append(float(value))
    right, wrong = numbers[True], numbers[False]
    is_largest = min(right) > max(wrong)
    if not is_largest and not max(right) < min(wrong):
        yield "the right choice has neither the largest nor the smallest value."
        return
    pair = (min(right), max(wrong)) if is_largest else (max(right), min(wrong))
    lead = abs(pair[0] - pair[1]) / max(abs(pair[0]), abs(pair[1]))
    if lead < MIN_LEAD:
        yield f"the right choice is only {percent(lead)} ahead of the second one."


def _check_certificate(task: CertificateTask, end: Frame) -> Iterator[str]:
    assert end.lane is not None
    best, dual = right_numbers(task, end), end.lane.certificate.dual
    if not verdict(task, best, end, dual).is_right:
        yield "the optimum of the scene is not right."
    if verdict(task, tuple(0.5 * number for number in best), end, dual).is_right:
        yield "half of the optimum is right too."


def _check_goal(task: Goal, stand: Stand, study: TaskStudy) -> Iterator[str]:
    start, runs = stand.frame()
    if study(start, runs).is_reached:
        yield "the goal is reached before anything is done."
    if not task.tries:
        yield "there is no line try, so that it is not known whether the goal can be reached."
        return
    stand.step = None
    assert stand.document is not None
    for change in task.tries:
        try:
            stand.document = change.changed(stand.document)
        except BadInput as error:
            yield f"try {change.word} {shorten(change.text)} (line {change.row}): {error}"
            return
        if change.word == "step":
            stand.step = int(change.numbers[0])
        elif change.word == "predict":
            study.predicted = int(change.numbers[0])
    study.note(stand.document)
    reached = study(*stand.frame())
    if reached.trouble:
        yield reached.trouble
    if not reached.is_reached:
        missed = [
            part.words or part.condition.text
            for part, holds in zip(task.parts, reached.holds, strict=False)
            if not holds
        ]
        yield f"the lines try do not reach the goal: {shorten('; '.join(missed), MAX_MISSED)}."
