"""*Do it yourself*: what a student decides at a step of a run, and the verdict on each decision.

The decisions of a step, in the order of the method: which points, is the step cut short, and where
do α, w or p go. They are asked in the words of :mod:`solvers.run.templates`, from the values
by which the method explains the step; :mod:`svmviz.lessons.hand_rules` has the rules.

Which points tie is decided by their values: each of them is right, whichever the run took.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solvers import Cursor, Run
from solvers.run.beats import MAX_STRONG, BeatQuestion
from solvers.run.event import Event
from solvers.run.fields import fill, in_sentence
from solvers.run.formulas import digits_of_sums
from solvers.run.question_templates import QUESTION_DIGITS
from svmviz.base.words import tidied
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey
from svmviz.lessons.hand_rules import METHODS_IN_WORDS, RULES
from svmviz.lessons.questions import REACH, PlaceKey
from svmviz.lessons.replies import answer_in_words, key_of, reply_to

RIGHT, TIED, WRONG, GIVEN_UP = "right", "tied", "wrong", "given up"
# A place is right only if it is nearer to the new p than this fraction of the way that p goes.
NEARER = 0.25
# The name of each kind of decision in a list of marks.
TITLES = {"point": "the points", "case": "the choice", "number": "the numbers"}


@dataclass(frozen=True)
class Decision:
    """One decision of a step.

    Attributes
    ----------
    name : str
        Its name in a list of marks, such as "the points".
    question : BeatQuestion
    key : key of :mod:`svmviz.lessons.answers`
    own : object
        The answer of the run.
    place : PlaceKey or None
        If the decision is a place, the places that a click may give.
    points : tuple of int
        Indices of the points that the question is about, to be marked.
    labels : tuple of float
        If the points of an answer must be of one class, the class of each point.
    etas : dict of int to float
        If partners k of a point i are compared, η = K_ii + K_kk - 2 K_ik of each.
    """

    name: str
    question: BeatQuestion
    key: ChoiceKey | NumberKey | PointKey
    own: Any
    place: PlaceKey | None = None
    points: tuple[int, ...] = ()
    labels: tuple[float, ...] = ()
    etas: Mapping[int, float] = field(default_factory=dict)

    @property
    def ask(self) -> str:
        """The question."""
        return self.question.ask

    @property
    def answer(self) -> str:
        """The right answer in words."""
        return answer_in_words(self.question)


@dataclass(frozen=True)
class HandStep:
    """The decisions of a step, and the sentence of the method on it."""

    step: int
    decisions: tuple[Decision, ...]
    sentence: str


def judge(decision: Decision, answer: Any) -> tuple[str, str]:
    """Return RIGHT, TIED or WRONG, and why a wrong answer is wrong or which answers tie.

    ``answer`` is a sequence of indices of points, the position of a choice, a sequence of numbers,
    or, for a decision with a place, the coordinates of a click.
    """
    is_place = decision.place is not None and decision.place.accepts(answer)
    if not is_place and not decision.key.accepts(answer):
        return WRONG, tidied(reply_to(decision.question, answer))
    if decision.labels and len({decision.labels[point] for point in answer}) > 1:
        return WRONG, "No: both points are of one class."
    if isinstance(decision.key, NumberKey) or decision.own == _plain(answer):
        return RIGHT, f"Right: {decision.answer}."
    return TIED, f"Right too: it ties with {own_in_words(decision)}, which the run takes."


def own_in_words(decision: Decision) -> str:
    """Return the answer of the run in words."""
    if isinstance(decision.own, frozenset):
        numbers = [str(point + 1) for point in sorted(decision.own)]
        return f"point{'s' * (len(numbers) > 1)} {' and '.join(numbers)}"
    if isinstance(decision.own, int):
        return f"“{decision.question.choices[decision.own]}”"
    return decision.answer


def _plain(answer: Any) -> Any:
    return answer if isinstance(answer, int) else frozenset(answer)


def steps_by_hand(run: Run, start: int, count: int, plane: np.ndarray) -> tuple[HandStep, ...]:
    """Return the decisions of up to ``count`` steps after step ``start``.

    ``plane`` has the points as the plane shows them, shape (n, 2): only if the run has the same
    points, a place of p can be clicked.
    """
    cursor = Cursor(run)
    last = min(start + count, run.steps)
    return tuple(_step_by_hand(run, cursor, step, plane) for step in range(start + 1, last + 1))


def why_not_by_hand(run: Run) -> str:
    """Return a sentence on why steps of a run cannot be done by hand; empty if they can."""
    if run.method.name in RULES:
        return ""
    return f"Steps of {METHODS_IN_WORDS} can be done by hand, not of {run.method.label}."


def _step_by_hand(run: Run, cursor: Cursor, step: int, plane: np.ndarray) -> HandStep:
    event = cursor.seek(step).event
    assert event is not None
    return HandStep(step, decisions_of(run, event, plane), event.sentence)


def decisions_of(run: Run, event: Event, plane: np.ndarray) -> tuple[Decision, ...]:
    """Return the decisions of a step, given its event."""
    rule = RULES.get(run.method.name)
    if rule is None:
        return ()
    values: dict[str, Any] = {**dict.fromkeys(rule.names), **event.values}
    values |= rule.derived(run, event.values)
    _, digits = digits_of_sums(list(rule.sums), values, rule.sums)
    names = dict.fromkeys(values, QUESTION_DIGITS) | digits
    values["data"] = fill(rule.data, values, in_sentence, **names)
    made = []
    for template in rule.questions:
        question = template.fill(values, {})
        if question is not None:
            decision = _decision(question, template.names[0][1], values, run, plane)
            # Only a question on points does not tell them.
            points = question.named if question.candidates else event.touched
            made.append(replace(decision, points=points[:MAX_STRONG]))
    return tuple(made)


def _decision(
    question: BeatQuestion, name: str, values: Mapping[str, Any], run: Run, plane: np.ndarray
) -> Decision:
    title, own = TITLES[question.kind], values.get(f"own_{name}")
    if question.kind == "point":
        if own is None:
            own = tuple(group.points[0] for group in question.candidates)
        labels = tuple(run.problem.y.tolist()) if name == "gains" else ()
        key = key_of(question)
        etas = values["etas"] if name == "gain_choice" else {}
        return Decision(title, question, key, frozenset(map(int, own)), labels=labels, etas=etas)
    if question.kind == "case":
        tied = values.get(f"tied_{name}") or ()
        key = ChoiceKey(frozenset({question.right, *tied}))
        return Decision(title, question, key, question.right)
    key, place = NumberKey(question.numbers, question.slack), None
    before = values["place_before"] if name in ("place_p", "place_q") else None
    if before is not None and np.array_equal(run.problem.X, plane):
        way = math.dist(before, question.numbers)
        reach = min(REACH * float(np.ptp(plane, axis=0).max()), NEARER * way)
        x, y = question.numbers
        place = PlaceKey(x, y, reach)
    return Decision(title, question, key, question.numbers, place)
