"""The screen of the tests takes real clicks and keys."""

import os
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from tests.time_limits import TIME_LIMIT


def xdotool(*command):
    subprocess.run(["xdotool", *map(str, command)], check=True, timeout=TIME_LIMIT)


class Window(QWidget):
    def __init__(self):
        super().__init__()
        self.button = QPushButton("Click me")
        self.line = QLineEdit()
        layout = QVBoxLayout(self)
        layout.addWidget(self.button)
        layout.addWidget(self.line)


@pytest.fixture
def window(qtbot):
    window = Window()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


@pytest.mark.display
def test_a_real_click_arrives(qtbot, window):
    middle = window.button.mapToGlobal(window.button.rect().center())
    with qtbot.waitSignal(window.button.clicked):
        xdotool("mousemove", middle.x(), middle.y(), "click", 1)


@pytest.mark.display
def test_real_keys_arrive(qtbot, window):
    window.activateWindow()
    window.line.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(window.line.hasFocus)
    xdotool("type", "svm")
    qtbot.waitUntil(lambda: window.line.text() == "svm")


def test_settings_go_to_a_folder_of_the_tests():
    own = Path(os.environ["XDG_CONFIG_HOME"])
    assert Path(QSettings("svmviz", "svmviz").fileName()).is_relative_to(own)
    written = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    assert Path(written).is_relative_to(own.parent)
