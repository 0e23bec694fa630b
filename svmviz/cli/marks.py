"""``svmviz marks``: lines that students handed in, as a table; it says which question failed."""

from __future__ import annotations

import argparse
import csv
import io
from collections import Counter
from pathlib import Path

from solvers.errors import BadInput, short_path, visible
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_error, print_lines
from svmviz.io.atomic import write_atomically
from svmviz.io.open_and_save import read_text
from svmviz.lessons.hand_in import GIVEN_UP, OPEN, RIGHT, HandIn, lines_in, read_line, version_of
from svmviz.lessons.lessons import Lesson, is_lesson_file, read_lesson_file

HEADS = (
    *("student", "lesson", "version", "day", "questions", "right", "right at first try"),
    *("given up", "not done", "wrong tries", "seconds", "marks"),
)


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``marks``."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="texts with lines that were handed in, such as mails; or own lessons (.md), for "
        "the words of their questions",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write the table as CSV [print the questions only]"
    )


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Read the lines, write the table, and print how each question was answered.

    Lines that are damaged are named on stderr and left out; then the exit code is 1.
    """
    paths = [Path(name) for name in options.files]
    own = [read_lesson_file(path) for path in paths if is_lesson_file(path)]
    found: list[HandIn] = []
    is_whole = True
    for path in paths:
        if is_lesson_file(path):
            continue
        lines = lines_in(read_text(path))
        if not lines:
            print_error(f"svmviz: {short_path(path)}: no line that was handed in.")
            is_whole = False
        for number, line in lines:
            try:
                found.append(read_line(line))
            except BadInput as error:
                print_error(f"svmviz: {short_path(path)}, line {number}: {error}")
                is_whole = False
    if options.output is not None:
        write_atomically(Path(options.output), _table(found))
    print_lines("\n".join(_questions(found, own)))
    return 0 if is_whole else 1


def _table(found: list[HandIn]) -> str:
    """Return a row for each line; the last column has each mark in words."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADS)
    for line in found:
        marks = "; ".join(f"{k} {mark.words}" for k, mark in enumerate(line.marks, start=1))
        texts = (line.student, line.lesson, line.version, line.day)
        numbers = (
            *(len(line.marks), line.count(RIGHT), line.count(RIGHT, first_try=True)),
            *(line.count(GIVEN_UP), line.count(OPEN), sum(m.wrong for m in line.marks)),
            line.seconds,
        )
        writer.writerow([*map(_as_text, texts), *numbers, marks])
    return text.getvalue()


def _as_text(cell: str) -> str:
    """Return a foreign text that no spreadsheet takes for a formula."""
    shown = visible(cell)
    return f"'{shown}" if shown[:1] in tuple("=+-@\t\r") and shown else shown


def _questions(found: list[HandIn], own: list[Lesson]) -> list[str]:
    """Return how each question was answered, with its words if the lesson is known."""
    # Imported late, because it reads all lessons.
    from svmviz.lessons.shipped import LESSONS

    rows = []
    known = {(lesson.name, version_of(lesson)): lesson for lesson in own}
    kinds = Counter((line.lesson, line.version) for line in found)
    for (name, version), count in sorted(kinds.items()):
        lines = [line for line in found if (line.lesson, line.version) == (name, version)]
        lesson = known.get((name, version)) or LESSONS.get(name)
        fits = lesson is not None and version_of(lesson) == version
        asks = [task.ask for card in lesson.cards for task in card.tasks] if lesson and fits else []
        note = "" if fits else " (its questions are not known here)"
        rows.append(f"{visible(name)} {visible(version)}: {count} handed in{note}")
        for k in range(max(len(line.marks) for line in lines)):
            marks = [line.marks[k] for line in lines if k < len(line.marks)]
            results = Counter(mark.result for mark in marks)
            first = sum(mark.result == RIGHT and not mark.wrong for mark in marks)
            rows.append(
                f"  {k + 1}: {first} right at first try, {results[RIGHT] - first} later, "
                f"{results[GIVEN_UP]} given up, {results[OPEN]} not done"
                + (f"  {asks[k]}" if k < len(asks) else "")
            )
    return rows
