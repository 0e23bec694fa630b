"""What a lesson's page keeps over a reload, what its cards offer, and links to its cards."""

from __future__ import annotations

import pytest

from svmviz.lessons.shipped import LESSONS
from tests.export.html.chromium import CHROMIUM_ONLY, wait_for
from tests.export.html.test_lesson_browser import Student, page_of

pytestmark = pytest.mark.slow


def reloaded(page):
    page.reload()
    page.wait_for_selector("body.ready")
    wait_for(page, "page.tools?.solver?.isBusy ?? false", False)


def test_a_reload_shows_what_was_reached(visited, tmp_path):
    page = visited(page_of("slack-and-c", tmp_path), (390, 844))
    lesson = LESSONS["slack-and-c"]
    student, C = Student(page, lesson), "page.run.lanes[0].C"
    page.evaluate("page.lesson.open(3, false)")
    file, task = page.evaluate(C), page.evaluate("page.lesson.task")
    page.click(f"#lesson-tasks .choice >> nth={task['right'][0]}")
    student.reach(lesson.cards[3].tasks[1])
    wait_for(page, "page.lesson.taskIndex", 2)
    for _ in range(2):
        reloaded(page)
        assert page.evaluate("[page.lesson.index, page.lesson.taskIndex]") == [3, 2]
        wait_for(page, C, 0.1)
        wait_for(page, "page.lesson.valueOf()('width') >= 1.4", True)
        # Another card does not have it, and this one has it when it is open again.
        student.press("Back")
        wait_for(page, C, file)
        page.evaluate("page.lesson.turn(1)")
        wait_for(page, C, 0.1)
    page.evaluate("page.lesson.startAgain()")
    page.evaluate("page.lesson.open(3, false)")
    wait_for(page, "page.tools.solver.isBusy", False)
    assert page.evaluate(C) == file


@CHROMIUM_ONLY
def test_a_reload_keeps_controls_and_the_own_line(visited, tmp_path):
    page = visited(page_of("clipping", tmp_path / "a"))
    page.evaluate("page.lesson.open(4, false)")
    Student(page, LESSONS["clipping"]).set_control("C", "1.9")
    page.evaluate("page.goTo(2)")
    shown = "[page.run.lanes[0].C, page.place, page.lesson.variant]"
    before, text = page.evaluate(shown), page.inner_text("#lesson-controls output")
    reloaded(page)
    assert page.evaluate(shown) == before
    assert page.inner_text("#lesson-controls output") == text == "1.9"
    page = visited(page_of("own-line", tmp_path / "b"))
    index = page.evaluate("page.lesson.cards.findIndex((card) => card.moves_line)")
    page.evaluate("index => page.lesson.open(index, false)", index)
    page.evaluate("page.tools.changed([1, 2, 3])")
    reloaded(page)
    assert page.evaluate("page.lesson.line") == [1, 2, 3]


@CHROMIUM_ONLY
def test_a_card_offers_what_it_names(visited, tmp_path):
    page = visited(page_of("slack-and-c", tmp_path / "a"))
    page.evaluate("page.lesson.open(3, false)")
    wait_for(page, "page.tools.solver.isBusy", False)
    tools, slider = page.locator("#live-tools fieldset"), page.locator("#live-C")
    assert slider.is_visible()
    assert tools.is_hidden()
    page.evaluate("document.querySelector('#live-tools input[value=plus]').checked = true")
    box = Student(page, None).plane_box()
    page.mouse.click(box["x"] + 120, box["y"] + 60)
    page.evaluate("page.choose(0)")
    page.keyboard.press("Delete")
    assert page.evaluate("[page.tools.labels.length, page.tools.history.length]") == [60, 0]
    # The next card keeps the scene, and names no control.
    page.evaluate("page.lesson.open(4, true)")
    assert slider.is_hidden()
    assert tools.is_visible()


@CHROMIUM_ONLY
def test_a_link_opens_a_card_of_a_lesson(visited, tmp_path):
    page = visited(page_of("slack-and-c", tmp_path))
    page.evaluate("page.lesson.open(2, false)")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy the link").click()
    link = page.get_by_label("The text to copy").input_value()
    assert link.endswith("slack-and-c.html#card=3")
    page.evaluate("page.lesson.open(0, false)")
    page.goto(link)
    wait_for(page, "page.lesson.index", 2)
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("page.lesson.index") == 2
    for asked, index in (("5", 4), ("99", 5), ("x", 5)):
        page.evaluate("asked => { location.hash = `card=${asked}`; }", asked)
        wait_for(page, "page.lesson.index", index)
