"""The lecture that is being made: its stops, their pictures, and what undoes a change of them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from svmviz.document.pen import Stroke
from svmviz.lessons.lecture import MAX_TITLE, in_one_line, with_stops, without_fences
from svmviz.lessons.lessons import Card, Lesson
from svmviz.lessons.shows import Show
from svmviz.stage.open_lesson import OpenLesson

# Maximum number of changes that can be undone.
MAX_UNDO = 50


class Lecture(QObject):
    """The stops of a lecture, which the window opens as a lesson to give it.

    Parameters
    ----------
    opened : OpenLesson
        The lesson that is open: while it is the lecture, it follows each change.

    Attributes
    ----------
    lesson : Lesson or None
        None without any stop.
    pictures : dict of Show to QImage
        Small pictures of the stops that were on screen since the program was started.
    begun : float or None
        When the present presentation began, or the last one, in seconds since 1970.

    Signals
    -------
    changed()
        The stops have changed; stored in a file by the window.
    drawn()
        The pen has changed the strokes of the stop on screen, and nothing else has changed.
    painted()
        There is another picture.
    asked(str)
        A view asks the window for one of its commands: update, open, save, pdf or page.
    """

    changed = Signal()
    drawn = Signal()
    painted = Signal()
    asked = Signal(str)

    def __init__(self, opened: OpenLesson) -> None:
        super().__init__()
        self._opened = opened
        self.lesson: Lesson | None = None
        self.pictures: dict[Show, QImage] = {}
        self.begun: float | None = None
        self._before: list[Lesson | None] = []
        # Whether the last change was made by the pen; a row of strokes is undone as one change.
        self._is_drawing = False

    @property
    def stops(self) -> tuple[Card, ...]:
        """The stops."""
        return self.lesson.cards if self.lesson is not None else ()

    @property
    def is_open(self) -> bool:
        """Whether the lecture is given: its stops are what the window shows."""
        return self.lesson is not None and self._opened.lesson is self.lesson

    @property
    def can_undo(self) -> bool:
        """Whether a change of the stops can be undone."""
        return bool(self._before)

    def open(self) -> None:
        """Open the lecture at the stop at which it was left."""
        if self.lesson is not None:
            self._opened.begin(self.lesson)

    def begin(self) -> None:
        """Count the time from now on, since a presentation begins."""
        self.begun = time.time()

    def load(self, lesson: Lesson | None) -> None:
        """Replace the whole lecture; undo returns to the one before."""
        self._change(lesson, 0)

    def add(self, stop: Card) -> int:
        """Add a stop behind the one on screen, else at the end; return its index."""
        index = self._opened.index + 1 if self.is_open else len(self.stops)
        self._set((*self.stops[:index], stop, *self.stops[index:]), index)
        return index

    def update(self, index: int, stop: Card) -> None:
        """Let a stop show something else, with its title and note."""
        self._put(index, replace(self.stops[index], show=stop.show))

    def rename(self, index: int, title: str) -> None:
        """Give a stop another title; an empty one becomes its number."""
        title = in_one_line(title, MAX_TITLE).rstrip("# ")
        self._put(index, replace(self.stops[index], title=title))

    def set_note(self, index: int, note: str) -> None:
        """Give a stop another note."""
        self._put(index, replace(self.stops[index], note=without_fences(note)))

    def move(self, index: int, to: int) -> None:
        """Move a stop to another place."""
        stops = list(self.stops)
        stops.insert(to, stops.pop(index))
        self._set(stops, to)

    def duplicate(self, index: int) -> None:
        """Add a copy behind a stop."""
        self._set((*self.stops[: index + 1], *self.stops[index:]), index + 1)

    def remove(self, index: int) -> None:
        """Remove a stop; without any other the lecture ends."""
        self._set((*self.stops[:index], *self.stops[index + 1 :]), max(index - 1, 0))

    def draw(self, strokes: tuple[Stroke, ...]) -> None:
        """Keep the strokes that were drawn on the stop on screen, if the lecture is given."""
        if self.lesson is None or not self.is_open:
            return
        index, stops = self._opened.index, list(self.stops)
        old, new = stops[index].show, replace(stops[index].show, strokes=strokes)
        stops[index] = replace(stops[index], show=new)
        if not self._is_drawing:
            self._note_change()
        self._is_drawing = True
        self.lesson = replace(self.lesson, cards=tuple(stops))
        self._opened.revise(self.lesson, index, is_shown=True)
        # Until the new picture is painted.
        if old in self.pictures and all(stop.show != old for stop in stops):
            self.pictures[new] = self.pictures.pop(old)
        self.drawn.emit()

    def undo(self) -> None:
        """Undo the last change of the stops."""
        self._is_drawing = False
        if self._before:
            self._show(self._before.pop(), self._opened.index)

    def paint(self, show: Show, picture: QImage) -> None:
        """Keep the picture of a stop."""
        self.pictures[show] = picture
        self.painted.emit()

    def _put(self, index: int, stop: Card) -> None:
        if stop != self.stops[index]:
            self._set((*self.stops[:index], stop, *self.stops[index + 1 :]), self._opened.index)

    def _set(self, stops: Iterable[Card], index: int) -> None:
        self._change(with_stops(self.lesson, stops), index)

    def _change(self, lesson: Lesson | None, index: int) -> None:
        self._note_change()
        self._show(lesson, index)

    def _note_change(self) -> None:
        self._before = [*self._before, self.lesson][-MAX_UNDO:]
        self._is_drawing = False

    def _show(self, lesson: Lesson | None, index: int) -> None:
        was_open, self.lesson = self.is_open, lesson
        if was_open:
            self._opened.revise(lesson, index)
        self.changed.emit()
