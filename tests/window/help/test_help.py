"""The help beside the plane, and the "?" of docks and cards, by real clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from solvers import SMO
from svmviz.lessons.pages import page_of
from svmviz.panels.duality.derivation_panel import DerivationPanel
from svmviz.panels.registry import PANELS
from svmviz.widgets.plain_text import RichLabel, words_of_tip
from svmviz.window.help.contents import pages
from tests.stages import sine

pytestmark = pytest.mark.display


def words(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_the_question_mark_of_each_dock_opens_its_page(user):
    docks, help_ = user.window.docks, user.window.help
    for name, spec in PANELS.items():
        if not spec.fits(user.window.stage.session.document):
            continue
        docks.show(name)
        title = docks.docks[name].titleBarWidget()
        if name == next(iter(PANELS)):
            user.until_still(title.help)
            user.click_on(title.help)
        else:
            title.help.click()
        user.until(lambda name=name: help_.window and help_.window.shown == f"panel:{name}")
        page = help_.window.page
        assert spec.title in words(page)
        user.until(lambda page=page: page.formula.is_ready)
        assert set(spec.page.formula) <= set(page.formula.lines)
        # A tip over the picture would hide what the mouse lights.
        assert not docks.docks[name].toolTip()
        assert words_of_tip(title) == spec.help
        help_.window.close()
        docks.docks[name].hide()


def test_the_help_of_the_method_stands_beside_the_plane(user):
    window = user.window
    window.docks.column.fold(["data"])
    user.until_still(window.docks.column.helps["solver"])
    user.click_on(window.docks.column.helps["solver"])
    user.until(lambda: window.help.window is not None and window.help.window.isVisible())
    help_ = window.help.window
    assert help_.shown == "method:smo"
    assert not help_.isModal()
    user.until(lambda: help_.page.formula.is_ready)
    assert help_.page.formula.lines == page_of("methods", SMO.name).formula
    assert SMO.source in words(help_.page)
    # The window still takes the mouse: the next page opens from another card.
    help_.move(0, 0)
    user.until_still(help_)
    user.click_on(window.docks.column.helps["model"])
    user.until(lambda: help_.shown.startswith("kernel:"))
    help_.close()


def test_the_question_marks_of_c_lambda_and_epsilon_open_their_concepts(open_window):
    user = open_window(sine(20))
    window = user.window
    column = window.docks.column
    column.fold(["data", "solver"])
    column.model.more.button.click()
    for name, page in (("C", "slack"), ("epsilon", "epsilon"), ("lambda", "slack")):
        open_concept(user, column.helps[name], f"concept:{page}")
    window.help.window.close()


def open_concept(user, button, page):
    """Click on a "?", and move the help aside once it shows the page with its picture."""
    user.until_still(button)
    user.click_on(button)
    user.until(lambda: user.window.help.window is not None)
    help_ = user.window.help.window
    user.until(lambda: help_.shown == page and help_.page.picture.is_ready)
    help_.move(0, 0)
    user.until_still(help_)


def test_f1_opens_it_and_the_list_leads_through_all_pages(user):
    user.key("F1")
    window = user.window
    user.until(lambda: window.help.window is not None and window.help.window.isActiveWindow())
    seen = [window.help.window.shown]
    user.key("Down")
    user.until(lambda: window.help.window.shown != seen[-1])
    seen.append(window.help.window.shown)
    # What has the focus is now known, so the other keys need not come from outside.
    for _ in pages():
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        if window.help.window.shown == seen[-1]:
            break
        seen.append(window.help.window.shown)
    assert seen[0] == "method:smo"
    assert seen[-1] == list(pages())[-1]
    assert len(seen) == len(set(seen)) > len(PANELS)
    user.key("Escape")
    user.until(lambda: not window.help.window.isVisible())


def test_the_help_has_the_size_of_type(user):
    user.window.help.show("concept:slack")
    window = user.window.help.window
    user.until(lambda: window.page.formula.is_ready)
    label = window.page.findChild(RichLabel)
    before, formula = label.fontInfo().pixelSize(), window.page.formula.sizeHint().height()
    small = window.list.fontInfo().pixelSize()
    user.window.appearance.set_scale(2.0)
    user.until(lambda: label.fontInfo().pixelSize() == 2 * before)
    user.until(lambda: window.list.fontInfo().pixelSize() == 2 * small)
    user.until(lambda: window.page.formula.is_ready)
    user.until(lambda: window.page.formula.sizeHint().height() > 1.7 * formula)


def test_a_derivation_is_opened_from_a_panel_and_from_the_help_and_leads_back(user):
    window = user.window
    docks, reading = window.docks, window.stage.reading
    docks.show("kkt")
    title = docks.docks["kkt"].titleBarWidget()
    user.until_still(title.help)
    user.click_on(title.help)
    user.until(lambda: window.help.window is not None)
    page = window.help.window.page
    (links,) = [n for n in page.findChildren(RichLabel) if n.text().count("'read:") == 3]
    links.linkActivated.emit("read:kkt")
    assert reading.derivation.name == "kkt"
    user.until(lambda: reading.is_open)
    panel = docks.docks["derivation"].findChild(DerivationPanel)
    user.until(lambda: "kkt" in panel.panels.text())
    panel.panels.linkActivated.emit("kkt")
    user.until(lambda: not docks.docks["kkt"].visibleRegion().isEmpty())
    window.help.show("concept:gap")
    labels = window.help.window.page.findChildren(RichLabel)
    link = next(label for label in labels if "read:weak-duality" in label.text())
    link.linkActivated.emit("read:weak-duality")
    user.until(lambda: reading.is_open)
    assert reading.derivation.name == "weak-duality"
    assert reading.line == 0
    # The help does not cover what was opened from it.
    assert not window.help.window.isVisible()


def test_a_page_is_found_by_its_words(user):
    user.key("F1")
    user.until(lambda: user.window.help.window is not None and user.window.help.window.isVisible())
    help_window = user.window.help.window

    def listed():
        items = [help_window.list.item(row) for row in range(help_window.list.count())]
        return [item.text() for item in items if not item.isHidden()]

    everything = listed()
    user.until(help_window.isActiveWindow)
    user.key("ctrl+f")
    user.until(help_window.field.hasFocus)
    user.type("perceptron")
    user.until(lambda: help_window.shown == "method:perceptron")
    assert "Perceptron" in listed()
    assert len(listed()) < len(everything) / 2
    # A heading stands only above pages that were found.
    assert "Kernels" not in listed()
    user.type(" zzz")
    user.until(lambda: listed() == ["No page has all these words."])
    assert help_window.shown == "method:perceptron"
    user.key("ctrl+a")
    user.key("BackSpace")
    user.until(lambda: listed() == everything)
    assert help_window.shown == "method:perceptron"


def test_each_panel_of_the_window_has_a_page(user):
    for name in user.window.docks.docks:
        user.window.help.show(f"panel:{name}")
        assert user.window.help.window.shown == f"panel:{name}"
