"""What pictures with handles say of the user's own vectors and points is true."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from scipy.optimize import minimize

from svmviz.base.words import read_number
from svmviz.window.help.labeling_picture import LabelingPicture
from svmviz.window.help.nearest_picture import NearestPicture
from svmviz.window.help.vector_picture import VectorPicture

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def show(qtbot):
    def make(kind):
        made = kind("Picture")
        qtbot.addWidget(made)
        made.resize(420, 400)
        with qtbot.waitExposed(made):
            made.show()
        return made

    return make


def numbers(text: str) -> list[float]:
    return [read_number(found) for found in re.findall(r"−?\d+(?:\.\d+)?", text)]


def test_numbers_of_two_vectors_are_those_of_numpy(show):
    picture = show(VectorPicture)
    rng = np.random.default_rng(0)
    for _ in range(20):
        v, w = rng.uniform(-2.0, 2.0, (2, 2)).round(1)
        for index, place in enumerate((v, w)):
            picture.chart.pressed.emit(*picture.chart.handles[index])
            picture.chart.held = index
            picture.chart.pressed.emit(*place)
            picture.chart.released.emit()
        v, w = picture.chart.handles
        shown = {key: picture.numbers.text(key) for key in ("lengths", "inner", "angle", "factor")}
        lengths = np.linalg.norm([v, w], axis=1)
        assert numbers(shown["lengths"]) == pytest.approx(lengths, rel=1e-3)
        assert numbers(shown["inner"])[-1] == pytest.approx(np.dot(v, w), rel=1e-3, abs=1e-9)
        angle = math.degrees(math.acos(np.dot(v, w) / lengths.prod()))
        assert numbers(shown["angle"])[0] == pytest.approx(angle, rel=1e-2)
        # The nearest point of the line through v, by least squares.
        (factor,), *_ = np.linalg.lstsq(v[:, None], w, rcond=None)
        assert numbers(shown["factor"])[0] == pytest.approx(factor, rel=1e-3, abs=1e-9)
        assert numbers(picture.numbers.text("projection")) == pytest.approx(
            factor * v, rel=1e-2, abs=1e-3
        )
        picture.grab()


def test_a_vector_of_length_0_has_no_angle_and_nothing_is_projected_onto_it(show):
    picture = show(VectorPicture)
    picture.chart.pressed.emit(*picture.chart.handles[0])
    picture.chart.pressed.emit(0.0, 0.0)
    assert picture.numbers.text("angle") == "–"
    assert picture.numbers.text("projection") == "–: v is 0"
    assert picture.numbers.text("inner") == "0·1 + 0·2 = 0"
    picture.grab()


def test_three_points_are_shattered_and_a_fourth_that_is_clicked_ends_it(show):
    picture = show(LabelingPicture)
    assert picture.words.text().startswith("Lines make 8 of the 8 labelings of these 3 points")
    place = picture.chart.area.pixel(7.0, 2.5).toPoint()
    QTest.mouseClick(picture.chart.viewport(), LEFT, pos=place)
    assert picture.chart.handles[3].tolist() == [7.0, 2.5]
    assert picture.count.value == "4"
    assert picture.words.text().startswith("Lines make 14 of the 16 labelings")
    # The labeling shown is one that no line makes: in red, the hulls meet.
    assert picture.lines[picture.small.index] is None
    picture.grab()
    # A fifth point is not added.
    QTest.mouseClick(
        picture.chart.viewport(), LEFT, pos=picture.chart.area.pixel(1.0, 3.0).toPoint()
    )
    assert len(picture.chart.handles) == 4


def test_three_points_dragged_onto_a_line_are_not_shattered(show):
    picture = show(LabelingPicture)
    picture.chart.pressed.emit(*picture.chart.handles[2])
    picture.chart.pressed.emit(4.0, 0.875)
    picture.chart.pressed.emit(10.0, 0.5)
    assert picture.chart.handles[2].tolist() == [8.0, 0.5]
    picture.chart.pressed.emit(4.0, 0.75)
    picture.chart.released.emit()
    assert "8 of the 8" in picture.words.text()
    picture.chart.pressed.emit(*picture.chart.handles[0])
    picture.chart.pressed.emit(2.0, 0.75)
    assert "6 of the 8" in picture.words.text()
    assert "other points" in picture.words.text()


def test_a_click_or_an_arrow_key_shows_another_labeling(show):
    picture = show(LabelingPicture)
    small = picture.small
    for index in range(8):
        left, bottom = small.cell(index)
        at = small.area.pixel(left + 0.5, bottom + 0.5).toPoint()
        QTest.mouseClick(small.viewport(), LEFT, pos=at)
        assert small.index == index
        labels, line = picture.labels[index], picture.lines[index]
        assert (labels * line(picture.chart.handles) > 0.0).all()
        picture.grab()
    QTest.keyClick(small, Qt.Key.Key_Right)
    assert small.index == 0
    picture.count.button("2").click()
    assert len(picture.lines) == 4
    assert "4 of the 4" in picture.words.text()


def distance_from_hull(p, points) -> float:
    """The distance of p from the convex hull of points, by a general optimiser over weights."""
    count = len(points)
    found = minimize(
        lambda weights: ((weights @ points - p) ** 2).sum(),
        np.full(count, 1.0 / count),
        jac=lambda weights: 2.0 * points @ (weights @ points - p),
        bounds=[(0.0, 1.0)] * count,
        constraints={"type": "eq", "fun": lambda weights: weights.sum() - 1.0},
        tol=1e-14,
    )
    return math.sqrt(max(found.fun, 0.0))


def test_the_nearest_point_of_a_hull_is_found_and_an_open_set_has_none(show):
    picture = show(NearestPicture)
    rng = np.random.default_rng(3)
    for _ in range(20):
        picture.kind.button("closed").click()
        for index in range(6):
            picture.chart.move(index, *rng.uniform(0.0, 4.0, 2))
        picture.chart.changed.emit()
        p, points = picture.point, picture.chart.handles[1:]
        wanted = distance_from_hull(p, points)
        assert picture.nearest[1] == pytest.approx(wanted, abs=1e-5)
        if wanted < 1e-3:
            assert "nearest point itself" in picture.words.text()
            continue
        assert numbers(picture.words.text())[0] == pytest.approx(wanted, rel=1e-3)
        picture.kind.button("open").click()
        # All dots lie in the set, ever nearer, and none is as near as the edge.
        distances = np.hypot(*(picture.sequence - p).T)
        assert (np.diff(distances) < 0.0).all()
        assert distances[-1] > picture.nearest[1]
        assert all(distance_from_hull(dot, points) < 1e-5 for dot in picture.sequence)
        assert numbers(picture.words.text())[:4] == pytest.approx(distances[:4], rel=1e-3)
        picture.grab()


def test_two_closed_sets_without_bound_come_ever_nearer(show):
    picture = show(NearestPicture)
    before = picture.chart.handles.copy()
    picture.kind.button("unbounded").click()
    apart = []
    for x in (0.1, 1.0, 4.0, 8.0):
        picture.chart.held = 0
        picture.chart.pressed.emit(x, 0.0)
        (at,) = picture.chart.handles
        assert at[1] == 1.0 / at[0]
        apart.append(at[1])
        picture.grab()
    assert apart == [4.0, 1.0, 0.25, 0.125]
    assert "0.125 apart" in picture.words.text()
    picture.chart.released.emit()
    picture.kind.button("closed").click()
    assert (picture.chart.handles == before).all()


def test_points_on_a_line_have_a_hull_and_no_open_set(show):
    picture = show(NearestPicture)
    picture.chart.handles[1:] = [(x, 2.0) for x in range(1, 6)]
    picture.kind.button("open").click()
    assert "empty" in picture.words.text()
    picture.grab()
