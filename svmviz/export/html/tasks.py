"""The tasks of a lesson for its page: goals, and questions and certificates with their answers.

A goal of a card is watched in one of four ways:

``steps``
    The goal is reached at a step of the recorded run, or of a run for other values of the card's
    controls. The page contains which parts hold at each of these steps.
``live``
    The student moves points, or changes C or gamma. The page solves, and evaluates the parts.
``line``
    The student moves the user's line. The page evaluates the parts.
(empty)
    The goal needs something that a page does not have, and is skipped.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solvers import RBF, SMO, Polynomial, Run
from solvers.errors import BadInput
from svmviz.base.notation import plain
from svmviz.base.words import tidied
from svmviz.document.document import Document
from svmviz.export.html.live import live_of
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey
from svmviz.lessons.by_hand import Decision, own_in_words
from svmviz.lessons.certificates import numbers_in_words, right_numbers
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.expressions import FUNCTIONS, Expression
from svmviz.lessons.goals import CertificateTask, Goal, evaluated, words_of
from svmviz.lessons.questions import (
    CHOICE,
    NEXT,
    NUMBER,
    ORDER,
    PAIR,
    PLACE,
    POINT,
    RANGE,
    Key,
    OrderKey,
    PlaceKey,
    Question,
    shuffled,
)
from svmviz.lessons.replies import reply_to
from svmviz.lessons.task_values import TaskValues
from svmviz.lessons.tasks import ShownTask, show_task

# Names whose values the page knows while it solves, and names for the user's line.
LIVE_NAMES = frozenset(
    "task kernel n C number x1 x2 y step ended w b norm width beta alpha f yf xi E P D gap kkt "
    "support zero free at_C errors gamma moved moved_support same_f same_line own_width "
    "own_errors".split()
)
# With at most so many points, a page has a reply to each wrong one.
MAX_REPLIES = 60
LINE_NAMES = frozenset(("own_width", "own_errors"))
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "and", ast.Or: "or", ast.USub: "minus", ast.Not: "not",
}  # fmt: skip


def names_in(expressions: Iterable[Expression]) -> set[str]:
    """Return the names of values that occur in expressions.

    ``norm`` is left out, because it is also the name of a function. A product with a matrix, or two
    indices, count as the name ``K``.
    """
    nodes = [node for expression in expressions for node in ast.walk(expression.tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - FUNCTIONS.keys()
    is_of_matrix = any(isinstance(node, ast.MatMult | ast.Tuple) for node in nodes)
    return names | {"K"} if is_of_matrix else names


def tree_of(node: ast.expr) -> list[Any]:
    """Return an expression as JSON, which ``assets/page/goals.js`` evaluates.

    A tree is a list of the kind of its root and its operands. Operations on matrices cannot be
    converted, because :data:`LIVE_NAMES` has no matrix.
    """
    match node:
        case ast.Constant(float(value)) if math.isinf(value):
            # JSON has no infinity, so it becomes 1 / 0.
            return ["binary", "/", ["value", 1.0], ["value", 0.0]]
        case ast.Constant(value):
            return ["value", value if isinstance(value, bool | str) else float(value)]  # pyright: ignore[reportArgumentType]
        case ast.Name(name):
            return ["name", name]
        case ast.BinOp(left, sign, right):
            return ["binary", SIGNS[type(sign)], tree_of(left), tree_of(right)]
        case ast.UnaryOp(sign, operand):
            return [SIGNS[type(sign)], tree_of(operand)]
        case ast.BoolOp(sign, operands):
            return [SIGNS[type(sign)], *map(tree_of, operands)]
        case ast.Compare(left, signs, operands):
            names = [SIGNS[type(sign)] for sign in signs]
            return ["compare", names, *map(tree_of, (left, *operands))]
        case ast.Subscript(array, index):
            return ["entry", tree_of(array), tree_of(index)]
        case ast.Call(ast.Name(name), arguments):
            return ["call", name, *map(tree_of, arguments)]
    raise AssertionError(node)


@dataclass(frozen=True, eq=False)
class Recorded:
    """Runs of a document, and the steps of these runs that a page contains."""

    document: Document
    runs: tuple[Run, ...]
    steps: Sequence[int]

    def frame(self, step: int | None = None) -> Frame:
        """Return the frame at a step; None stands for the end of each run."""
        steps = tuple(run.steps if step is None else min(step, run.steps) for run in self.runs)
        return make_frame(self.document, self.runs, steps, SMALLEST_GRID)

    def masks(self, goal: Goal, start: Frame) -> list[int]:
        """Return for each step which parts of a goal hold: a sum of 2^k over these parts k."""
        masks, length = [], self.runs[0].steps
        for step in [step for step in self.steps if step <= length] or [length]:
            # A page asks no questions about the parts of a step, so none is answered.
            values = TaskValues(self.frame(step), start)
            holds, _troubles = evaluated(goal.parts, values)
            masks.append(sum(1 << k for k, does_hold in enumerate(holds) if does_hold))
        return masks


def names_of(goals: Iterable[Goal]) -> set[str]:
    """Return the names that occur in the conditions of goals."""
    return names_in(part.condition for goal in goals for part in goal.parts)


def is_reached(goal: Goal, masks: Iterable[Sequence[int]]) -> bool:
    """Return whether a goal is reached at any of some steps."""
    return any((1 << len(goal.parts)) - 1 in each for each in masks)


def is_live(recorded: Recorded, controls: Sequence[str], goals: Sequence[Goal]) -> bool:
    """Return whether the page solves during a card.

    It does so if it can, and if some goal is not reached at any step of the recorded run.
    """
    document = recorded.document
    method, kernel = document.method, document.kernel
    has_gamma = isinstance(kernel, RBF | Polynomial)
    has_controls = {"C", "gamma"} if has_gamma else {"C"}
    if (
        live_of(document) is None
        or not isinstance(method, SMO)
        or method.pair != "second-order"
        or not has_controls.issuperset(controls)
    ):
        return False
    start = recorded.frame()
    known = [goal for goal in goals if names_of([goal]) <= LIVE_NAMES - LINE_NAMES]
    return any(not is_reached(goal, [recorded.masks(goal, start)]) for goal in known)


def goal_contents(goal: Goal, present: Recorded, shown: Sequence[Recorded | None], live: bool):
    """Return what a page needs to watch a goal.

    Parameters
    ----------
    goal : Goal
    present : Recorded
        The runs at which the task begins.
    shown : sequence of Recorded or None
        The runs that the card shows: one element or, with controls, one for each combination of
        their values.
    live : bool
        Whether the page solves during the card.
    """
    made: dict[str, Any] = {
        "type": "goal",
        "ask": goal.ask,
        "words": words_of(goal),
        "hint": goal.hint,
        "because": goal.because,
        "way": "",
    }
    names = names_of([goal])
    if names <= LIVE_NAMES and (live or names & LINE_NAMES):
        way = "line" if names & LINE_NAMES else "live"
        return {**made, "way": way, "parts": [tree_of(part.condition.tree) for part in goal.parts]}
    if live:
        return made
    start = present.frame()
    masks = [each.masks(goal, start) if each is not None else [] for each in shown]
    return {**made, "way": "steps", "masks": masks} if is_reached(goal, masks) else made


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
        "choices": [plain(choice.text) for choice in question.choices],
    }
    if any(choice.reply for choice in question.choices):
        made["replies"] = [choice.reply or question.hint for choice in question.choices]
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
        pairs = zip(question.wrong, shown.wrong, strict=True)
        if replies := [[_key_contents(wrong), each.reply] for each, wrong in pairs]:
            made["wrong"] = replies
    names = names_in(question.expressions)
    can_compute = question.kind in (NUMBER, RANGE) and names <= LIVE_NAMES - LINE_NAMES
    if live and can_compute and question.at != NEXT:
        made["parts"] = [tree_of(expression.tree) for expression in question.expressions]
    return {**made, "right": _key_contents(key), "answer": question.in_words(key)}


def certificate_contents(task: CertificateTask, recorded: Recorded) -> dict[str, Any]:
    """Return a certificate, with the numbers and expressions that judge a solution."""
    shown = _shown(task, recorded.frame(), recorded)
    if shown.trouble or shown.end is None or shown.end.lane is None:
        raise BadInput(shown.trouble)
    if shown.end.lane.problem.weights is not None:
        raise BadInput("A page judges a certificate with one C for all points, not with weights.")
    best = right_numbers(task, shown.end)
    is_live = names_in(part.condition for part in task.parts) <= LIVE_NAMES
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
        "answer": numbers_in_words(shown.labels, best),
        "way": "live" if is_live else "",
    }


def exercise_contents(task: Exercise, recorded: Recorded) -> list[dict[str, Any]]:
    """Return a question for each decision; after the last one of a step, the step is shown."""
    shown = _shown(task, recorded.frame(task.start), recorded)
    if shown.trouble:
        raise BadInput(shown.trouble)
    made = []
    for place, step in enumerate(shown.steps, start=1):
        for k, decision in enumerate(step.decisions, start=1):
            is_last = place == len(shown.steps) and k == len(step.decisions)
            made.append(
                {
                    **_decision_contents(decision, recorded.document.n),
                    "ask": tidied(decision.ask),
                    "place": f"Step {place} of {len(shown.steps)}",
                    "because": "",
                    "step": step.step,
                    "sentence": tidied(step.sentence),
                    "is_done": k == len(step.decisions),
                    "at_end": task.at_end,
                }
            )
            if is_last:
                made[-1]["exercise"] = {"ask": task.ask, "because": task.because}
    return made


def _decision_contents(decision: Decision, n: int) -> dict[str, Any]:
    question = decision.question
    key = decision.place or decision.key
    made: dict[str, Any] = {
        "type": "question",
        "decision": decision.name,
        "hint": tidied(question.missed),
        "choices": list(question.choices),
        "right": _key_contents(key),
        "answer": decision.answer,
    }
    if isinstance(decision.key, NumberKey):
        numbers = {"labels": list(question.labels), "slack": question.slack}
        numbers["slips"] = [list(slip) for slip in question.slips]
        if decision.place is None:
            return {**made, **numbers, "kind": NUMBER}
        return {**made, **numbers, "kind": PLACE, "numbers": _key_contents(decision.key)}
    own = sorted(decision.own) if isinstance(decision.own, frozenset) else decision.own
    made |= {"own": own, "own_words": own_in_words(decision)}
    if isinstance(key, ChoiceKey):
        return {**made, "kind": CHOICE}
    if n <= MAX_REPLIES:
        made["replies"] = [tidied(reply_to(question, (point,))) for point in range(n)]
    is_pair = len(question.candidates) > 1
    return {**made, "kind": PAIR if is_pair else POINT, "same_class": bool(decision.labels)}


def _shown(
    task: Question | CertificateTask | Exercise, frame: Frame, recorded: Recorded
) -> ShownTask:
    return show_task(task, frame, recorded.frame(), recorded.runs)


def _key_without_frame(question: Question) -> Key:
    if question.kind not in (CHOICE, ORDER):
        raise BadInput("There is no scene to ask about.")
    # These keys do not use the frame.
    return question.key_at({}, None)  # type: ignore[arg-type]


def _key_contents(key: Key) -> Any:
    """Return the right answers of a key as JSON."""
    if isinstance(key, ChoiceKey):
        return sorted(key.right)
    if isinstance(key, NumberKey):
        # JSON has no infinity, so it is a text that the page converts to a number.
        return [n if math.isfinite(n) else str(n).replace("inf", "Infinity") for n in key.numbers]
    if isinstance(key, PointKey):
        return [sorted(points) for points in key.places]
    if isinstance(key, PlaceKey):
        return [key.x, key.y, key.reach]
    assert isinstance(key, OrderKey)
    return list(key.texts)
