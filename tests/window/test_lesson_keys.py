"""A lesson is played without the mouse."""

import pytest

from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.lesson.lesson_panel import LessonPanel
from tests.window.conftest import settle
from tests.window.test_lesson_cards import HEAD, card, known


def tab_to(user, is_there):
    for _ in range(60):
        if is_there(user.window.focusWidget()):
            return
        user.key("Tab")
        user.until_heard()
    raise AssertionError("the Tab key does not lead there")


@pytest.mark.display
def test_a_card_of_every_kind_of_task_is_played_by_keys_alone(user):
    text = HEAD + (
        card(
            "step end",
            "predict\nask How many?\nnumber 3",
            "predict\nask Where?\nplace 0, -1",
            "predict\nask Which?\nright A\nchoice B",
            "predict\nask Order?\norder First\norder Second",
            "predict\nask Which one?\npoint number > 0",
            "do\nask Move one.\ngoal moved >= 1",
        )
    )
    lesson = user.window.stage.lesson
    lesson.begin(read_lesson(text, "test"))
    user.until(lambda: user.window.findChild(LessonPanel) is not None)
    panel = user.window.findChild(LessonPanel)
    user.until(panel.isVisible)
    settle(user)

    known(user, panel)
    tab_to(user, lambda widget: widget is panel.task_view.fields[0])
    user.type("3")
    user.key("Return")
    user.until(lambda: lesson.task_index == 1)
    known(user, panel)
    user.until(lambda: panel.task_view.fields[0].hasFocus())
    user.type("0")
    user.key("Return")
    user.type(" -1")
    user.key("Return")
    user.until(lambda: lesson.task_index == 2)
    tab_to(user, lambda widget: widget is panel.task_view.choices[0])
    user.key("space")
    user.until(lambda: lesson.task_index == 3)
    for index in (0, 1):
        place = panel.task_view._shuffled.index(index)
        tab_to(user, lambda widget, place=place: widget is panel.task_view.choices[place])
        user.key("space")
        user.until_heard()
    user.until(lambda: lesson.task_index == 4)
    known(user, panel)
    tab_to(user, lambda widget: widget is user.window.plane)
    user.key("Tab", "Return")
    user.until(lambda: lesson.task_index == 5)
    known(user, panel)
    tab_to(user, lambda widget: widget is user.window.plane)
    user.key("Tab", "Right")
    user.until(lambda: lesson.task is None)
    tab_to(user, lambda widget: widget is panel.on)


class Hands:
    """Keys that go to points, answer, and go on."""

    def __init__(self, user, panel):
        self.user, self.panel, self.lesson = user, panel, user.window.stage.lesson

    def go_to_point(self, index):
        user, session = self.user, self.user.window.stage.session
        known(user, self.panel)
        tab_to(user, lambda widget: widget is user.window.plane)
        for _ in range(12):
            if tuple(session.selection) == (index,):
                return
            user.key("Tab")
            user.until_heard()
        raise AssertionError("the Tab key does not lead to the point")

    def type(self, text):
        known(self.user, self.panel)
        self.user.until(self.panel.task_view.fields[0].hasFocus)
        self.user.key("ctrl+a")
        self.user.type(text)
        self.user.key("Return")

    def go_on(self):
        """Press Return on the button that goes on, which has the focus when all is done."""
        self.user.until(lambda: self.lesson.task is None)
        self.user.until(self.panel.on.hasFocus)
        self.user.key("Return")


@pytest.mark.display
@pytest.mark.slow
def test_a_whole_lesson_is_played_by_keys_alone(user):
    lesson = user.window.stage.lesson
    lesson.begin(LESSONS["who-holds"])
    user.until(lambda: user.window.findChild(LessonPanel) is not None)
    panel = user.window.findChild(LessonPanel)
    user.until(panel.isVisible)
    settle(user)
    hands = Hands(user, panel)

    # Card 1: a support vector.
    hands.go_to_point(5)
    user.key("Return")
    hands.go_on()
    user.until(lambda: lesson.index == 1)
    # Card 2: a choice and two numbers, the first of them wrong at first.
    known(user, panel)
    tab_to(user, lambda widget: widget is panel.task_view.choices[2])
    user.key("space")
    user.until(lambda: lesson.task_index == 1)
    hands.type("3")
    user.until(lambda: "Three hold the street" in lesson.reply)
    hands.type("6")
    user.until(lambda: lesson.task_index == 2)
    hands.type("3")
    hands.go_on()
    user.until(lambda: lesson.index == 2)
    # Card 3: a point outside the street is moved away from it, then one that holds it.
    hands.go_to_point(4)
    user.key("Right")
    user.until(lambda: lesson.task_index == 1)
    hands.go_to_point(5)
    user.key("Down")
    hands.go_on()
    user.until(lambda: lesson.lesson is None)
