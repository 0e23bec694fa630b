"""The list of lessons with the progress in each, and the copy of what was answered."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from svmviz.lessons.lessons import Lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.stage.answers_text import answers_as_text
from svmviz.stage.open_lesson import OpenLesson
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import MutedLabel

INTRODUCTION = (
    "A lesson shows scenes, asks what you expect, and lets you try it. Your own document waits "
    "behind it, and comes back at the end."
)


class LessonList(Column):
    """The lessons that come with the program; a click begins one.

    Parameters
    ----------
    opened : OpenLesson

    Attributes
    ----------
    buttons : dict of str to QPushButton
        By name of the lesson.
    copies : dict of str to CopyButton
        Of the lessons that were opened since the program was started.
    """

    def __init__(self, opened: OpenLesson) -> None:
        super().__init__(gap=3.0)
        self._opened = opened
        self.add(MutedLabel(INTRODUCTION))
        self.buttons: dict[str, QPushButton] = {}
        self.copies: dict[str, CopyButton] = {}
        for name, lesson in LESSONS.items():
            entry = self.add(Column(gap=1.0))
            button = self.buttons[name] = entry.add(QPushButton(lesson.title))
            button.clicked.connect(lambda _=False, lesson=lesson: opened.begin(lesson))
            entry.add(MutedLabel(" ".join((lesson.help, self._progress(lesson)))))
            if opened.records.get(name):
                self.copies[name] = entry.add(CopyButton(opened, lesson))

    def _progress(self, lesson: Lesson) -> str:
        count, index = len(lesson.cards), self._opened.left_at.get(lesson.name, 0)
        if index >= count:
            return "✓ Read to its end."
        return f"Left at card {index + 1} of {count}." if index > 0 else f"{count} cards."


class CopyButton(QPushButton):
    """A button that copies the answers and times of a lesson as text.

    Parameters
    ----------
    opened : OpenLesson
    lesson : Lesson
    """

    def __init__(self, opened: OpenLesson, lesson: Lesson) -> None:
        super().__init__("Copy answers and times")
        self._opened, self._lesson = opened, lesson
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        records = self._opened.records.get(self._lesson.name, {})
        QGuiApplication.clipboard().setText(answers_as_text(self._lesson, records))
        self.setText("Copied")
