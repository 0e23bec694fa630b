"""The application: dress it, open the window, and see that nothing gets lost on the way out."""

from __future__ import annotations

import logging
import math
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QMetaObject, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from svmviz import theme
from svmviz.app.garbage_collector import Spared
from svmviz.app.preload import Ahead
from svmviz.base.interrupts import end, end_on_interrupt
from svmviz.base.logs import log_qt, set_up_logging, tear_down_logging
from svmviz.base.resources import path as asset
from svmviz.io.atomic import remove_strays
from svmviz.io.autosave import Autosave
from svmviz.io.files import open_scene
from svmviz.io.settings_store import SettingsStore
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow
from svmviz.window.files.rescue import Rescue
from svmviz.window.memory import Memory

DEMO = "scenes/demo.svmviz"
# Speed of the scene that greets one at the first start, steps a second.
GREETING = 6.0
# The first picture is waited for no longer than this, ms.
HELD_AT_MOST = 1000
# A thread that holds the interpreter lock gives it back after this time, s.
SWITCH_INTERVAL = 0.001
# What went wrong is not said again within this time after its box was closed, s.
QUIET = 10.0
log = logging.getLogger(__name__)


def run_window(file: str | None = None) -> int:
    """Open the window, with a file if one is given, and return the exit code."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("svmviz")
    app.setApplicationDisplayName("svmviz")
    app.setDesktopFileName("svmviz")
    app.setWindowIcon(QIcon(str(asset("icon.svg"))))
    teller = Teller()
    log_file = set_up_logging(teller.tell)
    log_qt()
    store = SettingsStore()
    theme.prepare(app, _theme(store.values.theme), store.values.scale)
    window = MainWindow(Stage.of(), Memory(store, log_file))
    # Only now: under a style sheet, each widget that is put into another is gone through anew
    # with all that lies in it.
    theme.dress(app)
    teller.window = window
    rescue = Rescue(window.files, Autosave(), window.messages)
    window.closed.connect(rescue.close)
    window.show_first()
    Spared(window.stage.feed)
    ahead = Ahead(window.stage.feed)
    _hold_until_painted(window)
    _tidy_up(store)
    QTimer.singleShot(0, window, lambda: _greet(window, rescue, file))
    heart = _hear_signals(window, rescue)
    code = app.exec()
    heart.stop()
    # Everything is saved; what has to be compiled to its end need not be waited for.
    end_on_interrupt()
    ahead.close()
    window.stage.close()
    tear_down_logging()
    if window.files.tasks.are_running:
        # It was cancelled, and may be painting: Qt must not be taken from it, nor is it waited for.
        end(code)
    return code


def _hold_until_painted(window: MainWindow) -> None:
    """Have the solver load its compiler after the first picture, which it would delay by 30 ms."""
    session = window.stage.session
    session.hold()
    window.plane.painted.connect(session.release, Qt.ConnectionType.SingleShotConnection)
    # A window that is minimised is never painted.
    QTimer.singleShot(HELD_AT_MOST, session, session.release)


def _tidy_up(store: SettingsStore) -> None:
    """Remove what a kill during a save has left; in a thread, for a folder may be far away."""
    folders = store.folders()
    threading.Thread(
        target=lambda: [remove_strays(folder) for folder in folders],
        name="svmviz-tidy",
        daemon=True,
    ).start()


def _greet(window: MainWindow, rescue: Rescue, file: str | None) -> None:
    """Show what was asked for, else what a crash left, else the demo, solving."""
    if rescue.offer():
        return
    if file is not None:
        window.files.open(str(Path(file).absolute()))
        return
    window.files.show_scene(open_scene(asset(DEMO)), title="Penguins")
    window.stage.playback.suggest_speed(GREETING)
    window.stage.playback.play_when_recorded()


def _theme(name: str) -> theme.Theme:
    if name == "system":
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return theme.DARK if dark else theme.LIGHT
    return theme.THEMES[name]


def _hear_signals(window: MainWindow, rescue: Rescue) -> QTimer:
    """Close properly on Ctrl+C in the terminal; Python hears signals only between bytecodes.

    Unsaved changes are asked about. Ctrl+C again, or the end of the desktop's session, takes no
    for an answer: what is unsaved is then offered at the next start.
    """
    asked: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if asked or number == signal.SIGTERM:
            rescue.write_now()
            QApplication.exit(128 + number)
        else:
            asked.append(number)
            # Not from here: a timer whose slot has not ended does not tick, and nothing would
            # hear the next signal.
            QTimer.singleShot(0, window, ask)

    def ask() -> None:
        window.close()
        asked.clear()

    heart = QTimer()
    heart.start(300)
    heart.timeout.connect(lambda: None)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    return heart


class Teller(QObject):
    """Shows, in the window's thread, that something went wrong in any thread."""

    def __init__(self) -> None:
        super().__init__()
        self.window: MainWindow | None = None
        self._sentences: list[str] = []
        self._shown: dict[str, float] = {}
        self._showing = False

    def tell(self, sentence: str) -> None:
        """Take a sentence from any thread."""
        self._sentences.append(sentence)
        QMetaObject.invokeMethod(self, "_show", Qt.ConnectionType.QueuedConnection)

    @Slot()
    def _show(self) -> None:
        if self._showing or self.window is None:
            return
        now = time.monotonic()
        # What fails at each repaint, also at the one that closing its box causes, would never
        # leave the window alone.
        fresh = [one for one in self._sentences if now > self._shown.get(one, -math.inf) + QUIET]
        self._sentences.clear()
        if not fresh:
            return
        self._showing = True
        try:
            # One box, however many there are: the log has them all.
            self.window.messages.fault(fresh[0], self.window.memory.log_file)
            ended = time.monotonic()
            self._shown |= dict.fromkeys([*fresh, *self._sentences], ended)
            self._sentences.clear()
        finally:
            self._showing = False
