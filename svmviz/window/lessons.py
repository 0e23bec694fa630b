"""Lessons in the window: their scenes and panels, and the document that waits behind them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from solvers import BadInput
from svmviz.lessons.lessons import ENDING, Lesson
from svmviz.lessons.shipped import find_lesson
from svmviz.lessons.shows import Show
from svmviz.panels.lesson.specs import LESSON
from svmviz.panels.registry import PANELS, SHOWN_BY_LESSONS
from svmviz.stage.stage import Stage
from svmviz.tools import TOOLS
from svmviz.window.docks.docks import Docks
from svmviz.window.files.files import Files
from svmviz.window.memory import Memory
from svmviz.window.messages import Messages


class Lessons(QObject):
    """Opens the scenes of a lesson, and brings the document of the user back at its end.

    Parameters
    ----------
    window : QWidget
    stage : Stage
    files : Files
    docks : Docks
    messages : Messages
    memory : Memory
        Keeps how far each lesson was read.
    """

    def __init__(
        self,
        window: QWidget,
        stage: Stage,
        files: Files,
        docks: Docks,
        messages: Messages,
        memory: Memory,
    ) -> None:
        super().__init__(window)
        self._stage, self._lesson = stage, stage.lesson
        self._files, self._docks, self._messages = files, docks, messages
        self._memory = memory
        self._lesson.left_at.update(memory.lessons)
        self._lesson.card_opened.connect(self._show_card)
        self._lesson.ended.connect(files.take_up)
        self._lesson.ended.connect(self._remember)
        # Another document is opened, or the window closes.
        files.returned.connect(self._lesson.end)
        docks.docks[LESSON.name].installEventFilter(self)

    def open_file(self, path: str) -> None:
        """Begin the lesson of a file, or open a file of points or a scene."""
        if path.lower().endswith(ENDING):
            self.open(path)
        else:
            self._files.confirm_and_open(path)

    def open(self, name_or_path: str) -> None:
        """Begin a lesson, given its name or its file, which is read in the background."""
        self._files.tasks.start(
            f"Opening {Path(name_or_path).name}…",
            lambda _control: _read(name_or_path),
            self._begin,
            self._refuse,
        )

    def _begin(self, lesson: Lesson) -> None:
        self._docks.show(LESSON.name)
        self._lesson.begin(lesson)

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, BadInput):
            raise error
        self._messages.warn("The lesson was not opened", str(error))

    def _remember(self) -> None:
        self._memory.remember_lessons(self._lesson.left_at)

    def _show_card(self, show: Show) -> None:
        self._files.lay_aside()
        if show.scene:
            lesson = self._lesson.lesson
            assert lesson is not None
            self._files.show_scene(show.read_scene(), title=lesson.title)
        if show.row and show.step is not None:
            self._stage.playback.seek_when_recorded(show.step)
        elif show.row:
            self._stage.playback.go_to_end()
        for name in show.panels:
            if name not in PANELS or PANELS[name].fits(self._stage.session.document):
                self._docks.show(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The user has closed the panel by its title, the menu or the frame of its window.
        if event.type() == QEvent.Type.Close:
            self._lesson.end()
        return super().eventFilter(watched, event)


def _read(name_or_path: str) -> Lesson:
    lesson = find_lesson(name_or_path)
    lesson.check_names(SHOWN_BY_LESSONS, TOOLS)
    return lesson
