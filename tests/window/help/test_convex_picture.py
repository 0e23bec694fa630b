"""Segments in sets and chords over curves are dragged; what is said of them is true."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from svmviz.window.help.convex_functions import FUNCTIONS, power
from svmviz.window.help.convex_picture import ConvexPicture
from svmviz.window.help.convex_sets import BOX, CENTRE, CONVEX_SETS

SETS = {key: make for key, _, _, make in CONVEX_SETS}


@pytest.fixture
def picture(qtbot):
    made = ConvexPicture("Convex sets and functions")
    qtbot.addWidget(made)
    made.resize(420, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def choose(box, key):
    """Choose an entry of a box as the user does."""
    box.set_value(key)
    box.chosen.emit(key)


def show_function(picture, key):
    QTest.mouseClick(picture.kind.button("functions"), Qt.MouseButton.LeftButton)
    choose(picture.function, key)


@pytest.mark.parametrize("key", SETS)
def test_no_segment_leaves_a_convex_set_and_one_leaves_the_other(picture, key):
    choose(picture.set, key)
    sets = picture.sets
    assert not sets.leaves(0).any()
    assert sets.leaves(1).any()
    rng = np.random.default_rng(0)
    for _ in range(100):
        for index in (0, 1):
            sets.move(index, *rng.uniform(*BOX))
        assert not sets.leaves(0).any()
    picture.grab()
    assert picture.words.text().startswith(picture.set.combo.currentText().partition(",")[0])


# The sets by other formulas than those of the picture: at x from the centre.
FORMULAS = {
    "ellipsoid": lambda x, y: 0.8 * x * x - 0.7 * x * y + 1.7 * y * y <= 1.0,
    "half-space": lambda x, y: 0.5 * x + y <= 0.25,
    "ball-1": lambda x, y: abs(x) + abs(y) <= 0.8,
    "ball-2": lambda x, y: x * x + y * y <= 0.64,
    "ball-max": lambda x, y: max(abs(x), abs(y)) <= 0.8,
    "psd": lambda x, y: x + 0.925 >= abs(y),
    "intersection": lambda x, y: (
        0.8 * x * x - 0.7 * x * y + 1.7 * y * y <= 1.0
        and x * x + y * y <= 0.64
        and 0.5 * x + y <= 0.3
    ),
}


@pytest.mark.parametrize("key", FORMULAS)
def test_a_set_is_what_its_name_says_and_its_outline_is_its_edge(key):
    made = SETS[key]()
    rng = np.random.default_rng(1)
    points = rng.uniform(*BOX, (400, 2))
    wanted = [FORMULAS[key](*(point - CENTRE)) for point in points]
    assert made.contains(points).tolist() == wanted
    assert 20 < sum(wanted) < 400
    # A step from the outline towards its middle is inside, a step away is outside the set or box.
    middle = made.outline.mean(axis=0)
    assert made.contains(middle + 0.999 * (made.outline - middle)).all()
    outside = middle + 1.002 * (made.outline - middle)
    is_in_box = ((outside >= BOX[0]) & (outside <= BOX[1])).all(axis=1)
    assert not (made.contains(outside) & is_in_box).any()
    shown_edge = np.isfinite(made.edge[:-1]).all(axis=1)
    assert shown_edge.all() == (key not in {"half-space", "psd"})


def test_a_point_of_an_affine_set_is_dragged_along_it(picture):
    choose(picture.set, "affine")
    sets = picture.sets
    sets.pressed.emit(*sets.handles[0])
    sets.pressed.emit(*(CENTRE + np.array([0.6, -0.2])))
    sets.released.emit()
    # The nearest point of the line through the centre with the direction (1, 0.6).
    assert sets.handles[0] == pytest.approx(CENTRE + 0.48 / 1.36 * np.array([1.0, 0.6]))


def test_a_point_is_dragged_within_its_set(picture):
    sets = picture.sets
    sets.pressed.emit(*sets.handles[0])
    sets.pressed.emit(-1.5, 0.2)
    assert sets.handles[0].tolist() == [-1.5, 0.2]
    sets.pressed.emit(5.0, 5.0)
    assert sets.handles[0].tolist() == [-1.5, 0.2]
    sets.released.emit()
    sets.pressed.emit(0.2, -0.9)
    assert sets.handles[0].tolist() == [-1.5, 0.2]


@pytest.mark.parametrize("key", FUNCTIONS)
def test_every_chord_of_a_convex_function_is_above_it_and_of_a_concave_one_below(picture, key):
    show_function(picture, key)
    assert picture.chart.isVisible()
    assert not picture.sets.isVisible()
    shown = FUNCTIONS[key]
    rng = np.random.default_rng(1)
    low, high = picture.chart.ranges[0]
    above = []
    for _ in range(50):
        picture.chart.ends = rng.uniform(low, high, 2).tolist()
        above.append(picture.chart.chord_is_above)
    assert all(above) == (key not in {"zero-one", "log", "log-det"})
    assert any(above) == (not shown.is_concave)
    picture.chart.ends = [low, high]
    picture.chart.changed.emit()
    words = picture.words.text()
    assert ("not convex" in words) == (key == "zero-one")
    assert ("it is concave" in words) == shown.is_concave
    assert ("it is convex" in words) == (not shown.is_concave and key != "zero-one")
    picture.grab()


@pytest.mark.parametrize("key", FUNCTIONS)
def test_slopes_are_those_of_finite_differences(key):
    shown = FUNCTIONS[key]
    slopes = shown.curve.slopes(np.ones(1))
    t = np.linspace(*shown.limits, 41)[1:-1] + 0.0123
    if slopes is None:
        assert shown.is_concave or key == "zero-one"
        return
    kinks = shown.curve.kinks()
    t = t[[np.abs(kinks - each).min(initial=1.0) > 1e-3 for each in t]]
    step = 1e-6
    wanted = (shown.curve.values(t + step) - shown.curve.values(t - step)) / (2.0 * step)
    assert shown.curve.slopes(t)[0] == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("a", [-2.0, -0.5, 0.0, 0.3, 0.9, 1.0, 1.2, 4.0])
def test_a_power_is_convex_or_concave_as_its_exponent_says(picture, a):
    show_function(picture, "power")
    picture.exponent.set_value(a)
    picture.exponent.moved.emit(a)
    second = a * (a - 1.0)
    words = picture.words.text()
    assert ("both convex and concave" in words) == (second == 0.0)
    assert ("it is convex" in words) == (second > 0.0)
    assert ("it is concave" in words) == (second < 0.0)
    assert (power(a).slopes(np.ones(1)) is not None) == (second >= 0.0)
    assert picture.chart.chord_is_above == (second >= 0.0)
    assert words.startswith("a = ")


def test_the_log_of_the_determinant_is_that_of_numpy():
    for x in np.linspace(-1.3, 1.3, 9):
        wanted = np.linalg.slogdet(np.array([[2.0, x], [x, 1.0]]))[1]
        assert FUNCTIONS["log-det"].curve.values(np.array([x]))[0] == pytest.approx(wanted)
