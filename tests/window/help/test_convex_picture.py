"""Segments in sets and chords over curves are dragged; what is said of them is true."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from svmviz.window.help.convex_picture import FUNCTIONS, ConvexPicture


@pytest.fixture
def picture(qtbot):
    made = ConvexPicture("Convex sets and functions")
    qtbot.addWidget(made)
    made.resize(420, 260)
    with qtbot.waitExposed(made):
        made.show()
    return made


def choose(picture, key):
    QTest.mouseClick(picture.choice.button(key), Qt.MouseButton.LeftButton)


def test_no_segment_leaves_the_convex_set_and_one_leaves_the_other(picture):
    sets = picture.sets
    assert not sets.leaves(0).any()
    assert sets.leaves(1).any()
    rng = np.random.default_rng(0)
    corners = sets.sets[0].outline
    for _ in range(50):
        sets.handles[:2] = corners.mean(axis=0) + 0.99 * (
            corners[rng.integers(0, len(corners), 2)] - corners.mean(axis=0)
        )
        assert not sets.leaves(0).any()


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


@pytest.mark.parametrize("key", [function[0] for function in FUNCTIONS])
def test_functions_are_convex_but_for_one(picture, key):
    choose(picture, key)
    assert picture.chart.isVisible()
    assert not picture.sets.isVisible()
    rng = np.random.default_rng(1)
    low, high = picture.chart.ranges[0]
    above = []
    for _ in range(50):
        picture.chart.ends = rng.uniform(low, high, 2).tolist()
        above.append(picture.chart.chord_is_above)
    assert all(above) == (key != "zero-one")
    picture.chart.ends = [low, high]
    picture.chart.changed.emit()
    assert ("not convex" in picture.words.text()) == (key == "zero-one")
    picture.grab()
