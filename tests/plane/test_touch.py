"""Fingers: tap, drag, long press, and two fingers that pan and zoom."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QMouseEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from svmviz.plane import touch
from tests.plane_fixtures import SQUARE
from tests.waiting import settle

FREE = QPoint(330, 270)


@pytest.fixture(scope="module")
def screen(qapp):
    """A touch screen."""
    return QTest.createTouchDevice()


@pytest.fixture
def fingers(view, screen):
    """Fingers of one sequence of touches; ``commit`` sends their events."""
    return lambda: QTest.touchEvent(view, screen, False)


def tap(view, fingers, place):
    for action in ("press", "release"):
        event = fingers()
        getattr(event, action)(0, place, view)
        event.commit()


def drag(view, fingers, *places):
    for number, place in enumerate((*places, places[-1])):
        event = fingers()
        action = "press" if number == 0 else "release" if number == len(places) else "move"
        getattr(event, action)(0, place, view)
        event.commit()


def two(view, fingers, *pairs):
    """Two fingers that come down, move through pairs of places, and leave one after the other."""
    for number, (one, other) in enumerate(pairs):
        event = fingers()
        action = "move" if number else "press"
        getattr(event, action)(0, one, view)
        getattr(event, action)(1, other, view)
        event.commit()
    fingers().release(0, one, view).stationary(1).commit()
    fingers().release(1, other, view).commit()


def place_of(view, index):
    return QPoint(*np.round(view.camera.to_pixels(SQUARE.points))[index].astype(int).tolist())


def test_a_tap_adds_one_point_of_the_class(qtbot, stage, view, fingers):
    settle(qtbot, stage)
    tap(view, fingers, FREE)
    document = stage.session.document
    assert document.n == SQUARE.points.shape[0] + 1
    assert document.data.labels[-1] == 1
    place = view.camera.to_pixels(document.data.points[-1:])[0]
    assert place == pytest.approx([FREE.x(), FREE.y()], abs=0.2)
    assert stage.session.undo_stack.count() == 1
    assert stage.spotlight.index is None


def test_a_finger_that_rests_adds_the_other_class_at_once(qtbot, stage, view, fingers, monkeypatch):
    event = fingers()
    event.press(0, FREE, view)
    event.commit()
    qtbot.waitUntil(lambda: stage.session.document.n == len(SQUARE.points) + 1)
    assert stage.session.document.data.labels[-1] == -1
    event = fingers()
    event.release(0, FREE, view)
    event.commit()
    assert stage.session.document.n == len(SQUARE.points) + 1
    assert stage.session.undo_stack.count() == 1


def test_a_finger_near_a_point_drags_it(qtbot, stage, view, fingers):
    start, way = place_of(view, 0) + QPoint(9, 0), QPoint(30, -20)
    before = view.camera.to_pixels(SQUARE.points)[0]
    drag(view, fingers, start, start + way * 0.5, start + way)
    after = view.camera.to_pixels(stage.session.document.data.points)[0]
    assert after - before == pytest.approx([way.x(), way.y()], abs=0.3)
    assert stage.session.document.n == len(SQUARE.points)


def test_a_tapped_point_is_chosen_and_explained(qtbot, stage, view, fingers):
    settle(qtbot, stage)
    tap(view, fingers, place_of(view, 1) + QPoint(5, 5))
    assert stage.session.selection == {1}
    assert stage.spotlight.index == 1
    tap(view, fingers, FREE)
    assert stage.spotlight.index is None


def test_two_fingers_pan_and_zoom_and_add_nothing(stage, view, fingers):
    left, right, way = FREE - QPoint(40, 0), FREE + QPoint(40, 0), QPoint(25, 10)
    held, span = view.camera.to_data(FREE.x(), FREE.y()), view.camera.span_x
    two(view, fingers, (left, right), (left + way, right + way))
    moved = FREE + way
    assert view.camera.to_data(moved.x(), moved.y()) == pytest.approx(held)
    assert view.camera.span_x == pytest.approx(span)
    two(view, fingers, (left, right), (left - QPoint(40, 0), right + QPoint(40, 0)))
    assert view.camera.span_x == pytest.approx(0.5 * span)
    assert stage.session.document.data is SQUARE
    assert stage.session.undo_stack.count() == 0


def test_a_second_finger_takes_back_what_the_first_has_begun(stage, view, fingers):
    start = place_of(view, 0)
    for action, place in (("press", start), ("move", start + QPoint(40, 40))):
        event = fingers()
        getattr(event, action)(0, place, view)
        event.commit()
    fingers().stationary(0).press(1, FREE, view).commit()
    fingers().release(0, start, view).release(1, FREE, view).commit()
    assert np.array_equal(stage.session.document.data.points, SQUARE.points)
    assert stage.session.undo_stack.count() == 0


def test_a_brush_that_rests_goes_on(qtbot, stage, view, fingers):
    view.show_tool("spray")
    event = fingers()
    event.press(0, FREE, view)
    event.commit()
    qtbot.wait(touch.LONG_PRESS + 200)
    assert stage.session.document.n > len(SQUARE.points)
    event = fingers()
    event.release(0, FREE, view)
    event.commit()
    assert (stage.session.document.data.labels[len(SQUARE.points) :] == 1).all()


def test_a_pen_that_has_left_highlights_nothing(qtbot, stage, view):
    pen = QPointingDevice(
        "pen", 7, QInputDevice.DeviceType.Stylus, QPointingDevice.PointerType.Pen,
        QInputDevice.Capability.Position, 1, 1,
    )  # fmt: skip
    at, none = QPointF(place_of(view, 2)), Qt.MouseButton.NoButton
    keys = Qt.KeyboardModifier.NoModifier
    hover = QMouseEvent(QEvent.Type.MouseMove, at, at, at, none, none, keys, pen)
    QApplication.sendEvent(view, hover)
    assert stage.spotlight.index == 2
    qtbot.waitUntil(lambda: stage.spotlight.index is None)


def test_a_finger_draws_from_its_first_movement_on_also_beside_a_point(
    qtbot, stage, view, fingers, monkeypatch
):
    settle(qtbot, stage)
    view.show_tool("pen")
    monkeypatch.setattr(view._touch._timer, "start", lambda: pytest.fail("a long press"))
    start = place_of(view, 0) + QPoint(6, 0)
    drag(view, fingers, start, start + QPoint(4, 3), start + QPoint(8, 0))
    (stroke,) = stage.drawing.strokes
    pixels = view.camera.to_pixels(np.array(stroke.places))
    assert pixels - [start.x(), start.y()] == pytest.approx(
        np.array([[0, 0], [4, 3], [8, 0]]), abs=0.2
    )
    assert stroke.colour == stage.drawing.colour
    assert stage.session.document.n == SQUARE.points.shape[0]
