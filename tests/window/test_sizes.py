"""Type, marks and controls: their keys and wheel in every mode, and what the plane keeps."""

import pytest
from PySide6.QtCore import QPoint, QSize

from svmviz import theme
from svmviz.plane.paint.axes import x_ticks, y_ticks
from tests.stages import moons
from tests.window.user import xdotool

pytestmark = pytest.mark.display
SIZES = [QSize(1024, 700), QSize(1280, 720), QSize(1600, 900)]


def scale() -> float:
    return theme.chosen().scale


def ticks(view):
    metrics = view.navigation.metrics
    across = x_ticks(view.camera, metrics.scale)
    return len(across.values), len(y_ticks(view.camera, metrics.scale).values)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
def test_with_type_of_200_percent_the_plane_keeps_its_part_of_the_window(open_window, size):
    user = open_window(moons(), size=size)
    window = user.window
    for name, dock in window.docks.docks.items():
        dock.setVisible(name == "settings")
    user.key("ctrl+plus", *["ctrl+plus"] * 9)
    user.until(lambda: scale() == 2.0)
    user.until_still(window.plane)
    assert window.size() == size
    plane = window.planes.size()
    assert plane.width() * plane.height() >= 0.45 * size.width() * size.height()
    assert min(ticks(window.plane)) >= 3
    user.key("F5")
    user.until(lambda: window.presentation.is_on)
    screen = window.presentation.screen
    screen.setGeometry(0, 0, size.width(), size.height())
    user.until(lambda: screen.size() == size)
    user.until_still(window.plane)
    plane = window.planes.size()
    assert plane.width() * plane.height() >= 0.65 * size.width() * size.height()
    assert min(ticks(window.plane)) >= 3
    assert 11 * window.plane.navigation.metrics.scale >= size.height() / 45
    assert min(screen.caption.sizes) >= size.height() / 45


def test_keys_change_type_in_every_mode_and_settings_remember_it(open_window, store):
    user = open_window(moons())
    window = user.window
    docks = window.docks.settings.width()
    user.key("ctrl+plus")
    user.until(lambda: scale() == 1.1)
    user.key("F11")
    user.until(window.isFullScreen)
    user.key("ctrl+plus")
    user.until(lambda: scale() == 1.2)
    user.key("F11")
    user.until(lambda: not window.isFullScreen())
    user.key("F5")
    user.until(lambda: window.presentation.is_on and window.presentation.screen.isActiveWindow())
    user.key("ctrl+plus")
    user.until(lambda: scale() == 1.3)
    user.key("Escape")
    user.until(lambda: not window.presentation.is_on and window.isActiveWindow())
    user.key("ctrl+minus")
    user.until(lambda: scale() == 1.2)
    user.until(lambda: store.values.scale == 1.2)
    assert window.docks.settings.width() == docks
    user.key("ctrl+0")
    user.until(lambda: scale() == 1.0)


def test_the_wheel_with_ctrl_changes_type_outside_the_plane_only(open_window):
    user = open_window(moons())
    window = user.window
    camera = window.plane.camera
    settings = window.docks.settings
    user.move(settings.mapToGlobal(QPoint(settings.width() // 2, settings.height() // 2)))
    xdotool("keydown", "ctrl", "click", 4, "keyup", "ctrl")
    user.until(lambda: scale() == 1.1)
    xdotool("keydown", "ctrl", "click", 5, "keyup", "ctrl")
    user.until(lambda: scale() == 1.0)
    user.until(lambda: window.plane.camera == camera)
    user.move(window.plane.mapToGlobal(window.plane.rect().center()))
    xdotool("keydown", "ctrl", "click", 4, "keyup", "ctrl")
    user.until(lambda: window.plane.camera != camera)
    assert scale() == 1.0
