"""Ticks of small planes."""

import numpy as np
import pytest

from solvers.data.datasets import PointSet
from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera, Margins
from svmviz.plane.paint.axes import x_ticks, y_ticks


def camera(width, height, span, x=0.0, y=0.0):
    """Return a camera that shows ``span`` data units across ``width`` px, without margins."""
    up = span * height / width
    return Camera(x, y, span, up, width, height, Margins(0.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_small_plane_has_two_ticks_if_there_is_room(scale):
    narrow = camera(155 * scale, 210 * scale, 5.2)
    assert x_ticks(narrow, scale).labels == ("−2", "0", "2")
    low = camera(400 * scale, 76 * scale, 24.0)
    assert len(y_ticks(low, scale).values) > 1


def test_labels_that_would_touch_are_left_out():
    assert len(x_ticks(camera(70, 300, 5.2e-3, x=1234.5), 1.0).values) < 2


def test_an_axis_in_multiples_of_a_unit_has_round_numbers_of_that_unit():
    data = PointSet(np.zeros((0, 2)), np.zeros(0), axis_names=("depth", "body mass (× 200 g)"))
    assert axis_units(data) == (("depth", 1.0), ("body mass (g)", 200.0))
    penguins = camera(300, 300, 20.0, y=22.0)
    plain, grams = y_ticks(penguins, 1.0), y_ticks(penguins, 1.0, unit=200.0)
    assert grams.labels == ("3,000", "4,000", "5,000", "6,000")
    assert grams.values == (15.0, 20.0, 25.0, 30.0)
    assert plain.labels[0] == "15"


@pytest.mark.parametrize("name", ["mass (200 g)", "mass (× g)", "(× 2 g)", "a (× 0 g)", "x2"])
def test_other_names_are_no_multiples(name):
    data = PointSet(np.zeros((0, 2)), np.zeros(0), axis_names=(name, "y"))
    assert axis_units(data)[0][1] == 1.0
