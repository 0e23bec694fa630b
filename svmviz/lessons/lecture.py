"""Lectures: talks made by using the program, whose cards are called *stops*, and their text.

A lecture is a lesson without tasks in which every card has a scene, so that stops can be moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from solvers.errors import BadInput
from svmviz.io.scene import Scene
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.lessons import MAX_CARDS, Card, CardFormula, Lesson
from svmviz.lessons.shows import EXPLAIN, Show

# Between the parts of a title that the program has made.
DOT = " · "
TITLE, NAME = "My lecture", "lecture"
# Characters of a title and of a note.
MAX_TITLE, MAX_NOTE = 120, 2000


def stop_at(scene: Scene, show: Show, title: str, body: tuple[str | CardFormula, ...] = ()) -> Card:
    """Return the stop that shows a scene, in which the points keep every digit.

    Parameters
    ----------
    scene : Scene
        Its step is the one shown, or the one that is explained.
    show : Show
        Panels, clock and whatever else is shown beside the scene.
    title : str
    body : tuple of str and CardFormula
        The text of the card on screen, if there is one.
    """
    step, last = scene.step, scene.step
    if show.explains and step is not None:
        # The parts of a step begin at the step before it.
        step = max(step - 1, 0)
        last = step + 1
    elif scene.marks.loop is not None:
        step, last = scene.marks.loop
    strokes, options = scene.options.strokes, replace(scene.options, strokes=())
    line = write_scene_line(replace(scene, options=options, step=None, speed=None), exact=True)
    shown = replace(show, scene=line, step=step, last=last, row=1, strokes=strokes)
    return Card(in_one_line(title, MAX_TITLE), body, shown, ())


def with_stops(lecture: Lesson | None, stops: Iterable[Card]) -> Lesson | None:
    """Return a lecture with other stops, each of which has a title; None without any stop.

    Raises
    ------
    BadInput
        If there are too many.
    """
    cards = tuple(
        card if card.title else replace(card, title=f"Stop {number}")
        for number, card in enumerate(stops, start=1)
    )
    if len(cards) > MAX_CARDS:
        raise BadInput(f"A lecture has at most {MAX_CARDS} stops.")
    if not cards:
        return None
    return replace(lecture or Lesson(NAME, TITLE, "", "", ()), cards=cards)


def with_pen(lecture: Lesson) -> Lesson:
    """Return a lecture in whose pictures the strokes of the pen are drawn."""
    cards = (
        replace(card, show=replace(card.show, view=(*card.show.view, ("pen", True))))
        for card in lecture.cards
    )
    return replace(lecture, cards=tuple(cards))


def as_lecture(talk: Lesson) -> Lesson:
    """Return a talk as a lecture: each card gets the scene that it shows.

    Raises
    ------
    BadInput
        If the lesson has questions or goals.
    """
    if not talk.is_talk:
        raise BadInput(
            f"“{talk.title}” has questions, so it is a lesson and no lecture. Drop its file on the "
            "window to play it."
        )
    shows = [talk.show_at(index, goes_on=False) for index in range(len(talk.cards))]
    cards = zip(talk.cards, shows, strict=True)
    return replace(talk, cards=tuple(replace(card, show=show) for card, show in cards))


def is_made(title: str) -> bool:
    """Return whether the program has made a title, of the model and the step or as a number."""
    return re.fullmatch(rf"Stop \d+|.*{DOT}.*", title) is not None


def in_one_line(text: str, limit: int) -> str:
    """Return a text without line ends and other control characters, cut at a length."""
    return " ".join(_printable(text).split())[:limit].strip()


def without_fences(note: str) -> str:
    """Return a note, cut at MAX_NOTE, in which no line ends a block of a text."""
    lines = (_printable(line).replace("```", "") for line in note.split("\n"))
    return "\n".join(lines)[:MAX_NOTE]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def lecture_text(lecture: Lesson) -> str:
    """Return the text of a lecture, which :func:`svmviz.lessons.lessons.read_lesson` reads."""
    return "\n".join([*_head(lecture), *_cards(lecture.cards)]) + "\n"


def _head(lecture: Lesson) -> Iterator[str]:
    yield "---"
    yield f"title: {lecture.title}"
    for key, value in (("about", lecture.help), ("source", lecture.source)):
        if value:
            yield f"{key}: {value}"
    yield "---"


def _cards(cards: Iterable[Card]) -> Iterator[str]:
    before = Show()
    for card in cards:
        yield f"# {card.title}"
        for part in card.body:
            is_formula = isinstance(part, CardFormula)
            block = ["```formula", *part.lines, "```"] if is_formula else [part]
            yield from ("", *block)
        # A scene of many points is written once.
        is_same = (card.show.scene, card.show.view) == (before.scene, before.view)
        yield from ("", "```show", *_lines(card.show, is_same), "```", "")
        if card.note:
            yield from ("```note", card.note, "```", "")
        before = card.show


def _lines(show: Show, is_same_scene: bool) -> Iterator[str]:
    view = ", ".join(f"{name} {_value(value)}" for name, value in show.view)
    step = "end" if show.step is None else str(show.step)
    if show.last != show.step:
        step += f" to {'end' if show.last is None else show.last}"
    lines = {
        "scene": "" if is_same_scene else show.scene,
        "view": "" if is_same_scene else view,
        "step": step,
        "panels": ", ".join(show.panels),
        "layout": EXPLAIN if show.explains else "",
        "controls": ", ".join(show.controls),
        "clock": show.clock,
        "derivation": show.derivation,
        "tool": show.tool,
    }
    yield from (f"{key} {text}" for key, text in lines.items() if text)
    yield from (f"choose {control}={value}" for control, value in show.choices)
    yield from (f"stroke {stroke.text}" for stroke in show.strokes)


def _value(value: object) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
