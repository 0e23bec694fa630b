"""Words and given matrices in the window: no point is placed or dragged, and the rest works."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from solvers import RBF, EditDistance, Spectrum
from solvers.data.datasets import NO_PLACES
from solvers.data.point_files import parse_points
from svmviz.document.document import Document
from svmviz.io.scene import read_scene, write_scene
from svmviz.panels.controls.points.points_model import CLASS, FIRST, NUMBER, PointsModel
from svmviz.panels.controls.settings.model_panel import ModelPanel
from tests.window.conftest import settle

pytestmark = pytest.mark.display

WORDS = "singing,a\nringing,a\nrunning,a\nwalker,b\nsinger,b\nrunner,b\nlooker,b\nwalking,a\n"


@pytest.fixture
def user(open_window):
    return open_window(Document(data=parse_points(WORDS)))


def session_of(user):
    return user.window.stage.session


def empty_place(user):
    camera = user.window.plane.camera
    return user.at(*camera.to_data(camera.left + 12, camera.top + 12))


@pytest.mark.parametrize("tool", ["1", "2", "shift+l", "b"])
def test_a_click_places_nothing_and_says_why(user, tool):
    user.key(tool)
    user.click(empty_place(user))
    user.click(empty_place(user), button=3)
    mouse = user.window.plane._mouse
    user.until(lambda: mouse.tool.feedback.words == NO_PLACES)
    settle(user)
    session = session_of(user)
    assert session.document.n == 8
    assert session.document.user_line is None
    assert session.undo_stack.count() == 0


def test_a_drag_moves_nothing_and_says_why(user):
    session = session_of(user)
    before = session.document
    user.key("1")
    user.press(user.at(*before.data.points[3]))
    user.move(empty_place(user))
    user.until(lambda: user.window.plane._mouse.tool.feedback.words == NO_PLACES)
    user.release()
    user.until(lambda: user.window.plane._mouse.tool.feedback.words == "")
    assert session.document is before


def test_a_click_selects_and_delete_removes(user):
    session = session_of(user)
    user.key("1")
    user.click(user.at(*session.document.data.points[3]))
    user.until(lambda: session.selection == {3})
    user.key("Delete")
    user.until(lambda: session.document.n == 7)
    settle(user)
    assert "walker" not in session.document.data.items.names
    user.key("ctrl+z")
    user.until(lambda: session.document.n == 8)


def test_the_kernel_changes_among_those_of_words_and_comes_back_from_a_file(user):
    session = session_of(user)
    model = user.window.findChild(ModelPanel)
    assert model.kernel.keys == ("spectrum", "edit-distance")
    places = session.document.data.points.copy()
    model.choose_kernel(1)
    settle(user)
    assert session.document.kernel == EditDistance()
    assert (session.document.data.points != places).any()
    scene = user.window.files.scene()
    assert read_scene(write_scene(scene)) == scene
    assert "ositive semi-definite" in model.mercer.label.text() + model.mercer.yes.text()


def test_generated_points_replace_words_and_undo_brings_them_back(user):
    session = session_of(user)
    user.key("d")
    user.until(lambda: session.document.has_coordinates)
    assert isinstance(session.document.kernel, RBF)
    user.key("ctrl+z")
    user.until(lambda: not session.document.has_coordinates)
    assert session.document.kernel == Spectrum()
    assert session.document.data.items.names[0] == "singing"


def test_other_keys_of_the_window_do_no_harm(user):
    session = session_of(user)
    for key in ("k", "shift+k", "c", "y", "u", "F6", "Right", "Right", "j", "shift+d", "ctrl+z",
                "ctrl+c", "m", "x"):  # fmt: skip
        user.key(key)
        settle(user)
    assert session.document.n == 8


def test_the_table_shows_words_and_only_their_class_is_typed(user):
    model = PointsModel(user.window.stage)
    assert (model.text(3, NUMBER), model.text(3, FIRST)) == ("4", "walker")
    assert model.headerData(FIRST, Qt.Orientation.Horizontal) == "word"
    editable = Qt.ItemFlag.ItemIsEditable
    assert not model.flags(model.index(3, FIRST)) & editable
    assert model.flags(model.index(3, CLASS)) & editable
