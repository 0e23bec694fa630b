"""The palette of commands, by real keys."""

import pytest
from PySide6.QtWidgets import QApplication

from svmviz.base.words import number
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.registry import PANELS
from svmviz.widgets.finding import rank_of, words_of
from svmviz.window.help.contents import pages
from svmviz.window.menus.entries import all_entries, plain_text
from svmviz.window.menus.palette import Palette
from tests.waiting import is_settled
from tests.window.user import xdotool


def entries_of(window):
    frame = window.stage.feed.panel_frame
    return all_entries(window.menuBar(), window.docks, window.lessons.open, window.help.show, frame)


def rows(palette):
    tree = palette.list
    return [
        tuple(tree.topLevelItem(k).text(column) for column in range(3))
        for k in range(tree.topLevelItemCount())
    ]


@pytest.fixture
def find(user):
    """Press Ctrl+K, type words, and return the palette."""

    def open_and_type(text):
        user.key("ctrl+k")
        user.until(lambda: isinstance(QApplication.activePopupWidget(), Palette))
        palette = QApplication.activePopupWidget()
        user.type(text)
        user.until(lambda: palette.field.text() == text)
        return palette

    return open_and_type


def test_everything_that_can_be_done_is_in_it(user):
    window = user.window
    places = {(entry.place, entry.text) for entry in entries_of(window)}
    titles = {text for _, text in places}
    for name, action in window.menus.actions.items():
        # Of two classes the next one can be added, and no later one.
        if name in {f"tool-add-class-{number}" for number in (4, 5, 6)}:
            assert action.text() not in titles
            continue
        assert plain_text(action.text()) in titles, name
    for spec in PANELS.values():
        inside = f"View > Panels > {spec.family}"
        found = {place for place, text in places if text == spec.title}
        assert inside in found
    assert {("Lesson", lesson.title) for lesson in LESSONS.values()} <= places
    assert {(f"Help > {p.chapter}", p.title) for p in pages().values()} <= places
    assert any(place == "Settings > Kernel and penalty C" and text == "C" for place, text in places)


def test_what_cannot_be_done_says_what_it_lacks(user):
    window = user.window
    notes = {entry.text: entry.note for entry in entries_of(window) if not entry.can_run}
    assert notes["Delete"] == "needs selected points"
    assert notes["End the race"] == "needs a race"
    assert window.menus.actions["delete"].toolTip() == "This needs selected points."
    user.key("ctrl+a")
    user.until(window.menus.actions["delete"].isEnabled)
    assert "Delete" not in {e.text for e in entries_of(window) if not e.can_run}
    assert "needs" not in window.menus.actions["delete"].toolTip()


def test_words_choose_and_return_runs(user, find):
    palette = find("dark the")
    assert rows(palette)[0][:2] == ("Dark", "View > Theme")
    was_dark = user.window.appearance.is_dark
    user.key("Return")
    user.until(lambda: user.window.appearance.is_dark != was_dark)
    assert QApplication.activePopupWidget() is None


def test_a_setting_gets_the_focus_by_the_name_of_its_letter(user, find):
    before = user.window.stage.session.document
    palette = find("lambda sett")
    assert rows(palette)[0][:2] == ("λ", "Settings > Kernel and penalty C")
    user.key("Return")
    field = user.window.docks.column.model
    user.until(lambda: QApplication.focusWidget() is not None)
    user.until(lambda: field.isAncestorOf(QApplication.focusWidget()))
    assert QApplication.focusWidget().accessibleName() == "λ"
    user.type("0.5")
    user.key("Return")
    user.until(lambda: user.window.stage.session.document != before)


def test_a_method_is_used_by_its_name(user, find):
    session = user.window.stage.session
    palette = find("perceptron")
    assert rows(palette)[0] == ("Perceptron", "Settings > Method > Method", "")
    user.key("Return")
    user.until(lambda: session.document.method.name == "perceptron")
    assert session.undo_stack.undoText() == "Solve by Perceptron"


@pytest.mark.parametrize("text", ["imbalance", "imbalanced", "unbalanced"])
def test_the_weights_of_the_classes_are_found_by_what_they_are_for(user, find, text):
    assert ("Class weights", "Settings > Kernel and penalty C", "Even") in rows(find(text))


@pytest.mark.parametrize("text", ["width", "margin width", "street width"])
def test_the_width_of_the_street_is_found_with_its_value(user, find, text):
    user.until(lambda: is_settled(user.window.stage))
    run = user.window.stage.session.runs[0]
    X, beta = run.problem.X, run.expansion.beta
    squared = float(beta @ run.problem.kernel(X, X) @ beta)
    palette = find(text)
    assert rows(palette)[0] == ("width 2 / ‖w‖", "Panel Model", number(2.0 / squared**0.5))
    user.key("Return")
    user.until(lambda: user.window.docks.docks["model"].isVisible())


def test_it_is_as_high_as_what_it_found(user, find):
    palette = find("dark the")
    row = palette.list.sizeHintForRow(0)
    few = palette.list.topLevelItemCount()
    user.until(lambda: abs(palette.list.viewport().height() - few * row) <= 1)
    low = palette.height()
    palette.field.setText("")
    user.until(lambda: palette.height() > low + row)
    assert palette.height() <= palette._max_height
    palette.field.setText("xyzzy")
    user.until(lambda: abs(palette.list.viewport().height() - row) <= 1)
    user.key("Escape")
    user.until(lambda: QApplication.activePopupWidget() is None)


def test_arrows_choose_and_escape_changes_nothing(user, find):
    palette = find("map")
    first = palette.list.currentItem()
    user.key("Down")
    user.until(lambda: palette.list.currentItem() is not first)
    user.key("Up")
    user.until(lambda: palette.list.currentItem() is first)
    before = user.window.stage.session.document
    user.key("Escape")
    user.until(lambda: QApplication.activePopupWidget() is None)
    assert user.window.stage.session.document == before


def test_no_words_fit(user, find):
    palette = find("xyzzy")
    assert rows(palette) == [("Nothing has all these words.", "", "")]
    xdotool("key", "Return")
    user.rest()
    assert QApplication.activePopupWidget() is palette
    user.key("Escape")
    user.until(lambda: QApplication.activePopupWidget() is None)


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("averaged iterate", "method:pegasos"),
        ("theta", "method:pegasos"),
        ("5x2", "panel:folds"),
        ("5 × 2", "panel:folds"),
        ("half-planes", "concept:convex"),
        ("unbalanced classes", "concept:class-weights"),
    ],
)
def test_a_page_is_found_by_what_it_says(text, page):
    topic = pages()[page]
    assert rank_of(topic.title, topic.chapter, topic.content, words_of(text)) is not None
