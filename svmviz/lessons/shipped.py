"""The lessons that come with the program."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping

from solvers.errors import BadInput, shorten
from svmviz.base import resources
from svmviz.io.paths import file_path
from svmviz.lessons.lessons import ENDING, Lesson, read_lesson_file


class _Shipped(Mapping[str, Lesson]):
    """The lessons by name, in the order of ``order.txt``; each is read when it is first used.

    Reading all of them would take a tenth of the time of a start.
    """

    def __getitem__(self, name: str) -> Lesson:
        if name not in self._names:
            raise KeyError(name)
        return _read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(resources.names_in_order(resources.path("lessons")))


LESSONS: Mapping[str, Lesson] = _Shipped()


@functools.cache
def _read(name: str) -> Lesson:
    return read_lesson_file(resources.path("lessons") / f"{name}{ENDING}")


def find_lesson(name_or_path: str) -> Lesson:
    """Return the lesson of this name or in this file.

    Raises
    ------
    BadInput
        If there is no such lesson, or the file is not a lesson.
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
