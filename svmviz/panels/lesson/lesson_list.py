"""The list of lessons with the progress in each, and the copy of what was answered."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from svmviz.lessons.hand_in import ABOUT
from svmviz.lessons.lessons import Lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.stage.answers_text import answers_as_text, line_to_hand_in
from svmviz.stage.lecture import Lecture
from svmviz.stage.open_lesson import OpenLesson, Record
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, MutedLabel, ask_text, set_tip

INTRODUCTION = (
    "A lesson shows scenes, asks what you expect, and lets you try it. Your own document waits "
    "behind it, and comes back at the end."
)
TICK = "✓"


class LessonList(Column):
    """The lessons that come with the program, part by part; a click begins one.

    Parameters
    ----------
    opened : OpenLesson
    lecture : Lecture
        The lecture that is being made, which a button opens.

    Attributes
    ----------
    go_on : QPushButton or None
        Goes on with the lesson that was read last, or with the next one; None if all are read.
    buttons : dict of str to QPushButton
        By name of the lesson.
    copy : CopyButtons or None
        None if no lesson was opened since the program was started.
    """

    def __init__(self, opened: OpenLesson, lecture: Lecture) -> None:
        super().__init__(gap=3.0)
        self._opened = opened
        if lecture.lesson is not None:
            stops = len(lecture.stops)
            words = f"{lecture.lesson.title}: {stops} stop{'s' * (stops > 1)}"
            self.lecture = self.add(QPushButton(words))
            self.lecture.clicked.connect(lecture.open)
        self.add(MutedLabel(INTRODUCTION))
        self.go_on = self._add_go_on()
        self.buttons: dict[str, QPushButton] = {}
        for chapter, lessons in groupby(LESSONS.values(), key=lambda lesson: lesson.chapter):
            self._add_chapter(chapter, list(lessons))
        has_records = any(opened.records.values())
        self.copy = self.add(CopyButtons(opened)) if has_records else None

    def _add_go_on(self) -> QPushButton | None:
        lesson = _next_lesson(self._opened.left_at)
        if lesson is None:
            return None
        word = "Continue" if self._opened.left_at else "Begin"
        button = self.add(QPushButton(f"{word}: {lesson.title}"))
        button.setProperty("role", "primary")
        button.clicked.connect(lambda: self._opened.choose(lesson))
        return button

    def _add_chapter(self, chapter: str, lessons: list[Lesson]) -> None:
        read = sum(self._is_read(lesson) for lesson in lessons)
        self.add(Label(f"{chapter} · {read} of {len(lessons)} read", role="heading"))
        for lesson in lessons:
            entry = self.add(Column(gap=1.0))
            mark = f"{TICK} " if self._is_read(lesson) else ""
            button = self.buttons[lesson.name] = entry.add(QPushButton(f"{mark}{lesson.title}"))
            button.clicked.connect(lambda _=False, lesson=lesson: self._opened.choose(lesson))
            entry.add(MutedLabel(f"{lesson.help} {self._facts(lesson)}"))

    def _is_read(self, lesson: Lesson) -> bool:
        return self._opened.left_at.get(lesson.name, 0) >= len(lesson.cards)

    def _facts(self, lesson: Lesson) -> str:
        """Return how long the lesson takes, what comes before it, and where it was left."""
        count, index = len(lesson.cards), self._opened.left_at.get(lesson.name, 0)
        before = " and ".join(f"“{LESSONS[name].title}”" for name in lesson.needs)
        return " ".join(
            (
                f"About {lesson.minutes} min{f', after {before}' if before else ''}.",
                *([f"Left at card {index + 1} of {count}."] if 0 < index < count else ()),
            )
        )


def _next_lesson(left_at: dict[str, int]) -> Lesson | None:
    """Return the lesson read last or, if it is read to its end, the next one that is not."""
    names = list(LESSONS)
    last = next((name for name in reversed(left_at) if name in LESSONS), names[0])
    start = names.index(last)
    for name in (*names[start:], *names[:start]):
        if left_at.get(name, 0) < len(LESSONS[name].cards):
            return LESSONS[name]
    return None


class CopyButtons(Column):
    """Buttons that copy what was done in all lessons that were opened: as text, or to hand it in.

    Parameters
    ----------
    opened : OpenLesson
    """

    def __init__(self, opened: OpenLesson) -> None:
        super().__init__(gap=1.0)
        self._opened = opened
        self.answers = self.add(QPushButton("Copy all answers and times"))
        self.answers.clicked.connect(self._copy_answers)
        self.line = self.add(QPushButton("Copy a line to hand in…"))
        set_tip(self.line, ABOUT)
        self.line.clicked.connect(self._copy_lines)

    @property
    def _done(self) -> list[tuple[Lesson, dict[tuple[int, int], Record]]]:
        records = self._opened.records
        return [
            (item, records[name]) for name, item in self._opened.opened.items() if records.get(name)
        ]

    def _copy_answers(self) -> None:
        texts = [answers_as_text(lesson, records) for lesson, records in self._done]
        QGuiApplication.clipboard().setText("\n\n".join(texts))
        self.answers.setText("Copied")

    def _copy_lines(self) -> None:
        name = ask_text(self, "Hand in", f"{ABOUT}\n\nYour name:", self._opened.student)
        if name is None:
            return
        self._opened.student = name
        day = QDate.currentDate().toString(Qt.DateFormat.ISODate)
        lines = [line_to_hand_in(name, lesson, records, day) for lesson, records in self._done]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.line.setText("Copied")
