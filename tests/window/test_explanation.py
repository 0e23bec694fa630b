"""One key shows the panels that explain a step beside the plane, and returns to the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF

from solvers import Hulls, InteriorPoint, Perceptron
from svmviz.document.examples import examples
from svmviz.document.splitting import Shares
from svmviz.document.splitting import split as divided
from svmviz.panels.controls.transport.narrator import EXPLAINED
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import PANELS
from svmviz.theme import LABEL, look_of
from tests.stages import moons
from tests.window.conftest import is_explaining, panel_in, settle
from tests.window.presentation.conftest import present

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window):
    return open_window(moons())


def shown(window):
    return {name for name, dock in window.docks.docks.items() if dock.isVisible()}


def listing_of(user):
    user.until(lambda: panel_in(user.window, "pseudo-code") is not None)
    return panel_in(user.window, "pseudo-code").listing


def part_of(window):
    lane = window.stage.feed.panel_frame.lane
    return (lane.shown_beat.step, lane.shown_beat.number) if lane and lane.shown_beat else None


def explain(user):
    user.key("F6")
    user.until(lambda: is_explaining(user.window))
    user.until_still(user.window.plane)


def test_one_key_shows_plane_and_panels_and_right_explains_the_first_step(user):
    window = user.window
    settle(user)
    explain(user)
    assert shown(window) == {"pseudo-code", "step", "pair", "kkt"}
    assert window.toolbar.isHidden()
    assert window.plane.isVisible()
    assert window.menus.actions["explain"].isChecked()
    count = len(window.stage.session.runs[0].at(1).event.beats)
    for beat in range(1, count + 1):
        user.key("Right")
        user.until(lambda beat=beat: part_of(window) == (1, beat))
        assert window.bottom.narrator.text.startswith(f"Step 1 · part {beat}")
    user.key("Left")
    user.until(lambda: part_of(window) == (1, count - 1))


def test_nothing_overlaps_and_everything_is_within_the_window(user):
    window = user.window
    settle(user)
    explain(user)
    panels = [dock for dock in window.docks.docks.values() if dock.isVisible()]
    places = []
    for widget in (*panels, window.planes):
        corner = widget.mapTo(window, widget.rect().topLeft())
        places.append(widget.rect().translated(corner))
    for place in places:
        assert window.rect().contains(place)
    for number, one in enumerate(places):
        assert not any(one.intersects(other) for other in places[:number])


def test_the_same_key_returns_to_the_docks_as_they_were(user):
    window = user.window
    settle(user)
    before = {name: dock.isVisible() for name, dock in window.docks.docks.items()}
    explain(user)
    user.key("F6")
    user.until(lambda: not is_explaining(window))
    user.until_still(window.plane)
    assert {name: dock.isVisible() for name, dock in window.docks.docks.items()} == before
    assert window.toolbar.isVisible()
    user.until(lambda: part_of(window) is None)


def visible(window):
    return {name: dock.isVisible() for name, dock in window.docks.docks.items()}


def example(user):
    found = next(each for each in examples() if each.path.stem == "two-clouds")
    user.window._open_example(found)


def split(user):
    session = user.window.stage.session
    session.edit(divided(session.document, Shares(0.25, 0.0)), "Split")


@pytest.mark.parametrize(
    ("leave", "layout"),
    [
        (lambda user: user.key("Escape"), "explore"),
        (lambda user: user.window.menus.actions["layout-default"].trigger(), "explore"),
        (lambda user: user.window.lessons.open("slack-and-c"), "lesson"),
        (lambda user: user.key("a"), "compare"),
        (example, "explore"),
        (split, "explore"),
    ],
    ids=["esc", "reset", "lesson", "race", "example", "split"],
)
def test_every_way_out_brings_the_layout_before_back(user, leave, layout):
    window = user.window
    settle(user)
    before = visible(window)
    explain(user)
    assert window.bottom.narrator.accessibleDescription() == EXPLAINED
    leave(user)
    user.until(lambda: not window.stage.playback.by_beats)
    user.until(lambda: window.stage.view.layout == layout)
    assert not window.docks.layouts.has("explain")
    assert not window.bottom.narrator.accessibleDescription()
    window.stage.lesson.end()
    window.stage.end_race()
    user.until(lambda: window.stage.view.layout == "explore")
    if leave is not split:
        user.until(lambda: visible(window) == before)
    assert window.toolbar.isVisible()


def test_esc_in_a_panel_or_with_points_selected_ends_it_too(user):
    window = user.window
    settle(user)
    explain(user)
    user.key("p", "w")
    user.until(lambda: window.docks.docks["step"].has_focus)
    user.key("Escape")
    user.until(lambda: not window.stage.playback.by_beats)
    explain(user)
    window.stage.session.select((0, 1))
    user.key("Escape")
    user.until(lambda: not window.stage.session.selection)
    assert is_explaining(window)
    user.key("Escape")
    user.until(lambda: not window.stage.playback.by_beats)


def test_in_a_presentation_esc_ends_it_first_and_it_ends_with_the_presentation(user):
    window = user.window
    settle(user)
    screen = present(user)
    user.key("F6")
    user.until(lambda: is_explaining(window))
    assert screen.caption.accessibleDescription() == EXPLAINED
    user.key("Escape")
    user.until(lambda: not window.stage.playback.by_beats)
    assert window.presentation.is_on
    user.key("F6")
    user.until(lambda: is_explaining(window))
    user.key("F5")
    user.until(lambda: not window.presentation.is_on)
    user.until(lambda: window.stage.view.layout == "explore" and window.toolbar.isVisible())
    # One that was there before is there again.
    user.until(window.isActiveWindow)
    explain(user)
    present(user)
    user.key("F5")
    user.until(lambda: not window.presentation.is_on)
    assert is_explaining(window)


def test_docks_that_were_hidden_before_stay_hidden(user):
    window = user.window
    settle(user)
    user.key("F9")
    user.until(lambda: window.docks.layouts.are_hidden)
    explain(user)
    user.key("F6")
    user.until(lambda: not is_explaining(window))
    assert window.docks.layouts.are_hidden


@pytest.mark.parametrize(("scale", "gone"), [(1.5, {"kkt"}), (2.0, {"kkt", "pair"})])
def test_a_large_type_enlarges_the_panels_and_fewer_are_shown(open_window, scale, gone):
    user = open_window(moons(), size=QSize(1024, 700))
    window = user.window
    explain(user)
    listing = listing_of(user)
    user.key("Right")
    user.until(lambda: listing.highlighted)

    def type_px():
        return look_of(listing).font(listing.type_size).pixelSize()

    before = type_px()
    window.appearance.set_scale(scale)
    user.until(lambda: shown(window) == {"pseudo-code", "step", "pair", "kkt"} - gone)
    user.until_still(listing)
    assert type_px() > 1.1 * before
    assert type_px() >= scale * LABEL
    window.appearance.set_scale(1.0)
    user.until(lambda: shown(window) == {"pseudo-code", "step", "pair", "kkt"})
    user.until(lambda: type_px() == before)


@pytest.mark.parametrize(
    ("method", "last"), [(Perceptron(), "alpha"), (Hulls(), "kkt")], ids=["perceptron", "hulls"]
)
def test_only_panels_that_fit_are_shown(user, method, last):
    window = user.window
    settle(user)
    explain(user)
    session = window.stage.session
    session.edit(session.document.with_methods((method,)), "Another method")
    # A perceptron knows no KKT conditions, but its mistakes.
    wanted = {n for n in ("pseudo-code", "step", "pair", last) if PANELS[n].fits(session.document)}
    user.until(lambda: shown(window) == wanted)
    title = window.docks.docks["alpha"].windowTitle()
    assert title == ("Mistakes" if last == "alpha" else "α values")


def test_without_a_pair_the_plane_gets_the_room_and_interior_point_shows_its_alpha(user):
    window, session = user.window, user.window.stage.session
    settle(user)
    explain(user)
    width = window.plane.width()
    session.edit(session.document.with_methods((InteriorPoint(),)), "Another method")
    user.until(lambda: shown(window) == {"pseudo-code", "step", "alpha"})
    user.until(lambda: window.plane.width() > 1.2 * width)
    user.until_still(window.plane)
    listing = listing_of(user)
    user.until(lambda: listing.code is not None)
    assert listing.width() > 1.2 * width_of(listing)
    session.undo_stack.undo()
    user.until(lambda: shown(window) == {"pseudo-code", "step", "pair", "kkt"})
    user.until(lambda: window.plane.width() == width)


def width_of(listing):
    """Width of the longest line in the type of controls, px."""
    measure = QFontMetricsF(look_of(listing).font())
    return max(measure.horizontalAdvance(line.text) for line in listing.code.lines)


def test_it_stays_in_a_presentation(user):
    window = user.window
    settle(user)
    explain(user)
    user.key("F5")
    user.until(lambda: window.presentation.is_on)
    screen = window.presentation.screen
    user.until(screen.isActiveWindow)
    # Text for a hall leaves no room for the fourth panel.
    three = {"pseudo-code", "step", "pair"}

    def presented():
        panels = screen.side.findChildren(FramePanel)
        return {panel.name for panel in panels if panel.isVisible() and panel.brief}

    user.until(lambda: presented() == three)
    user.key("Right")
    user.until(lambda: part_of(window) == (1, 1))
    user.key("F6")
    user.until(lambda: not is_explaining(window))
    user.until(lambda: not presented())
    # What was in front before is beside the plane again.
    user.until(lambda: screen.side.title == "α values")
    user.key("Escape")
    user.until(lambda: not window.presentation.is_on)
    assert window.toolbar.isVisible()


def test_the_panels_are_those_of_the_docks_and_are_brief_only_meanwhile(user):
    window = user.window
    window.docks.show("step")
    user.until(lambda: panel_in(window, "step") is not None)
    panel = panel_in(window, "step")
    settle(user)
    assert not panel.brief
    explain(user)
    user.until(lambda: panel.brief and panel.isVisible())
    user.key("F6")
    user.until(lambda: not is_explaining(window) and not panel.brief)
    assert panel_in(window, "step") is panel
    assert panel.prediction.isHidden()
