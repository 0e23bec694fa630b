"""Work of more than a moment: in a thread, so that the window never stands still."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

# Work shorter than this shows nothing, ms.
UNNOTICED = 250
# Work shorter than this is simply waited for, s.
INSTANT = 0.02
log = logging.getLogger(__name__)
# What is done, and may ask at any time whether it is still wanted.
Work = Callable[[Callable[[], bool]], Any]


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
            Runs in the thread; must touch nothing of Qt's widgets. It is given a function that
            tells whether it was cancelled; if it changes anything, it asks right before.
        done, failed : callable
            Run in the window's thread with the result, or with the exception; neither does after
            Cancel.
        matters : bool
            Whether the window waits for it when it is closed.
        """
        task = Task(self._window, text, work, done, failed, matters)
        self._tasks.add(task)
        task.ended.connect(self._on_ended)

    def finish(self) -> None:
        """Wait for what matters and tell what came of it; cancel the rest."""
        tasks = list(self._tasks)
        for task in tasks:
            if not task.matters:
                task.cancel()
        for task in tasks:
            if task.matters:
                # Also if it was cancelled: it has to take away what it had begun to write.
                task.finish()

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
        self._window, self._text = window, text
        self._work, self._done, self._failed = work, done, failed
        self._result: Any = None
        self._error: Exception | None = None
        self._dialog: QProgressDialog | None = None
        self._cancelled = threading.Event()
        # Whether it is waited for; and whether its result is told.
        self._awaited = self._settled = False
        self._finished.connect(self._on_finished)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self._timer.start(UNNOTICED)
        self.thread_ = threading.Thread(target=self._run, name="svmviz-task", daemon=True)
        self.thread_.start()

    def cancel(self) -> None:
        """Tell the work that it is not wanted, and take no notice of what comes of it."""
        self._cancelled.set()
        self._timer.stop()

    def finish(self) -> None:
        """Wait for the end of the work and tell what came of it, before the window closes."""
        self._awaited = True
        wait_for(self.thread_.join)
        try:
            self._settle()
        except Exception:
            # Nothing may keep the window from closing.
            log.exception("It failed while the window was closed: %s", self._text)

    def _run(self) -> None:
        try:
            self._result = self._work(self._cancelled.is_set)
        except Exception as error:
            self._error = error
        # The window may be gone by now, and the task with it.
        with contextlib.suppress(RuntimeError):
            self._finished.emit()

    def _show(self) -> None:
        self._dialog = QProgressDialog(self._text, "Cancel", 0, 0, self._window)
        self._dialog.setWindowTitle("svmviz")
        self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self._dialog.setMinimumDuration(0)
        self._dialog.canceled.connect(self.cancel)
        self._dialog.show()

    def _on_finished(self) -> None:
        if not self._awaited:
            self._settle()

    def _settle(self) -> None:
        """Put everything away and tell what came of it, once."""
        if self._settled:
            return
        self._settled = True
        self._timer.stop()
        if self._dialog is not None:
            self._dialog.canceled.disconnect(self.cancel)
            self._dialog.close()
            self._dialog.deleteLater()
        self.thread_.join()
        self.ended.emit(self)
        self.deleteLater()
        if self._cancelled.is_set():
            if self._error is not None:
                log.warning("It failed after Cancel: %s", self._text, exc_info=self._error)
        elif self._error is None:
            self._done(self._result)
        else:
            self._failed(self._error)


class _Waiter(QObject):
    done = Signal()


def wait_for(work: Callable[[], Any]) -> Any:
    """Do something in a thread and return its result, or raise its exception.

    Meanwhile the window draws and plays on; clicks and keys wait until it is done.
    """
    result: list[Any] = []
    errors: list[Exception] = []
    waiter, loop = _Waiter(), QEventLoop()

    def run() -> None:
        try:
            result.append(work())
        except Exception as error:
            errors.append(error)
        finally:
            waiter.done.emit()

    waiter.done.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
    thread = threading.Thread(target=run, name="svmviz-wait", daemon=True)
    thread.start()
    thread.join(INSTANT)
    if thread.is_alive():
        QApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        try:
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        finally:
            QApplication.restoreOverrideCursor()
        thread.join()
    if errors:
        raise errors[0]
    return result[0]
