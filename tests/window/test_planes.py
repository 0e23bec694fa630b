"""A race: one plane per lane; all show the same part and accept edits."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from solvers import SMO, BadInput, Method, Pegasos
from svmviz.base.words import lane_titles
from svmviz.document.document import Document
from svmviz.plane.paint.legend import lay_out
from svmviz.plane.race_tiles import grid
from svmviz.plane.screen_painter import tip_in
from svmviz.theme import active
from tests.plane.test_draw import to_array
from tests.stages import moons
from tests.window.conftest import settle

RACE = (SMO(), Pegasos(max_steps=500), Pegasos(max_steps=500, average=True))


@pytest.mark.display
def test_planes_come_and_go_with_the_lanes(open_window):
    user = open_window(moons(methods=RACE))
    planes = user.window.planes
    assert len(planes.views) == len(planes.titles) == 3
    assert len({(view.width(), view.height()) for view in planes.views}) == 1
    user.until(lambda: planes.titles[1].text.startswith("Pegasos: step 500 of 500"))
    user.window.stage.session.edit(moons(), "No race")
    settle(user)
    assert len(planes.views) == 1
    assert not planes.titles
    assert planes.main.size() == planes.size()


@pytest.mark.display
def test_all_planes_look_at_the_same_place(open_window):
    user = open_window(moons(methods=RACE))
    main, second, third = user.window.planes.views
    second.navigation.zoom(2.0)
    assert main.camera.view == second.camera.view == third.camera.view
    feed = user.window.stage.feed
    user.until(lambda: feed.frame.lanes[0].field.grid.left == main.camera.view[0])


@pytest.mark.display
def test_a_click_on_a_title_puts_the_lane_in_focus(open_window):
    user = open_window(moons(methods=RACE))
    feed = user.window.stage.feed
    assert feed.frame.lane.method == RACE[0]
    user.click_on(user.window.planes.titles[1])
    user.until(lambda: feed.frame.lane.method == RACE[1])


@pytest.mark.display
def test_titles_name_the_new_methods_before_their_first_frame(open_window):
    user = open_window(moons(methods=RACE[:2]))
    window = user.window
    user.until(lambda: window.planes.titles[0].text.startswith("SMO: step"))
    old = window.stage.feed.frame
    window.stage.session.hold()
    window.stage.session.edit(moons(methods=RACE), "Another race")
    assert window.stage.feed.frame is old
    assert [title.text for title in window.planes.titles] == [
        f"{name}: " for name in lane_titles(RACE)
    ]
    window.stage.session.release()
    user.until(lambda: window.planes.titles[2].text.startswith("Pegasos (averaged iterate): step"))


@pytest.mark.display
def test_all_planes_have_one_legend_that_explains_itself(open_window):
    user = open_window(moons(methods=RACE))
    planes = user.window.planes
    settle(user)
    legend = planes.legend
    assert legend.isVisible()
    assert legend.width() == planes.width()
    assert legend.geometry().bottom() < min(title.y() for title in planes.titles)
    first = lay_out(legend.canvas)[0]
    assert "class −1" in tip_in(legend.canvas, first.left + 3.0, first.middle)
    user.window.stage.view.set(legend=False)
    user.until(legend.isHidden)
    assert planes.titles[0].y() == 0
    user.window.stage.session.edit(moons(), "No race")
    user.until(lambda: len(planes.views) == 1)
    assert legend.isHidden()


def place_in(view, x, y):
    """Return a place of a plane on the screen."""
    px, py = view.camera.to_pixels(np.array([[x, y]]))[0]
    return view.mapToGlobal(QPoint(round(px), round(py)))


@pytest.mark.display
def test_the_first_click_into_a_plane_selects_it_and_adds_no_point(open_window):
    user = open_window(moons(methods=RACE))
    session, playback = user.window.stage.session, user.window.stage.playback
    third = user.window.planes.views[2]
    before, place = session.document, place_in(third, 1.2, 1.1)
    user.move(place)
    user.until(lambda: third.cursor().shape() == Qt.CursorShape.PointingHandCursor)
    user.click(place)
    user.until(lambda: playback.focus == 2)
    user.until_heard()
    assert session.document is before
    user.rest(QApplication.doubleClickInterval() / 1000)
    user.click(place)
    user.until(lambda: session.document.n == before.n + 1)
    assert playback.focus == 2


@pytest.mark.display
def test_a_double_click_into_another_plane_adds_no_point(open_window):
    user = open_window(moons(methods=RACE))
    session, playback = user.window.stage.session, user.window.stage.playback
    view = user.window.planes.views[1]
    before = session.document
    place = view.mapTo(user.window, view.rect().center()) + QPoint(60, 60)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.mapFrom(user.window, place))
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=view.mapFrom(user.window, place))
    assert playback.focus == 1
    assert session.document is before


@pytest.mark.display
def test_another_plane_is_selected_and_moved_by_one_drag(open_window):
    user = open_window(moons(methods=RACE))
    planes, playback = user.window.planes, user.window.stage.playback
    planes.use_tool("hand")
    before = planes.main.camera.view
    start = place_in(planes.views[1], 0.5, 0.0)
    user.drag(start, start + QPoint(30, 0), start + QPoint(60, 0))
    user.until(lambda: planes.main.camera.view != before)
    assert playback.focus == 1


@pytest.mark.display
def test_a_picture_of_a_race_is_what_the_planes_show(open_window):
    user = open_window(moons(methods=RACE))
    settle(user)
    planes = user.window.planes
    user.until(lambda: planes.titles[1].text.startswith("Pegasos: step 500 of 500"))
    picture = planes.picture(active().theme, 2.0)
    assert picture.size == (2 * planes.width(), 2 * planes.height())
    shown = planes.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    again = planes.picture(active().theme, 1.0).image()
    apart = np.abs(to_array(shown).astype(int) - to_array(again)).max(axis=2)
    # But for the line under the lane in focus, and a finer field.
    assert (apart > 70).mean() < 0.02
    user.window.exports.copy_picture()
    clipboard = QGuiApplication.clipboard()
    user.until(lambda: clipboard.image().width() == 2 * planes.width())
    assert clipboard.image().height() == 2 * planes.height()


def test_planes_are_laid_out_as_large_as_they_go():
    assert grid(1, 1000, 700) == (1, 1)
    assert grid(2, 1000, 700) == (2, 1)
    assert grid(2, 500, 1000) == (1, 2)
    assert grid(3, 1500, 500) == (3, 1)
    assert grid(4, 1000, 700) == (2, 2)
    # Two planes above two others would have much less height below their titles and legends.
    assert grid(4, 1074, 515) == (4, 1)
    assert grid(4, 1600, 900) == (2, 2)
    assert grid(3, 1000, 700) == (3, 1)
    assert grid(3, 400, 1200) == (1, 3)
    # Points that are wide make strips small: the presentation of four lanes on 1280 x 720.
    assert grid(4, 1280, 635, 1.5, shape=1.6) == (2, 2)
    assert grid(4, 1280, 635, 1.5, shape=0.6) == (4, 1)
    # With large type, planes one above the other would have no height.
    assert grid(3, 640, 560, 2.0) == (3, 1)


@pytest.mark.parametrize("size", [(1000, 700), (500, 1000), (1280, 960), (900, 900)])
def test_no_cell_of_a_race_is_empty(size):
    for count in range(1, 5):
        columns, rows = grid(count, *size)
        assert columns * rows == count


def test_lanes_of_one_method_have_different_titles():
    assert lane_titles(RACE) == ["SMO", "Pegasos", "Pegasos (averaged iterate)"]
    pair = (SMO(), SMO(pair="maximal-violation", tol=1e-4))
    assert lane_titles(pair) == [
        "SMO (second order, Tolerance 0.001)",
        "SMO (maximal violation, Tolerance 0.0001)",
    ]


def test_a_race_is_on_one_problem():
    class Biased(Method):
        label = "Biased"
        biases = ("augmented",)

    document = Document()
    assert document.with_methods((Pegasos(), Biased())).bias == "augmented"
    with pytest.raises(BadInput, match="cannot race"):
        document.with_methods((SMO(), Biased()))


@pytest.mark.display
def test_another_lane_changes_nothing_of_where_one_looks(open_window):
    user = open_window(moons())
    main, session = user.window.plane, user.window.stage.session
    main.navigation.show_window(0.0, 0.5, 0.0, 0.4)
    session.edit(moons(methods=RACE[:2]), "Race")
    settle(user)
    first, second = user.window.planes.views
    for view in (first, second, main):
        camera = view.camera
        wanted = (camera.x, camera.y, camera.span_x, camera.span_y)
        assert wanted == pytest.approx((0.25, 0.2, 0.5, 0.4))
