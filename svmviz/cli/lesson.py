"""``svmviz lesson``: the window with a lesson, which is checked before the window opens."""

from __future__ import annotations

import argparse

from svmviz.cli.displays import has_display, require_qt, without_reading_sources
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_lines
from svmviz.io.paths import absolute_path


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``lesson``."""
    parser.add_argument(
        "lesson", metavar="NAME|FILE", help="a name that svmviz list lessons prints, or a file"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="open no window; play the lesson with right and wrong answers, and say which "
        "questions are not sound",
    )


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Open the window with the lesson, or check it."""
    from solvers import BadInput
    from svmviz.export.html.page_words import page_notes
    from svmviz.lessons.check import notes_on
    from svmviz.lessons.fresh import faults_in
    from svmviz.lessons.shipped import LESSONS, find_lesson
    from svmviz.lessons.teaching import teaching_notes
    from svmviz.panels.registry import shown_by_lessons
    from svmviz.tools import TOOLS

    lesson = find_lesson(options.lesson)
    lesson.check_names(shown_by_lessons(), TOOLS)
    if options.check:
        tasks = sum(len(card.tasks) for card in lesson.cards)
        print_lines(f"{lesson.title}: cards: {len(lesson.cards)}, questions and goals: {tasks}.")
        troubles = faults_in(lesson)
        panels = shown_by_lessons()
        notes = (*notes_on(lesson), *teaching_notes(lesson), *page_notes(lesson, panels))
        for sentence in (*troubles, *(f"Note: {note}" for note in notes)):
            print_lines(sentence)
        return 1 if troubles else 0
    if not has_display():
        raise BadInput("A lesson needs a display for its window.")
    require_qt()
    with without_reading_sources():
        from svmviz.app.app import run_window

    name = options.lesson
    return run_window(lesson=name if name in LESSONS else str(absolute_path(name)))
