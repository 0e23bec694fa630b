"""Tasks in threads, so that long work never blocks the window."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QProgressBar, QWidget

from solvers.cancelling import Cancelled, Report, cancel_when, check_cancelled
from svmviz.base.background import Worker
from svmviz.base.delivery import delivering
from svmviz.base.words import time_left
from svmviz.widgets.plain_text import ProgressDialog

# The remaining time is estimated only after this time, s, because earlier estimates are too rough.
ESTIMATE_DELAY = 1.0
# If a task takes longer than this time, ms, its dialog is shown.
DIALOG_DELAY = 250
# Time for which `Task.wait` waits without an event loop, s.
JOIN_TIME = 0.02
log = logging.getLogger(__name__)
# Time between two updates of the progress bar, ms, and number of steps of a full bar.
BAR_INTERVAL, BAR_STEPS = 100, 1000
# A function that does the work, and reports its progress.
Work = Callable[[Report], Any]


class Tasks(QObject):
    """The running tasks of one window.

    Parameters
    ----------
    window : QWidget
        Parent of the progress dialogs.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tasks: set[Task] = set()
        self._waiting = 0

    def start(
        self,
        text: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        *,
        must_finish: bool = False,
    ) -> None:
        """Run a function in a thread; after DIALOG_DELAY, show a progress bar and a Cancel button.

        Parameters
        ----------
        text : str
            Text of the progress dialog.
        work : callable
            Called in the thread with a function to which it may report its progress; must not use
            Qt's widgets. Before it writes a file or makes another lasting change, it calls
            `check_cancelled`, as `write_atomically` does. A report checks this too.
        done, failed : callable
            Called in the window's thread with the result or the exception, unless the user clicked
            Cancel.
        must_finish : bool
            Whether closing the window waits for the task.
        """
        self._add(Task(self._window, text, work, done, failed, must_finish))

    def run(self, text: str, work: Work, *, must_finish: bool = True) -> Any:
        """Run a function as :meth:`start` does, and return its result.

        Meanwhile the window paints and plays, but only Cancel can be clicked. If the program is
        ended during the work, it first waits for work that must finish, and cancels other work.

        Raises
        ------
        Cancelled
            If the user clicked Cancel, or the program ends and the work need not finish.
        Exception
            Whatever ``work`` raises.
        """
        results: list[Any] = []
        errors: list[Exception] = []
        task = Task(self._window, text, work, results.append, errors.append, must_finish)
        self._add(task)
        self._wait_for(task)
        if errors:
            raise errors[0]
        if not results:
            raise Cancelled
        return results[0]

    @property
    def is_waiting(self) -> bool:
        """Whether the window waits for a task, and must not be closed."""
        return self._waiting > 0

    @property
    def is_running(self) -> bool:
        """Whether any thread is still running, even of a cancelled task."""
        return any(task.is_running for task in self._tasks)

    def finish(self) -> None:
        """Wait for the tasks that must finish, and cancel the others."""
        tasks = list(self._tasks)
        for task in tasks:
            if not task.must_finish:
                task.cancel()
        for task in tasks:
            if task.must_finish:
                try:
                    self._wait_for(task)
                except Exception:
                    # A failed task must not prevent closing.
                    log.exception("A task failed while the window was closed: %s", task.text)

    def _add(self, task: Task) -> None:
        self._tasks.add(task)
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
    """A function in a thread of its own; see :meth:`Tasks.start`."""

    ended = Signal(object)

    def __init__(
        self,
        window: QWidget,
        text: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        must_finish: bool,
    ) -> None:
        super().__init__(window)
        self.must_finish = must_finish
        self._window, self.text = window, text
        self._work, self._done, self._failed = work, done, failed
        self._result: Any = None
        self._error: Exception | None = None
        self._dialog: ProgressDialog | None = None
        # The fraction of the work that is done, if the work reports it.
        self._share: float | None = None
        # The event loop that waits for the task, if any.
        self._loop: QEventLoop | None = None
        # Whether the work has ended, and whether `_conclude` was called.
        self._has_ended = self._is_concluded = False
        self._start_time = time.monotonic()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._show)
        self._timer.start(DIALOG_DELAY)
        self._bar_timer = QTimer(self)
        self._bar_timer.timeout.connect(self._move_bar)
        self._worker = Worker("svmviz-task", low_priority=False)
        self._worker.do(delivering(self._run, self._on_ended))

    @property
    def is_running(self) -> bool:
        """Whether the work goes on, even after Cancel."""
        return not self._worker.wait(0.0)

    def cancel(self) -> None:
        """Cancel the work; its result will be ignored."""
        self._worker.cancel()
        self._timer.stop()
        self._bar_timer.stop()
        self._wake()

    def wait(self) -> None:
        """Wait until the work ends, and call ``done`` or ``failed``; return early after Cancel.

        Before the dialog is shown, clicks and keys are delayed; after that only the dialog gets
        them.
        """
        if not self._worker.wait(JOIN_TIME) and not self._worker.is_cancelled:
            self._run_event_loop()
        if not self._worker.is_cancelled:
            self._conclude()

    def _run_event_loop(self) -> None:
        flags = QEventLoop.ProcessEventsFlag
        self._loop = QEventLoop()
        if self._dialog is not None:
            # Shown again, because a change of modality has no effect on a visible dialog.
            self._dialog.hide()
            self._open_dialog(self._dialog)
        QApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        try:
            while not (self._has_ended or self._worker.is_cancelled):
                # Before the dialog is shown, clicks and keys are delayed.
                accepted = flags.ExcludeUserInputEvents if self._dialog is None else flags.AllEvents
                if self._loop.exec(accepted):
                    # A nonzero result: the program ends, which ends all event loops.
                    if not self.must_finish:
                        self.cancel()
                    self._worker.wait()
                    return
        finally:
            self._loop = None
            QApplication.restoreOverrideCursor()

    def _wake(self) -> None:
        """End the event loop's current call, so that `_run_event_loop` checks whether to go on."""
        if self._loop is not None:
            self._loop.quit()

    def _run(self) -> None:
        try:
            with cancel_when(self._worker.is_unwanted):
                self._result = self._work(self._report)
        except Cancelled:
            self._worker.cancel()
        except Exception as error:
            self._error = error

    def _report(self, share: float) -> None:
        check_cancelled()
        self._share = share

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
        """Show the progress, if the work reports it."""
        share, dialog = self._share, self._dialog
        if share is None or dialog is None:
            return
        elapsed = time.monotonic() - self._start_time
        dialog.show_time_left(time_left(elapsed, share) if elapsed > ESTIMATE_DELAY else "")
        # The bar is set directly, because the dialog's setValue would process events.
        bar = dialog.findChild(QProgressBar)
        if bar is not None:
            # The bar is too thin for a number on it.
            bar.setTextVisible(False)
            bar.setRange(0, BAR_STEPS)
            bar.setValue(int(share * BAR_STEPS))

    def _open_dialog(self, dialog: ProgressDialog) -> None:
        """Show the dialog; it takes all clicks and keys while the window waits for the task."""
        modality = Qt.WindowModality
        is_waited_for = self._loop is not None
        dialog.setWindowModality(
            modality.ApplicationModal if is_waited_for else modality.WindowModal
        )
        dialog.show()

    def _on_ended(self, _: object) -> None:
        self._has_ended = True
        if self._loop is None:
            self._conclude()
        else:
            self._wake()

    def _conclude(self) -> None:
        """Close the dialog and call ``done`` or ``failed``, once."""
        if self._is_concluded:
            return
        self._is_concluded = True
        self._timer.stop()
        self._bar_timer.stop()
        if self._dialog is not None:
            self._dialog.canceled.disconnect(self.cancel)
            self._dialog.close()
            self._dialog.deleteLater()
        self._worker.wait()
        self.ended.emit(self)
        self.deleteLater()
        if self._worker.is_cancelled:
            if self._error is not None:
                log.warning("A task failed after Cancel: %s", self.text, exc_info=self._error)
        elif self._error is None:
            self._done(self._result)
        else:
            self._failed(self._error)
