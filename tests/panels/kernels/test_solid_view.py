"""The box of a solid has the room of its view, whatever its turn, and names beside it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from scipy.spatial import ConvexHull

from svmviz.panels.kernels.solid_view import CORNERS, Solid, SolidView


@pytest.mark.parametrize("size", [(417, 480), (1250, 490), (240, 600)])
def test_the_box_is_inside_and_as_large_as_there_is_room(qtbot, size):
    view = SolidView()
    qtbot.addWidget(view)
    view.resize(*size)
    shares = []
    for yaw in range(0, 360, 15):
        view.yaw = float(yaw)
        places = view.to_pixels(CORNERS)
        assert places.min() > 0.0
        assert (places < size).all()
        shares.append(np.ptp(places, axis=0) / size)
    # A few px at the edges are for the names.
    assert np.max(shares) > 0.75
    # It keeps its size while it is turned.
    edge = [np.hypot(*np.ptp(view.to_pixels(CORNERS[:2]), axis=0)) for view.yaw in (0.0, 90.0)]
    assert edge[0] == pytest.approx(edge[1], rel=0.5)


@pytest.mark.parametrize("yaw", [35.0, 80.0, 200.0, 300.0])
def test_the_names_of_the_axes_lie_outside_of_the_box(qtbot, yaw):
    view = SolidView()
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.yaw = yaw

    def painted(names):
        view.solid = Solid(names=names)
        image = QImage(view.size(), QImage.Format.Format_RGB32)
        view.render(image)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(500, 600, 4)
        return pixels.astype(int).copy()

    blank = painted(("", "", ""))
    hull = ConvexHull(view.to_pixels(CORNERS)).equations
    for axis in range(3):
        names = ["", "", ""]
        names[axis] = "W"
        y, x = np.nonzero(np.abs(painted(tuple(names)) - blank).sum(axis=2))
        assert len(x)
        middle = np.array([0.5 * (x.min() + x.max()), 0.5 * (y.min() + y.max()), 1.0])
        assert (hull @ middle).max() > 0.0
