from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from solvers.data.datasets import DATASETS
from solvers.problem.certificate import ZERO
from svmviz.colours.contrast import mix
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.plane import picture_delay
from svmviz.plane.mouse_handler import CARD_DELAY
from svmviz.plane.paint.roles import ROLES
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from svmviz.theme import LIGHT
from tests.plane.frames import lane_of, points
from tests.plane_fixtures import MIDDLE, SQUARE
from tests.waiting import settle

# The colour of points of class +1 that are no support vectors.
POSITIVE = mix(LIGHT.plane, LIGHT.positive, ROLES[ZERO].fill)


def colour(view, x, y):
    px, py = view.camera.to_pixels(np.array([[x, y]]))[0]
    image = view.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(px * ratio), round(py * ratio)).name()


def wheel(view, place, notches=0, pixels=0):
    event = QWheelEvent(
        QPointF(place), view.mapToGlobal(QPointF(place)), QPoint(0, pixels),
        QPoint(0, 120 * notches), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def test_shows_the_frame(qtbot, stage, view):
    settle(qtbot, stage)
    assert colour(view, 1, 1) == POSITIVE
    assert colour(view, -1, -1) == LIGHT.negative
    assert colour(view, 0, 0) == LIGHT.boundary


def test_the_plane_reports_to_the_playback_what_it_shows(qtbot, stage, view):
    settle(qtbot, stage)
    grid = lane_of(stage.feed.frame).field.grid
    shown = (grid.left, grid.right, grid.bottom, grid.top)
    assert shown == pytest.approx(view.camera.view)


def test_fits_what_it_is_given(stage, view):
    for x, y in view.camera.to_pixels(SQUARE.points).tolist():
        assert view.camera.contains(x, y)
    stage.session.reset(Document(data=replace(SQUARE, points=1e6 + SQUARE.points)))
    view.navigation.fit()
    for x, y in view.camera.to_pixels(stage.session.document.data.points).tolist():
        assert view.camera.contains(x, y)


def test_fits_points_that_come_from_elsewhere_into_an_empty_plane(qtbot, qapp):
    stage = Stage.of()
    view = PlaneView(stage)
    qtbot.addWidget(view)
    near = view.camera
    stage.session.edit(stage.session.document.added(np.array([[1.0, 1.0]]), [1]), "Add point")
    assert view.camera == near, "the camera jumped although the point was in sight"
    stage.session.undo_stack.undo()
    stage.session.edit(Document(data=replace(SQUARE, points=100 + SQUARE.points)), "Generate")
    assert view.camera.x == pytest.approx(100)
    view.close()
    stage.close()


def test_camera_stays_when_points_move(stage, view):
    before = view.camera
    stage.session.edit(stage.session.document.moved([0], (-5, -5)), "Move point")
    assert view.camera == before


def test_wheel_zooms_about_the_cursor(view):
    place = QPoint(300, 200)
    before, span = view.camera.to_data(300, 200), view.camera.span_x
    wheel(view, place, notches=2)
    assert view.camera.to_data(300, 200) == pytest.approx(before)
    assert view.camera.span_x < span
    wheel(view, place, notches=-2)
    assert view.camera.span_x == pytest.approx(span)
    wheel(view, place, pixels=30)
    assert view.camera.span_x < span


def test_middle_button_pans_and_edits_nothing(view, mouse, undo):
    before = view.camera.to_data(400, 300)
    mouse.drag(QPoint(400, 300), QPoint(420, 310), QPoint(450, 330), button=MIDDLE)
    assert view.camera.to_data(450, 330) == pytest.approx(before)
    assert undo.count() == 0


def test_zoom_about_the_middle(view):
    centre = view.camera.x, view.camera.y
    span = view.camera.span_x
    view.navigation.zoom(2.0)
    assert (view.camera.x, view.camera.y) == pytest.approx(centre)
    assert view.camera.span_x == pytest.approx(0.5 * span)


def test_window_of_a_scene_comes_back(view):
    view.navigation.zoom(3.0, 200, 200)
    window = view.navigation.data_window()
    camera = view.camera
    view.navigation.fit()
    view.navigation.show_window(*window)
    assert view.navigation.data_window() == pytest.approx(window)
    assert view.camera.view == pytest.approx(camera.view)


def test_resizing_keeps_the_centre(view):
    centre = view.camera.x, view.camera.y
    view.resize(500, 700)
    left, right, bottom, top = view.camera.view
    assert (0.5 * (left + right), 0.5 * (bottom + top)) == pytest.approx(centre, abs=1e-9)


def test_aspect_follows_the_option(stage, view):
    stage.view.set(aspect="free")
    across, up = view.camera.units
    assert across != up
    stage.view.set(aspect="equal")
    assert len(set(view.camera.units)) == 1


def test_hover_lights_the_point_and_describes_it(qtbot, stage, view, mouse):
    settle(qtbot, stage)
    with qtbot.waitSignal(view.hovered_text) as signal:
        mouse.move(mouse.at(1, 1))
    assert stage.spotlight.index == 3
    assert signal.args[0].startswith("Point 4, class +1, α 0, x₁ 1, x₂ 1, ")
    mouse.move(mouse.at(0, 0.4))
    assert stage.spotlight.index is None


def test_card_appears_when_the_mouse_rests(qtbot, stage, view, mouse):
    settle(qtbot, stage)
    mouse.move(mouse.at(1, 1))
    qtbot.waitUntil(lambda: view._mouse.card_index == 3)
    mouse.move(mouse.at(0, 0))
    assert view._mouse.card_index is None


@pytest.mark.parametrize("name", ["erase", "spray"])
def test_a_card_covers_nothing_under_a_brush(qtbot, stage, view, mouse, name):
    settle(qtbot, stage)
    view.show_tool(name)
    mouse.move(mouse.at(0, 0.4))
    mouse.move(mouse.at(1, 1))
    assert stage.spotlight.index == 3
    qtbot.wait(2 * CARD_DELAY)
    assert view._mouse.card_index is None


def test_card_goes_with_its_point(qtbot, stage, view, mouse):
    settle(qtbot, stage)
    mouse.move(mouse.at(-1, -1))
    qtbot.waitUntil(lambda: view._mouse.card_index == 0)
    stage.session.select((0,))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert view._mouse.card_index is None
    assert stage.spotlight.index is None


def test_another_set_is_not_shown_with_the_old_field(qtbot, stage, view):
    settle(qtbot, stage)
    stage.session.reset(Document(data=points(SQUARE.points + 0.5, -SQUARE.labels)))
    view.navigation.fit()
    assert colour(view, 1.5, 1.5) == LIGHT.negative
    assert colour(view, 0.7, 1.2) == LIGHT.plane
    settle(qtbot, stage)
    assert colour(view, 0.7, 1.2) != LIGHT.plane


def test_light_from_elsewhere_is_shown(qtbot, stage, view):
    settle(qtbot, stage)
    before = view.grab().toImage()
    stage.spotlight.highlight(2)
    assert view.grab().toImage() != before


def test_leaving_puts_the_light_out(stage, view, mouse):
    mouse.move(mouse.at(1, 1))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert stage.spotlight.index is None


def test_delete_and_escape(stage, view, undo):
    stage.session.select((0, 3))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert stage.session.selection == frozenset()
    stage.session.select((0, 3))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert stage.session.document.n == 2
    assert undo.undoText() == "Delete 2 points"


def test_keys_of_others_pass(view):
    assert not view._mouse.key(Qt.Key.Key_Space)


def test_late_frames_are_replaced_by_the_newest_points(qtbot, stage, view, monkeypatch):
    settle(qtbot, stage)
    # On a busy machine, looking at once takes longer than a frame may.
    monkeypatch.setattr(picture_delay, "MAX_DELAY", 2.0)
    # A solver that never answers: the document moves on, and no frame comes.
    stage.feed.close()
    stage.session.preview(stage.session.document.moved([3], (-0.6, 0.0)))
    at_once = colour(view, 1, 1)
    assert at_once == POSITIVE, "the frame is shown with its own points while it is fresh"
    qtbot.waitUntil(lambda: colour(view, 1, 1) != POSITIVE)
    assert colour(view, 0.4, 1) == LIGHT.positive


def test_emptiness_is_shown_and_trouble_is_left_to_the_narrator(qtbot, stage, view):
    one_class = points(np.zeros((1, 2)), [1])
    stage.session.reset(Document(data=one_class))
    qtbot.waitUntil(lambda: bool(stage.feed.frame.trouble))
    with_trouble = view.grab().toImage()
    view._screen._on_frame(Frame(stage.session.document))
    assert view.grab().toImage() == with_trouble
    stage.session.reset(Document())
    assert view.grab().toImage() != with_trouble


def test_many_points_are_painted(qtbot, qapp):
    stage = Stage.of(Document(data=DATASETS["moons"].generate(2000, 0.3, 1)))
    view = PlaneView(stage)
    qtbot.addWidget(view)
    view.show()
    settle(qtbot, stage)
    view.grab()
    view.close()
    stage.close()


def test_a_picture_of_it_has_its_size_and_view(qtbot, stage, view):
    settle(qtbot, stage)
    picture = view.picture(LIGHT, 2.0)
    image = picture.image()
    assert (image.width(), image.height()) == (2 * view.width(), 2 * view.height())
    px, py = view.camera.to_pixels(np.array([[1.0, 1.0]]))[0]
    assert image.pixelColor(round(2 * px), round(2 * py)).name() == POSITIVE


def test_has_a_name_and_takes_the_focus(view):
    assert view.accessibleName()
    assert view.focusPolicy() == Qt.FocusPolicy.StrongFocus
