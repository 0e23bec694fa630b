"""Work of more than a moment: in a thread, with a bar and a Cancel button after a short wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

# Work shorter than this shows nothing, ms.
UNNOTICED = 250
log = logging.getLogger(__name__)


class Task(QObject):
    """One piece of work in a thread of its own.

    Parameters
    ----------
    parent : QWidget
        Window to show progress over.
    text : str
        What is being done.
    work : callable
        Runs in the thread; must touch nothing of Qt's widgets.
    done, failed : callable
        Run in the window's thread with the result, or with the exception.
    """

    _finished = Signal(object, object)

    def __init__(
        self,
        parent: QWidget,
        text: str,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        super().__init__(parent)
        self._work, self._done, self._failed = work, done, failed
        self._text = text
        self._dialog: QProgressDialog | None = None
        self._cancelled = False
        self._finished.connect(self._on_finished)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self._timer.start(UNNOTICED)
        self._thread = threading.Thread(target=self._run, name="svmviz-task", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._finished.emit(self._work(), None)
        except Exception as error:
            self._finished.emit(None, error)

    def _show(self) -> None:
        parent = self.parent()
        assert isinstance(parent, QWidget)
        self._dialog = QProgressDialog(self._text, "Cancel", 0, 0, parent)
        self._dialog.setMinimumDuration(0)
        self._dialog.canceled.connect(self._on_cancelled)
        self._dialog.show()

    def _on_cancelled(self) -> None:
        self._cancelled = True

    def _on_finished(self, result: Any, error: Exception | None) -> None:
        self._timer.stop()
        if self._dialog is not None:
            self._dialog.canceled.disconnect(self._on_cancelled)
            self._dialog.close()
            self._dialog.deleteLater()
        self._thread.join()
        self.deleteLater()
        if self._cancelled:
            return
        if error is None:
            self._done(result)
        else:
            self._failed(error)
