"""Exercises over a run: the block ``steps``, and what a student has done of one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from solvers import Run
from solvers.errors import BadInput
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame
from svmviz.lessons.by_hand import (
    GIVEN_UP,
    RIGHT,
    TIED,
    WRONG,
    Decision,
    HandStep,
    judge,
    steps_by_hand,
    why_not_by_hand,
)
from svmviz.lessons.text import Piece, TaskTexts, entries_of, task_texts

MAX_COUNT = 20
AT_ONCE, AT_THE_END = "at once", "at the end"
NOTED = "The answer is noted."


@dataclass(frozen=True)
class Exercise(TaskTexts):
    """A task to do some steps of the run by hand.

    Attributes
    ----------
    count : int
        Number of steps; fewer are done if the run ends before.
    start : int
        The step of the card, after which they begin.
    at_end : bool
        Whether the verdicts are given at the end only.
    """

    count: int
    start: int = 0
    at_end: bool = False


@dataclass(frozen=True)
class HandMark:
    """The mark of a decision: the outcome of the first answer, and why it is wrong if it is."""

    step: int
    name: str
    outcome: str
    why: str = ""


@dataclass
class Attempt:
    """What a student has done of an exercise. It goes on with the steps of the run.

    Attributes
    ----------
    steps : tuple of HandStep
    at_end : bool
        Whether verdicts are given at the end only.
    marks : list of HandMark
        One for each decision that was made or given up.
    wrong : int
        Number of wrong answers, all tries included.
    said : str
        The verdict on the decision before; empty if it is not to be said yet.
    is_right : bool
        Whether each decision so far was right at last, and made by the student.
    """

    steps: tuple[HandStep, ...]
    at_end: bool = False
    marks: list[HandMark] = field(default_factory=list)
    wrong: int = 0
    said: str = ""
    is_right: bool = True
    _position: tuple[int, int] = (0, 0)
    # Whether the present decision was answered wrong.
    _missed: str = ""

    def __post_init__(self) -> None:
        self._go_to(0, 0)

    @property
    def decision(self) -> Decision | None:
        """The decision that waits; None if all are made."""
        step, index = self._position
        return self.steps[step].decisions[index] if step < len(self.steps) else None

    @property
    def done(self) -> int:
        """Number of steps that are done."""
        return self._position[0]

    @property
    def shown_step(self) -> int:
        """The last step that may be shown."""
        return self.steps[0].step - 1 + self.done if self.steps else 0

    def answer(self, answer: Any) -> str:
        """Answer the decision that waits; return why not if it may be tried again."""
        decision = self.decision
        if decision is None:
            return ""
        outcome, words = judge(decision, answer)
        self.wrong += outcome == WRONG
        if outcome == WRONG and not self.at_end:
            self._missed = self._missed or words
            return words
        self.is_right = self.is_right and outcome != WRONG
        self._mark(WRONG if self._missed else outcome, self._missed or words)
        self.said = "" if self.at_end else words
        self._go_on()
        return ""

    def show_model(self) -> None:
        """Give up the decisions of this step that are not made; the run's own step is played."""
        step, self.is_right = self.done, False
        while self.done == step and self.decision is not None:
            self._mark(WRONG if self._missed else GIVEN_UP, self._missed)
            self._go_on()
        self.said = f"Model answer: {tidied(self.steps[step].sentence)}"

    def summary(self) -> str:
        """Return the marks in words, and below them why each wrong answer is wrong."""
        counts = Counter(mark.outcome for mark in self.marks)
        right = counts[RIGHT] + counts[TIED]
        tied = f" ({counts[TIED]} by a tie)" if counts[TIED] else ""
        parts = [f"{right} of {len(self.marks)} right at first try{tied}"]
        parts += [f"{counts[word]} {word}" for word in (WRONG, GIVEN_UP) if counts[word]]
        lines = [f"Step {m.step}, {m.name}: {m.why}" for m in self.marks if m.outcome == WRONG]
        return "\n".join([f"{', '.join(parts)}.", *lines])

    def _mark(self, outcome: str, why: str) -> None:
        decision = self.decision
        assert decision is not None
        name = decision.name
        self.marks.append(HandMark(self.steps[self.done].step, name, outcome, why))
        self._missed = ""

    def _go_on(self) -> None:
        step, index = self._position
        self._go_to(step, index + 1)

    def _go_to(self, step: int, index: int) -> None:
        """Go to a decision, or to the next step that has one."""
        while step < len(self.steps) and index >= len(self.steps[step].decisions):
            step, index = step + 1, 0
        self._position = step, index


def exercise_steps(task: Exercise, frame: Frame, runs: tuple[Run, ...]) -> tuple[HandStep, ...]:
    """Return the steps of an exercise at a frame.

    Raises
    ------
    BadInput
        If there are none, or the run has not reached them yet.
    """
    lane = frame.lane
    run = next((run for run in runs if lane is not None and run.number == lane.run), None)
    if run is None or (run.stop is None and run.steps < task.start + task.count):
        raise BadInput("The scene is not solved yet.")
    if trouble := why_not_by_hand(run):
        raise BadInput(trouble)
    if run.steps <= task.start:
        raise BadInput(f"No step follows step {task.start}, the end of the run.")
    steps = steps_by_hand(run, task.start, task.count, frame.document.data.points)
    if not any(step.decisions for step in steps):
        raise BadInput("In these steps there is nothing to decide.")
    return steps


def read_exercise(block: Piece) -> Exercise:
    """Return the exercise of a block ``steps``; its start is that of the card.

    Raises
    ------
    BadInput
        If it is wrong; the message names the line.
    """
    keys = ("ask", "count", "feedback", "because")
    texts = {entry.key: entry for entry in entries_of(block, keys)}
    count, feedback = (texts[key].text if key in texts else "" for key in keys[1:3])
    if not count.isdecimal() or not 1 <= int(count) <= MAX_COUNT:
        raise BadInput(
            f"Line {block.row}: a block ```steps has a line count, a number from 1 to {MAX_COUNT}."
        )
    if feedback not in ("", AT_ONCE, AT_THE_END):
        raise BadInput(f"Line {texts['feedback'].row}: feedback is {AT_ONCE} or {AT_THE_END}.")
    return Exercise(int(count), 0, feedback == AT_THE_END, **task_texts(block, texts))


def starting_at(task: Exercise, step: int | None) -> Exercise:
    """Return an exercise that begins after the step of its card.

    Raises
    ------
    BadInput
        If the card shows the end.
    """
    if step is None:
        raise BadInput(
            f"Line {task.row}: the block ```show of this card has a line step, after which the "
            "steps are done; a run begins with step 0."
        )
    return replace(task, start=step)
