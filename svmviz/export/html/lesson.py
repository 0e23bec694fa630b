"""The contents of the page of a lesson: its cards with their tasks, and the runs that they show.

Right answers are computed here, as in the window. Only while the page solves by itself does it
evaluate the expressions (``assets/page/goals.js``). `svmviz.export.html.tasks` says how a page
watches goals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solvers import Run
from solvers.cancelling import Report, no_report
from solvers.errors import BadInput
from svmviz.document.document import Document
from svmviz.document.lanes import solve_lanes
from svmviz.document.step_marks import StepMarks
from svmviz.document.view_options import ViewOptions
from svmviz.export.html.contents import contents_of, line_of, strokes_of
from svmviz.export.html.controls import controls_of, documents_of
from svmviz.export.html.tasks import (
    Recorded,
    certificate_contents,
    exercise_contents,
    goal_contents,
    is_live,
    names_of,
    question_contents,
)
from svmviz.export.runs.recording import Recording
from svmviz.frames.clocks import CLOCKS, STEPS, Clock
from svmviz.frames.frame import Frame
from svmviz.io.scene import Scene
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.derivations import derivations
from svmviz.lessons.derivations import show as show_derivation
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.fresh import card_with_numbers, with_numbers
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.hand_in import ABOUT, START, version_of
from svmviz.lessons.lessons import Card, CardFormula, Lesson, Task
from svmviz.lessons.questions import Question
from svmviz.lessons.shows import Show

# Maximum number of steps of a run in the page of a lesson.
MAX_STEPS = 300
# The versions of the fresh points of a card, besides those of its text.
AGAIN = range(1, 5)
# A scene for lessons without one: the page needs a scene, but does not show this one.
NO_SCENE = "eight-points"
# The panels that a page has; α is a column of its table.
PANELS = ("step", "pseudo-code", "objective", "kkt", "table", "alpha", "model", "line")


def lesson_contents(
    lesson: Lesson,
    titles: Mapping[str, str],
    caption: Callable[[Frame], str] = lambda _: "",
    report: Report = no_report,
) -> dict[str, Any]:
    """Return the contents of the page of a lesson.

    ``titles`` has the titles of panels by their names; ``caption`` is that of a `Recording`.

    Raises
    ------
    BadInput
        If a scene of the lesson cannot be read or solved; the message names the line.
    """
    handed_in = {
        "prefix": START,
        "lesson": lesson.name,
        "version": version_of(lesson),
        "about": ABOUT,
    }
    lesson = with_numbers(lesson.in_page or lesson)
    player = _Player(lesson, titles, caption)
    cards = []
    for index, card in enumerate(lesson.cards):
        report(index / len(lesson.cards))
        cards.append(player.card(index))
        if card.show.fresh is not None:
            cards[-1]["again"] = [player.again(index, version) for version in AGAIN]
    if not player.scenes:
        player.open(Show(scene=NO_SCENE))
    return {
        "key": f"{lesson.name} {_fingerprint(lesson)}",
        "about": lesson.help,
        "source": lesson.source,
        "is_talk": lesson.is_talk,
        "hand_in": handed_in,
        "cards": cards,
        "scenes": player.scenes,
    }


@dataclass
class _Player:
    """A walk through a lesson in which each goal is reached.

    Attributes
    ----------
    scenes : list of dict
        The contents of the pages of the scenes so far.
    scene : Scene or None
        The scene of the present card, before any change; ``place`` is its index in ``scenes``.
    present : Recorded or None
        The runs of the scene, after the changes that reached the goals so far.
    step : int or None
        The step shown; None is the end.
    live : bool
        Whether the page solves by itself.
    clock : Clock
        What a race of a talk is compared by; goals are watched by steps.
    """

    lesson: Lesson
    titles: Mapping[str, str]
    caption: Callable[[Frame], str]
    scenes: list[dict[str, Any]] = field(default_factory=list)
    scene: Scene | None = None
    place: int | None = None
    present: Recorded | None = None
    step: int | None = None
    live: bool = False
    clock: Clock = STEPS
    _places: dict[str, int] = field(default_factory=dict)

    def open(self, show: Show) -> None:
        """Open the scene of a card; each scene is recorded once."""
        scene = self.scene = show.read_scene()
        self.live = False
        self.present = self._recorded(scene.document)
        self.clock = CLOCKS[show.clock or STEPS.name] if self.lesson.is_talk else STEPS
        line = write_scene_line(replace(scene, options=ViewOptions(), step=None, marks=StepMarks()))
        key = f"{self.clock.name} {line}"
        if key not in self._places:
            self._places[key] = len(self.scenes)
            self.scenes.append(self._contents(self.present))
        self.place = self._places[key]

    def card(self, index: int) -> dict[str, Any]:
        """Return the contents of a card, and go to the state at its end."""
        card, show = self.lesson.cards[index], self.lesson.show_at(index, goes_on=False)
        try:
            if card.show.scene:
                self.open(replace(card.show, clock=show.clock))
            if card.show.row:
                self.step = show.step
            made = {
                "title": card.title,
                "body": [_part(part) for part in card.body],
                "scene": self.place,
                "keeps": not card.show.scene,
                "sets_step": bool(card.show.row),
                "step": show.step,
                "last": show.last,
                "panels": [name for name in show.panels if name in PANELS],
                "missing": [self.titles[name] for name in show.panels if name not in PANELS],
                "hide": list(card.show.hide),
                "has_beats": card.show.predicts_first,
            }
            if self.scene is None or self.present is None:
                tasks = [
                    {**_task_without_scene(task), "task": index}
                    for index, task in enumerate(card.tasks)
                ]
                return {**made, "tasks": tasks}
            return {**made, **self._beside(card, show, self.scene, self.present)}
        except BadInput as error:
            raise BadInput(f"Line {card.show.row or card.row}: {error}") from None

    def again(self, index: int, version: int) -> dict[str, Any]:
        """Return the contents of a card with fresh points; the state stays that of its own."""
        cards = list(self.lesson.cards)
        cards[index] = card_with_numbers(self.lesson, index, version)
        return replace(self, lesson=replace(self.lesson, cards=tuple(cards))).card(index)

    def _beside(self, card: Card, show: Show, scene: Scene, present: Recorded) -> dict[str, Any]:
        """Return the contents of a card besides its text: view, controls and tasks."""
        goals = [task for task in card.tasks if isinstance(task, Goal)]
        names = card.show.controls
        # A page cannot solve for a card with a drawer: its runs are recorded.
        is_behind = "seen" in names_of(goals)
        self.live = not is_behind and (self.live or is_live(present, names, goals))
        options = show.options_over(scene.options)
        has_hulls = options.hulls == "auto" and present.document.method.name == "hulls"
        shown: list[Recorded | None] = [present]
        made: dict[str, Any] = {
            "numbers": options.numbers,
            "alpha_numbers": options.alpha_numbers,
            "hulls": has_hulls or options.hulls in ("always", "half-planes"),
            "line": _line_of(present.document, moves=show.tool == "line"),
            "moves_line": show.tool == "line",
            "strokes": strokes_of(options),
            "live": self.live,
            "offers": sorted({*(names or ["points"]), *_tried(goals)}),
        }
        controls = [] if self.live else controls_of(present.document, names, goals)
        if controls:
            # Only the ends of runs are needed if no goal depends on another step. Whether the
            # drawer is open does not depend on the step.
            ends = all(
                "ended" in names_of([goal]) or names_of([goal]) == {"seen"} for goal in goals
            )
            documents = documents_of(present.document, controls)
            shown = [self._recorded_or_none(document, ends) for document in documents]
            made["controls"] = [
                [control.label, list(control.texts), control.start, control.is_ordered]
                for control in controls
            ]
            made["variants"] = [each and self._difference(each) for each in shown]
        if show.derivation:
            made["derivation"] = _derivation(show.derivation, present.frame(self.step))
        made["tasks"] = [
            {**each, "task": index}
            for index, task in enumerate(card.tasks)
            for each in self._tasks(task, shown)
        ]
        return made

    def _tasks(self, task: Task, shown: Sequence[Recorded | None]) -> list[dict[str, Any]]:
        """Return the contents of a task; an exercise becomes a question for each decision."""
        if isinstance(task, Exercise):
            assert self.present is not None
            return exercise_contents(task, self.present)
        return [self._task(task, shown)]

    def _task(
        self, task: Question | Goal | CertificateTask, shown: Sequence[Recorded | None]
    ) -> dict[str, Any]:
        present = self.present
        assert present is not None
        if isinstance(task, Question):
            return question_contents(task, present, self.step, self.live)
        if not isinstance(task, Goal):
            return certificate_contents(task, present)
        made = goal_contents(task, present, shown, self.live)
        document = present.document
        for change in task.tries:
            document = change.changed(document)
            self.step = int(change.numbers[0]) if change.word == "step" else None
        if document is not present.document:
            self.present = self._recorded(document)
        return made

    def _recorded(self, document: Document, only_ends: bool = False) -> Recorded:
        runs = solve_lanes(document)
        return Recorded(document, runs, () if only_ends else self._steps(runs))

    def _recorded_or_none(self, document: Document | None, only_ends: bool) -> Recorded | None:
        """Return the runs of a document; None if it is None or cannot be solved."""
        if document is None:
            return None
        try:
            return self._recorded(document, only_ends)
        except BadInput:
            return None

    def _steps(self, runs: tuple[Run, ...]) -> list[int]:
        """Return the steps for the page: all, or about MAX_STEPS of them and those of the cards."""
        lengths = [run.steps for run in runs]
        every = max(1, -(-max(lengths) // MAX_STEPS))
        cards = self.lesson.cards
        asked = [card.show.step for card in cards if card.show.step is not None]
        exercises = [task for card in cards for task in card.tasks if isinstance(task, Exercise)]
        asked += [task.start + k for task in exercises for k in range(task.count + 1)]
        return sorted({*range(0, max(lengths) + 1, every), *asked, *lengths})

    def _contents(self, recorded: Recorded) -> dict[str, Any]:
        assert self.scene is not None
        scene = replace(self.scene, document=recorded.document)
        recording = Recording(scene, recorded.runs, self.caption)
        return contents_of(recording, recorded.steps, no_report, self.clock)

    def _difference(self, recorded: Recorded) -> dict[str, Any]:
        """Return the contents of runs that differ from the contents of the scene."""
        assert self.place is not None
        base, made = self.scenes[self.place], self._contents(recorded)
        # The card's own scene is kept: it is the one that the reader opens in the window.
        kept = ("scene", "qr", "no_qr")
        return {k: value for k, value in made.items() if base[k] != value and k not in kept}


def _fingerprint(lesson: Lesson) -> str:
    """Return a text that changes with the tasks, so that progress in another version is dropped."""
    tasks = [
        (card.title, card.show.scene, [task.ask for task in card.tasks]) for card in lesson.cards
    ]
    return hashlib.sha256(repr(tasks).encode()).hexdigest()[:12]


def _line_of(document: Document, moves: bool) -> list[float] | None:
    """Return w and b of the user's line; a page has no tool to lay one, so it lies at the left."""
    if document.user_line is not None:
        return line_of(document)
    if not moves or not document.n:
        return None
    # Slanted, because a vertical one is as far from a horizontal one as it can be.
    w = [1.0, 0.3]
    values = document.data.points @ w
    return [*w, 0.05 * float(np.ptp(values)) - float(values.min())]


def _tried(goals: Sequence[Goal]) -> set[str]:
    """Return the controls, and "points", that reach some goals."""
    tries = [change for goal in goals for change in goal.tries]
    moves = {"points" for change in tries if change.word in ("move", "delete")}
    return moves | {change.word for change in tries if change.is_control}


def _part(part: str | CardFormula) -> dict[str, Any]:
    return {"formula": list(part.lines)} if isinstance(part, CardFormula) else {"text": part}


def _task_without_scene(task: Task) -> dict[str, Any]:
    if not isinstance(task, Question):
        raise BadInput("There is no scene to ask about.")
    return question_contents(task, None, None, False)


def _derivation(name: str, frame: Frame) -> dict[str, Any]:
    """Return a derivation with the numbers of a frame."""
    derivation = derivations()[name]
    shown = show_derivation(derivation, frame)
    numbers = [line.numbers for line in shown.lines] or [""] * len(derivation.lines)
    return {
        "title": derivation.title,
        "aim": derivation.aim,
        "trouble": shown.trouble,
        "lines": [
            [line.letters, numbers_of_line, line.sentence]
            for line, numbers_of_line in zip(derivation.lines, numbers, strict=True)
        ],
    }
