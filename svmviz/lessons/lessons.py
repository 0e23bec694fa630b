"""Lessons: cards that open a scene, ask questions, and set goals that the program watches.

A lesson is a text file in Markdown (:mod:`svmviz.lessons.text`); ``docs/lessons.md`` is its
reference. Its head has ``title``, ``about`` (one sentence) and ``source``, and for a course
``chapter``, ``needs`` and ``defines``. Each heading begins a card; below it are paragraphs, and
these blocks:

============  ==================================================================================
``show``      the scene, step, panels and controls of the card (:mod:`svmviz.lessons.shows`)
``formula``   lines of LaTeX
``note``      lines to the lecturer, which the audience does not see
``predict``   a question (:mod:`svmviz.lessons.questions`)
``do``        a goal that the program watches (:mod:`svmviz.lessons.goals`)
``certify``   a solution to be typed (:mod:`svmviz.lessons.goals`)
``steps``     steps of the run to be done by hand (:mod:`svmviz.lessons.exercise`)
============  ==================================================================================

The last four are the tasks of a card, one after the other. A lesson without tasks is a *talk*. The
names in expressions are those of :mod:`svmviz.lessons.values` and :mod:`svmviz.lessons.tasks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from solvers.errors import BadInput, shorten
from svmviz.base.strict_json import suggest
from svmviz.io.open_and_save import read_text as read_file
from svmviz.lessons.exercise import Exercise, read_exercise, starting_at
from svmviz.lessons.goals import CertificateTask, Goal, read_certificate, read_goal
from svmviz.lessons.questions import Question, read_question
from svmviz.lessons.shows import Show, read_show
from svmviz.lessons.text import (
    BLOCK,
    HEADING,
    PLACE,
    Form,
    Piece,
    check_places,
    read_text,
)

MAX_CARDS, MAX_WORDS = 40, 90
# What a student reads who looks at the picture meanwhile, and the time for a task with its reason.
WORDS_PER_MINUTE, MINUTES_PER_TASK = 100, 0.75
# Lines of a formula, and characters of a line.
MAX_LINES, MAX_LATEX = 4, 300
# Characters, enough for 40 scenes of a thousand points.
MAX_SIZE = 2_000_000
ENDING = ".md"
FORM = Form(
    "a lesson",
    # Formerly, the chapter was called part.
    ("about", "chapter", "needs", "defines", "part"),
    "headings, paragraphs and blocks ```show, ```formula, ```predict, ```do, ```certify "
    "and ```steps",
    has_headings=True,
    max_size=MAX_SIZE,
)
Task = Question | Goal | CertificateTask | Exercise
# Words that differ in a page: @{page|words of a page|words of the window}.
IN_PAGE = re.compile(r"@\{page\|([^{}|\n]*)\|([^{}|\n]*)\}")


@dataclass(frozen=True)
class CardFormula:
    """Lines of LaTeX."""

    lines: tuple[str, ...]
    row: int


def words_before(task: Task) -> str:
    """Return the words of a task that are read before it is done, a line for each text."""
    texts = [task.ask, task.hint]
    if isinstance(task, Question):
        texts += [*(choice.text for choice in task.choices), *task.replies]
    elif not isinstance(task, Exercise):
        texts += [part.words for part in task.parts]
    return "\n".join(texts)


@dataclass(frozen=True)
class Card:
    """A card.

    Attributes
    ----------
    title : str
    body : tuple of str and CardFormula
        Its paragraphs and formulas, in their order.
    show : Show
    tasks : tuple of Task
        In their order.
    row : int
        Number of its heading in the text.
    note : str
        Lines to the lecturer, which the audience does not see.
    """

    title: str
    body: tuple[str | CardFormula, ...]
    show: Show
    tasks: tuple[Task, ...]
    row: int = 0
    note: str = ""

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraphs."""
        return tuple(part for part in self.body if isinstance(part, str))

    @property
    def texts(self) -> Iterator[str]:
        """The texts in which numbers of the scene may stand."""
        yield from self.paragraphs
        for task in self.tasks:
            yield from (task.ask, task.hint, task.because)

    @property
    def formulas(self) -> tuple[CardFormula, ...]:
        """The formulas."""
        return tuple(part for part in self.body if isinstance(part, CardFormula))


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
    chapter : str
        The chapter of the course that it belongs to; may be empty.
    needs : tuple of str
        Names of the lessons that come before it.
    defines : tuple of str
        The terms of ``assets/lessons/terms.txt`` that it introduces.
    version : int
        The version of its fresh points (:mod:`svmviz.lessons.fresh`); 0 for those of the text.
    written : Lesson or None
        The lesson as it is written, if this one has numbers in its texts.
    in_page : Lesson or None
        The lesson with the words of a page, if some differ from those of the window.
    """

    name: str
    title: str
    help: str
    source: str
    cards: tuple[Card, ...]
    chapter: str = ""
    needs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    version: int = 0
    written: Lesson | None = None
    in_page: Lesson | None = None

    @property
    def minutes(self) -> int:
        """About how long a student needs: for the words, and for each question and goal."""
        words = sum(len(text.split()) for card in self.cards for text in card.paragraphs)
        tasks = sum(len(card.tasks) for card in self.cards)
        return max(1, round(words / WORDS_PER_MINUTE + tasks * MINUTES_PER_TASK))

    @property
    def is_talk(self) -> bool:
        """Whether the lesson has no tasks, so that a clicker goes through its steps and cards."""
        return not any(card.tasks for card in self.cards)

    def show_at(self, index: int, goes_on: bool) -> Show:
        """Return what a card shows.

        If a card has no scene, and the reader comes from the card before it (``goes_on``), the
        scene on screen stays. Otherwise the scene is that of the last earlier card with a scene.
        """
        own = self.cards[index].show
        if goes_on or own.scene:
            return own
        earlier = [card.show for card in self.cards[:index] if card.show.scene]
        if not earlier:
            return own
        before = earlier[-1]
        if not own.row:
            return replace(before, hide=())
        return replace(own, scene=before.scene, view=before.view + own.view)

    def check_names(self, panels: Container[str], tools: Container[str]) -> None:
        """Raise BadInput if a card shows a panel, or uses a tool, that does not exist."""
        for card in self.cards:
            card.show.check_names(panels, tools)


def is_lesson_file(path: Path) -> bool:
    """Return whether a file with a lesson's ending is a lesson, and not a table drawn with bars."""
    if path.suffix.lower() != ENDING:
        return False
    try:
        with path.open("rb") as file:
            return not file.read(1000).lstrip().startswith(b"|")
    except (OSError, ValueError):
        return True


def read_lesson_file(path: Path) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    BadInput
        If the file cannot be read or is no lesson; the message names the file and the line.
    """
    text = read_file(path, max_bytes=4 * MAX_SIZE)
    try:
        return read_lesson(text, path.stem, path.parent)
    except BadInput as error:
        raise BadInput(f"{shorten(path.name)}: {error}") from None


def read_lesson(text: str, name: str, folder: Path | None = None) -> Lesson:
    """Return the lesson that a text contains; ``folder`` may have scenes of its own.

    Raises
    ------
    BadInput
        If the text is no lesson; the message names the line.
    """
    in_window = IN_PAGE.sub(r"\2", text)
    in_page = None if in_window == text else _read(IN_PAGE.sub(r"\1", text), name, folder)
    return replace(_read(in_window, name, folder), in_page=in_page)


def _read(text: str, name: str, folder: Path | None) -> Lesson:
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
    places = zip(starts, ends, strict=True)
    cards = tuple(_read_card(pieces[start:end], folder) for start, end in places)
    for card, following in pairwise(cards):
        if card.show.fresh is not None and not following.show.scene:
            raise BadInput(
                f"Line {following.row}: after a card with fresh points, a card has its own scene."
            )
    needs, defines = (
        tuple(filter(None, map(str.strip, head[k].split(",")))) for k in ("needs", "defines")
    )
    chapter = head["chapter"] or head["part"]
    return Lesson(
        name, head["title"], head["about"], head["source"], cards, chapter, needs, defines
    )


def _read_card(pieces: list[Piece], folder: Path | None) -> Card:
    heading, show, note = pieces[0], Show(), ""
    body: list[str | CardFormula] = []
    tasks: list[Task] = []
    for piece in pieces[1:]:
        if piece.kind != BLOCK:
            body.append(piece.text)
        elif piece.word == "show" and not show.row:
            show = read_show(piece, folder)
        elif piece.word == "formula":
            body.append(_read_formula(piece))
        elif piece.word == "note" and not note:
            note = piece.text.strip()
        elif piece.word in READERS:
            tasks.append(READERS[piece.word](piece))
        else:
            if piece.word in BLOCKS:
                raise BadInput(f"Line {piece.row}: a card has one block ```{piece.word}.")
            raise BadInput(
                f"Line {piece.row}: a card has no block {piece.word!r}; "
                f"{suggest(piece.word, BLOCKS)}"
            )
    texts = [part for part in body if isinstance(part, str)]
    words = sum(len(text.split()) for text in (*texts, *(task.ask for task in tasks)))
    if words > MAX_WORDS:
        raise BadInput(
            f"Line {heading.row}: a card has at most {MAX_WORDS} words with its questions; this "
            f"one has {words}."
        )
    if not words and not show.row:
        raise BadInput(f"Line {heading.row}: this card has no text.")
    card = Card(heading.text, tuple(body), show, _begun(tasks, show), heading.row, note)
    for text in card.texts:
        check_places(text, heading.row)
        if PLACE.search(text) and not show.scene:
            raise BadInput(
                f"Line {heading.row}: @{{…}} is a number of the scene, so the card needs a scene."
            )
    return card


def _begun(tasks: list[Task], show: Show) -> tuple[Task, ...]:
    """Return the tasks of a card; its exercise begins at the step that it shows."""
    exercises = [task for task in tasks if isinstance(task, Exercise)]
    if len(exercises) > 1:
        raise BadInput(f"Line {exercises[1].row}: a card has at most one block ```steps.")
    step = show.step if show.row else None
    return tuple(starting_at(x, step) if isinstance(x, Exercise) else x for x in tasks)


READERS: dict[str, Callable[[Piece], Task]] = {
    "predict": read_question,
    "do": read_goal,
    "certify": read_certificate,
    "steps": read_exercise,
}
BLOCKS = ("show", "formula", "note", *READERS)


def _read_formula(block: Piece) -> CardFormula:
    lines = tuple(line.strip() for line in block.text.splitlines() if line.strip())
    if not 1 <= len(lines) <= MAX_LINES or max(map(len, lines)) > MAX_LATEX:
        raise BadInput(
            f"Line {block.row}: a formula has 1 to {MAX_LINES} lines of at most {MAX_LATEX} "
            "characters."
        )
    return CardFormula(lines, block.row)
