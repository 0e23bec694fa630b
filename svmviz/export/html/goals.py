"""The goals of a card in a page, each of which is watched in one of four ways.

``steps``
    It is reached at a step of the recorded run, or of a run for other values of the card's
    controls: the page has, for each of these steps, which parts hold.
``live``
    Points are moved, or C or gamma: the page solves, and evaluates the parts.
``line``
    The line of one's own is moved, and the page evaluates the parts.
(empty)
    It needs something that a page does not have, and is passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solvers import RBF, SMO, Polynomial, Run
from svmviz.document.document import Document
from svmviz.export.html.expressions import LINE_NAMES, LIVE_NAMES, names_in, tree_of
from svmviz.export.html.live import live_of
from svmviz.export.runs.shots import SMALLEST_GRID
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.lessons.goals import Goal, evaluated, words_of
from svmviz.lessons.task_values import TaskValues


@dataclass(frozen=True, eq=False)
class Recorded:
    """Runs of a document, and the steps of them that a page has."""

    document: Document
    runs: tuple[Run, ...]
    steps: Sequence[int]

    def frame(self, step: int | None = None) -> Frame:
        """Return the frame at a step; None stands for the end of each run."""
        steps = tuple(run.steps if step is None else min(step, run.steps) for run in self.runs)
        return make_frame(self.document, self.runs, steps, SMALLEST_GRID)

    def masks(self, goal: Goal, start: Frame) -> list[int]:
        """Return which parts of a goal hold at each step: the k-th part adds 2^k."""
        masks, length = [], self.runs[0].steps
        for step in [step for step in self.steps if step <= length] or [length]:
            holds, _troubles = evaluated(goal.parts, TaskValues(self.frame(step), start))
            masks.append(sum(1 << k for k, does_hold in enumerate(holds) if does_hold))
        return masks


def names_of(goals: Iterable[Goal]) -> set[str]:
    """Return the names that occur in goals."""
    return names_in(part.condition for goal in goals for part in goal.parts)


def is_reached(goal: Goal, masks: Iterable[Sequence[int]]) -> bool:
    """Return whether a goal is reached at one of some steps."""
    return any((1 << len(goal.parts)) - 1 in each for each in masks)


def is_live(recorded: Recorded, controls: Sequence[str], goals: Sequence[Goal]) -> bool:
    """Return whether the page solves during a card.

    It does if it can, and a goal is not reached by going to a step of the recorded run.
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
        Those that the card shows: one or, with controls, one for each combination of their values.
    live : bool
        Whether the page solves.
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
