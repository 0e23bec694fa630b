"""The help beside the plane, and the "?" of docks and cards, by real clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel

from solvers import SMO
from svmviz.panels.registry import PANELS
from svmviz.window.help.help_popup import HelpPopup
from tests.stages import sine

pytestmark = pytest.mark.display


def popup() -> HelpPopup | None:
    """The popup that is open."""
    shown = QApplication.activePopupWidget()
    return shown if isinstance(shown, HelpPopup) else None


def words(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


@pytest.mark.parametrize("name", PANELS)
def test_the_question_mark_of_a_dock_shows_its_help(hand, name):
    docks, spec = hand.window.docks, PANELS[name]
    docks.show(name)
    title = docks.docks[name].titleBarWidget()
    hand.until_still(title.help)
    hand.click_on(title.help)
    hand.until(popup)
    shown = popup()
    assert shown is not None
    assert spec.title in words(shown)
    assert spec.help in words(shown)
    hand.until(lambda: shown.formula.is_ready)
    assert shown.formula.lines == spec.formula
    # A tip over the picture would hide what the mouse lights.
    assert not docks.docks[name].toolTip()
    assert title.toolTip() == spec.help
    screen = shown.screen().availableGeometry()
    hand.until(lambda: screen.contains(shown.geometry()))
    hand.click(hand.window.mapToGlobal(QPoint(200, 300)))
    hand.until(lambda: popup() is None)


def test_the_help_of_the_method_stands_beside_the_plane(hand):
    window = hand.window
    window.docks.column.fold(["data"])
    hand.until_still(window.docks.column.helps["solver"])
    hand.click_on(window.docks.column.helps["solver"])
    hand.until(lambda: window.help.window is not None and window.help.window.isVisible())
    help_ = window.help.window
    assert help_.shown == "method:smo"
    assert not help_.isModal()
    hand.until(lambda: help_.page.formula.is_ready)
    assert help_.page.formula.lines == SMO.latex
    assert SMO.source in words(help_.page)
    # The window still takes the mouse: the next page opens from another card.
    help_.move(0, 0)
    hand.until_still(help_)
    hand.click_on(window.docks.column.helps["model"])
    hand.until(lambda: help_.shown.startswith("kernel:"))
    help_.close()


def test_the_question_marks_of_c_lambda_and_epsilon_open_their_concepts(open_window):
    hand = open_window(sine(20))
    window = hand.window
    column = window.docks.column
    column.fold(["data", "solver"])
    for name, page in (("C", "slack"), ("epsilon", "epsilon"), ("lambda", "slack")):
        open_concept(hand, column.helps[name], f"concept:{page}")
    window.help.window.close()


def open_concept(hand, button, page):
    """Click on a "?", and move the help aside once it shows the page with its picture."""
    hand.until_still(button)
    hand.click_on(button)
    hand.until(lambda: hand.window.help.window is not None)
    help_ = hand.window.help.window
    hand.until(lambda: help_.shown == page and help_.page.picture.is_ready)
    help_.move(0, 0)
    hand.until_still(help_)


def test_f1_opens_it_and_the_list_leads_through_all_pages(hand):
    hand.key("F1")
    window = hand.window
    hand.until(lambda: window.help.window is not None and window.help.window.isActiveWindow())
    seen = [window.help.window.shown]
    for _ in range(40):
        hand.key("Down")
        hand.until_heard()
        if window.help.window.shown == seen[-1]:
            break
        seen.append(window.help.window.shown)
    assert seen[0] == "method:smo"
    assert seen[-1] == f"panel:{list(PANELS)[-1]}"
    assert len(seen) == len(set(seen)) > len(PANELS)
    hand.key("Escape")
    hand.until(lambda: not window.help.window.isVisible())
