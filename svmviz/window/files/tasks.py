"""Work of more than a moment: in a thread, so that the window never stands still."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QProgressBar, QWidget

from svmviz.widgets.plain_text import ProgressDialog

# Work shorter than this shows nothing, ms.
UNNOTICED = 250
# Work shorter than this is simply waited for, s.
INSTANT = 0.02
log = logging.getLogger(__name__)
# The bar is looked after this often, ms; steps of a full bar.
BAR_INTERVAL, BAR_STEPS = 100, 1000


class Cancelled(Exception):
    """The user did not want to wait for a result."""


class Control:
    """What a piece of work is given: whether it is still wanted, and a place to say how far it is.

    For any thread.
    """

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self.share: float | None = None

    def __call__(self) -> bool:
        """Whether the work was cancelled."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Tell the work that it is not wanted."""
        self._cancelled.set()

    def report(self, share: float) -> None:
        """Say that a share of the work is done, 0 to 1; raises `Cancelled` if it was cancelled."""
        if self():
            raise Cancelled
        self.share = share


# What is done, and may ask at any time whether it is still wanted.
Work = Callable[[Control], Any]


class Tasks(QObject):
    """The pieces of work under way for one window.

    Parameters
    ----------
    window : QWidget
        Progress is shown over it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tasks: set[Task] = set()
        self._threads: list[threading.Thread] = []
        self._waiting = 0

    def start(
        self,
        text: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        *,
        matters: bool = False,
    ) -> None:
        """Do something in a thread, with a bar and a Cancel button after a short wait.

        Parameters
        ----------
        text : str
            What is being done.
        work : callable
            Runs in the thread; must touch nothing of Qt's widgets. It is given a `Control`, a
            function that tells whether it was cancelled; if it changes anything, it asks right
            before.
        done, failed : callable
            Run in the window's thread with the result, or with the exception; neither does after
            Cancel.
        matters : bool
            Whether the window waits for it when it is closed.
        """
        self._add(Task(self._window, text, work, done, failed, matters))

    def run(self, text: str, work: Work) -> Any:
        """Do something as :meth:`start` does, and wait for its result.

        Meanwhile the window draws and plays on; of its buttons, only Cancel can be clicked.

        Raises
        ------
        Cancelled
            If the user did not want to wait; what ``work`` raises otherwise.
        """
        results: list[Any] = []
        errors: list[Exception] = []
        task = Task(self._window, text, work, results.append, errors.append, True)
        self._add(task)
        self._wait_for(task)
        if errors:
            raise errors[0]
        if not results:
            raise Cancelled
        return results[0]

    @property
    def are_waited_for(self) -> bool:
        """Whether the window waits for something, and must not be closed meanwhile."""
        return self._waiting > 0

    @property
    def are_running(self) -> bool:
        """Whether any work is still going on, though it may be cancelled."""
        return any(thread.is_alive() for thread in self._threads)

    def finish(self) -> None:
        """Wait for what matters, unless it is cancelled; cancel the rest."""
        tasks = list(self._tasks)
        for task in tasks:
            if not task.matters:
                task.cancel()
        for task in tasks:
            if task.matters:
                try:
                    self._wait_for(task)
                except Exception:
                    # Nothing may keep the window from closing.
                    log.exception("It failed while the window was closed: %s", task.text)

    def _add(self, task: Task) -> None:
        self._tasks.add(task)
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        self._threads.append(task.thread_)
        task.ended.connect(self._on_ended)

    def _wait_for(self, task: Task) -> None:
        self._waiting += 1
        try:
            task.wait()
        finally:
            self._waiting -= 1

    def _on_ended(self, task: Task) -> None:
        self._tasks.discard(task)


class Task(QObject):
    """One piece of work in a thread of its own; see :meth:`Tasks.start`."""

    ended = Signal(object)
    _finished = Signal()

    def __init__(
        self,
        window: QWidget,
        text: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        matters: bool,
    ) -> None:
        super().__init__(window)
        self.matters = matters
        self._window, self.text = window, text
        self._work, self._done, self._failed = work, done, failed
        self._result: Any = None
        self._error: Exception | None = None
        self._dialog: ProgressDialog | None = None
        self._control = Control()
        # What waits for it; and whether its thread has ended, and its result is told.
        self._loop: QEventLoop | None = None
        self._ended = self._settled = False
        self._finished.connect(self._on_finished)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self._timer.start(UNNOTICED)
        self._bar_timer = QTimer(self)
        self._bar_timer.timeout.connect(self._move_bar)
        self.thread_ = threading.Thread(target=self._run, name="svmviz-task", daemon=True)
        self.thread_.start()

    def cancel(self) -> None:
        """Tell the work that it is not wanted, and ignore what comes of it."""
        self._control.cancel()
        self._timer.stop()
        self._bar_timer.stop()
        self._wake()

    def wait(self) -> None:
        """Wait for the end of the work and tell what came of it, or for Cancel.

        Until there is a Cancel to be clicked, clicks and keys wait too; from then on they go to
        that dialog alone.
        """
        self.thread_.join(INSTANT)
        if self.thread_.is_alive() and not self._control():
            self._let_the_window_live()
        if not self._control():
            self._settle()

    def _let_the_window_live(self) -> None:
        flags = QEventLoop.ProcessEventsFlag
        self._loop = QEventLoop()
        if self._dialog is not None:
            self._dialog.hide()
            self._open_dialog(self._dialog)
        QApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        try:
            while not (self._ended or self._control()):
                quiet = flags.ExcludeUserInputEvents if self._dialog is None else flags.AllEvents
                if self._loop.exec(quiet):
                    # The program is ended from outside, which ends all loops.
                    self.thread_.join()
                    return
        finally:
            self._loop = None
            QApplication.restoreOverrideCursor()

    def _wake(self) -> None:
        """Have the loop that waits look again."""
        if self._loop is not None:
            self._loop.quit()

    def _run(self) -> None:
        try:
            self._result = self._work(self._control)
        except Cancelled:
            self._control.cancel()
        except Exception as error:
            self._error = error
        # The window may be gone by now, and the task with it.
        with contextlib.suppress(RuntimeError):
            self._finished.emit()

    def _show(self) -> None:
        self._dialog = ProgressDialog(self.text, self._window)
        self._dialog.setWindowTitle("svmviz")
        self._dialog.setMinimumDuration(0)
        self._dialog.canceled.connect(self.cancel)
        self._open_dialog(self._dialog)
        self._move_bar()
        self._bar_timer.start(BAR_INTERVAL)
        self._wake()

    def _move_bar(self) -> None:
        """Show how far the work is, once it says so."""
        share, dialog = self._control.share, self._dialog
        if share is None or dialog is None:
            return
        # Not by the dialog's own setValue, which would process events meanwhile.
        bar = dialog.findChild(QProgressBar)
        if bar is not None:
            bar.setRange(0, BAR_STEPS)
            bar.setValue(int(share * BAR_STEPS))

    def _open_dialog(self, dialog: ProgressDialog) -> None:
        """Show the dialog; while the task is waited for, no other window takes clicks and keys."""
        modality = Qt.WindowModality
        waited = self._loop is not None
        dialog.setWindowModality(modality.ApplicationModal if waited else modality.WindowModal)
        dialog.show()

    def _on_finished(self) -> None:
        self._ended = True
        if self._loop is None:
            self._settle()
        else:
            self._wake()

    def _settle(self) -> None:
        """Put everything away and tell what came of it, once."""
        if self._settled:
            return
        self._settled = True
        self._timer.stop()
        self._bar_timer.stop()
        if self._dialog is not None:
            self._dialog.canceled.disconnect(self.cancel)
            self._dialog.close()
            self._dialog.deleteLater()
        self.thread_.join()
        self.ended.emit(self)
        self.deleteLater()
        if self._control():
            if self._error is not None:
                log.warning("It failed after Cancel: %s", self.text, exc_info=self._error)
        elif self._error is None:
            self._done(self._result)
        else:
            self._failed(self._error)
