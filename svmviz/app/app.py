"""The application: its start with theme, window and first document, and its end."""

from __future__ import annotations

import gc
import logging
import math
import signal
import sys
import time
from types import FrameType

from PySide6.QtCore import QMetaObject, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from solvers import KERNELS, METHODS
from solvers.entry_points import left_out
from solvers.jit.helper import begin, compiling_elsewhere
from solvers.run.method import counted
from svmviz import theme
from svmviz.app.garbage_collector import GarbageCollector
from svmviz.base.background import Worker, finish_all
from svmviz.base.interrupts import end, end_on_interrupt
from svmviz.base.logs import log_qt, set_up_logging, tear_down_logging
from svmviz.base.overrides import guard_overrides
from svmviz.base.resources import path as asset
from svmviz.base.typeset import typesetting_elsewhere
from svmviz.document.examples import FIRST_SCENE, scenes
from svmviz.export import FORMATS
from svmviz.frames.frame import Frame
from svmviz.io.atomic import remove_strays
from svmviz.io.autosave import Autosave
from svmviz.io.open_and_save import open_scene
from svmviz.io.paths import absolute_path
from svmviz.io.scene_line import is_scene_line
from svmviz.io.settings_store import SettingsStore
from svmviz.panels.registry import PANELS
from svmviz.playback.feed import FrameFeed
from svmviz.stage.stage import Stage
from svmviz.window import MainWindow
from svmviz.window.appearance import theme_named
from svmviz.window.files.rescue import Rescue
from svmviz.window.memory import WindowMemory, first_size

# The first run waits until the window has painted its first picture, but at most for this time, ms.
MAX_HOLD = 1000
# Time after which a thread releases Python's interpreter lock if another thread waits for it, s.
SWITCH_INTERVAL = 0.001
# After a message box on a fault is closed, the same fault is not shown again for this time, s.
REPEAT_AFTER = 10.0
# Maximum time that the end of the program waits for background threads, s.
MAX_WAIT = 3.0
log = logging.getLogger(__name__)


def run_window(file: str | None = None, lesson: str | None = None, task: str | None = None) -> int:
    """Open the window, with a file or a lesson if one is given; return the exit code.

    ``task`` is the task for which a table is read.
    """
    # A collection while Qt sets the first style sheet ended the program at some starts, by a
    # segmentation fault. Later, `GarbageCollector` collects.
    gc.disable()
    sys.setswitchinterval(SWITCH_INTERVAL)
    guard_overrides()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("svmviz")
    app.setApplicationDisplayName("svmviz")
    app.setDesktopFileName("svmviz")
    _name_on_windows()
    app.setWindowIcon(QIcon(str(asset("icon.svg"))))
    reporter = FaultReporter()
    log_file = set_up_logging(reporter.report)
    log_qt()
    store = SettingsStore()
    memory = WindowMemory(store, log_file)
    _prepare_look(app, store, memory)
    window = MainWindow(Stage.of(), memory)
    # The style sheet is set after the widgets are made. Once it is set, each insertion of a widget
    # styles all children of the widget again.
    theme.apply_style(app)
    reporter.window = window
    rescue = Rescue(window.files, Autosave(), window.messages)
    window.closed.connect(rescue.close)
    # Qt ends the program when the last visible window is closed. During a presentation the main
    # window is hidden, so its closing must end the program too.
    window.closed.connect(app.exit)
    window.show_first()
    GarbageCollector(window.stage.feed)
    _compile_after_first_frame(window.stage.feed)
    _hold_until_painted(window)
    _remove_strays(store)
    QTimer.singleShot(0, window, window.appearance.motion_wish.ask)
    QTimer.singleShot(0, window, lambda: _show_first_scene(window, rescue, file, lesson, task))
    QTimer.singleShot(0, window, lambda: _tell_left_out(window))
    wake_up = _handle_signals(window, rescue)
    with compiling_elsewhere(everything=True), typesetting_elsewhere():
        code = app.exec()
    wake_up.stop()
    # The lines below may wait until a compilation ends. Everything is saved, so from here on Ctrl+C
    # may end the process at once.
    end_on_interrupt()
    window.stage.close()
    tear_down_logging()
    if window.files.tasks.is_running or not finish_all(MAX_WAIT):
        # A thread may still paint, so the process ends without destroying Qt's objects.
        end(code)
    return code


def _name_on_windows() -> None:
    """Give the program a name of its own on Windows, whose task bar else shows Python's icon."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("svmviz")


def _prepare_look(app: QApplication, store: SettingsStore, memory: WindowMemory) -> None:
    """Make the stored look active, for the size that the window will have."""
    values = store.values
    colours = theme.theme_of(theme_named(values.theme), values.palette)
    size = memory.size or first_size(theme.Metrics(values.scale, values.controls).controls)
    room = theme.room_of(size.width(), size.height())
    theme.prepare(app, colours, values.scale, values.controls, room)


def _hold_until_painted(window: MainWindow) -> None:
    """Delay the first run until the first picture is painted.

    A run loads the compiler. If a run started earlier, the picture would be 30 ms later.
    """
    session = window.stage.session
    session.hold()
    window.plane.painted.connect(session.release, Qt.ConnectionType.SingleShotConnection)
    # A minimised window is never painted.
    QTimer.singleShot(MAX_HOLD, session, session.release)


def _compile_after_first_frame(feed: FrameFeed) -> None:
    """Start the process that compiles all functions, once the first run has steps to show."""

    def on_frame(frame: Frame) -> None:
        # Frames have no lanes before the first run begins.
        if frame.lane is not None:
            feed.frame_changed.disconnect(connection)
            begin()

    connection = feed.frame_changed.connect(on_frame)


def _remove_strays(store: SettingsStore) -> None:
    """Remove unfinished files of killed saves; in a thread, since a remote folder may be slow."""
    folders = store.folders()
    Worker("svmviz-strays").do(lambda: [remove_strays(folder) for folder in folders])


def _show_first_scene(
    window: MainWindow, rescue: Rescue, file: str | None, lesson: str | None, task: str | None
) -> None:
    """Show a scene that a crash has left, if there is one and the user wants to restore it.

    If not, show the file. If no file is given, show what the last session has shown, or at the
    first start the first scene, which plays; behind the lesson if one is given.
    """
    if rescue.offer():
        return
    if file is not None:
        if is_scene_line(file):
            window.scene_text.open(file)
        else:
            window.files.open(str(absolute_path(file)), task)
        return
    is_first = not window.last_scene.show()
    if is_first:
        first = scenes()[FIRST_SCENE]
        window.files.show_scene(open_scene(first.path), title=first.title)
    if lesson is not None:
        window.lessons.open(lesson)
        return
    window.lessons.welcome()
    if is_first:
        window.stage.playback.play_when_recorded()


def _tell_left_out(window: MainWindow) -> None:
    """Tell the user which object of another package cannot be used; the log has all of them."""
    # Reading a registry loads what other packages bring.
    for registry in (METHODS, KERNELS, PANELS, FORMATS):
        len(registry)
    sentences = left_out()
    if sentences:
        more = len(sentences) - 1
        window.messages.notify(
            sentences[0] + (f" The log has {counted(more, 'more sentence')}." if more else "")
        )


def _handle_signals(window: MainWindow, rescue: Rescue) -> QTimer:
    """Close the window on Ctrl+C in the terminal, and return the timer that this needs.

    Python handles signals only while it runs bytecode, so the timer makes it run some every 300 ms.
    The first Ctrl+C asks about unsaved changes. A second Ctrl+C, or SIGTERM, ends the program
    without a question. Then unsaved changes are offered at the next start.
    """
    # The first Ctrl+C asks about unsaved changes. This contains SIGINT while the question is open;
    # otherwise it is empty.
    pending: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if pending or number == signal.SIGTERM:
            rescue.write_now()
            QApplication.exit(128 + number)
        else:
            pending.append(number)
            # The question is asked later, because this function runs in a slot of the timer. Before
            # the slot returns, the timer does not fire again, and no other signal is handled.
            QTimer.singleShot(0, window, ask)

    def ask() -> None:
        window.close()
        pending.clear()

    wake_up = QTimer()
    wake_up.start(300)
    wake_up.timeout.connect(lambda: None)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    return wake_up


class FaultReporter(QObject):
    """A reporter of uncaught exceptions of any thread, in message boxes of the window's thread."""

    def __init__(self) -> None:
        super().__init__()
        self.window: MainWindow | None = None
        self._sentences: list[str] = []
        # For each sentence, the time when a box with it was closed last.
        self._closed_at: dict[str, float] = {}
        self._is_showing = False

    def report(self, sentence: str) -> None:
        """Show a fault soon; may be called in any thread."""
        self._sentences.append(sentence)
        QMetaObject.invokeMethod(self, "_show", Qt.ConnectionType.QueuedConnection)

    @Slot()
    def _show(self) -> None:
        if self._is_showing or self.window is None:
            return
        now = time.monotonic()
        # Closing a box causes a repaint. If painting has a fault, this would open the next box at
        # once, so a sentence is not shown again for a while.
        new = [s for s in self._sentences if now > self._closed_at.get(s, -math.inf) + REPEAT_AFTER]
        self._sentences.clear()
        if not new:
            return
        self._is_showing = True
        try:
            # One box shows only the first fault; the log contains all of them.
            self.window.messages.fault(new[0], self.window.memory.log_file)
            closed = time.monotonic()
            self._closed_at |= dict.fromkeys([*new, *self._sentences], closed)
            self._sentences.clear()
        finally:
            self._is_showing = False
