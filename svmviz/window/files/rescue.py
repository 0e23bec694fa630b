"""Autosave of the scene within two seconds of a change, and the offer to restore it."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from solvers import BadInput
from svmviz.base.background import Worker
from svmviz.base.words import axis_units, class_titles, count
from svmviz.document.document import Document
from svmviz.io.autosave import Autosave, Leftover
from svmviz.io.scene import Scene
from svmviz.session.edits import points_phrase
from svmviz.window.files.files import UNTITLED, Files
from svmviz.window.messages import Messages

# Time between two checks for changes, ms. An edit is autosaved after at most two intervals and
# twice the time of one write, because an earlier write may still be running.
INTERVAL = 500
# Number of checks from one autosave to the next, while only the step or the visible part of the
# plane changes.
CHECKS_PER_VIEW = 3
# Number of checks between a failed autosave and the next attempt.
CHECKS_AFTER_FAILURE = 8
RESTORE, DISCARD, NOT_NOW = "Restore", "Discard", "Later"


class Rescue(QObject):
    """A timer that writes the scene in a thread if it has changed.

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
        self._worker = Worker("svmviz-autosave", low_priority=False)
        # Whether there is an autosave file.
        self._has_file = False
        # The scene and the file of the last autosave, and the number of checks since then.
        self._latest: tuple[Scene, Path | None] | None = None
        self._checks = 0
        self._failed = False
        # The leftover (autosave of a crashed session) that was restored. None again once this
        # session has autosaved the restored scene.
        self._restored: Leftover | None = None
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(self.write)
        self._timer.start()

    def write(self) -> None:
        """Autosave the scene if it has changed; remove the autosave once everything is saved."""
        self._checks += 1
        if not self._worker.wait(0.0):
            return
        unsaved = self._files.unsaved
        if unsaved is not None:
            scene, origin, name = unsaved
            if self._is_due(scene, origin):
                self._autosave_later(scene, origin, "" if origin else name)
        elif self._has_file:
            self._has_file, self._latest = False, None
            self._worker.do(self._autosave.discard)

    def _is_due(self, scene: Scene, origin: Path | None) -> bool:
        """Return whether a scene must be written now; this takes almost no time."""
        if self._latest is None:
            return True
        if self._failed:
            return self._checks >= CHECKS_AFTER_FAILURE
        latest, latest_origin = self._latest
        was_edited = scene.document is not latest.document or scene.options != latest.options
        if was_edited or origin != latest_origin:
            return True
        return self._checks >= CHECKS_PER_VIEW and scene != latest

    def _autosave_later(self, scene: Scene, origin: Path | None, title: str) -> None:
        self._has_file, self._latest, self._checks = True, (scene, origin), 0
        self._worker.do(lambda: self._save(scene, origin, title))

    def write_now(self) -> None:
        """Autosave the scene before a signal ends the program."""
        self._timer.stop()
        self._worker.wait()
        self._latest = None
        self.write()
        self._worker.wait()

    def offer(self) -> bool:
        """Offer the scenes of crashed sessions; return whether one was restored.

        A leftover is removed after the answer Discard. After Restore, it is removed once this
        session has autosaved the restored scene. Until it is removed, each start offers it again.
        """
        for leftover in self._autosave.recoverable():
            try:
                scene = leftover.read()
            except BadInput as error:
                self._messages.warn(
                    "The session cannot be restored", describe_error(leftover, error)
                )
                continue
            answer = self._messages.choose(
                "Restore the last session?", describe(leftover, scene), RESTORE, DISCARD, NOT_NOW
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
        """Stop, and remove the autosave."""
        self._timer.stop()
        self._worker.wait()
        self._autosave.close()

    def _restore(self, leftover: Leftover, scene: Scene) -> None:
        self._files.show_rescued(scene, leftover.origin)
        self._worker.wait()
        self._restored = leftover
        # Autosave at once, because the scene may be saved or closed before the next check.
        self._autosave_later(scene, leftover.origin, leftover.title)

    def _save(self, scene: Scene, origin: Path | None, title: str) -> None:
        """Write the autosave; after that, remove the leftover that was restored."""
        self._failed = not self._autosave.write(scene, origin, title)
        if not self._failed and self._restored is not None:
            self._autosave.discard_leftover(self._restored)
            self._restored = None


def describe_error(leftover: Leftover, error: BadInput) -> str:
    """Return a phrase on why a leftover cannot be read, with the path of its file."""
    return f"{str(error).rstrip('.')}; it stays in {leftover.path}"


def describe(leftover: Leftover, scene: Scene) -> str:
    """Return a sentence on the content and time of a leftover."""
    document = scene.document
    title = leftover.origin.name if leftover.origin else leftover.title
    name = f"“{title}” with " if title not in ("", UNTITLED) else ""
    methods = " and ".join(dict.fromkeys(method.label for method in document.methods))
    return (
        f"svmviz ended unexpectedly. It had autosaved {when(leftover.saved, time.time())}: "
        f"{name}{describe_points(document)}, {document.kernel.label} kernel, solved by {methods}."
    )


def describe_points(document: Document) -> str:
    """Return the number of points, with the names of the classes or of the axes."""
    data = document.all_points
    n = len(data)
    if not n:
        return "no points"
    if document.is_regression:
        (x, _), (y, _) = axis_units(data)
        return f"{points_phrase(n)} of a regression, {y} over {x}"
    classes = list(enumerate(class_titles(data)))
    # Of two classes, +1 is named first.
    order = classes[::-1] if data.has_two_classes else classes
    numbers = (
        f"{count(int((data.classes == k).sum()))} {'of class ' * name[:1].isdigit()}{name}"
        for k, name in order
    )
    return f"{count(n)} points ({', '.join(numbers)})"


def when(saved: float, now: float) -> str:
    """Return a time in words relative to ``now``; both in seconds since 1970."""
    day, today = time.localtime(saved), time.localtime(now)
    clock = time.strftime("%H:%M", day)
    if day[:3] == today[:3]:
        return f"today at {clock}"
    if day[:3] == time.localtime(now - 86_400)[:3]:
        return f"yesterday at {clock}"
    return f"on {day.tm_mday} {time.strftime('%B', day)} at {clock}"
