"""Tabs in rows: no name is cut, each can be clicked."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QTabBar

from svmviz import theme
from svmviz.window.docks.tab_rows import TabRows, balanced_rows, fitting_rows


def test_rows_are_few_and_equally_wide():
    assert balanced_rows([50, 60], 110) == [[0, 1]]
    assert balanced_rows([50, 60, 1], 110) == [[0], [1, 2]]
    assert balanced_rows([30, 30, 30, 30, 30], 130) == [[0, 1, 2], [3, 4]]
    assert balanced_rows([500, 10], 100) == [[0], [1]]
    assert balanced_rows([], 100) == [[]]


def test_only_whole_tabs_are_shown_and_the_one_in_front_always():
    widths = [50, 50, 50, 50, 50]
    assert fitting_rows(widths, 200, 1, 0, 40) == [[0, 1, 2]]
    assert fitting_rows(widths, 200, 1, 4, 40) == [[0, 1, 4]]
    assert fitting_rows(widths, 120, 2, 0, 40) == [[0, 1], [2]]
    assert fitting_rows(widths, 60, 1, 3, 40) == [[3]]


def covers(window):
    return [cover for cover in window.findChildren(TabRows) if cover.isVisible()]


def open_all(user, names):
    docks = user.window.docks
    for name in names:
        docks.show(name)
        user.until(lambda name=name: not docks.docks[name].visibleRegion().isEmpty())
        user.until_still(docks.docks[name])


@pytest.mark.display
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_narrow_window_shows_every_name_of_its_panels(open_window, scale):
    user = open_window(size=QSize(1024, 700))
    window, docks = user.window, user.window.docks.docks
    window.appearance.set_base(scale)
    user.until_still(window)
    open_all(user, ["alpha", "objective", "model", "step", "pair", "kkt", "kernel-matrix"])
    user.until(lambda: covers(window))
    (cover,) = covers(window)
    bar = cover.parent()
    assert isinstance(bar, QTabBar)
    assert len({place.top() for place in cover.places.values()}) > 1
    names = QFontMetricsF(theme.font(theme.BODY))
    for tab, place in cover.places.items():
        assert bar.rect().contains(place)
        assert place.width() > names.horizontalAdvance(bar.tabText(tab))
        assert place.height() >= names.height()
    assert len(cover.places) == bar.count() >= 7
    first = next(tab for tab in range(bar.count()) if bar.tabText(tab) == "Objective")
    user.click(cover.mapToGlobal(cover.places[first].center()))
    user.until(lambda: not docks["objective"].visibleRegion().isEmpty())
    assert bar.currentIndex() == first


@pytest.mark.display
def test_one_row_is_left_to_qt(open_window):
    user = open_window(size=QSize(1024, 700))
    user.until(lambda: user.window.findChildren(TabRows))
    assert not covers(user.window)
    open_all(user, ["step", "kkt"])
    user.until(lambda: covers(user.window))
    bar = covers(user.window)[0].parent()
    high = bar.height()
    for name in ("step", "kkt"):
        user.window.docks.docks[name].hide()
    user.until(lambda: not covers(user.window))
    user.until(lambda: bar.height() < 0.7 * high)
    assert bar.property("rows") == ""


@pytest.mark.display
def test_names_without_room_are_in_a_list_and_none_is_cut(open_window):
    """With large controls, rows would make the window higher than the screen."""
    user = open_window(size=QSize(1024, 700))
    window = user.window
    window.appearance.set_base(2.0)
    window.appearance.set_scale(2.0)
    user.until_still(window)
    open_all(user, ["alpha", "objective", "model", "step", "pair", "kkt", "kernel-matrix"])
    user.until(lambda: any(cover.hidden_tabs for cover in covers(window)))
    cover = next(cover for cover in covers(window) if cover.hidden_tabs)
    bar = cover.parent()
    names = QFontMetricsF(theme.font(theme.BODY))

    def is_whole():
        front = bar.currentIndex() in cover.places
        fits = all(
            bar.rect().contains(place)
            and not place.intersects(cover.more.geometry())
            and place.width() > names.horizontalAdvance(bar.tabText(tab))
            for tab, place in cover.places.items()
        )
        return front and fits and cover.more.width() >= cover.more.sizeHint().width()

    user.until(is_whole)
    assert sorted([*cover.places, *cover.hidden_tabs]) == list(range(bar.count()))
    assert cover.more.text() == f"{len(cover.hidden_tabs)} more"
    wanted = cover.hidden_tabs[0]
    name = bar.tabText(wanted)
    menu = cover.more.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [
        bar.tabText(tab) for tab in cover.hidden_tabs
    ]
    menu.actions()[0].trigger()
    user.until(lambda: wanted in cover.places and is_whole())
    assert bar.tabText(bar.currentIndex()) == name
