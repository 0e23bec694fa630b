"""Panels around the plane: shown, hidden, dragged and painted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSize
from PySide6.QtWidgets import QDockWidget, QGraphicsView

from solvers import RBF, SMO, Pegasos
from svmviz import theme
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.panels.registry import PANELS
from svmviz.panels.selection.choice.choice_panel import ChoicePanel
from svmviz.panels.selection.share_buttons import THREE_PARTS
from tests.stages import eight, sine

pytestmark = pytest.mark.display


def test_every_panel_is_shown_and_hidden_by_its_menu_entry(user):
    session = user.window.stage.session
    for name, spec in PANELS.items():
        before, dock = session.document, user.window.docks.docks[name]
        if not spec.fits(before):
            more, fewer = before.with_another_class(), before.removed(range(4, 8))
            session.edit(more if spec.fits(more) else fewer, "A document that fits")
        user.until(dock.toggleViewAction().isEnabled)
        if not dock.isHidden():
            dock.toggleViewAction().trigger()
        assert dock.isHidden(), name
        dock.toggleViewAction().trigger()
        user.until(lambda dock=dock: dock.isVisible() and dock.widget() is not None)
        user.until(lambda dock=dock: min(dock.widget().width(), dock.widget().height()) > 100)
        dock.toggleViewAction().trigger()
        if session.document != before:
            session.edit(before, "All points again")


def test_the_key_of_a_panel_that_does_not_fit_says_what_it_needs(user):
    window, session = user.window, user.window.stage.session
    linear = session.document
    session.edit(replace(linear, kernel=RBF(1.0)), "curved")
    action = window.docks.docks["hulls"].toggleViewAction()
    user.until(lambda: not action.isEnabled())
    user.key("p", "h")
    user.until(lambda: window.notice.isVisible())
    assert window.notice.text == (
        "The panel Hulls needs two classes, and the linear kernel or the method of convex hulls."
    )
    session.edit(linear, "straight")
    user.until(action.isEnabled)
    user.key("p", "h")
    user.until(window.docks.docks["hulls"].isVisible)


def test_many_moves_of_docks_are_announced_once(user):
    docks, announced = user.window.docks, []
    for name in ("table", "kkt", "step"):
        docks.show(name)
    user.until(lambda: docks.docks["step"].isVisible())
    user.until_still(docks.docks["step"])
    docks.moved.connect(lambda: announced.append([d.isHidden() for d in docks.docks.values()]))
    docks.layouts.set_hidden(True)
    docks.layouts.set_hidden(False)
    docks.docks["kkt"].hide()
    assert not announced
    user.until(lambda: announced)
    user.until_still(docks.docks["step"])
    # Once after the moves, and once more if Qt showed the docks of its tabs after that.
    assert len(announced) <= 2
    assert announced[-1] == [dock.isHidden() for dock in docks.docks.values()]


def test_the_table_opens_from_the_data_card(user):
    user.window.docks.column.fold([])
    user.window.docks.column.data.table.click()
    table = user.window.docks.docks["table"]
    user.until(lambda: table.isVisible() and table.height() >= 150)


def test_closing_the_race_ends_it_and_undo_brings_it_back(open_window):
    user = open_window(eight(methods=(SMO(), Pegasos(max_steps=100))))
    window, session = user.window, user.window.stage.session
    dock = window.docks.docks["race"]
    window.docks.show("race")
    user.until(dock.isVisible)
    dock.close()
    user.until(lambda: len(session.document.methods) == 1)
    assert session.document.methods == (SMO(),)
    session.undo_stack.undo()
    user.until(lambda: len(session.document.methods) == 2 and dock.isVisible())


def test_a_document_without_a_race_closes_its_panel(open_window):
    user = open_window(eight())
    dock, session = user.window.docks.docks["race"], user.window.stage.session
    session.edit(eight(methods=(SMO(), Pegasos(max_steps=100))), "Race")
    user.until(dock.isVisible)
    session.edit(eight(), "Another scene")
    user.until(dock.isHidden)


def test_titles_follow_the_task(open_window):
    user = open_window(sine())
    docks = user.window.docks.docks
    assert docks["alpha"].windowTitle() == "β values"
    user.window.stage.session.edit(eight(), "Classes")
    user.until(lambda: docks["alpha"].windowTitle() == "α values")


def test_a_dock_is_dragged_and_comes_back(user):
    dock = user.window.docks.docks["settings"]
    features = QDockWidget.DockWidgetFeature
    assert dock.features() == features.DockWidgetMovable | features.DockWidgetClosable
    # As Qt does while a dock is dragged.
    dock.setFloating(True)
    user.until(dock.isWindow)
    dock.setFloating(False)
    user.until(lambda: not dock.isWindow())
    assert dock.isVisible()


def test_transport_moves_across_a_narrow_window(open_window):
    user = open_window(eight(), size=QSize(820, 640))
    window = user.window
    assert window.width() == 820
    assert window.bottom.is_across
    assert window.bottom.width() > 0.95 * window.width()
    window.resize(1300, 800)
    user.until(lambda: not window.bottom.is_across)
    user.until(lambda: window.bottom.width() == window.plane.width())
    assert window.bottom.transport.isVisible()
    window.resize(820, 640)
    user.until(lambda: window.bottom.is_across and window.bottom.isVisible())


def test_the_badge_stands_whole_in_the_corner(open_window):
    window = open_window(eight()).window
    bar, badge = window.menuBar(), window.badge
    assert badge.isVisible()
    assert bar.rect().contains(badge.geometry())


class Painted(QObject):
    """Notes which widgets are painted."""

    def __init__(self, *widgets):
        super().__init__()
        self.missing = set(widgets)
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.missing.discard(watched)
        return False


def test_after_another_size_of_type_all_is_painted_and_goes_on_being_painted(user):
    window = user.window
    window.docks.show("objective")
    user.until(lambda: window.docks.docks["objective"].widget() is not None)
    shown = window.docks.docks["objective"].widget()
    chart = next(view for view in shown.findChildren(QGraphicsView) if view.isVisible()).viewport()
    for scale, key in ((1.5, "Home"), (1.0, "End")):
        painted = Painted(window.plane, chart)
        window.appearance.set_base(scale)
        size = theme.Metrics(1.0, scale).px(theme.TEXT)
        user.until(lambda size=size: window.menuBar().font().pixelSize() == size)
        user.until_still(window.plane)
        # Large type may put panels into tabs.
        window.docks.show("objective")
        user.until(lambda painted=painted: not painted.missing)
        user.until_still(window.plane)
        # The frame of another step is painted as well.
        painted = Painted(window.plane, chart)
        user.key(key)
        user.until(lambda painted=painted: not painted.missing)


def test_no_panel_makes_a_small_window_larger_than_its_screen(open_window):
    document = eight(methods=(SMO(), Pegasos(max_steps=50)))
    user = open_window(document, size=QSize(1024, 700))
    window = user.window
    window.appearance.set_base(2.0)
    for name, spec in PANELS.items():
        if not spec.fits(document):
            continue
        window.docks.show(name)
        dock = window.docks.docks[name]
        user.until(lambda dock=dock: dock.widget() and not dock.visibleRegion().isEmpty())
        user.until_still(window)
        assert (window.width(), window.height()) == (1024, 700), name
    scroller = window.docks.docks["pair"].widget().panel
    # What has no room is scrolled to, and not cut.
    window.docks.show("pair")
    user.until_still(scroller.content)
    least = scroller.content.minimumSizeHint()
    assert scroller.content.width() >= least.width()
    assert scroller.content.height() >= least.height()


def test_hidden_bars_take_no_room_in_full_screen(open_window):
    user = open_window(eight(), size=QSize(1100, 700))
    window = user.window
    layout, bottom = window.docks.layouts, window.bottom

    def free_height():
        return window.height() - bottom.sizeHint().height() * bottom.is_across

    menus = window.menuBar().height()
    assert layout.height == free_height() - menus
    user.key("F11")
    user.until(lambda: window.isFullScreen() and window.menuBar().isHidden())
    user.until_still(window.plane)
    assert layout.height == free_height()
    assert window.planes.mapTo(window, QPoint(0, 0)) == QPoint(0, 0)
    user.key("F11")
    user.until(lambda: not window.isFullScreen() and not window.menuBar().isHidden())
    user.until(lambda: layout.height == free_height() - menus)


def test_a_new_split_shows_its_panel_unless_it_was_made_in_the_choice_of_a_model(user):
    window, docks, session = user.window, user.window.docks.docks, user.window.stage.session
    window.docks.show("model-choice")
    user.until(lambda: bool(window.findChildren(ChoicePanel)))
    (panel,) = window.findChildren(ChoicePanel)
    user.until(panel.isVisible)
    panel.shares.buttons[THREE_PARTS[1]].click()
    user.until(lambda: session.document.held_out is not None)
    assert docks["split"].isHidden()
    assert not docks["model-choice"].visibleRegion().isEmpty()
    session.undo_stack.undo()
    docks["model-choice"].hide()
    session.edit(split(session.document, Shares(0.1, 0.2)), "Split")
    user.until(lambda: not docks["split"].visibleRegion().isEmpty())
