"""A race: one plane a lane, all looking at the same place, all taking edits."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QImage

from solvers import SMO, BadInput, Method, Pegasos
from svmviz.base.words import lane_titles
from svmviz.document.document import Document
from svmviz.plane.race_tiles import grid
from svmviz.theme import active
from tests.plane.test_draw import to_array
from tests.stages import moons
from tests.window.conftest import settle

RACE = (SMO(), Pegasos(max_steps=500), Pegasos(max_steps=500, average=True))


@pytest.mark.display
def test_planes_come_and_go_with_the_lanes(open_window):
    hand = open_window(moons(methods=RACE))
    planes = hand.window.planes
    assert len(planes.views) == len(planes.titles) == 3
    assert len({(view.width(), view.height()) for view in planes.views}) == 1
    hand.until(lambda: planes.titles[1].text.startswith("Pegasos: step 500 of 500"))
    hand.window.stage.session.edit(moons(), "No race")
    settle(hand)
    assert len(planes.views) == 1
    assert not planes.titles
    assert planes.main.size() == planes.size()


@pytest.mark.display
def test_all_planes_look_at_the_same_place(open_window):
    hand = open_window(moons(methods=RACE))
    main, second, third = hand.window.planes.views
    second.navigation.zoom(2.0)
    assert main.camera.view == second.camera.view == third.camera.view
    feed = hand.window.stage.feed
    hand.until(lambda: feed.frame.lanes[0].field.window.left == main.camera.view[0])


@pytest.mark.display
def test_a_click_on_a_title_puts_the_lane_in_focus(open_window):
    hand = open_window(moons(methods=RACE))
    feed = hand.window.stage.feed
    assert feed.frame.lane.method == RACE[0]
    hand.click_on(hand.window.planes.titles[1])
    hand.until(lambda: feed.frame.lane.method == RACE[1])


@pytest.mark.display
def test_a_click_in_any_plane_makes_a_point(open_window):
    hand = open_window(moons(methods=RACE))
    session = hand.window.stage.session
    before = session.document.n
    third = hand.window.planes.views[2]
    x, y = third.camera.to_pixels(np.array([[1.2, 1.1]]))[0]
    hand.click(third.mapToGlobal(QPoint(round(x), round(y))))
    hand.until(lambda: session.document.n == before + 1)


@pytest.mark.display
def test_a_picture_of_a_race_is_what_the_planes_show(open_window):
    hand = open_window(moons(methods=RACE))
    settle(hand)
    planes = hand.window.planes
    hand.until(lambda: planes.titles[1].text.startswith("Pegasos: step 500 of 500"))
    picture = planes.picture(active().theme, 2.0)
    assert picture.size == (2 * planes.width(), 2 * planes.height())
    shown = planes.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    again = planes.picture(active().theme, 1.0).image()
    apart = np.abs(to_array(shown).astype(int) - to_array(again)).max(axis=2)
    # But for the line under the lane in focus, and a finer field.
    assert (apart > 70).mean() < 0.02
    hand.window.files.copy_picture()
    clipboard = QGuiApplication.clipboard()
    hand.until(lambda: clipboard.image().width() == 2 * planes.width())
    assert clipboard.image().height() == 2 * planes.height()


def test_planes_are_laid_out_as_large_as_they_go():
    assert grid(1, 1000, 700) == (1, 1)
    assert grid(2, 1000, 700) == (2, 1)
    assert grid(2, 500, 1000) == (1, 2)
    assert grid(3, 1500, 500) == (3, 1)
    assert grid(4, 1000, 700) == (2, 2)
    assert grid(4, 1074, 515) == (2, 2)
    assert grid(3, 1000, 700) == (3, 1)
    assert grid(3, 400, 1200) == (1, 3)


@pytest.mark.parametrize("size", [(1000, 700), (500, 1000), (1280, 960), (900, 900)])
def test_no_cell_of_a_race_is_empty(size):
    for count in range(1, 5):
        columns, rows = grid(count, *size)
        assert columns * rows == count


def test_namesakes_are_told_apart():
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
    hand = open_window(moons())
    main, session = hand.window.plane, hand.window.stage.session
    main.navigation.show_window(0.0, 0.5, 0.0, 0.4)
    session.edit(moons(methods=RACE[:2]), "Race")
    settle(hand)
    first, second = hand.window.planes.views
    for view in (first, second, main):
        camera = view.camera
        wanted = (camera.x, camera.y, camera.span_x, camera.span_y)
        assert wanted == pytest.approx((0.25, 0.2, 0.5, 0.4))
