"""The picture beside the window: the same frame, the same view, keys in both, and its end."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from solvers import SMO, Pegasos
from svmviz.frames.viewport import Viewport
from svmviz.window.presentation.presentation import Presentation
from tests.stages import moons
from tests.window.conftest import settle
from tests.window.user import xdotool

pytestmark = pytest.mark.display


def show_picture(user):
    """Show the picture by its key, at the lower right of the only screen."""
    user.key("shift+F5")
    presentation: Presentation = user.window.presentation
    user.until(lambda: presentation.has_second_picture)
    picture = presentation.screen
    assert picture is not None
    user.until(picture.isVisible)
    picture.setGeometry(1000, 700, 500, 400)
    user.until_still(picture)
    user.wake()
    user.window.plane.setFocus()
    return picture


def planes_of(user):
    return user.window.presentation.screen.side.parentWidget().findChild(type(user.window.planes))


def wanted(view):
    camera = view.camera
    return camera.x, camera.y, camera.span_x, camera.span_y, camera.equal


def test_both_show_one_frame_that_covers_both(user):
    show_picture(user)
    window, planes = user.window, planes_of(user)
    assert window.isVisible()
    assert window.plane.isVisible()
    user.key("Home", "Right", "Right")
    feed = window.stage.feed
    user.until(lambda: feed.frame.lane.step == 2)
    shown = [view.picture(view.theme, 1.0).frame for view in (window.plane, planes.main)]
    assert shown[0] is shown[1] is feed.frame
    views = [window.plane.camera.view, planes.main.camera.view]
    user.until(lambda: covers(feed.frame.lane.field.grid, views))


def covers(grid, views):
    return all(
        grid.left <= left + 1e-9
        and grid.right >= right - 1e-9
        and grid.bottom <= bottom + 1e-9
        and grid.top >= top - 1e-9
        for left, right, bottom, top in views
    )


def test_a_change_of_the_view_is_followed_without_drift(user):
    show_picture(user)
    window, planes = user.window, planes_of(user)
    assert wanted(window.plane) == wanted(planes.main)
    before = wanted(window.plane)
    user.move(user.at(0.0, 0.0))
    xdotool("click", "--repeat", 3, 4)
    user.until(lambda: window.plane.camera.span_x < 0.7 * before[2])
    assert wanted(window.plane) == wanted(planes.main)
    zoomed = wanted(window.plane)
    user.move(planes.main.mapToGlobal(planes.main.rect().center()))
    xdotool("click", "--repeat", 3, 5)
    user.until(lambda: window.plane.camera.span_x > 1.3 * zoomed[2])
    assert wanted(window.plane) == wanted(planes.main)
    assert window.plane.camera.span_x == pytest.approx(before[2])


def test_a_race_and_the_word_and_the_tool_are_in_both(user):
    picture = show_picture(user)
    planes = planes_of(user)
    user.key("a")
    user.until(lambda: len(planes.views) == 2)
    assert planes.word.text == user.window.planes.word.text == "Race"
    user.key("e")
    user.until(lambda: planes.tool == user.window.planes.tool == "erase")
    settle(user)
    assert all(view.isVisible() for view in planes.views)
    assert picture.isVisible()


def test_keys_of_a_clicker_work_while_the_window_has_the_focus(user):
    picture = show_picture(user)
    playback = user.window.stage.playback
    user.key("Home", "Next")
    user.until(lambda: playback.player.reading == 1)
    user.key("b")
    user.until(picture.blank.isVisible)
    user.key("b")
    user.until(picture.blank.isHidden)
    # The picture shows the panel that comes to the front of the window.
    user.key("p", "k")
    user.until(lambda: picture.side.title == "KKT")
    playback.set_speed(1.0)
    user.key("period")
    user.until(lambda: playback.player.playing)
    assert user.window.planes.tool == "add-positive"
    user.key("shift+F5")
    user.until(lambda: not user.window.presentation.is_on)
    # The key has its meaning in the window again.
    user.key("b")
    user.until(lambda: user.window.planes.tool == "spray")


def test_the_ring_is_where_the_mouse_is_in_the_plane_of_the_window(user):
    picture = show_picture(user)
    planes = planes_of(user)
    place = user.at(0.5, 0.5)
    user.move(place - QPoint(5, 5))
    user.move(place)
    user.until(user.window.plane.underMouse)
    xdotool("keydown", "l")
    try:
        user.until(picture.ring.isVisible)
        pixels = planes.main.camera.to_pixels(np.array([[0.5, 0.5]]))[0]
        there = planes.main.mapTo(picture, QPoint(*(round(p) for p in pixels)))
        user.until(lambda: (picture.ring.centre.toPoint() - there).manhattanLength() <= 6)
    finally:
        xdotool("keyup", "l")
    user.until(picture.ring.isHidden)


@pytest.mark.parametrize("end", ["Escape", "close", "F5"])
def test_its_end_leaves_the_window_as_it_is(user, end):
    user.window.docks.show("kkt")
    user.until(lambda: user.window.stage.view.panel == "kkt")
    user.until_still(user.window.plane)
    picture = show_picture(user)
    geometry, camera = user.window.geometry(), user.window.plane.camera
    studies = user.window.stage.feed.studies
    user.until(picture.side.isVisible)
    if end == "close":
        picture.close()
    else:
        picture.activateWindow()
        user.until(picture.isActiveWindow)
        user.key(end)
    user.until(lambda: not user.window.presentation.is_on)
    user.until(user.window.isActiveWindow)
    assert (user.window.geometry(), user.window.plane.camera) == (geometry, camera)
    assert user.window.stage.feed.studies == studies
    user.key("k")
    user.until(lambda: user.window.planes.word.isVisible())


def test_closing_the_window_closes_the_picture_too(user):
    picture = show_picture(user)
    user.window.stage.session.undo_stack.setClean()
    user.window.close()
    assert not picture.isVisible()
    assert not user.window.presentation.is_on
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def test_f5_turns_the_second_picture_into_a_presentation(open_window):
    user = open_window(moons(methods=(SMO(), Pegasos())))
    show_picture(user)
    user.key("F5")
    presentation = user.window.presentation
    user.until(lambda: presentation.is_on and not presentation.has_second_picture)
    user.until(lambda: not user.window.isVisible())
    user.until(presentation.screen.isActiveWindow)
    user.key("Escape")
    user.until(user.window.isVisible)


def test_a_frame_covers_two_viewports():
    wide, high = (
        Viewport(-2.0, 2.0, -1.0, 1.0, 2.0, 800.0),
        Viewport(0.0, 1.0, -3.0, 3.0, 0.5, 90.0),
    )
    both = wide.covering(high)
    assert both[:4] == (-2.0, 2.0, -3.0, 3.0)
    assert both.ratio == pytest.approx(2.0 / 3.0)
    grid = both.grid(90)
    assert grid.rows == 90
    assert grid.columns == 60
