"""Autosave of the scene every few seconds, and the offer to restore it after a crash."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from solvers import BadInput
from svmviz.autosave import Autosave
from svmviz.window.dialogs import Messages
from svmviz.window.files import Files

# Time between two looks at whether there is something to save, ms.
INTERVAL = 4000


class Rescue(QObject):
    """Writes the scene in a thread whenever it has changed; documents are frozen, so that is safe.

    Parameters
    ----------
    files : Files
    autosave : Autosave
    """

    def __init__(self, files: Files, autosave: Autosave, messages: Messages) -> None:
        super().__init__(files)
        self._files = files
        self._autosave = autosave
        self._messages = messages
        self._writing: threading.Thread | None = None
        self._written = False
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.write)
        self._timer.start()

    def write(self) -> None:
        """Save the scene if it has changed; forget the autosave once all is saved properly."""
        if self._writing is not None and self._writing.is_alive():
            return
        if self._files.is_modified:
            scene, origin = self._files.scene(), self._files.path
            self._written = True
            self._start(lambda: self._autosave.write(scene, origin))
        elif self._written:
            self._written = False
            self._start(self._autosave.discard)

    def write_now(self) -> None:
        """Save the scene before the program is ended from outside."""
        self._timer.stop()
        self._join()
        self.write()
        self._join()

    def offer(self) -> bool:
        """Offer what a crashed session left; return whether it was taken."""
        for leftover in self._autosave.recoverable():
            when = time.strftime("%d %B, %H:%M", time.localtime(leftover.saved))
            name = leftover.origin.name if leftover.origin else "an untitled scene"
            taken = self._messages.ask(
                "Restore the last session?",
                f"svmviz ended unexpectedly while {name} had unsaved changes ({when}).",
                "Restore",
                "Discard",
            )
            try:
                if taken:
                    self._files.show_rescued(leftover.read(), leftover.origin)
            except BadInput as error:
                taken = False
                self._messages.warn("The session cannot be restored", str(error))
            finally:
                self._autosave.discard_leftover(leftover)
            if taken:
                return True
        return False

    def close(self) -> None:
        """End in good order: nothing needs to be rescued."""
        self._timer.stop()
        self._join()
        self._autosave.close()

    def _join(self) -> None:
        if self._writing is not None:
            self._writing.join()

    def _start(self, work: Callable[[], object]) -> None:
        self._writing = threading.Thread(target=work, name="svmviz-autosave", daemon=True)
        self._writing.start()
