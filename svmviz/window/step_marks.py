"""The commands of the loop and of bookmarks, which mark steps of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from solvers import BadInput
from svmviz.document.step_marks import StepMarks
from svmviz.frames.clocks import STEPS
from svmviz.playback.playback import Playback
from svmviz.widgets.plain_text import ask_text


class StepMarkCommands:
    """Commands that mark the step shown, or go to a marked step. They are view state, without undo.

    Parameters
    ----------
    playback : Playback
    parent : QWidget
        The parent of dialogs.
    say : callable(str, str)
        Shows a word and a line in front of the planes.
    """

    def __init__(
        self, playback: Playback, parent: QWidget, say: Callable[[str, str], object]
    ) -> None:
        self._playback, self._parent, self._say = playback, parent, say

    @property
    def can_mark(self) -> bool:
        """Whether there is a run, and its steps are what the bar counts."""
        return self._playback.run is not None and self._playback.clock is STEPS

    @property
    def has_loop(self) -> bool:
        """Whether there is a loop."""
        return self._playback.marks.loop is not None

    @property
    def has_bookmarks(self) -> bool:
        """Whether there are bookmarks."""
        return bool(self._playback.marks.bookmarks)

    def loop_from(self) -> None:
        """Let the loop begin at the step shown, also if there is none yet."""
        step, length = self._step, self._playback.length
        if step < length:
            self._loop(self._playback.marks.looped_from(step, length))

    def loop_to(self) -> None:
        """Let the loop end at the step shown, also if there is none yet."""
        if self._step > 0:
            self._loop(self._playback.marks.looped_to(self._step))

    def end_loop(self) -> None:
        """Remove the loop."""
        self._playback.mark(replace(self._playback.marks, loop=None))
        self._say("No loop", "")

    def bookmark(self) -> None:
        """Ask for the name of the step shown."""
        marks, step = self._playback.marks, self._step
        question = f"Name of step {step:,}; without a name it has no bookmark:"
        name = ask_text(self._parent, "Bookmark", question, marks.name_of(step))
        if name is not None:
            try:
                self._playback.mark(self._playback.marks.named(step, name))
            except BadInput as error:
                self._say("No bookmark", str(error))

    def go_to_bookmark(self, direction: int) -> None:
        """Go to the next bookmark, or to the one before (``direction`` -1), and name it."""
        marks = self._playback.marks
        step = marks.beside(self._step, direction)
        if step is not None and step <= self._playback.length:
            self._playback.seek(step)
            self._say(marks.name_of(step), f"step {step:,}")

    @property
    def _step(self) -> int:
        return self._playback.player.reading

    def _loop(self, marks: StepMarks) -> None:
        self._playback.mark(marks)
        first, last = marks.loop or (0, 0)
        self._say("Loop", f"steps {first:,} to {last:,}: Space plays them round and round")
