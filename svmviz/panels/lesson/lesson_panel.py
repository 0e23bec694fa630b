"""The Lesson panel: the list of lessons, or the card of the lesson that is open."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget

from solvers import BadInput
from svmviz.base.announcer import Announcer
from svmviz.base.notation import rich
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.by_hand import Decision
from svmviz.lessons.certificates import verdict
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.lessons import Card, CardFormula, Task
from svmviz.lessons.questions import CHOICE, ORDER, Question
from svmviz.lessons.tasks import ShownTask, TaskStudy
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.lesson.lecture_list import LectureList
from svmviz.panels.lesson.lesson_list import LessonList
from svmviz.panels.lesson.task_views import (
    CertificateView,
    DoneView,
    GoalView,
    HandView,
    QuestionView,
    ask_in_plane,
    linked,
    right_answer,
    wrapped,
)
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.answer_form import AnswerForm
from svmviz.widgets.column import Column
from svmviz.widgets.formula import FormulaView
from svmviz.widgets.plain_text import RichLabel
from svmviz.widgets.tab_order import give_focus

NOT_SOLVED = "The scene is not solved yet."
# How often it is looked whether the mouse was released, ms.
RELEASE_DELAY = 50
# Space between the parts of a card that must be whole, in units of 4 px at scale 1.
BRIEF_GAP = 2.0
# Minimum width of a card, px at scale 1.
MIN_CARD_WIDTH = 262


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
        self.task_view: QuestionView | GoalView | CertificateView | HandView | None = None
        self.lessons: LessonList | None = None
        self.stops: LectureList | None = None
        # Whether an audience sees this view.
        self._is_presented = False
        # The study of the present task, which knows how the task began.
        self._task: Task | None = None
        self._task_study: TaskStudy | None = None
        # Questions of *Predict first* that were answered before the task began.
        self._answered = 0
        # The card whose derivation and controls were made, and their widgets.
        self._extras_of: Card | None = None
        self._made_extras: list[QWidget] = []
        # Parts of the card that may be left out, the least important first.
        self._spare: list[QWidget] = []
        # The area that scrolls the card.
        self._area: QScrollArea | None = None
        # Whether the lesson has changed while this view was hidden.
        self._is_stale = False
        # Card and task that are shown; in an exercise, its decision.
        self._filled: tuple[Card | None, Task | Decision | None] = (None, None)
        # Card and task that a screen reader has said.
        self._said: tuple[Card | None, Task | Decision | None] = (None, None)
        # Whether the card was just opened, and is shown from its head; and whether its layout may
        # still change on its own, so that it is scrolled again.
        self._is_at_head = self._is_settling = True
        # Whether giving up was asked for once, and when, s.
        self._gives_up: float | None = None
        super().__init__(stage, gap=3.0, margin=2.0)
        self._announcer = Announcer(self)
        self._content = self.add(Column(gap=3.0))
        self.box.addStretch(1)
        stage.lesson.changed.connect(self._on_changed)
        stage.session.document_changed.connect(self._on_document)
        stage.prediction.changed.connect(self._on_prediction)
        stage.reading.changed.connect(self._on_reading)
        stage.picking.changed.connect(self._on_picking)
        stage.picking.picked.connect(self._on_points)
        stage.picking.placed.connect(self._on_place)
        self._fill()

    def make_study(self) -> Study | None:
        task = self._lesson.task
        if task is not self._task:
            document = self.stage.session.document
            self._task, self._task_study = task, TaskStudy(task, document) if task else None
            self._answered = self.stage.prediction.answered
        return self._task_study

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        is_current = isinstance(study, ShownTask) and study.task is self._task
        self.shown = study if is_current else None
        if self.shown is None:
            return
        if isinstance(study.task, Exercise):
            # Later, because this may rebuild the panel that is being drawn.
            QTimer.singleShot(0, self, partial(self._lesson.take_steps, study))
        elif isinstance(self.task_view, CertificateView):
            if self.shown.labels != self.task_view.labels:
                self._fill()
        elif isinstance(self.task_view, QuestionView) and self.shown.trouble:
            self.task_view.refusal.say(self.shown.trouble)
        elif isinstance(self.task_view, GoalView):
            self.task_view.show_task(self.shown)
            if self.shown.is_reached:
                # Later, because this rebuilds the panel that is being drawn.
                QTimer.singleShot(0, self, self._on_reached)

    def _on_reached(self) -> None:
        if self.shown is None or not self.shown.is_reached:
            return
        if QGuiApplication.mouseButtons():
            # Only what holds when the hand lets go counts, not what it passes by.
            QTimer.singleShot(RELEASE_DELAY, self, self._on_reached)
            return
        self._lesson.watch(self.shown)

    def _on_prediction(self) -> None:
        if self._task_study is not None:
            self._task_study.predicted = self.stage.prediction.answered - self._answered

    def _on_document(self) -> None:
        if self._task_study is not None:
            self._task_study.note(self.stage.session.document)

    @property
    def _is_first(self) -> bool:
        """Whether clicks in the plane go to this view."""
        return self._lesson.views[:1] == [self]

    def _on_changed(self) -> None:
        self._is_stale = not self.isVisible() and self._lesson.lesson is not None
        if self._is_stale:
            return
        if self.stops is not None and self._lists_stops:
            self.stops.fill()
            return
        if self._lesson.task is not self._task:
            self.shown = None
            self.renew_study()
        focus = QApplication.focusWidget()
        used = focus if focus is not None and self.isAncestorOf(focus) else None
        # If the focus was in the card, it stays there as if Tab had moved it. So Return and Space
        # press the buttons of the card, even after a click or after Return in a field, and Space
        # does not play the run.
        if self._lesson.card is not None and self._present == self._filled:
            # A wrong answer stays in its field.
            self._show_reply()
            self._is_at_head = False
            if used is not None:
                give_focus(used)
        else:
            self._is_at_head = self._lesson.card is not self._filled[0]
            self._fill()
            # The next number can be typed at once, and Return goes on when all is done, also after
            # an answer in the plane. A lesson that is opened does not take the focus.
            if used is not None or (not self._is_at_head and self._is_first):
                self._focus_task()
        self._is_settling = True
        self._announce()
        # Scroll later, when the layout has placed everything.
        QTimer.singleShot(0, self, self._bring_into_sight)

    def _announce(self) -> None:
        """Let a screen reader say the reply, the reason of the last answer, and what is new."""
        (card, task), said = self._present, self._said
        self._said = card, task
        if card is None:
            return
        texts, done = [self._lesson.reply], self._lesson.task_index - 1
        attempt = self._lesson.attempt
        if card is not said[0]:
            texts += [f"{card.title}.", *card.paragraphs]
        elif attempt is not None and task is not said[1]:
            texts.append(attempt.said)
        elif task is not said[1] and done >= 0:
            texts += [f"{self._lesson.record(done).answer}.", card.tasks[done].because]
        if task is not None and task is not said[1]:
            texts.append(task.ask)
        if any(texts):
            self._announcer.say(" ".join(filter(None, texts)))

    def _focus_task(self) -> None:
        """Put the focus into the first field of the task, or on the button that goes on."""
        view = self.task_view
        if isinstance(view, AnswerForm) and view.fields:
            give_focus(view.fields[0])
        elif isinstance(view, HandView):
            # The question has the focus, so that no answer seems to be proposed; Tab goes to them.
            give_focus(view)
        elif view is None and self._lesson.card is not None:
            give_focus(self.on)

    def _bring_into_sight(self) -> None:
        """Scroll to the reply or, without one, to the present task and the buttons below it."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is None or self._lesson.card is None or not self.isVisible():
            return
        if area is not self._area:
            # The height of the card is final only after several layouts, when its formulas are
            # typeset.
            self._area = area
            area.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.box.activate()
        # Nobody scrolls before an audience, so that the question must be in sight there.
        if self._is_at_head and not (self.gives_way and self.task_view is not None):
            area.verticalScrollBar().setValue(0)
            return
        area.ensureWidgetVisible(self.on, 0, 4)
        if self._lesson.reply:
            area.ensureWidgetVisible(self.reply, 0, 4)
        elif self.task_view is not None:
            area.ensureWidgetVisible(self.task_view, 0, 4)

    def _on_range(self, _low: int, _high: int) -> None:
        if self._is_settling:
            self._bring_into_sight()

    def _on_reading(self) -> None:
        """Let the derivation scroll: what is below it must not come under the mouse."""
        self._is_settling = False

    def fit_into(self, width: int, height: int) -> int:
        """Leave out what was read before as far as the card is higher; return its height then."""
        self._content.set_gap(BRIEF_GAP)
        # New contents that are not shown yet have no height for a width.
        needed = max(self.heightForWidth(width), self.minimumSizeHint().height())
        gap = self._content.box.spacing()
        heights = {part: _height_of(part, self._content.width()) + gap for part in self._spare}
        needed += sum(heights[part] for part in self._spare if part.isHidden())
        for part in self._spare:
            part.setVisible(needed <= height)
            if part.isHidden():
                needed -= heights[part]
        return needed

    @property
    def _present(self) -> tuple[Card | None, Task | Decision | None]:
        return self._lesson.card, self._lesson.asked

    # Contents.

    def _fill(self) -> None:
        old = self._content
        self._content = Column(gap=3.0)
        self.box.insertWidget(self.box.indexOf(old), self._content)
        self.box.removeWidget(old)
        old.hide()
        old.deleteLater()
        self.task_view, self._spare = None, []
        card, _task = self._filled = self._present
        self.stops = None
        if card is not self._extras_of:
            for extra in self._made_extras:
                extra.hide()
                extra.deleteLater()
            self._extras_of = card
            self._made_extras = self._lesson.make_extras(card.show) if card is not None else []
        if card is None:
            self.lessons = self._content.add(LessonList(self._lesson, self.stage.lecture))
        elif self._lists_stops:
            self.stops = self._content.add(LectureList(self.stage), 1)
        else:
            self._fill_card(card)
        self._on_picking()
        # A list of stops takes all the height.
        self.box.setStretchFactor(self._content, 100 * (self.stops is not None))

    @property
    def _lists_stops(self) -> bool:
        """Whether the stops of a lecture are shown, which an audience does not see."""
        return self.stage.lecture.is_open and not self._is_presented

    def _fill_card(self, card: Card) -> None:
        lesson = self._lesson.lesson
        assert lesson is not None
        add = self._content.add
        place = f"{self._lesson.index + 1} of {len(lesson.cards)}"
        self.place = add(wrapped(f"{lesson.title} · {place}", "muted"))
        add(wrapped(card.title, "title"))
        texts: list[RichLabel] = []
        formulas: list[QWidget] = []
        for part in card.body:
            if isinstance(part, CardFormula):
                formulas.append(add(FormulaView(part.lines, fits_content=True)))
            else:
                texts.append(add(linked(part)))
                texts[-1].linkActivated.connect(self._lesson.concept_requested)
        for extra in self._made_extras:
            add(extra)
            extra.show()
        done = [
            add(DoneView(task, self._lesson.record(index)))
            for index, task in enumerate(card.tasks[: self._lesson.task_index])
        ]
        # The last reason is read now. Before the first answer, the text is.
        self._spare = [*done[:-1], *texts, *formulas] if done else []
        self._add_task(self._lesson.task)
        self.reply = add(wrapped(""))
        self._show_reply()
        self._add_buttons()

    def _show_reply(self) -> None:
        self.reply.setText(rich(self._lesson.reply))
        self.reply.setVisible(bool(self._lesson.reply))

    def _add_task(self, task: Task | None) -> None:
        ask_in_plane(self.stage.picking, self._lesson.asked)
        attempt = self._lesson.attempt
        if isinstance(task, Exercise):
            if attempt is None or attempt.decision is None:
                self._content.add(wrapped(task.ask, "section"))
                return
            n = self.stage.session.document.n
            view = self.task_view = self._content.add(HandView(attempt, n))
            view.decided.connect(self._answer)
        elif isinstance(task, Question):
            view = self.task_view = self._content.add(QuestionView(task))
            if task.kind == ORDER:
                view.ordered.connect(self._answer)
            else:
                view.chosen.connect(self._answer)
            view.answered.connect(self._answer)
        elif isinstance(task, CertificateTask):
            labels = self.shown.labels if self.shown is not None else ()
            view = self.task_view = self._content.add(CertificateView(task, labels))
            view.answered.connect(self._on_certificate)
            if self.shown is not None and self.shown.trouble:
                view.refusal.say(self.shown.trouble)
        elif isinstance(task, Goal):
            view = self.task_view = self._content.add(GoalView(task))
            if self.shown is not None:
                view.show_task(self.shown)

    def _add_buttons(self) -> None:
        row = self._content.add(Column(gap=1.0, across=True))
        self.back = row.add(QPushButton("Back"))
        self.back.setEnabled(self._lesson.index > 0)
        self.back.clicked.connect(lambda: self._lesson.go(-1))
        task = self._lesson.task
        self._gives_up = None
        words = {Goal: "Skip", Exercise: "Model answer"}.get(type(task), "Show the answer")
        self.give_up = row.add(QPushButton(words))
        self.give_up.setVisible(task is not None)
        self.give_up.clicked.connect(self._on_give_up)
        self.hint = row.add(QPushButton("Hint"))
        self.hint.setVisible(isinstance(task, Goal) and bool(task.hint))
        self.hint.clicked.connect(self._lesson.show_hint)
        self.on = row.add(QPushButton("End" if self._lesson.is_last else "Next"))
        self.on.setEnabled(task is None)
        self.on.setProperty("role", "primary" if task is None else "")
        self.on.clicked.connect(lambda: self._lesson.go(1))
        row.box.addStretch(1)
        card = self._lesson.card
        if card is not None and card.show.fresh is not None and task is None:
            again = self.again = self._content.add(QPushButton("Again with other points"))
            again.clicked.connect(self._on_again)

    def _on_again(self) -> None:
        # One click is enough, while the points are drawn.
        self.again.setEnabled(False)
        self._lesson.renew()

    def _on_give_up(self) -> None:
        """Ask first; the second click of a double click is no answer."""
        if self._lesson.attempt is not None:
            # It is one step of several, so it is not asked whether it is meant.
            self._lesson.show_model()
            return
        now, asked = time.monotonic(), self._gives_up
        if asked is None:
            self._gives_up = now
            self.give_up.setText(f"Really {self.give_up.text().lower()}?")
        elif 1000.0 * (now - asked) > QGuiApplication.styleHints().mouseDoubleClickInterval():
            self.give_up_now()

    def give_up_now(self) -> None:
        """Give up the present task without asking."""
        self._lesson.give_up(right_answer(self._lesson.task, self.shown))

    def _on_points(self, points: tuple[int, ...]) -> None:
        if isinstance(self.task_view, QuestionView | HandView) and self._is_first:
            self._answer(points)

    def _on_place(self, x: float, y: float) -> None:
        if isinstance(self.task_view, QuestionView | HandView) and self._is_first:
            self._answer((x, y))

    def _on_picking(self) -> None:
        """Mark the points that a decision is about, and those that were clicked so far."""
        asked = self._lesson.asked
        named = asked.points if isinstance(asked, Decision) else ()
        picked = self.stage.picking.points if isinstance(self.task_view, AnswerForm) else ()
        self.stage.spotlight.name_points(self.name, (*named, *picked))

    def _answer(self, answer: Any) -> None:
        task, shown, view = self._lesson.task, self.shown, self.task_view
        if isinstance(view, HandView):
            self._lesson.decide(answer)
            if self.task_view is view:
                view.mark_missed(answer)
            return
        if not isinstance(task, Question):
            return
        # No frame is needed to judge a choice or an order.
        needs_frame = task.kind not in (CHOICE, ORDER)
        key = task.key_at({}, self.stage.feed.frame) if not needs_frame else shown and shown.key
        if key is None:
            self._refuse()
        else:
            self._lesson.answer(answer, key, shown.wrong if shown is not None else ())
            is_wrong = self._lesson.task is task
            if is_wrong and isinstance(key, NumberKey) and isinstance(view, QuestionView):
                view.mark_wrong(key.misses(answer))

    def _on_certificate(self, typed: tuple[float, ...]) -> None:
        task, shown = self._lesson.task, self.shown
        if not isinstance(task, CertificateTask):
            return
        if shown is None or shown.end is None or shown.end.lane is None:
            self._refuse()
            return
        dual = shown.end.lane.certificate.dual
        try:
            self._lesson.certify(verdict(task, typed, shown.end, dual))
        except BadInput as error:
            self._refuse(str(error))

    def _refuse(self, trouble: str = "") -> None:
        """Say why an answer cannot be judged."""
        view, shown = self.task_view, self.shown
        if isinstance(view, QuestionView | CertificateView):
            view.refusal.say(trouble or (shown and shown.trouble) or NOT_SOLVED)

    def present(self) -> None:
        super().present()
        self._is_presented = True
        if self.stops is not None:
            self._fill()

    def minimumSizeHint(self) -> QSize:
        """Return a width that fits every card, so that the plane keeps its place."""
        hint = super().minimumSizeHint()
        return QSize(max(hint.width(), look_of(self).metrics.px(MIN_CARD_WIDTH)), hint.height())

    def showEvent(self, event: QShowEvent) -> None:
        if self not in self._lesson.views:
            self._lesson.views.append(self)
        if self._is_stale:
            self._on_changed()
        self._announce()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self in self._lesson.views:
            self._lesson.views.remove(self)


def _height_of(part: QWidget, width: int) -> int:
    """Return the height of a part of a card that is ``width`` px wide."""
    return part.heightForWidth(width) if part.hasHeightForWidth() else part.sizeHint().height()
