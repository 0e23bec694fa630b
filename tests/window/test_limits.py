"""Points at the limits of arithmetic: every action of the window works with them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressDialog

from solvers import RBF, Linear
from svmviz.document.document import Document
from svmviz.io.scene import read_scene, write_scene
from svmviz.panels.registry import PANELS
from svmviz.tools import TOOLS
from tests.campaigns.limits import SETS, as_points, as_text
from tests.window.conftest import settle

_LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.slow
every_set = pytest.mark.parametrize("name", SETS)
# Some hundred actions take ten seconds with each set; tools, panels and scenes meet all sets.
MAIN_SETS = ("tiny", "last bit", "all at once")
main_sets = pytest.mark.parametrize("name", MAIN_SETS)


@contextlib.contextmanager
def closing_dialogs() -> Iterator[None]:
    """Close every dialog that appears, without saying yes to anything."""

    def close() -> None:
        dialog = QApplication.activeModalWidget()
        # To close progress would be to cancel what an action does.
        if dialog is not None and not isinstance(dialog, QProgressDialog):
            # Its own slot would not tick while what it closes is still open.
            QTimer.singleShot(0, dialog, dialog.close)

    timer = QTimer(interval=10)
    timer.timeout.connect(close)
    timer.start()
    yield
    timer.stop()


def check_camera(plane) -> None:
    camera = plane.camera
    numbers = (camera.x, camera.y, camera.span_x, camera.span_y, *camera.view, *camera.units)
    assert all(map(math.isfinite, numbers))
    assert all(map(math.isfinite, plane.navigation.data_window()))


@pytest.fixture
def log(caplog):
    """No frame fails in the other thread, and nothing is logged as a warning."""
    yield caplog
    assert [record.getMessage() for record in caplog.records if record.levelname != "INFO"] == []


@main_sets
def test_every_action_survives_such_points(open_window, log, name):
    user = open_window(Document())
    window = user.window
    for name_of_action, action in window.menus.actions.items():
        # An exercise holds the run back, and with another kernel it may need minutes: neither would
        # settle. Both have tests of their own.
        if name_of_action in ("do-it-yourself", "compare-kernel"):
            continue
        # Each meets the points as they were pasted: jitter and the like move them.
        window.stage.session.reset(Document())
        QGuiApplication.clipboard().setText(as_text(SETS[name]))
        with closing_dialogs():
            window.menus.actions["paste"].trigger()
            user.until(lambda: window.stage.session.document.n)
            settle(user)
            check_camera(window.plane)
            for _ in range(2 if action.isCheckable() else 1):
                action.trigger()
                window.plane.repaint()
            settle(user)
        check_camera(window.plane)


@every_set
def test_every_panel_survives_such_points(open_window, log, name):
    turn = list(SETS).index(name) % 2
    for kernel in (RBF(), Linear()) if name in MAIN_SETS else ((RBF(), Linear())[turn],):
        user = open_window(Document(data=as_points(SETS[name]), kernel=kernel))
        for panel in PANELS:
            user.window.docks.show(panel)
            user.rest(0.02)
        settle(user)
        for options in ({"hulls": "on"}, {"alpha_numbers": True, "numbers": True}):
            view = user.window.stage.view
            with contextlib.suppress(Exception):
                view.set(**options)
            settle(user)
            user.window.plane.repaint()
        user.window.close()


@every_set
def test_every_tool_survives_such_points(open_window, log, name):
    user = open_window(Document(data=as_points(SETS[name])))
    window, plane = user.window, user.window.plane
    places = [QPoint(x, y) for x in (60, 200, plane.width() - 5) for y in (40, 200)]
    for tool in TOOLS:
        window.use_tool(tool)
        for start, end in zip(places, reversed(places), strict=True):
            QTest.mousePress(plane, _LEFT, pos=start)
            QTest.mouseMove(plane, end)
            QTest.mouseRelease(plane, _LEFT, pos=end)
            check_camera(plane)
        for factor in (1e-3, 4.0, 1e6, 1e-9):
            for _ in range(30):
                plane.navigation.zoom(factor, 70.0, 50.0)
            plane.repaint()
            check_camera(plane)
            QTest.mouseClick(plane, _LEFT, pos=places[0])
        settle(user)
        assert np.isfinite(window.stage.session.document.data.points).all()
        plane.navigation.fit()


@every_set
def test_a_scene_of_such_points_can_be_made(open_window, log, name):
    user = open_window(Document(data=as_points(SETS[name])))
    scene = user.window.files.scene()
    assert scene.document.n == len(SETS[name])
    again = read_scene(write_scene(scene))
    assert again == scene
    user.window.files.show_scene(replace(again, step=None))
    settle(user)
    check_camera(user.window.plane)
