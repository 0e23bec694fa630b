import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice

from svmviz.plane.navigation import LARGEST, NOTCH, pinch_of, wheel_factor


def test_wheel():
    assert wheel_factor(0, 120) == pytest.approx(NOTCH)
    assert wheel_factor(0, -120) == pytest.approx(1 / NOTCH)
    assert wheel_factor(0, 0) == 1
    assert wheel_factor(0, 1e9) == pytest.approx(LARGEST)


def test_trackpad_counts_before_the_wheel_it_imitates():
    assert 1 < wheel_factor(6, 120) < NOTCH


def test_pinch():
    gesture = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(), 2,
        QPointF(30, 40), QPointF(30, 40), QPointF(30, 40), 0.1, QPointF(),
    )  # fmt: skip
    assert pinch_of(gesture) == pytest.approx((1.1, 30, 40))
    assert pinch_of(QEvent(QEvent.Type.Enter)) is None
