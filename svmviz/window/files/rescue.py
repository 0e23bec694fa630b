"""Autosave of the scene within two seconds of a change, and the offer to restore it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from solvers import BadInput
from solvers.data.files import pretty
from svmviz.base.words import class_titles, count
from svmviz.document.document import Document
from svmviz.io.autosave import Autosave, Leftover
from svmviz.io.scene import Scene
from svmviz.session.edits import points
from svmviz.window.files.files import UNTITLED, Files
from svmviz.window.messages import Messages

# Time between two looks at whether there is something to save, ms. Two of them and two times of
# writing are the oldest that an autosave can be.
INTERVAL = 500
# Looks per autosave while nothing but the step or the part of the plane that is shown changes.
LOOKS = 3
# Looks before the next attempt after an autosave that failed.
LOOKS_AFTER_FAILURE = 8
RESTORE, DISCARD, LATER = "Restore", "Discard", "Later"


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
        # What was handed over last, and how many looks ago.
        self._latest: tuple[Scene, Path | None] | None = None
        self._age = 0
        self._failed = False
        # What was restored, until this session has autosaved it.
        self._restored: Leftover | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.write)
        self._timer.start()

    def write(self) -> None:
        """Save the scene if it has changed; forget the autosave once all is saved properly."""
        self._age += 1
        if self._writing is not None and self._writing.is_alive():
            return
        if self._files.is_modified:
            scene, origin = self._files.scene(), self._files.path
            if self._is_due(scene, origin):
                self._hand_over(scene, origin, "" if origin else self._files.name)
        elif self._written:
            self._written, self._latest = False, None
            self._start(self._autosave.discard)

    def _is_due(self, scene: Scene, origin: Path | None) -> bool:
        """Whether a scene has to be written now; costs the window next to nothing."""
        if self._latest is None:
            return True
        if self._failed:
            return self._age >= LOOKS_AFTER_FAILURE
        latest, of = self._latest
        edited = scene.document is not latest.document or scene.options != latest.options
        return edited or origin != of or (self._age >= LOOKS and scene != latest)

    def _hand_over(self, scene: Scene, origin: Path | None, title: str) -> None:
        self._written, self._latest, self._age = True, (scene, origin), 0
        self._start(lambda: self._save(scene, origin, title))

    def write_now(self) -> None:
        """Save the scene before the program is ended from outside."""
        self._timer.stop()
        self._join()
        self._latest = None
        self.write()
        self._join()

    def offer(self) -> bool:
        """Offer what crashed sessions left; return whether it was taken.

        It is removed if the answer is Discard, or once this session has autosaved what it took.
        Whatever else happens, the next start offers it again.
        """
        for leftover in self._autosave.recoverable():
            try:
                scene = leftover.read()
            except BadInput as error:
                self._messages.warn("The session cannot be restored", kept(leftover, error))
                continue
            answer = self._messages.choose(
                "Restore the last session?", told(leftover, scene), RESTORE, DISCARD, LATER
            )
            if answer is None:
                return False
            if answer == DISCARD:
                self._autosave.discard_leftover(leftover)
            elif answer == RESTORE:
                self._restore(leftover, scene)
                return True
        return False

    def close(self) -> None:
        """End in good order: nothing needs to be rescued."""
        self._timer.stop()
        self._join()
        self._autosave.close()

    def _restore(self, leftover: Leftover, scene: Scene) -> None:
        self._files.show_rescued(scene, leftover.origin)
        self._join()
        self._restored = leftover
        # At once, as it was read: what was taken may be saved or closed before the timer ticks.
        self._hand_over(scene, leftover.origin, leftover.title)

    def _save(self, scene: Scene, origin: Path | None, title: str) -> None:
        """Write the autosave; only then is what was restored needed no more."""
        self._failed = not self._autosave.write(scene, origin, title)
        if not self._failed and self._restored is not None:
            self._autosave.discard_leftover(self._restored)
            self._restored = None

    def _join(self) -> None:
        if self._writing is not None:
            self._writing.join()

    def _start(self, work: Callable[[], object]) -> None:
        self._writing = threading.Thread(target=work, name="svmviz-autosave", daemon=True)
        self._writing.start()


def kept(leftover: Leftover, error: BadInput) -> str:
    """That a session cannot be read, and why, and where it stays."""
    return f"{str(error).rstrip('.')}; it is kept for another start as {leftover.path}"


def told(leftover: Leftover, scene: Scene) -> str:
    """What a crashed session left: what it is, and of when."""
    document = scene.document
    called = leftover.origin.name if leftover.origin else leftover.title
    name = f"“{called}” with " if called not in ("", UNTITLED) else ""
    methods = " and ".join(dict.fromkeys(method.label for method in document.methods))
    return (
        f"svmviz ended unexpectedly. What it had autosaved {when(leftover.saved, time.time())} is "
        f"{name}{points_told(document)}, {document.kernel.label} kernel, solved by {methods}."
    )


def points_told(document: Document) -> str:
    """How many points there are, and of what."""
    data, n = document.data, document.n
    if not n:
        return "no points"
    if document.is_regression:
        x, y = (pretty(name) for name in data.axis_names)
        return f"{points(n)} of a regression, {y} over {x}"
    plus = int((data.labels > 0).sum())
    negative, positive = class_titles(data)
    return f"{count(n)} points ({count(plus)} {positive}, {count(n - plus)} {negative})"


def when(saved: float, now: float) -> str:
    """A time as one would say it now; both in seconds since 1970."""
    day, today = time.localtime(saved), time.localtime(now)
    clock = time.strftime("%H:%M", day)
    if day[:3] == today[:3]:
        return f"today at {clock}"
    if day[:3] == time.localtime(now - 86_400)[:3]:
        return f"yesterday at {clock}"
    return f"on {day.tm_mday} {time.strftime('%B', day)} at {clock}"
