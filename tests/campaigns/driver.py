"""The real window, controlled by a driver in its event loop."""

from __future__ import annotations

import faulthandler
import json
import logging
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDrag
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from solvers.jit.compiled import COMPILING
from svmviz.app import app as program
from svmviz.window import MainWindow
from tests.campaigns.watchdog import Watchdog

# What only the platform is to blame for, as in pyproject.toml; and the first run on a machine.
HARMLESS = (
    COMPILING,
    "This plugin does not support", "QStandardPaths:", "QFontDatabase: Cannot find font",
    "qt.qpa.", "qt.dbus", "qt.accessibility", "path is deprecated",
)  # fmt: skip
# Between two actions, ms.
PAUSE = 8
# Between two times at which a drag is cancelled, if there is one, s.
MAX_DRAG = 2.0


class Driver(QObject):
    """Acts on the window until it is done; a subclass says how.

    Attributes
    ----------
    window : MainWindow
    folder : Path
        Where everything is written.
    failed : dict of str to int
        What went wrong, and how often.
    figures : dict
        What else goes into the report.
    watchdog : Watchdog
    """

    def __init__(self, window: MainWindow, folder: Path) -> None:
        super().__init__(window)
        self.window, self.folder = window, folder
        self.failed: dict[str, int] = {}
        self.figures: dict[str, Any] = {}
        self.watchdog = Watchdog(self)
        self.closing = self.ended = False
        self._acting = 0
        self._cancelled_drag = time.monotonic()
        self._journal = (folder / "journal.txt").open("w", encoding="utf-8", errors="replace")
        self._began = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    @property
    def seconds(self) -> float:
        """Since the driver was made."""
        return time.monotonic() - self._began

    def note(self, words: str) -> None:
        """Write the next action into the journal."""
        self._journal.write(f"{self.seconds:8.2f} {words}\n")
        self._journal.flush()

    def fail(self, words: str) -> None:
        """Write down a failure."""
        self.note(f"FAILED {words}")
        self.failed[words] = self.failed.get(words, 0) + 1

    def act(self) -> None:
        """Take one action, which may open a dialog that is answered after this returns."""
        raise NotImplementedError

    def answer(self, dialog: QWidget) -> None:
        """Take one action on a modal dialog or a popup."""
        raise NotImplementedError

    # The tick returns at once, for a timer whose slot has not ended does not tick.

    def _tick(self) -> None:
        if self.ended:
            return
        if time.monotonic() - self._cancelled_drag > MAX_DRAG:
            self._cancelled_drag = time.monotonic()
            # A press and a move on selected text begin a drag, even within a dialog. Its event
            # loop waits for the real mouse, which never moves.
            QDrag.cancel()
        if QApplication.activePopupWidget() or QApplication.activeModalWidget():
            QTimer.singleShot(0, self, self._answer)
        elif not self._acting:
            QTimer.singleShot(0, self, self._act)

    def _act(self) -> None:
        if self._acting or self.ended:
            return
        self._acting += 1
        try:
            self.act()
        except Exception:
            self.fail(traceback.format_exc())
        finally:
            self._acting -= 1

    def _answer(self) -> None:
        dialog = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if dialog is None:
            return
        try:
            if isinstance(dialog, QFileDialog):
                _confine(dialog, self.folder)
            if self.closing and isinstance(dialog, QMessageBox):
                # Quit was asked for in the middle.
                dialog.button(QMessageBox.StandardButton.Cancel).click()
            else:
                self.answer(dialog)
        except Exception:
            self.fail(traceback.format_exc())

    def end(self) -> None:
        """Close the window for good."""
        self.ended = True
        self._timer.stop()
        self.watchdog.stop()
        # Work behind a lesson comes back when the window closes, which would then ask about it.
        self.window.files.take_up()
        self.window.stage.session.undo_stack.setClean()
        self.window.close()

    def write_report(self) -> None:
        """Write the results to a file for the parent process."""
        report = {
            "failures": [f"{count} times: {words}" for words, count in self.failed.items()],
            "seconds": self.seconds,
            **self.figures,
            **self.watchdog.report(),
        }
        (self.folder / "report.json").write_text(json.dumps(report))


def _confine(dialog: QFileDialog, folder: Path) -> None:
    """Keep a file dialog in a folder, and from deleting or renaming anything."""
    dialog.setOption(QFileDialog.Option.ReadOnly)
    if Path(dialog.directory().absolutePath()) != folder:
        dialog.setDirectory(str(folder))


class HauntedWindow(MainWindow):
    """The main window, which only its driver can close."""

    driver: Driver
    make_driver: Any = None

    def show_first(self, size: QSize | None = None) -> None:
        super().show_first(size)
        self.driver = type(self).make_driver(self)
        _hear(self.driver)

    def closeEvent(self, event: QCloseEvent) -> None:
        driver = self.driver
        if driver.ended:
            # If a task still runs, the program ends without returning to ``drive_window``.
            driver.write_report()
            super().closeEvent(event)
            return
        self.stage.session.undo_stack.resetClean()
        if not self.files.would_lose_work:
            # Nothing would be asked, and the window would close in the middle.
            event.ignore()
            return
        driver.closing = True
        try:
            super().closeEvent(event)
        finally:
            driver.closing = False
        if event.isAccepted():
            driver.fail("the window closed although Cancel was the answer")


class _Ear(logging.Handler):
    """Counts every warning and error that is logged as a failure."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(logging.WARNING)
        self._driver = driver

    def emit(self, record: logging.LogRecord) -> None:
        text = f"{record.name}: {record.getMessage()}"
        if any(word in text for word in HARMLESS):
            return
        if record.exc_info:
            text += "\n" + "".join(traceback.format_exception(*record.exc_info)[-12:])
        self._driver.fail(text)


def _hear(driver: Driver) -> None:
    logging.getLogger().addHandler(_Ear(driver))
    logging.captureWarnings(True)
    warnings.simplefilter("always")


def drive_window(folder: Path, make_driver: Any) -> int:
    """Run the program with a driver in its window; return its exit code."""
    faulthandler.enable()
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    QDesktopServices.openUrl = staticmethod(lambda _url: True)  # type: ignore[method-assign]
    windows: list[HauntedWindow] = []

    class Window(HauntedWindow):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            windows.append(self)

    Window.make_driver = staticmethod(make_driver)
    program.MainWindow = Window  # type: ignore[misc]
    sys.argv = ["svmviz"]
    code = program.run_window(None)
    windows[0].driver.write_report()
    return code
