"""Ticks of small planes."""

import pytest

from svmviz.camera.camera import Camera, Margins
from svmviz.plane.paint.axes import x_ticks, y_ticks


def camera(width, height, span, x=0.0):
    """Return a camera that shows ``span`` data units across ``width`` px, without margins."""
    up = span * height / width
    return Camera(x, 0.0, span, up, width, height, Margins(0.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_small_plane_has_two_ticks_if_there_is_room(scale):
    narrow = camera(155 * scale, 210 * scale, 5.2)
    assert x_ticks(narrow, scale).labels == ("−2", "0", "2")
    low = camera(400 * scale, 76 * scale, 24.0)
    assert len(y_ticks(low, scale).values) > 1


def test_labels_that_would_touch_are_left_out():
    assert len(x_ticks(camera(70, 300, 5.2e-3, x=1234.5), 1.0).values) < 2
