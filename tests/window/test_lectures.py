"""A lecture is made by using the program, arranged, and given in a presentation."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from svmviz.io import left_scenes
from svmviz.lessons.lecture import lecture_text
from svmviz.lessons.lessons import read_lesson, read_lesson_file
from svmviz.panels.lesson.lesson_panel import LessonPanel
from tests.stages import eight, moons
from tests.waiting import come_to_rest


@pytest.fixture
def talk(open_window):
    """The user, with a lecture of three stops: step 2, step 3 in its parts, and the end."""
    user = open_window(eight())
    add(user, step=2)
    user.key("F6")
    rest(user)
    add(user, step=3)
    user.key("F6")
    rest(user)
    add(user, step=None)
    return user


def rest(user):
    """Wait until the step of the playback is on screen."""
    come_to_rest(user._qtbot, user.window.stage)


def add(user, step):
    playback, lecture = user.window.stage.playback, user.window.stage.lecture
    playback.go_to_end() if step is None else playback.seek(step)
    rest(user)
    count = len(lecture.stops)
    user.key("ctrl+l")
    user.until(lambda: len(lecture.stops) == count + 1)


def open_list(user):
    user.key("ctrl+shift+l")
    user.until(lambda: user.window.stage.lecture.is_open)
    rest(user)
    panel = user.window.findChild(LessonPanel)
    user.until(lambda: panel.stops is not None and panel.stops.isVisible())
    return panel.stops


def titles(user):
    return [stop.title for stop in user.window.stage.lecture.stops]


def test_what_is_on_screen_becomes_a_stop(talk):
    window = talk.window
    stops = window.stage.lecture.stops
    assert [(s.show.step, s.show.last) for s in stops] == [(2, 2), (2, 3), (None, None)]
    assert [s.show.explains for s in stops] == [False, True, False]
    assert all(s.show.read_scene().document == eight() for s in stops)
    assert stops[0].title == "SMO · Linear · C = 10 · step 2"
    assert stops[0].show.panels == ("alpha",)
    assert stops[0].show.read_scene().window == window.plane.navigation.data_window()


def test_a_clicker_goes_through_the_stops_and_the_document_comes_back(talk):
    window = talk.window
    window.stage.session.edit(moons(30), "Other points")
    rest(talk)
    open_list(talk)
    playback, lesson = window.stage.playback, window.stage.lesson
    run = playback.run
    seen: list[tuple[int, int, bool]] = []
    for _ in range(30):
        seen.append((lesson.index, playback.step, playback.by_beats))
        if lesson.index == 2:
            break
        place = lesson.index, playback.step, playback.beats
        talk.key("Right")
        talk.until(lambda place=place: place != (lesson.index, playback.step, playback.beats))
        rest(talk)
    assert seen[0] == (0, 2, False)
    assert (1, 2, True) in seen
    # The same points: the same run, at another step.
    assert playback.run is run
    assert seen[-1][2] is False
    lesson.end()
    talk.until(lambda: window.stage.session.document == moons(30))
    assert not playback.by_beats


def test_an_audience_sees_the_panel_of_the_stop_and_neither_list_nor_notes(talk):
    window = talk.window
    listed = open_list(talk)
    listed.note.setPlainText("Ask before you show it.")
    listed.keep_note()
    talk.key("F5")
    talk.until(lambda: window.presentation.screen is not None)
    screen = window.presentation.screen
    talk.until(screen.isVisible)
    rest(talk)
    assert screen.side.single == "alpha"
    assert not screen.side.has_open_card
    assert "Ask before" not in " ".join(shown_words(screen))
    talk.key("Right")
    talk.until(lambda: window.stage.lesson.index == 1)
    rest(talk)
    assert window.stage.view.layout == "explain"
    # The stop explains, so Esc leaves the presentation at once, and does not offer to end it.
    assert not screen.caption.accessibleDescription()
    talk.key("Escape")
    talk.until(window.isVisible)


def test_a_stop_that_was_added_in_a_presentation_has_the_panel_that_was_chosen_there(open_window):
    user = open_window(eight())
    stage = user.window.stage
    user.key("F5")
    user.until(lambda: user.window.presentation.screen is not None)
    screen = user.window.presentation.screen
    user.until(screen.isActiveWindow)
    user.until_still(screen)
    for name in ("hulls", "kkt", ""):
        screen.show_panel(name)
        add(user, step=None)
    assert [stop.show.panels for stop in stage.lecture.stops] == [("hulls",), ("kkt",), ()]
    stage.session.edit(moons(30), "Other points")
    screen.show_panel("alpha")
    rest(user)
    user.key("ctrl+shift+l")
    user.until(lambda: stage.lecture.is_open)
    for index in (0, 1, 2, 0):
        stage.lesson.open_card(index)
        rest(user)
        assert screen.side.panels == list(stage.lecture.stops[index].show.panels)
        # What was chosen at one stop is not there at the next.
        screen.show_panel("alpha")


def shown_words(widget):
    labels = [child.text() for child in widget.findChildren(QLabel)]
    return labels + [child.toPlainText() for child in widget.findChildren(QPlainTextEdit)]


def test_stops_are_arranged_and_each_change_is_undone(talk):
    listed = open_list(talk)
    lecture = talk.window.stage.lecture
    before = titles(talk)
    lecture.move(0, 2)
    assert titles(talk) == [before[1], before[2], before[0]]
    lecture.rename(0, "  The pair #  ")
    lecture.duplicate(0)
    assert titles(talk)[:2] == ["The pair", "The pair"]
    listed = talk.window.findChild(LessonPanel).stops
    for _ in range(3):
        lecture.undo()
    assert titles(talk) == before
    talk.until(lambda: [listed.stops.item(k).text() for k in range(3)] == before)
    for _ in before:
        lecture.remove(0)
    assert lecture.lesson is None
    talk.until(lambda: talk.window.stage.lesson.lesson is None)
    lecture.undo()
    assert titles(talk) == before[2:]


def test_a_stop_shows_what_is_on_screen_now_and_keeps_its_note(talk):
    listed = open_list(talk)
    lecture = talk.window.stage.lecture
    lecture.set_note(0, "Mind the margin.")
    talk.window.quick.step_penalty(-1)
    rest(talk)
    changed = talk.window.stage.session.document
    assert changed != eight()
    listed = talk.window.findChild(LessonPanel).stops
    listed._ask("update")
    talk.until(lambda: lecture.stops[0].show.read_scene().document == changed)
    assert lecture.stops[0].note == "Mind the margin."


def test_the_lecture_is_there_at_the_next_start(talk, open_window):
    before = talk.window.stage.lecture.lesson
    kept = read_lesson_file(left_scenes._folder().parents[1] / left_scenes.LECTURE)
    assert len(kept.cards) == 3
    talk.window.close()
    other = open_window(moons(20))
    other.until(lambda: len(other.window.stage.lecture.stops) == 3)
    assert titles(other) == [stop.title for stop in before.cards]
    # What is on screen stays until the lecture is asked for.
    assert other.window.stage.session.document == moons(20)


def test_a_damaged_lecture_is_refused_and_the_stops_stay(talk, tmp_path, monkeypatch):
    file = tmp_path / "damaged.md"
    file.write_text("---\ntitle: x\n---\n# One\n\n```show\nscene svmviz:1:AAAA\n```\n")
    before = titles(talk)
    window = talk.window
    warned = []
    monkeypatch.setattr(window.messages, "warn", lambda *words: warned.append(words))
    window.lectures.open_file(file)
    talk.until(lambda: bool(warned))
    assert "Line 7" in warned[0][1]
    assert titles(talk) == before


def test_pictures_of_the_stops_are_painted(talk):
    lecture = talk.window.stage.lecture
    talk.until(lambda: all(stop.show in lecture.pictures for stop in lecture.stops))
    assert not any(lecture.pictures[stop.show].isNull() for stop in lecture.stops)


def test_a_card_of_a_lesson_becomes_a_stop_with_its_text(open_window):
    user = open_window(eight())
    window = user.window
    window.lessons.open("the-gap")
    user.until(lambda: window.stage.lesson.lesson is not None)
    rest(user)
    card = window.stage.lesson.card
    user.key("ctrl+l")
    user.until(lambda: len(window.stage.lecture.stops) == 1)
    stop = window.stage.lecture.stops[0]
    assert (stop.title, stop.body, stop.tasks) == (card.title, card.body, ())


def test_what_the_pen_draws_belongs_to_the_stop(talk):
    listed = open_list(talk)
    window = talk.window
    lecture, plane = window.stage.lecture, window.plane
    talk.key("shift+w")
    talk.until(lambda: window.planes.tool == "pen")
    QTest.mousePress(plane, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    QTest.mouseMove(plane, QPoint(300, 260))
    QTest.mouseRelease(plane, Qt.MouseButton.LeftButton, pos=QPoint(320, 200))
    (stroke,) = window.stage.view.options.strokes
    assert lecture.stops[0].show.strokes == (stroke,)
    assert lecture.is_open
    listed._go(2)
    rest(talk)
    assert window.stage.view.options.strokes == ()
    assert window.planes.tool == "pen"
    listed._go(0)
    rest(talk)
    assert window.stage.view.options.strokes == (stroke,)
    # It is kept for the next start, also if that comes soon.
    window.lectures.keep()
    kept = read_lesson(left_scenes.read_kept_lecture(), "lecture")
    assert kept.cards[0].show.strokes == (stroke,)
    # Ctrl+Z is for strokes while the pen is in hand, and for edits after that.
    undo = window.menus.actions["undo"]
    assert undo.text() == "&Undo the stroke"
    talk.key("ctrl+z")
    talk.until(lambda: lecture.stops[0].show.strokes == ())
    assert not undo.isEnabled()
    talk.key("ctrl+shift+z")
    talk.until(lambda: lecture.stops[0].show.strokes == (stroke,))
    talk.key("shift+w")
    talk.until(lambda: window.planes.tool != "pen")
    assert window.menus.actions[f"tool-{window.planes.tool}"].isChecked()
    assert undo.text() == "&Undo"
    # A row of strokes is one change of the list.
    lecture.undo()
    rest(talk)
    assert window.stage.view.options.strokes == ()


def test_a_title_is_seen_in_a_presentation_whose_time_is_counted(talk):
    window = talk.window
    lecture = window.stage.lecture
    listed = open_list(talk)
    assert "min" not in listed._clock.text()
    lecture.rename(1, "Why the margin matters")
    talk.key("F5")
    talk.until(lambda: window.presentation.screen is not None)
    heading = window.presentation.screen.heading
    talk.until(window.presentation.screen.isVisible)
    rest(talk)
    assert heading.isHidden()
    assert lecture.begun is not None
    talk.key("Next")
    talk.until(lambda: heading.isVisible() and heading.text() == "Why the margin matters")
    rest(talk)
    talk.key("Escape")
    talk.until(window.isVisible)
    talk.until(lambda: listed._clock.text().endswith("0 min"))


def test_what_is_chosen_in_a_panel_belongs_to_the_stop(open_window):
    user = open_window(eight())
    window, view = user.window, user.window.stage.view
    window.docks.show("loss")
    rest(user)
    view.choose({"loss.classification": "squared", "pair.other": "not shown"})
    add(user, step=2)
    view.forget("loss.classification")
    add(user, step=3)
    first, second = (stop.show for stop in window.stage.lecture.stops)
    assert (first.choices, second.choices) == ((("loss.classification", "squared"),), ())
    again = read_lesson(lecture_text(window.stage.lecture.lesson), "lecture")
    assert again.cards[0].show.choices == first.choices
    listed = open_list(user)
    assert view.choices["loss.classification"] == "squared"
    listed._go(1)
    rest(user)
    assert "loss.classification" not in view.choices
    assert view.choices["pair.other"] == "not shown"


def test_a_lecture_that_replaces_another_one_says_so(talk, tmp_path):
    path = tmp_path / "other.md"
    lecture = talk.window.stage.lecture
    path.write_text(lecture_text(lecture.lesson).replace("My lecture", "Another one"))
    talk.window.lectures.open_file(path)
    talk.until(lambda: lecture.lesson.title == "Another one")
    talk.until(lambda: "“My lecture”, which had 3 stops" in talk.window.notice.text)
    lecture.undo()
    assert lecture.lesson.title == "My lecture"
