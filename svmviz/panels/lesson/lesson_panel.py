"""The Lesson panel: the list of lessons, or the card of the lesson that is open."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton

from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.lessons.lessons import Card, Goal, Lesson, Question, Task
from svmviz.lessons.shipped import LESSONS
from svmviz.lessons.tasks import ShownTask, TaskStudy
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.lesson.task_views import DoneView, GoalView, QuestionView, wrapped
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import MutedLabel

INTRODUCTION = (
    "A lesson shows scenes, asks what you expect, and lets you try it. Your own document waits "
    "behind it, and comes back at the end."
)

# Minimum width of a card, px at scale 1.
MIN_CARD_WIDTH = 290


class LessonPanel(FramePanel):
    """A lesson of :mod:`svmviz.lessons.lessons`, card by card.

    Parameters
    ----------
    stage : Stage
    """

    name = "lesson"

    def __init__(self, stage: Stage) -> None:
        self._lesson = stage.lesson
        self.shown: ShownTask | None = None
        self.task_view: QuestionView | GoalView | None = None
        self.lessons: dict[str, QPushButton] = {}
        # The study of the present task, which knows how the task began.
        self._task: Task | None = None
        self._task_study: TaskStudy | None = None
        super().__init__(stage, gap=3.0, margin=3.0)
        self._content = self.add(Column(gap=3.0))
        self.box.addStretch(1)
        stage.lesson.changed.connect(self._on_changed)
        stage.session.document_changed.connect(self._on_document)
        self._fill()

    def make_study(self) -> Study | None:
        task = self._lesson.task
        if task is not self._task:
            document = self.stage.session.document
            self._task, self._task_study = task, TaskStudy(task, document) if task else None
        return self._task_study

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        is_current = isinstance(study, ShownTask) and study.task is self._task
        self.shown = study if is_current else None
        if self.shown is not None and isinstance(self.task_view, GoalView):
            self.task_view.show_task(self.shown)
            if self.shown.is_reached:
                # Later, because this rebuilds the panel that is being drawn.
                QTimer.singleShot(0, self, self._on_reached)

    def _on_reached(self) -> None:
        if self.shown is not None:
            self._lesson.watch(self.shown)

    def _on_document(self) -> None:
        if self._task_study is not None:
            self._task_study.note(self.stage.session.document)

    def _on_changed(self) -> None:
        if self._lesson.task is not self._task:
            self.shown = None
            self.renew_study()
        self._fill()

    # Contents.

    def _fill(self) -> None:
        old = self._content
        self._content = Column(gap=3.0)
        self.box.insertWidget(self.box.indexOf(old), self._content)
        self.box.removeWidget(old)
        old.hide()
        old.deleteLater()
        self.task_view = None
        card = self._lesson.card
        if card is None:
            self._fill_list()
        else:
            self._fill_card(card)

    def _fill_list(self) -> None:
        self._content.add(MutedLabel(INTRODUCTION))
        self.lessons = {}
        for name, lesson in LESSONS.items():
            entry = self._content.add(Column(gap=1.0))
            button = entry.add(QPushButton(lesson.title))
            button.clicked.connect(lambda _=False, lesson=lesson: self._lesson.begin(lesson))
            entry.add(MutedLabel(" ".join((lesson.help, self._progress(lesson)))))
            self.lessons[name] = button

    def _progress(self, lesson: Lesson) -> str:
        count, index = len(lesson.cards), self._lesson.left_at.get(lesson.name, 0)
        if index >= count:
            return "Read to its end."
        return f"Left at card {index + 1} of {count}." if index > 0 else f"{count} cards."

    def _fill_card(self, card: Card) -> None:
        lesson = self._lesson.lesson
        assert lesson is not None
        add = self._content.add
        place = f"{self._lesson.index + 1} of {len(lesson.cards)}"
        self.place = add(wrapped(f"{lesson.title} · {place}", "muted"))
        add(wrapped(card.title, "title"))
        for paragraph in card.paragraphs:
            add(wrapped(paragraph))
        for index, task in enumerate(card.tasks[: self._lesson.task_index]):
            result, answer = self._lesson.result(index), self._lesson.right_answer(index)
            add(DoneView(task, result, answer))
        self._add_task(self._lesson.task)
        self.reply = add(wrapped(self._lesson.reply))
        self.reply.setVisible(bool(self._lesson.reply))
        self._add_buttons()

    def _add_task(self, task: Task | None) -> None:
        if isinstance(task, Question):
            view = self.task_view = self._content.add(QuestionView(task))
            view.chosen.connect(self._lesson.choose)
            view.answered.connect(self._on_numbers)
        elif isinstance(task, Goal):
            view = self.task_view = self._content.add(GoalView(task))
            if self.shown is not None:
                view.show_task(self.shown)

    def _add_buttons(self) -> None:
        row = self._content.add(Column(gap=2.0, across=True))
        self.back = row.add(QPushButton("Back"))
        self.back.setEnabled(self._lesson.index > 0)
        self.back.clicked.connect(lambda: self._lesson.go(-1))
        task = self._lesson.task
        self.give_up = row.add(QPushButton("Skip" if isinstance(task, Goal) else "Show the answer"))
        self.give_up.setVisible(task is not None)
        self.give_up.clicked.connect(self._on_give_up)
        self.hint = row.add(QPushButton("Hint"))
        self.hint.setVisible(isinstance(task, Goal) and bool(task.hint))
        self.hint.clicked.connect(self._lesson.show_hint)
        self.on = row.add(QPushButton("End" if self._lesson.is_last else "On"))
        self.on.setEnabled(task is None)
        self.on.setProperty("role", "primary" if task is None else "")
        self.on.clicked.connect(lambda: self._lesson.go(1))
        row.box.addStretch(1)

    def _on_give_up(self) -> None:
        self._lesson.give_up(self.shown.number if self.shown is not None else None)

    def _on_numbers(self, numbers: tuple[float, ...]) -> None:
        view = self.task_view
        if self.shown is None or self.shown.number is None:
            trouble = (self.shown and self.shown.trouble) or "The scene is not solved yet."
            if isinstance(view, QuestionView):
                view.refusal.setText(trouble)
                view.refusal.show()
            return
        self._lesson.answer(numbers[0], self.shown.number)

    def minimumSizeHint(self) -> QSize:
        """Return a width that fits every card, so that the plane keeps its place."""
        hint = super().minimumSizeHint()
        return QSize(max(hint.width(), look_of(self).metrics.px(MIN_CARD_WIDTH)), hint.height())

    def showEvent(self, event: QShowEvent) -> None:
        self._lesson.is_shown = True
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._lesson.is_shown = False
