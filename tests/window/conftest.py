"""The real window with a temporary store, and a driver of its mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton
from shiboken6 import isValid

from svmviz import theme
from svmviz.io.settings_store import SettingsStore
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow
from svmviz.window.memory import Memory
from tests.stages import eight
from tests.window.hand import Answer, WindowUser

SIZE = QSize(1280, 800)


@pytest.fixture
def store(tmp_path):
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def open_window(qtbot, qapp: QApplication, store, tmp_path):
    """Open windows; each waits until it is active and its run is shown."""
    theme.apply(qapp, theme.LIGHT, 1.0)
    hands: list[WindowUser] = []

    def open_one(document=None, *, size: QSize | None = SIZE) -> WindowUser:
        window = MainWindow(Stage.of(document), Memory(store, tmp_path / "svmviz.log"))
        hand = WindowUser(qtbot, window)
        hands.append(hand)
        with qtbot.waitExposed(window):
            window.show_first(size)
        hand.move(QPoint(1500, 1150))
        window.activateWindow()
        hand.until(window.isActiveWindow)
        settle(hand)
        window.plane.navigation.fit()
        window.plane.setFocus()
        return hand

    yield open_one
    for hand in hands:
        discard(hand.window)
    theme.apply(qapp, theme.LIGHT, 1.0)


def discard(window: MainWindow) -> None:
    """Close a window without questions."""
    window.stage.session.undo_stack.setClean()
    window.close()
    window.deleteLater()


def settle(hand: WindowUser) -> None:
    """Wait until the document shown is solved, and its end is on screen."""
    session, feed = hand.window.stage.session, hand.window.stage.feed

    def shown() -> bool:
        if session.waiting or feed.frame.document is not session.document:
            return False
        lane = feed.frame.lane
        return bool(session.trouble) if lane is None else lane.at_end

    hand.until(shown)


def cancel(hand: WindowUser) -> None:
    """Wait for the dialog that shows progress, and click its Cancel."""
    hand.until(lambda: hand.window.findChild(QProgressDialog))
    dialog = hand.window.findChild(QProgressDialog)
    hand.until(dialog.isVisible)
    hand.click_on(dialog.findChild(QPushButton))
    # Once it is closed it may be deleted at any time.
    hand.until(lambda: not isValid(dialog) or not dialog.isVisible())


@pytest.fixture
def hand(open_window):
    """A hand on a window with the eight points of MATH.md."""
    return open_window(eight())


@pytest.fixture
def answer():
    """Make answers to dialogs; each must have been asked for by the end of the test."""
    answers: list[Answer] = []

    def make(act, *kind) -> Answer:
        answers.append(Answer(act, *kind))
        return answers[-1]

    yield make
    for one in answers:
        one.stop()
    assert all(one.given for one in answers), "a dialog that was to be answered did not appear"
