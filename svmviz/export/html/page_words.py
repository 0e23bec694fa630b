"""Notes on the words of a lesson that a page cannot keep: keys of the window, panels, fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from svmviz.export.html.lesson import PANELS
from svmviz.lessons.lessons import Card, Lesson, words_before

# Keys of the window, and fields to type a setting into; a page has sliders for some settings.
WINDOW_ONLY = re.compile(r"\bF\d{1,2}\b|\bCtrl\+\w+|\bType [\d.,]+ as \w+")


def page_notes(lesson: Lesson, titles: Mapping[str, str]) -> list[str]:
    """Return a sentence on each text of the page that speaks of what a page does not have.

    Parameters
    ----------
    lesson : Lesson
    titles : mapping of str to str
        The titles of panels by their names.
    """
    names = [re.escape(title) for name, title in titles.items() if name not in PANELS]
    panel = re.compile(rf"\b(?:[Pp]anel (?:{'|'.join(names)})|(?:{'|'.join(names)}) panel)\b")
    return [
        f"Line {row}: a page has no {found[0]!r}; write @{{page|words of a page|these words}}."
        for card in (lesson.in_page or lesson).cards
        for row, text in _texts(card)
        for found in [WINDOW_ONLY.search(text) or panel.search(text)]
        if found
    ]


def _texts(card: Card) -> Iterator[tuple[int, str]]:
    for paragraph in card.paragraphs:
        yield card.row, paragraph
    for task in card.tasks:
        yield task.row, f"{words_before(task)}\n{task.because}"
