"""Panels of a presentation: beside the planes, in their place, and below the card of a lesson."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QLabel, QMenu, QPushButton

from solvers import RBF, SMO, Linear
from svmviz.document.document import Penalty
from svmviz.document.splitting import Shares, split
from svmviz.frames.part_risks import wrong_words
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import find_lesson
from svmviz.panels.controls.model.model_card import ModelCard
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.lesson.lesson_panel import LessonPanel
from svmviz.panels.registry import PANELS
from svmviz.stage.open_lesson import FIRST_ACT, LAST_CARD
from svmviz.window.docks.view_row import ViewRow
from svmviz.window.presentation.screen import HOLD_GAP
from tests.stages import eight, moons
from tests.window.conftest import settle
from tests.window.presentation.conftest import leave, present
from tests.window.test_lesson_cards import HEAD, card

pytestmark = pytest.mark.display
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def test_shift_p_and_the_button_go_through_the_panels_of_the_layout(user):
    window = user.window
    for name in ("alpha", "kkt"):
        window.docks.show(name)
    user.until(lambda: window.stage.view.panel == "kkt")
    names = window.docks.layouts.panels
    assert set(names) == {"alpha", "kkt"}
    screen = present(user)
    user.until(lambda: screen.side.title == "KKT")
    user.key("shift+p")
    user.until(lambda: screen.side.title == "α values" or screen.side.isHidden())
    seen = {screen.side.title}
    user.move(screen.mapToGlobal(QPoint(30, screen.height() - 5)))
    user.until(screen.controls.isVisible)
    for _press in range(2):
        before = screen.side.title
        user.click_on(screen.panel_button)
        user.until(lambda before=before: screen.side.title != before)
        seen.add(screen.side.title)
    # After the last one there is none, so that each press changes something.
    assert seen == {"KKT", "α values", ""}
    assert not screen.findChildren(QMenu)


def test_a_panel_that_does_not_fit_is_refused_with_a_sentence(user):
    """The hulls need the linear kernel, and these points have another one."""
    screen = present(user)
    screen.show_panel("alpha")
    notice = user.window.planes.notice
    user.key("p")
    user.until(lambda: notice.isVisible() and "KKT" in notice.text)
    user.key("h")
    user.until(lambda: "Hulls needs" in notice.text)
    user.until_still(screen)
    assert notice.isVisible()
    assert screen.side.title == "α values"
    user.key("p")
    user.key("k")
    user.until(lambda: screen.side.title == "KKT")


@pytest.mark.parametrize("size", [QSize(1280, 720), QSize(1920, 1080)])
def test_a_lesson_is_whole_and_its_panel_is_a_key_away(open_window, size):
    user = open_window(eight(), size=QSize(1280, 720))
    window = user.window
    window.stage.lesson.begin(find_lesson("slack-and-c"))
    settle(user)
    window.docks.show("model")
    user.until(lambda: window.stage.view.panel == "model")
    screen = present(user)
    screen.resize(size)
    side = screen.side
    user.until(lambda: side.findChild(LessonPanel) is not None)
    card = side.findChild(LessonPanel)
    user.until_still(screen)
    area = card.parentWidget().parentWidget()
    assert not area.horizontalScrollBar().isVisible()
    assert not area.verticalScrollBar().isVisible()
    for part in (*card.task_view.choices, card.back, card.on):
        assert side.rect().contains(part.geometry().translated(part.parent().mapTo(side, QPoint())))
    # The numbers of the model do not crush the card: they are hidden, or below it.
    numbers = side.findChild(ModelCard)
    assert numbers.isHidden() or not numbers.isVisible() or side.title == "Model"
    user.key("v")
    user.until(lambda: side.title == "Model" and numbers.isVisible())
    assert side.findChild(LessonPanel) is not None
    assert not window.planes.isVisible()
    assert screen.size() == size
    user.key("shift+p")
    user.until(window.planes.isVisible)
    assert screen.size() == size
    user.key("shift+p")
    user.until(lambda: side.title == "Model" and not window.planes.isVisible())
    # The next card may ask about the planes.
    window.stage.lesson.give_up()
    while window.stage.lesson.task is not None:
        window.stage.lesson.give_up()
    window.stage.lesson.go(1)
    user.until(window.planes.isVisible)


def test_plane_and_panel_change_places_and_the_panel_fills_the_screen(user):
    window = user.window
    window.docks.show("kkt")
    user.until(lambda: window.stage.view.panel == "kkt")
    screen = present(user)
    side, planes = screen.side, window.planes
    user.until(lambda: side.title == "KKT")
    user.until_still(side)
    small = side.width()
    user.key("v")
    user.until(lambda: planes.width() == small)
    user.until_still(window.plane)
    assert (side.x(), planes.x()) == (0, side.width())
    assert side.width() > 1.7 * planes.width()
    user.key("shift+v")
    user.until(lambda: side.width() == screen.width())
    assert planes.isHidden()
    # Steps are shown although no plane paints them.
    user.key("Home", "Right", "Right")
    user.until(lambda: window.stage.feed.panel_frame.lane.step == 2)
    user.key("shift+v")
    user.until(lambda: planes.isVisible() and side.width() == small)
    assert planes.x() == 0
    user.key("shift+v")
    user.until(planes.isHidden)
    # Without the panel the planes are back.
    user.key("F9")
    user.until(lambda: planes.isVisible() and planes.width() == screen.width())
    leave(user)
    assert planes.isVisible()


@pytest.mark.parametrize(
    ("name", "words"), [("split", "Divide again"), ("model-choice", "2  Candidates")]
)
def test_forms_are_left_out_and_buttons_that_show_something_stay(user, name, words):
    screen = present(user)
    screen.show_panel(name)
    user.until(screen.side.isVisible)
    panels = screen.side.findChildren(FramePanel)
    panel = next(panel for panel in panels if panel.name == name)
    user.until(panel.isVisible)
    forms = [form for form in panel.setting_forms if form.isVisible()]
    assert panel.setting_forms
    assert not forms
    shown = [
        label.text()
        for label in (*panel.findChildren(QPushButton), *panel.findChildren(QLabel))
        if label.isVisible()
    ]
    assert words not in shown
    if name == "split":
        assert "Reveal test points" in shown


def test_a_click_that_adds_a_point_says_how_it_is_taken_back(user):
    present(user)
    session = user.window.stage.session
    words = []
    user.window.planes.word.word_shown.connect(lambda *texts: words.append(texts))
    n = session.document.n
    plane = user.window.plane
    corner = QPoint(round(plane.camera.left) + 30, round(plane.camera.top) + 30)
    user.click(plane.mapToGlobal(corner))
    user.until(lambda: session.document.n == n + 1)
    user.until(lambda: ("Point added", "Ctrl+Z removes it") in words)
    user.key("ctrl+z")
    user.until(lambda: session.document.n == n)


def test_the_views_of_a_panel_are_chosen_in_its_title(user):
    screen = present(user)
    screen.show_panel("split")
    row = screen.side.findChild(ViewRow)
    user.until(row.isVisible)
    assert (row.value, row.keys) == ("split", ("model-choice", "split", "folds"))
    user.until_still(screen.side)
    assert screen.side.rect().contains(row.geometry())
    user.click_on(row.button("folds"))
    user.until(lambda: any(p.name == "folds" for p in screen.side.findChildren(FramePanel)))
    user.until(lambda: screen.side.title == "Folds")
    # A view that does not fit has no button, and one view alone has no row.
    screen.show_panel("loss")
    user.until(lambda: views(screen) == ("loss", "budget", "slice"))
    session = user.window.stage.session
    session.edit(replace(session.document, penalty=Penalty("C", math.inf)), "Hard margin")
    user.until(lambda: views(screen) == ("loss", "budget"))
    screen.show_panel("kkt")
    user.until(lambda: screen.side.title == "KKT" and not views(screen))


def views(screen):
    """Names of the views that can be chosen."""
    rows = screen.side.findChildren(ViewRow, options=DIRECT)
    return next((row.keys for row in rows if row.isVisible()), ())


def test_the_caption_counts_wrong_training_and_validation_points(user):
    session = user.window.stage.session
    session.edit(
        replace(split(session.document, Shares(0.4, 0.0)), kernel=RBF(100.0)), "Overfitting"
    )
    settle(user)
    user.until(lambda: session.document.held_out is not None)
    screen = present(user)
    screen.resize(1280, 720)
    user.key("F9")
    user.until(screen.side.isHidden)
    frame = user.window.stage.feed.panel_frame
    wrong = wrong_words(frame.document, frame.lane)
    assert wrong.startswith("training 0 of ")
    user.until(lambda: screen.model.verdict.endswith(wrong))


def test_the_caption_shortens_the_weights_of_the_classes(user):
    session = user.window.stage.session
    weighted = {"class_weights": "balanced", "kernel": Linear()}
    session.edit(session.document.removed(range(5)), "Fewer")
    session.edit(replace(session.document, **weighted), "Balanced")
    settle(user)
    screen = present(user)
    screen.resize(1280, 720)
    user.until(lambda: screen.model.text.endswith(", balanced") and screen.model.isVisible())
    assert screen.model.verdict
    # With less room for the model, the verdict still stands.
    screen.resize(420, 700)
    user.until(lambda: not screen.model.text.endswith(", balanced"))
    assert screen.model.isVisible() == bool(screen.model.text or screen.model.verdict)


def test_right_goes_on_to_the_next_card_where_the_run_has_ended(user):
    lesson = user.window.stage.lesson
    text = HEAD + card("step end", "do\nask Move one.\ngoal moved >= 1") + card("step end")
    lesson.begin(read_lesson(text, "test"))
    settle(user)
    screen = present(user)
    user.until(lambda: screen.side.has_open_card and user.window.stage.playback.is_at_end)
    user.key("Right")
    user.until(lambda: lesson.reply == FIRST_ACT)
    lesson.give_up()
    user.rest(HOLD_GAP)
    # A key that is held goes no further.
    user.key("Right", "Right")
    user.until(lambda: lesson.index == 1)
    user.until_heard()
    assert not lesson.reply
    settle(user)
    user.rest(HOLD_GAP)
    user.key("Right")
    user.until(lambda: lesson.reply == LAST_CARD)
    assert lesson.lesson is not None


def test_three_planes_and_their_chart_can_be_read(open_window):
    document = moons(methods=(SMO(), SMO(pair="maximal-violation"), SMO(pair="platt")))
    user = open_window(document, size=QSize(1280, 720))
    window = user.window
    window.docks.show("race")
    user.until(lambda: window.stage.view.panel == "race")
    screen = present(user)
    screen.resize(1280, 720)
    user.until(lambda: screen.side.is_below)
    user.until_still(screen)
    assert all(view.camera.plot_height > 190 for view in window.planes.views)
    assert all(view.camera.plot_width > 290 for view in window.planes.views)
    chart = screen.side.panel.chart
    user.until(lambda: chart.height() > 150)
    area = screen.side.panel.parentWidget().parentWidget()
    assert not area.verticalScrollBar().isVisible()
    assert screen.side.panel.axis.text() == "P − its minimum"


@pytest.mark.parametrize(
    "kernel", [Linear(), pytest.param(RBF(1.0), marks=pytest.mark.slow)], ids=["linear", "rbf"]
)
def test_no_panel_is_cut_at_1280_x_720(open_window, kernel):
    user = open_window(moons(60, kernel=kernel), size=QSize(1280, 720))
    document = user.window.stage.session.document
    screen = present(user)
    screen.resize(1280, 720)
    for name, spec in PANELS.items():
        if not spec.fits(document):
            continue
        panel = screen.show_panel(name)
        user.until(panel.isVisible)
        area = panel.parentWidget().parentWidget()
        user.until(lambda area=area: not area.verticalScrollBar().maximum())
        assert not area.horizontalScrollBar().maximum(), name


def test_the_lifted_plane_and_the_matrix_fill_the_room_that_they_get(open_window):
    user = open_window(moons(60), size=QSize(1280, 720))
    screen = present(user)
    screen.resize(1280, 720)
    for name, picture in (("kernel-matrix", "map"), ("feature-map", "solid")):
        panel = screen.show_panel(name)
        user.until(panel.isVisible)
        user.until_still(screen)
        widget = getattr(panel, picture)
        user.key("v")
        user.until_still(screen)
        # A formula below the picture is typeset later.
        user.until(lambda w=widget, panel=panel: w.height() > 0.7 * panel.height())
        large = min(widget.width(), widget.height())
        user.key("v")
        user.until_still(screen)
        assert large > 1.1 * min(widget.width(), widget.height()), name


def test_esc_ends_what_a_command_opened_before_the_presentation(user):
    screen = present(user)
    screen.show_panel("kkt")
    user.until(lambda: screen.side.title == "KKT")
    user.key("F7")
    user.until(lambda: screen.side.title == "Derivation")
    user.key("Escape")
    user.until(lambda: screen.side.title == "KKT")
    assert user.window.presentation.is_on
    user.key("F9")
    user.until(screen.side.isHidden)
    user.key("F7")
    user.until(screen.side.isVisible)
    user.key("Escape")
    user.until(screen.side.isHidden)
    leave(user)


def test_the_answers_of_a_question_have_the_letters_by_which_a_room_votes(user):
    text = HEAD + card("step end", "predict\nask Which?\nchoice first\nright second\nchoice third")
    user.window.stage.lesson.begin(read_lesson(text, "room"))
    settle(user)
    screen = present(user)
    user.until(lambda: screen.side.findChild(LessonPanel) is not None)
    view = screen.side.findChild(LessonPanel).task_view
    wanted = ["A. first", "B. second", "C. third"]
    user.until(lambda: [button.text() for button in view.choices] == wanted)
    # What a command opens is seen beside the card, and Esc ends it.
    user.key("F7")
    user.until(lambda: screen.side.title == "Derivation" and not user.window.planes.isVisible())
    user.key("Escape")
    user.until(user.window.planes.isVisible)
    assert user.window.presentation.is_on
