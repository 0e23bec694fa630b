import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice

from svmviz.camera.camera import Camera
from svmviz.plane.navigation import (
    MAX_ZOOM,
    NOTCH,
    must_fit,
    pinch_of,
    wheel_factor,
)
from tests.plane.frames import points


def test_wheel():
    assert wheel_factor(0, 120) == pytest.approx(NOTCH)
    assert wheel_factor(0, -120) == pytest.approx(1 / NOTCH)
    assert wheel_factor(0, 0) == 1
    assert wheel_factor(0, 1e9) == pytest.approx(MAX_ZOOM)


def test_trackpad_counts_before_the_wheel_it_imitates():
    assert 1 < wheel_factor(6, 120) < NOTCH


def test_pinch():
    gesture = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(), 2,
        QPointF(30, 40), QPointF(30, 40), QPointF(30, 40), 0.1, QPointF(),
    )  # fmt: skip
    assert pinch_of(gesture) == pytest.approx((1.1, 30, 40))
    assert pinch_of(QEvent(QEvent.Type.Enter)) is None


HERE = points(np.array([[-1.0, -1], [0, 1], [1, 0]]), [-1, 1, 1])
NONE = points(np.zeros((0, 2)), [])


@pytest.mark.parametrize(
    ("old", "new", "elsewhere"),
    [
        (NONE, HERE, False),
        (NONE, points(100 * HERE.points, HERE.labels), True),
        (HERE, NONE, True),
        (HERE, points(HERE.points + 0.1, HERE.labels), False),
        (HERE, points(HERE.points + 1000, HERE.labels), True),
        (HERE, points(np.vstack([HERE.points, [[50, 50]]]), [-1, 1, 1, 1]), False),
        (HERE, points(HERE.points[:2], [-1, 1]), False),
        (HERE, points(HERE.points, -HERE.labels), False),
        (HERE, points(HERE.points + np.array([40, 1.9]), HERE.labels), True),
        (HERE, points(HERE.points + np.array([0.9, 0]), HERE.labels), False),
        (HERE, points([[0.9, -0.9], [-0.8, 0.9], [0.1, -0.2]], HERE.labels), False),
        (HERE, points([[2, -0.7], [-3, 0.2], [0.1, -0.2]], HERE.labels), True),
        (HERE, points([[0.2, -0.1], [-0.3, 0.2], [0.1, -0.2]], HERE.labels), True),
        (HERE, points(0.01 * HERE.points[:2] + 0.1, [-1, 1]), True),
    ],
    ids=(
        "seen-first far-first cleared shaken far-away added erased swapped pushed-out-of-sight "
        "pushed another-like-it wider narrower another-set"
    ).split(),
)
def test_the_camera_moves_for_other_sets_only(old, new, elsewhere):
    camera = Camera().fitted(HERE.points)
    assert must_fit(camera, old, new) == elsewhere
