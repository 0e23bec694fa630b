"""The user's line: its units, its scale, and what is drawn with it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import BadInput
from svmviz.document.user_line import LineParts, UserLine, canonical, line_through
from svmviz.io.scene import Scene, read_scene, write_scene
from tests.stages import eight

LINE = UserLine((-1.25, 1.0), -2.0)


@pytest.mark.parametrize(
    "wrong", [((0.0, 0.0), 1.0), ((1.0, math.nan), 0.0), ((1.0, 0.0), math.inf)]
)
def test_what_is_no_line_is_refused(wrong):
    with pytest.raises(BadInput):
        UserLine(*wrong)


def test_it_is_the_same_function_in_solver_units():
    factors, points = np.array([2.0, 0.5]), np.random.default_rng(0).normal(size=(9, 2))
    inner = LINE.in_solver_units(factors)
    np.testing.assert_allclose(inner(points / factors), points @ LINE.w + LINE.b)
    back = LINE.following(inner, factors)
    assert back.w == pytest.approx(LINE.w)
    assert back.b == LINE.b


def test_kappa_changes_f_and_not_the_line():
    scaled = LINE.scaled(3.0)
    points = np.random.default_rng(0).normal(size=(9, 2))
    one, other = (line.in_solver_units(np.ones(2)) for line in (LINE, scaled))
    np.testing.assert_allclose(other(points), 3.0 * one(points))
    np.testing.assert_allclose(other.distances(points), one.distances(points))


def test_a_line_through_two_places_points_to_the_positive_class():
    document = eight()
    points, labels = document.data.points, document.data.labels
    for end in ([1.0, 0.2], [-1.0, -0.2]):
        line = line_through(np.zeros(2), np.array(end), points, labels)
        values = labels * line(points)
        assert values.min() == pytest.approx(1.0)
        assert line(np.zeros((1, 2)))[0] == pytest.approx(0.0)
    assert line_through(np.zeros(2), np.zeros(2), points, labels) is None


def test_a_line_that_errs_has_values_of_one_on_average():
    points, labels = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), np.array([1, -1, 1])
    line = line_through(np.array([2.0, 0.0]), np.array([2.0, 1.0]), points, labels)
    assert np.abs(canonical(line, points, labels)(points)).mean() == pytest.approx(1.0)


def test_scenes_keep_it():
    scene = Scene(replace(eight(), user_line=replace(LINE, parts=LineParts(pair=True, foot=False))))
    text = write_scene(scene)
    assert '"svmviz": 4' in text
    assert read_scene(text) == scene


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"w": [0, 0], "b": 1}', '"line" cannot be used: A line needs'),
        ('{"w": [1], "b": 1}', '"line.w" must be two numbers'),
        ('{"w": [1, 2]}', '"line.b" is missing'),
        ('{"w": [1, 2], "b": 0, "pair": 2}', '"line.pair" must be true or false'),
        ('{"w": [1, 2], "b": 0, "colour": 1}', '"line.colour"'),
    ],
)
def test_mistakes_are_named(line, sentence):
    with pytest.raises(BadInput) as error:
        read_scene(f'{{"svmviz": 4, "points": [], "labels": [], "line": {line}}}', "a.svmviz")
    assert sentence in str(error.value)
