"""The real window with a temporary store, and a driver of its mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton, QWidget
from shiboken6 import isValid

from svmviz import theme
from svmviz.io import left_scenes
from svmviz.io.settings_store import SettingsStore
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow
from svmviz.window.memory import WindowMemory
from tests.stages import eight
from tests.waiting import is_settled
from tests.window.user import Answer, WindowUser

SIZE = QSize(1280, 800)


@pytest.fixture
def store(tmp_path):
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def open_window(qtbot, qapp: QApplication, store, tmp_path):
    """Open windows; each waits until it is active and its run is shown."""
    theme.apply(qapp, theme.LIGHT, 1.0)
    users: list[WindowUser] = []

    def open_one(document=None, *, size: QSize | None = SIZE) -> WindowUser:
        window = MainWindow(Stage.of(document), WindowMemory(store, tmp_path / "svmviz.log"))
        user = WindowUser(qtbot, window)
        users.append(user)
        with qtbot.waitExposed(window):
            window.show_first(size)
        user.move(QPoint(1500, 1150))
        window.activateWindow()
        user.until(window.isActiveWindow)
        settle(user)
        window.plane.navigation.fit()
        window.plane.setFocus()
        return user

    yield open_one
    for user in users:
        discard(user.window)
    # A new style is laid on every widget there is, which takes 70 ms for a window.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left_scenes.keep_lecture("")
    theme.apply(qapp, theme.LIGHT, 1.0)


def discard(window: MainWindow) -> None:
    """Close a window without questions."""
    # A window that was closed has let go of its session.
    if isValid(window.stage.session):
        # A document that was laid aside is asked about, too.
        window.stage.lesson.end()
        window.stage.session.undo_stack.setClean()
        window.close()
    window.deleteLater()


def is_explaining(window: MainWindow) -> bool:
    """Return whether the window explains a step."""
    return window.stage.view.layout == "explain" and window.stage.playback.by_beats


def panel_in(window: MainWindow, name: str) -> QWidget | None:
    """Return the panel of a dock, once it is made."""
    holder = window.docks.docks[name].widget()
    return holder.panel.content if holder is not None else None


def settle(user: WindowUser) -> None:
    """Wait until the document shown is solved, and its end is on screen."""
    user.until(lambda: is_settled(user.window.stage))


def cancel(user: WindowUser) -> None:
    """Wait for the dialog that shows progress, and click its Cancel."""
    user.until(lambda: user.window.findChild(QProgressDialog))
    dialog = user.window.findChild(QProgressDialog)
    button = dialog.findChild(QPushButton)
    user.until_still(button)
    user.click_on(button)
    # Once it is closed it may be deleted at any time.
    user.until(lambda: not isValid(dialog) or not dialog.isVisible())


@pytest.fixture
def user(open_window):
    """The user of a window with the eight points of MATH.md."""
    return open_window(eight())


@pytest.fixture
def answer():
    """Prepare answers to dialogs; each must have been used by the end of the test."""
    answers: list[Answer] = []

    def make(act, *kind) -> Answer:
        answers.append(Answer(act, *kind))
        return answers[-1]

    yield make
    for one in answers:
        one.stop()
    assert all(one.given for one in answers), "a dialog that was to be answered did not appear"
