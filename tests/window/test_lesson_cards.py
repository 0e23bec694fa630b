"""A card takes the place of the settings, with its controls; it hides, and asks for clicks."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

from svmviz.base.announcer import Announcer
from svmviz.lessons.hand_in import read_line
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.controls.settings.card_controls import CardControls
from svmviz.panels.lesson import lesson_list
from svmviz.panels.lesson.lesson_panel import LessonPanel
from svmviz.panels.lesson.welcome_bar import WelcomeBar
from svmviz.plane.point_card import describe
from svmviz.stage.open_lesson import Record
from svmviz.widgets.formula import FormulaView
from svmviz.widgets.plain_text import RichLabel
from svmviz.widgets.tab_order import give_focus
from tests.window.conftest import settle

HEAD = "---\ntitle: T\n---\n"


def card(show, *blocks, text="Words."):
    body = "\n".join(f"```{block}\n```" for block in blocks)
    return f"# One\n{text}\n```show\nscene eight-points\n{show}\n```\n{body}\n"


@pytest.fixture
def play(user):
    """Open the lesson of a text, and return the panel once the first card is shown."""

    def open_text(text, ends=True):
        window = user.window
        window.stage.lesson.begin(read_lesson(HEAD + text, "test"))
        user.until(lambda: window.findChild(LessonPanel) is not None)
        panel = window.findChild(LessonPanel)
        user.until(panel.isVisible)
        if ends:
            settle(user)
        return panel

    return open_text


def shown(window):
    return {name for name, dock in window.docks.docks.items() if not dock.isHidden()}


def known(user, panel):
    user.until(lambda: panel.shown is not None and panel.shown.task is panel.stage.lesson.task)


def test_the_card_is_alone_with_its_panels_and_the_docks_come_back(user, play):
    window = user.window
    before, places = shown(window), {n: d.geometry() for n, d in window.docks.docks.items()}
    assert "settings" in before
    panel = play(card("panels alpha") + "# Two\nWords.\n```show\nstep end\n```\n")
    assert shown(window) == {"lesson", "alpha"}
    # Both are in sight.
    user.until(lambda: not window.docks.docks["alpha"].visibleRegion().isEmpty())
    panel.on.click()
    assert shown(window) == {"lesson"}
    panel.stage.lesson.end()
    settle(user)
    assert shown(window) == before
    assert window.docks.docks["settings"].geometry().width() == places["settings"].width()


def test_in_a_window_of_any_size_the_plane_keeps_room(user, play):
    for size in (QSize(1280, 720), QSize(1024, 700), QSize(1600, 1000)):
        user.window.resize(size)
        settle(user)
        panel = play(card("panels alpha\ncontrols C"))
        assert user.window.plane.width() >= 320
        assert not user.window.docks.docks["lesson"].visibleRegion().isEmpty()
        panel.stage.lesson.end()
        settle(user)


def test_a_card_has_only_the_controls_that_it_names(user, play):
    panel = play(card("controls C, tol, gamma", "predict\nask Which?\nnumber C"))
    (controls,) = panel.findChildren(CardControls)
    model, solver = controls.model, controls.solver
    assert model.penalty.sliders["C"].isVisible()
    assert not model.penalty.sliders["lambda"].isVisible()
    assert not model.kernel.isVisible()
    assert list(solver.form.controls) == ["tol"]
    assert not solver.method.isVisible()
    model.penalty.sliders["C"].released.emit(0.25)
    assert user.window.stage.session.document.C == 0.25
    # They stay when the card is written again.
    panel.give_up_now()
    assert panel.findChildren(CardControls) == [controls]
    user.until(controls.isVisible)


def test_what_a_card_hides_is_shown_when_its_tasks_are_done(user, play):
    stage = user.window.stage
    options = stage.view.options
    question = "predict\nask How many?\nnumber support"
    panel = play(card("step end\nhide alpha, step, gap\nview numbers, alpha_area", question))
    known(user, panel)
    assert not stage.view.options.rings
    assert not stage.view.options.alpha_area
    assert stage.view.options.numbers
    assert not user.window.badge.badge.isVisible()
    assert "The lesson asks" in user.window.bottom.narrator.text
    card_of_point = describe(stage.feed.frame, 2).without(stage.view.hidden)
    assert "α" not in dict(card_of_point.rows)
    assert not card_of_point.notes
    panel.task_view.fields[0].setText("3")
    panel.task_view.check.click()
    assert stage.view.options.rings
    assert stage.view.options.alpha_area
    assert user.window.badge.badge.isVisible()
    assert "Converged" in user.window.bottom.narrator.text
    panel.stage.lesson.end()
    assert stage.view.options == options


def test_hidden_things_come_back_when_the_lesson_is_left(user, play):
    options = user.window.stage.view.options
    panel = play(card("hide f, slack", "predict\nask How many?\nnumber 3"))
    assert not user.window.stage.view.options.contours
    panel.stage.lesson.end()
    assert user.window.stage.view.options == options
    assert not user.window.stage.view.hidden


@pytest.mark.display
def test_points_are_clicked_in_the_plane(user, play):
    panel = play(
        card(
            "step end",
            "predict\nask Which one holds the street?\npoint alpha > 0\nhint One with α.",
            "predict\nask Which two?\npair 3, 5",
            "predict\nask Where?\nplace 0, 0",
        )
    )
    session, lesson = user.window.stage.session, panel.stage.lesson
    known(user, panel)
    user.until_still(user.window.plane)
    points = session.document.data.points
    user.click(user.at(*points[3]))
    user.until(lambda: panel.reply.text() == "No. One with α.")
    user.click(user.at(*points[2]))
    user.until(lambda: lesson.task_index == 1)
    known(user, panel)
    user.click(user.at(*points[4]))
    user.until(lambda: panel.stage.picking.points == (4,))
    assert panel.stage.spotlight.named == (4,)
    user.click(user.at(*points[2]))
    user.until(lambda: lesson.task_index == 2)
    known(user, panel)
    user.click(user.at(0.0, 0.05))
    user.until(lambda: lesson.task is None)
    assert not panel.stage.picking.is_on
    # No click has placed or selected a point.
    assert (session.document.data.points == points).all()
    assert not session.selection


def test_a_word_of_the_help_is_a_link(user, play):
    panel = play(card("step end", text="Each support vector has α > 0."))
    labels = [label for label in panel.findChildren(RichLabel) if "concept:" in label.text()]
    (label,) = labels
    label.linkActivated.emit("concept:support-vector")
    user.until(lambda: user.window.help.window is not None)
    assert user.window.help.window.isVisible()
    user.window.help.window.close()


def test_a_formula_and_a_derivation_are_on_the_card(user, play):
    panel = play(card("derivation gap\nstep end", "formula\nP - D"))
    formulas = [view.lines for view in panel.findChildren(FormulaView)]
    assert ("P - D",) in formulas
    reading = panel.stage.reading
    assert reading.derivation.name == "gap"
    user.until(lambda: reading.is_open)
    panel.stage.playback.go_on()
    assert reading.line == 1


def test_a_certificate_says_what_the_program_says(user, play):
    panel = play(card("step end", "certify\nask Give w and b.\ntype w, b\nhint Try w = (0, 1)."))
    user.until(lambda: panel.shown is not None and panel.task_view.labels == ("w1", "w2", "b"))
    for field, text in zip(panel.task_view.fields, ("0", "2", "0"), strict=True):
        field.setText(text)
    panel.task_view.check.click()
    assert "the gap is" in panel.reply.text()
    assert panel.reply.text().endswith("Try w = (0, 1).")
    assert [field.text() for field in panel.task_view.fields] == ["0", "2", "0"]
    panel.task_view.fields[1].setText("1")
    panel.task_view.check.click()
    assert panel.stage.lesson.task is None


def test_sentences_are_put_into_order(user, play):
    panel = play(card("step end", "predict\nask Order?\norder first\norder second\norder third"))
    view = panel.task_view
    places = {button.text(): button for button in view.choices}
    assert list(places) != ["first", "second", "third"]
    # The second click of a double click is ignored.
    for text in ("second", "second", "first", "third"):
        places[text].click()
    assert panel.reply.text() == "No."
    places = {button.text(): button for button in panel.task_view.choices}
    for text in ("first", "second", "third"):
        places[text].click()
    assert panel.stage.lesson.task is None


TALK = "".join(
    f"# Card {number}\nWords.\n```show\nscene eight-points\nstep {step}\n```\n"
    for number, step in ((1, "0 to 2"), (2, "end"), (3, "3 to end"))
)


def test_a_clicker_goes_through_steps_and_cards_of_a_talk(user, play):
    panel = play(TALK, ends=False)
    playback, lesson = panel.stage.playback, panel.stage.lesson
    user.until(lambda: playback.step == 0 and playback.finished)
    for step, index in ((1, 0), (2, 0)):
        playback.go_on()
        assert (playback.step, lesson.index) == (step, index)
    playback.go_on()
    assert lesson.index == 1
    user.until(lambda: playback.is_at_end)
    playback.go_on()
    assert lesson.index == 2
    user.until(lambda: playback.step == 3 and playback.finished)
    playback.go_to_end()
    user.until(lambda: playback.is_at_end)
    playback.go_on()
    # The talk stays at its end.
    assert (lesson.index, playback.is_at_end) == (2, True)
    playback.seek(3)
    playback.go_back()
    assert lesson.index == 1
    user.until(lambda: playback.is_at_end)
    playback.go_back()
    assert lesson.index == 0
    # A part is entered backwards at its end.
    user.until(lambda: playback.step == 2 and playback.finished)
    for step in (1, 0, 0):
        playback.go_back()
        assert (playback.step, lesson.index) == (step, 0)
    panel.stage.lesson.end()
    playback.go_on()


@pytest.mark.display
def test_a_talk_is_given_in_a_presentation(user, play):
    play(TALK, ends=False)
    user.key("F5")
    user.until(lambda: user.window.presentation.is_on)
    screen = user.window.presentation.screen
    user.until(screen.isActiveWindow)
    user.until_still(screen)
    lesson, playback = user.window.stage.lesson, user.window.stage.playback
    user.until(lambda: screen.side.title == "Lesson" and playback.finished)
    panel = screen.side.findChild(LessonPanel)
    assert panel.isVisible()
    assert lesson.views == [panel]
    for _ in range(3):
        user.key("Next")
        user.rest()
    user.until(lambda: lesson.index == 1)
    user.until(lambda: "2 of 3" in panel.place.text())
    user.key("Prior")
    user.until(lambda: lesson.index == 0)
    user.key("Escape")
    user.until(lambda: not user.window.presentation.is_on)
    user.until(lambda: lesson.views and "1 of 3" in lesson.views[0].place.text())
    assert len(lesson.views) == 1


def test_answers_and_times_are_copied_on_request(user, play, monkeypatch):
    panel = play(
        card(
            "step end",
            "predict\nask How many?\nnumber 3",
            "predict\nask Which?\nright a\nchoice b",
        )
    )
    known(user, panel)
    for text in ("4", "3"):
        panel.task_view.fields[0].setText(text)
        panel.task_view.check.click()
    panel.give_up_now()
    panel.stage.lesson.end()
    panel.lessons.copy.answers.click()
    assert panel.lessons.copy.answers.text() == "Copied"
    first, one, number, choice = QGuiApplication.clipboard().text().splitlines()
    assert first.startswith("T: 1 of 2 right, 0 at first try, ")
    assert one == "1. One"
    assert number.startswith("   How many? Right after 1 wrong, ")
    assert choice.startswith("   Which? Looked at, ")
    monkeypatch.setattr(lesson_list, "ask_text", lambda *_: "Ada Lovelace")
    panel.lessons.copy.line.click()
    handed_in = read_line(QGuiApplication.clipboard().text())
    assert handed_in.student == "Ada Lovelace"
    assert [mark.words for mark in handed_in.marks] == ["right after 1 wrong", "given up"]


def test_a_lesson_may_follow_a_longer_one(user, play):
    words = "# One\nWords.\n"
    question = "```predict\nask Which?\nright a\nchoice b\n```\n"
    lesson = play(card("step end") + 3 * words).stage.lesson
    for _ in range(3):
        lesson.go(1)
    lesson.end()
    user.rest(1.1)
    panel = play(words + question)
    assert lesson.index == 0
    panel.give_up_now()
    # The time between the lessons does not count.
    assert lesson.record(0).seconds < 1.0


def test_the_first_start_offers_the_first_lesson_once(user, store, qtbot):
    window, lesson = user.window, user.window.stage.lesson
    window.lessons.welcome()
    (bar,) = window.findChildren(WelcomeBar)
    qtbot.waitUntil(bar.isVisible)
    bar.decline.click()
    assert not bar.isVisible()
    assert not window.memory.is_first_start
    window.lessons.welcome()
    user.until(lambda: not window.findChildren(WelcomeBar))
    store.set(panels={})
    window.lessons.welcome()
    (bar,) = window.findChildren(WelcomeBar)
    bar.begin.click()
    user.until(lambda: lesson.lesson is next(iter(LESSONS.values())))
    assert not window.memory.is_first_start


@pytest.mark.display
def test_after_a_click_into_the_card_its_keys_stay_there(user, play):
    asks = "predict\nask How many?\nnumber 3\n```\n```predict\nask Which?\nchoice A\nright B"
    panel = play(f"{card('step end', asks)}\n# Two\nMore.\n")
    player, lesson = panel.stage.playback.player, panel.stage.lesson
    known(user, panel)
    field = panel.task_view.fields[0]
    user.until_still(field)
    user.click_on(field)
    user.until(field.hasFocus)
    user.key("4", "Return")
    user.until(lambda: lesson.reply == "No.")
    user.rest(0.1)
    assert field.hasFocus()
    user.key("3", "Return")
    user.until(lambda: lesson.task_index == 1)
    wrong, right = panel.task_view.choices
    user.until_still(wrong)
    user.click_on(wrong)
    user.until(lambda: lesson.reply == "No.")
    user.key("space")
    user.until_heard()
    assert wrong.hasFocus()
    assert not player.playing
    user.window.plane.setFocus()
    user.key("space")
    user.until_heard()
    assert not player.playing
    user.click_on(right)
    user.until(lambda: panel.on.hasFocus())
    user.key("Return")
    user.until(lambda: lesson.index == 1)
    assert not player.playing
    lesson.end()
    assert [key.toString() for key in user.window.menus.actions["play"].shortcuts()] == ["Space"]


@pytest.mark.display
def test_by_keys_a_wrong_answer_is_typed_again_and_return_goes_on(user, play, monkeypatch):
    said = []
    monkeypatch.setattr(Announcer, "say", lambda _, text: said.append(text))
    asks = "predict\nask How many?\nnumber 3\nhint Count.\nbecause There are three."
    panel = play(f"{card('step end', asks)}\n# Two\nMore.\n")
    known(user, panel)
    assert "One. Words. How many?" in said
    give_focus(panel.task_view.fields[0])
    user.until(panel.task_view.fields[0].hasFocus)
    user.key("4", "Return")
    user.until(lambda: said[-1] == "No. Count.")
    user.rest(0.1)
    user.key("3", "Return")
    user.until(lambda: panel.on.hasFocus())
    assert "3. There are three." in said
    user.key("Return")
    user.until(lambda: panel.stage.lesson.index == 1)
    assert said[-1] == "Two. More."


def test_a_card_is_done_again_with_other_points(user):
    window = user.window
    lesson = window.stage.lesson
    written = LESSONS["hull-pairs"]
    lesson.left_at[written.name] = last = len(written.cards) - 1
    lesson.choose(written)
    user.until(lambda: lesson.lesson is not None)
    user.until(lambda: window.findChild(LessonPanel) is not None)
    panel = window.findChild(LessonPanel)
    lesson.record(0)
    lesson.records[written.name][0, 0] = kept = Record("right")
    points = window.stage.session.document.data.points
    assert (points == written.cards[last].show.read_scene().document.data.points).all()
    for _ in written.cards[last].tasks:
        known(user, panel)
        panel.task_view.answered.emit(panel.shown.key.numbers)
    assert lesson.task is None
    user.until_still(panel.again)
    user.click_on(panel.again)
    user.until(lambda: lesson.task is not None)
    assert lesson.index == last
    fresh = window.stage.session.document.data.points
    assert fresh.shape == points.shape
    assert (fresh != points).any()
    assert lesson.versions == {written.name: 1}
    assert lesson.records[written.name][0, 0] is kept
    assert written.cards[last].texts != lesson.card.texts
    # After its end, the lesson has other points once more; until then, the same ones.
    for go_on, version in ((False, 1), (True, 2)):
        if go_on:
            lesson.go(1)
        else:
            lesson.end()
        before = lesson.versions[written.name]
        assert before == 1
        lesson.choose(written)
        user.until(lambda: lesson.lesson is not None)
        assert lesson.versions == {written.name: version}
        assert lesson.index == (0 if go_on else last)
