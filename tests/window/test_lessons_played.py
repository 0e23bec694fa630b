"""Every lesson is played by mouse and keys in small windows; its goals by their lines try."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication, QScrollArea

from svmviz.lessons.certificates import right_numbers
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.fresh import with_numbers
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.questions import CHOICE, ORDER, PAIR, PLACE, POINT
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.lesson.lesson_panel import LessonPanel
from svmviz.panels.lesson.task_views import HandView
from svmviz.widgets.formula import FormulaView
from tests.stages import eight

pytestmark = [pytest.mark.display, pytest.mark.slow]
# On the smaller of the projectors' sizes there is least room; larger ones differ by more of it.
SIZES = {name: [QSize(1024, 700)] for name in LESSONS}
SIZES[next(iter(LESSONS))] += [QSize(1280, 720), QSize(1600, 1000)]


class Player:
    """Answers the questions of a lesson as a student does who knows all answers."""

    def __init__(self, user, panel):
        self.user, self.panel = user, panel
        self.lesson, self.session = panel.stage.lesson, panel.stage.session
        # The place of the screen that was clicked last.
        self.clicked = QPoint()

    def play_card(self):
        card = self.lesson.card
        while (task := self.lesson.task) is not None:
            self.wait_until_known()
            self.play(task)
            self.user.until(lambda task=task: self.lesson.task is not task)
        self.click(self.panel.on)
        self.user.until(lambda: self.lesson.card is not card)

    def wait_until_known(self):
        panel = self.panel
        self.user.until(lambda: panel.shown is not None and panel.shown.task is self.lesson.task)
        # A formula that is typeset later would move what is clicked.
        formulas = panel.findChildren(FormulaView)
        self.user.until(lambda: all(formula.is_ready for formula in formulas))
        task = self.lesson.task
        if isinstance(task, CertificateTask):
            self.user.until(lambda: panel.task_view.labels and panel.shown.end is not None)
        elif isinstance(task, Exercise):
            self.user.until(lambda: isinstance(panel.task_view, HandView))
        elif not isinstance(task, Goal) and task.kind not in (CHOICE, ORDER):
            self.user.until(lambda: panel.shown.key is not None)

    def play(self, task):
        view, shown = self.panel.task_view, self.panel.shown
        if isinstance(task, Goal):
            self.reach(task)
        elif isinstance(task, CertificateTask):
            self.type(*right_numbers(task, shown.end))
        elif isinstance(task, Exercise):
            self.do_steps()
        elif task.kind == CHOICE:
            self.click(view.choices[next(k for k, c in enumerate(task.choices) if c.is_right)])
        elif task.kind == ORDER:
            places = [view._shuffled.index(k) for k in range(len(task.choices))]
            for place in places:
                self.click(view.choices[place])
        elif task.kind == PLACE:
            self.click_at(shown.key.x, shown.key.y)
        elif task.kind in (POINT, PAIR):
            points = self.session.document.data.points
            taken = set()
            for right in shown.key.places:
                index = min(right - taken)
                taken.add(index)
                self.click_at(*points[index])
        else:
            self.type(*shown.key.numbers)

    def reach(self, goal):
        for change in goal.tries:
            if change.word == "predict":
                prediction = self.panel.stage.prediction
                prediction.answered += int(change.numbers[0])
                prediction.changed.emit()
            elif change.word == "step":
                self.panel.stage.playback.seek_when_recorded(int(change.numbers[0]))
            else:
                self.session.edit(change.changed(self.session.document), "Try")

    def do_steps(self):
        lesson, points = self.lesson, self.session.document.data.points
        while (attempt := lesson.attempt) is not None:
            decision = attempt.decision
            self.user.until(lambda wanted=decision: self.panel.task_view.decision is wanted)
            if self.panel.task_view.choices:
                self.click(self.panel.task_view.choices[decision.own])
            elif isinstance(decision.own, frozenset):
                for point in sorted(decision.own):
                    self.click_at(*points[point])
            else:
                self.type(*decision.own)
            self.user.until(lambda a=attempt, d=decision: a.decision is not d)

    def type(self, *numbers):
        for field, number in zip(self.panel.task_view.fields, numbers, strict=True):
            self.click(field)
            # A blank before the sign, because xdotool would take it for an option.
            self.user.type(f" {np.format_float_positional(number, precision=6, trim='-')}")
        self.user.key("Return")

    def click(self, widget):
        area = self.panel.parentWidget()
        while not isinstance(area, QScrollArea):
            area = area.parentWidget()

        def is_reached():
            area.ensureWidgetVisible(widget, 0, 4)
            return widget.visibleRegion().contains(widget.rect().center())

        self.user.until(is_reached)
        self.user.until_still(widget)
        place = widget.mapToGlobal(widget.rect().center())
        # Two clicks at one place of the screen, after scrolling, would be a double click.
        if (place - self.clicked).manhattanLength() < 40:
            self.user.rest(QApplication.doubleClickInterval() / 1000 + 0.1)
        self.clicked = place
        self.user.click_on(widget)

    def click_at(self, x, y):
        self.user.until_still(self.user.window.plane)
        self.user.click(self.user.at(float(x), float(y)))


@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for name, sizes in SIZES.items() for size in sizes]
)
def test_a_lesson_is_played_to_its_end(open_window, name, size):
    user = open_window(eight(), size=size)
    window, lesson = user.window, user.window.stage.lesson
    document = window.stage.session.document
    lesson.begin(with_numbers(LESSONS[name]))
    user.until(lambda: window.findChild(LessonPanel) is not None)
    player = Player(user, window.findChild(LessonPanel))
    user.until(player.panel.isVisible)
    for index in range(len(LESSONS[name].cards)):
        assert lesson.index == index
        # The plane is large enough to read, and the window has not grown.
        assert min(window.planes.width(), window.planes.height()) >= 300
        assert window.size() == size
        player.play_card()
    assert lesson.lesson is None
    assert window.stage.session.document is document
    assert all(not record.wrong for record in lesson.records[name].values())
