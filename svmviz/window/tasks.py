"""Work of more than a moment: in a thread, so that the window never stands still."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

# Work shorter than this shows nothing, ms.
UNNOTICED = 250
# Work shorter than this is simply waited for, s.
INSTANT = 0.02


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
        work: Callable[[], Any],
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
            Runs in the thread; must touch nothing of Qt's widgets.
        done, failed : callable
            Run in the window's thread with the result, or with the exception.
        matters : bool
            Whether the window waits for it when it is closed.
        """
        task = Task(self._window, text, work, done, failed, matters)
        self._tasks.add(task)
        task.ended.connect(self._on_ended)

    def finish(self) -> None:
        """Wait for what matters, and forget the rest."""
        for task in list(self._tasks):
            task.forget()
            if task.matters:
                wait_for(task.thread_.join)

    def _on_ended(self, task: Task) -> None:
        self._tasks.discard(task)


class Task(QObject):
    """One piece of work in a thread of its own; see :meth:`Tasks.start`."""

    ended = Signal(object)
    _finished = Signal(object, object)

    def __init__(
        self,
        window: QWidget,
        text: str,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        matters: bool,
    ) -> None:
        super().__init__(window)
        self.matters = matters
        self._window, self._text = window, text
        self._work, self._done, self._failed = work, done, failed
        self._dialog: QProgressDialog | None = None
        self._forgotten = False
        self._finished.connect(self._on_finished)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self._timer.start(UNNOTICED)
        self.thread_ = threading.Thread(target=self._run, name="svmviz-task", daemon=True)
        self.thread_.start()

    def forget(self) -> None:
        """Let the thread run, but take no notice of what comes of it."""
        self._forgotten = True
        self._timer.stop()

    def _run(self) -> None:
        try:
            result, error = self._work(), None
        except Exception as found:
            result, error = None, found
        # The window may be gone by now, and the task with it.
        with contextlib.suppress(RuntimeError):
            self._finished.emit(result, error)

    def _show(self) -> None:
        self._dialog = QProgressDialog(self._text, "Cancel", 0, 0, self._window)
        self._dialog.setWindowTitle("svmviz")
        self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self._dialog.setMinimumDuration(0)
        self._dialog.canceled.connect(self.forget)
        self._dialog.show()

    def _on_finished(self, result: Any, error: Exception | None) -> None:
        self._timer.stop()
        if self._dialog is not None:
            self._dialog.canceled.disconnect(self.forget)
            self._dialog.close()
            self._dialog.deleteLater()
        self.thread_.join()
        self.ended.emit(self)
        self.deleteLater()
        if self._forgotten:
            return
        if error is None:
            self._done(result)
        else:
            self._failed(error)


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
