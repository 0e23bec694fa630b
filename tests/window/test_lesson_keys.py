"""A lesson is played without the mouse."""

import pytest

from svmviz.lessons.lessons import read_lesson
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
