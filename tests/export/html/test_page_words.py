"""The words of a lesson that differ in its page, and notes on those that should."""

import pytest

from svmviz.export.html.lesson import lesson_contents
from svmviz.export.html.page_words import page_notes
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.registry import shown_by_lessons

TEXT = """---
title: T
---
# One
{words}

```show
scene eight-points
```

```predict
ask      How many?
number   support
hint     {hint}
because  Three.
```
"""
BOTH = TEXT.format(words="Words.", hint="@{page|Move C.|Type 1.9 as C.}")


def notes(text):
    return page_notes(read_lesson(text, "test"), shown_by_lessons())


def test_a_page_has_its_own_words(qapp):
    lesson = read_lesson(BOTH, "test")
    assert lesson.cards[0].tasks[0].hint == "Type 1.9 as C."
    (card,) = lesson_contents(lesson, shown_by_lessons())["cards"]
    assert card["tasks"][0]["hint"] == "Move C."
    assert not notes(BOTH)


def test_a_lesson_without_words_for_pages_is_the_same_in_both():
    assert read_lesson(TEXT.format(words="Words.", hint="h"), "test").in_page is None


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Press F6.", 4),
        ("Undo by Ctrl+Z.", 4),
        ("Look at the panel Pair.", 4),
        ("The Split panel has it.", 4),
        ("@{page|Panel Pair shows it.|Look.}", 4),
    ],
)
def test_what_a_page_lacks_is_noted_with_its_line(words, line):
    (note,) = notes(TEXT.format(words=words, hint="h"))
    assert note.startswith(f"Line {line}: a page has no ")


def test_a_panel_that_a_page_has_needs_no_note():
    assert not notes(TEXT.format(words="The Objective panel shows P. F = 2.", hint="h"))


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_speaks_of_what_its_page_has(name):
    assert not page_notes(LESSONS[name], shown_by_lessons())
