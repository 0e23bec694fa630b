"""The lessons that come with the program."""

from __future__ import annotations

import os

from solvers.errors import BadInput, shorten
from svmviz.base import resources
from svmviz.io.paths import file_path
from svmviz.lessons.lessons import ENDING, Lesson, read_lesson_file


def _read_all() -> dict[str, Lesson]:
    folder = resources.path("lessons")
    names = resources.names_in_order(folder)
    return {name: read_lesson_file(folder / f"{name}{ENDING}") for name in names}


# By name, in the order of ``order.txt``.
LESSONS: dict[str, Lesson] = _read_all()


def find_lesson(name_or_path: str) -> Lesson:
    """Return the lesson of this name or in this file.

    Raises
    ------
    BadInput
        If there is no such lesson, or the file is none.
    """
    if name_or_path in LESSONS:
        return LESSONS[name_or_path]
    path = file_path(name_or_path)
    if path.suffix.lower() != ENDING and not os.path.exists(path):
        raise BadInput(
            f"There is no lesson {shorten(name_or_path)!r}; there are {', '.join(LESSONS)}. "
            f"The file of a lesson ends in {ENDING}."
        )
    return read_lesson_file(path)
