"""Lessons: cards that open a scene, ask what will be seen, and set goals that the program watches.

A lesson is a text file in Markdown (:mod:`svmviz.lessons.text`). Its head has ``title``, ``about``
(one sentence) and ``source``. Each heading begins a card; below it are paragraphs and blocks. The
block ``show`` opens a scene, which is one of ``assets/scenes`` or the text of a scene in one line::

    ```show
    scene   eight-points
    step    end
    panels  model, kkt
    ```

The blocks ``predict`` and ``do`` are the tasks of a card, one after the other. A question has
choices, of which one or several are right, or a number, which is an expression; ``do`` has a
condition for each part of the goal, and the words that stand beside its tick::

    ```predict
    ask      How many points hold the street?
    number   support
    hint     They lie on its edges.
    because  Only points with α > 0 enter f.
    ```

    ```do
    ask    Drag a point, and leave the line where it is.
    goal   moved == 1
    words  One point has moved
    goal   ended and same_f
    words  f is what it was
    ```

The names in expressions are those of :mod:`svmviz.lessons.values` and :mod:`svmviz.lessons.tasks`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from pathlib import Path

from solvers.errors import BadInput, shorten
from svmviz.base import resources
from svmviz.document.limits import check_number
from svmviz.io.open_and_save import open_scene
from svmviz.io.open_and_save import read_text as read_file
from svmviz.io.scene import Scene
from svmviz.io.scene_line import is_scene_line, read_scene_line
from svmviz.lessons.expressions import Expression
from svmviz.lessons.text import (
    BLOCK,
    HEADING,
    Entry,
    Form,
    Piece,
    entries_of,
    read_expression,
    read_text,
)

MAX_CARDS, MAX_WORDS, MAX_CHOICES, MAX_PARTS = 40, 90, 6, 6
# Characters; the longest text is read in about a second.
MAX_SIZE = 300_000
ENDING = ".md"
FORM = Form(
    "a lesson",
    ("title", "about", "source"),
    "headings, paragraphs and blocks ```show, ```predict and ```do",
    has_headings=True,
    max_size=MAX_SIZE,
)


@dataclass(frozen=True)
class Show:
    """What a card shows beside its text.

    Attributes
    ----------
    scene : str
        Name of a scene among the assets, or the text of a scene; empty to keep what is shown.
    step : int or None
        The step to go to; None for the end of the run.
    panels : tuple of str
        Names of the panels to show.
    row : int
        Number of its line in the text.
    """

    scene: str = ""
    step: int | None = None
    panels: tuple[str, ...] = ()
    row: int = 0

    def read_scene(self) -> Scene:
        """Return the scene."""
        if is_scene_line(self.scene):
            return read_scene_line(self.scene)
        return open_scene(resources.path(f"scenes/{self.scene}.svmviz"))


@dataclass(frozen=True)
class Choice:
    """One of the answers among which to choose."""

    text: str
    is_right: bool


@dataclass(frozen=True)
class Question:
    """A question with choices, or one whose answer is a number.

    Attributes
    ----------
    ask : str
    choices : tuple of Choice
        Empty if a number is asked for.
    number : Expression or None
    hint, because : str
        What is said after a wrong answer, and at last; may be empty.
    """

    ask: str
    choices: tuple[Choice, ...]
    number: Expression | None
    hint: str
    because: str


@dataclass(frozen=True)
class Part:
    """A part of a goal: its condition, and the words beside its tick."""

    condition: Expression
    words: str


@dataclass(frozen=True)
class Goal:
    """Something to be done; it is reached when all parts hold at once."""

    ask: str
    parts: tuple[Part, ...]
    hint: str
    because: str


Task = Question | Goal


@dataclass(frozen=True)
class Card:
    """A card: its title, its paragraphs, what it shows, and its tasks in their order."""

    title: str
    paragraphs: tuple[str, ...]
    show: Show
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    name : str
        The name of its file, without the ending.
    title, help, source : str
        ``help`` says in one sentence what it is about.
    cards : tuple of Card
    """

    name: str
    title: str
    help: str
    source: str
    cards: tuple[Card, ...]

    def show_at(self, index: int, goes_on: bool) -> Show:
        """Return what a card shows.

        A card without a scene keeps what is shown if it follows the card before it (``goes_on``);
        otherwise it has the scene of the last card before it that has one.
        """
        own = self.cards[index].show
        if goes_on or own.scene:
            return own
        earlier = [card.show for card in self.cards[:index] if card.show.scene]
        if not earlier:
            return own
        step = own.step if own.row else earlier[-1].step
        return replace(earlier[-1], step=step, panels=own.panels or earlier[-1].panels)

    def check_panels(self, known: Container[str]) -> None:
        """Raise BadInput if a card shows a panel that does not exist."""
        for card in self.cards:
            for panel in card.show.panels:
                if panel not in known:
                    raise BadInput(
                        f"Line {card.show.row}: there is no panel {shorten(panel)!r}; "
                        "svmviz list panels prints their names, and the settings are settings."
                    )


def read_lesson_file(path: Path) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    BadInput
        If the file cannot be read or is no lesson; the message names the file and the line.
    """
    text = read_file(path, max_bytes=4 * MAX_SIZE)
    try:
        return read_lesson(text, path.stem)
    except BadInput as error:
        raise BadInput(f"{shorten(path.name)}: {error}") from None


def read_lesson(text: str, name: str) -> Lesson:
    """Return the lesson that a text contains.

    Raises
    ------
    BadInput
        If the text is no lesson; the message names the line.
    """
    head, pieces = read_text(text, FORM)
    starts = [index for index, piece in enumerate(pieces) if piece.kind == HEADING]
    if not starts or starts[0] > 0:
        row = f"Line {pieces[0].row}: a" if pieces else "A"
        raise BadInput(f"{row} lesson has cards, each of which begins with a heading.")
    if len(starts) > MAX_CARDS:
        raise BadInput(
            f"Line {pieces[starts[MAX_CARDS]].row}: a lesson has at most {MAX_CARDS} cards."
        )
    ends = [*starts[1:], len(pieces)]
    cards = tuple(_read_card(pieces[start:end]) for start, end in zip(starts, ends, strict=True))
    return Lesson(name, head["title"], head.get("about", ""), head.get("source", ""), cards)


def _read_card(pieces: list[Piece]) -> Card:
    heading, show = pieces[0], Show()
    paragraphs: list[str] = []
    tasks: list[Task] = []
    for piece in pieces[1:]:
        if piece.kind != BLOCK:
            paragraphs.append(piece.text)
        elif piece.word == "show" and not show.row:
            show = _read_show(piece)
        elif piece.word == "predict":
            tasks.append(_read_question(piece))
        elif piece.word == "do":
            tasks.append(_read_goal(piece))
        else:
            word = "a second" if piece.word == "show" else "the word"
            raise BadInput(
                f"Line {piece.row}: a card has at most one block ```show, and blocks ```predict "
                f"and ```do; this is {word} {piece.word!r}."
            )
    words = sum(len(text.split()) for text in (*paragraphs, *(task.ask for task in tasks)))
    if words > MAX_WORDS:
        raise BadInput(
            f"Line {heading.row}: a card has at most {MAX_WORDS} words with its questions; this "
            f"one has {words}."
        )
    if not words:
        raise BadInput(f"Line {heading.row}: this card has no text.")
    return Card(heading.text, tuple(paragraphs), show, tuple(tasks))


def _read_show(block: Piece) -> Show:
    found = {entry.key: entry for entry in entries_of(block, ("scene", "step", "panels"))}
    scene, step, panels = (found.get(key) for key in ("scene", "step", "panels"))
    if scene is not None:
        _check_scene(scene)
    if step is not None and not re.fullmatch(r"end|\d{1,9}", step.text):
        raise BadInput(f"Line {step.row}: a step is a number or the word end.")
    number = None if step is None or step.text == "end" else int(step.text)
    names = re.split(r"[,\s]+", panels.text) if panels else ()
    return Show(scene.text if scene else "", number, tuple(filter(None, names)), block.row)


def _check_scene(scene: Entry) -> None:
    if not is_scene_line(scene.text):
        known = sorted(path.stem for path in resources.path("scenes").glob("*.svmviz"))
        if scene.text not in known:
            raise BadInput(
                f"Line {scene.row}: there is no scene {shorten(scene.text)!r}; there are "
                f"{', '.join(known)}."
            )
        return
    try:
        check_number(len(read_scene_line(scene.text).document.all_points), "The scene")
    except BadInput as error:
        raise BadInput(f"Line {scene.row}: {error}") from None


def _read_question(block: Piece) -> Question:
    keys = ("ask", "choice", "right", "number", "hint", "because")
    entries = entries_of(block, keys, ("choice", "right"))
    texts = {entry.key: entry for entry in entries}
    choices = tuple(
        Choice(entry.text, entry.key == "right")
        for entry in entries
        if entry.key in ("choice", "right")
    )
    number = texts.get("number")
    is_choice = len({choice.is_right for choice in choices}) == 2 and number is None
    if not (is_choice or (number is not None and not choices)):
        raise BadInput(
            f"Line {block.row}: a question has lines choice and right, at least one of each, or "
            "one line number."
        )
    if len(choices) > MAX_CHOICES:
        raise BadInput(f"Line {block.row}: a question has at most {MAX_CHOICES} choices.")
    return Question(
        _asked(block, texts),
        choices,
        read_expression(number.text, number.row) if number else None,
        *(texts[key].text if key in texts else "" for key in ("hint", "because")),
    )


def _read_goal(block: Piece) -> Goal:
    keys = ("ask", "goal", "words", "hint", "because")
    entries = entries_of(block, keys, ("goal", "words"))
    texts = {entry.key: entry for entry in entries}
    parts: list[Part] = []
    for entry in entries:
        if entry.key == "goal":
            parts.append(Part(read_expression(entry.text, entry.row), ""))
        elif entry.key == "words":
            if not parts or parts[-1].words:
                raise BadInput(f"Line {entry.row}: words follow the goal that they describe.")
            parts[-1] = Part(parts[-1].condition, entry.text)
    if not 1 <= len(parts) <= MAX_PARTS:
        raise BadInput(f"Line {block.row}: a block ```do has 1 to {MAX_PARTS} lines goal.")
    hint, because = (texts[key].text if key in texts else "" for key in ("hint", "because"))
    return Goal(_asked(block, texts), tuple(parts), hint, because)


def _asked(block: Piece, texts: dict[str, Entry]) -> str:
    if "ask" not in texts or not texts["ask"].text:
        raise BadInput(f"Line {block.row}: a block ```{block.word} has a line ask.")
    return texts["ask"].text
