"""Autosaved scenes, which survive a crash.

A session here is one process of the program. It writes one scene, and holds the lock on a lock file
beside it. When a process ends in any way, the operating system releases its locks. So a lock file
whose lock is free shows that a session has crashed. The process id in the lock file is for people
only, because the operating system may use the id again.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import platformdirs

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.locks import IS_WINDOWS, lock
from svmviz.io.atomic import remove, remove_strays, write_atomically
from svmviz.io.open_and_save import read_text
from svmviz.io.scene import Scene, read_scene, write_data, write_scene

log = logging.getLogger(__name__)
# Endings of the two files of a session.
SCENE_ENDING, LOCK_ENDING = ".svmviz", ".lock"


@dataclass(frozen=True)
class Leftover:
    """A scene that a crashed session left behind.

    Attributes
    ----------
    path : Path
        The autosaved file.
    saved : float
        Time of writing, in seconds since 1970.
    origin : Path or None
        The file that was open in the session.
    title : str
        The title of the session's window; may be empty.
    """

    path: Path
    saved: float
    origin: Path | None
    title: str = ""

    def read(self) -> Scene:
        """Return the scene; raise BadInput if it cannot be read."""
        return read_scene(read_text(self.path), self.path.name)


class Autosave:
    """The autosaved scene of this session, and those of sessions that crashed.

    Parameters
    ----------
    folder : Path, optional
        Folder of the autosaved scenes; by default, a folder in the user's state folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or platformdirs.user_state_path("svmviz", appauthor=False) / "autosave"
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{os.urandom(3).hex()}"
        self._lock: IO[str] | None = None
        # The scene, origin and title that were written last.
        self._written: tuple[Scene, Path | None, str] | None = None
        # The text of the lock file of this session; empty until it is written.
        self._announced = ""
        # The points whose text was made last, and this text.
        self._data: tuple[PointSet, str] | None = None
        # The lock files of crashed sessions that this session has locked, with their open handles.
        self._claimed: dict[Path, IO[str]] = {}

    @property
    def path(self) -> Path:
        """The autosaved file of this session."""
        return self.folder / f"{self._name}{SCENE_ENDING}"

    def write(self, scene: Scene, origin: Path | None = None, title: str = "") -> bool:
        """Write the scene if an argument has changed since the last time; return False on failure.

        ``origin`` and ``title`` are those of :class:`Leftover`. A failure is logged and not shown.
        """
        if (scene, origin, title) == self._written:
            return True
        try:
            self._announce(origin, title)
            write_atomically(
                self.path, write_scene(scene, self._text_of(scene.document.all_points))
            )
        except (BadInput, OSError) as error:
            log.warning("The scene was not autosaved: %s", error)
            return False
        self._written = scene, origin, title
        return True

    def discard(self) -> None:
        """Remove the autosaved file of this session, after its scene was saved or discarded."""
        self._written = self._data = None
        remove(self.path)

    def close(self) -> None:
        """Remove the files of this session. Leftovers stay, and are offered at the next start."""
        self.discard()
        if self._lock is not None:
            _remove_lock(self._lock)
            self._lock = None
        for handle in self._claimed.values():
            handle.close()
        self._claimed.clear()

    def recoverable(self) -> list[Leftover]:
        """Return the scenes of crashed sessions, the newest first, and lock them.

        The locks keep other sessions from finding these scenes until this session is closed. Also
        remove the temporary files that crashed sessions have left.
        """
        remove_strays(self.folder)
        leftovers = []
        lock_files: list[Path] = []
        with contextlib.suppress(OSError):
            lock_files += self.folder.glob(f"*{LOCK_ENDING}")
        for path in lock_files:
            scene = path.with_suffix(SCENE_ENDING)
            if path in self._claimed or self._claim(path):
                leftover = _leftover_of(scene, path)
                if leftover is not None:
                    leftovers.append(leftover)
                else:
                    self._forget(path)
        return sorted(leftovers, key=lambda leftover: leftover.saved, reverse=True)

    def discard_leftover(self, leftover: Leftover) -> None:
        """Remove a leftover that the user discards, or whose scene this session has autosaved."""
        remove(leftover.path)
        self._forget(leftover.path.with_suffix(LOCK_ENDING))

    def _announce(self, origin: Path | None, title: str) -> None:
        """Lock the lock file of this session, and write process id, origin and title into it."""
        if self._lock is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = _open_locked(self.folder / f"{self._name}{LOCK_ENDING}", new=True)
        members = {"pid": os.getpid(), "origin": str(origin) if origin else None, "title": title}
        text = json.dumps(members)
        if text != self._announced.rstrip():
            # The new text is padded with spaces to the length of the old text, so that one write
            # replaces all of it. A process that is killed leaves the old or the new text, not a
            # mixture.
            self._lock.seek(0)
            self._lock.write(text.ljust(len(self._announced)))
            self._lock.flush()
            self._announced = text.ljust(len(self._announced))

    def _text_of(self, data: PointSet) -> str:
        """Return the text of the points.

        The text is kept for the next autosave, since often the step changes and the points do not.
        """
        if self._data is None or self._data[0] is not data:
            self._data = data, write_data(data)
        return self._data[1]

    def _claim(self, path: Path) -> bool:
        """Lock the lock file of another session; return False if that session is running."""
        if self._lock is not None and path == Path(self._lock.name):
            return False
        try:
            self._claimed[path] = _open_locked(path)
        except OSError:
            return False
        return True

    def _forget(self, path: Path) -> None:
        """Remove a lock file that this session has locked."""
        handle = self._claimed.pop(path, None)
        if handle is not None:
            _remove_lock(handle)


def _leftover_of(scene: Path, lock_file: Path) -> Leftover | None:
    """Return the leftover of a session; None if the session had written no scene."""
    try:
        saved = scene.stat().st_mtime
    except OSError:
        return None
    members: Any = None
    with contextlib.suppress(OSError, ValueError):
        members = json.loads(lock_file.read_text(encoding="utf-8"))
    members = members if isinstance(members, dict) else {}
    origin, title = members.get("origin"), members.get("title")
    return Leftover(
        scene,
        saved,
        Path(origin) if isinstance(origin, str) else None,
        title if isinstance(title, str) else "",
    )


def _remove_lock(handle: IO[str]) -> None:
    """Remove a locked file, and release its lock.

    The file is removed before the lock is released, so that no other session can lock it in
    between. On Windows an open file cannot be removed, so it is removed after closing.
    """
    remove(Path(handle.name))
    handle.close()
    remove(Path(handle.name))


def _open_locked(path: Path, new: bool = False) -> IO[str]:
    """Open a file, a new one if ``new``, and lock it.

    Raises
    ------
    OSError
        If the file cannot be opened or made, a running session has the lock, or the file is gone.
    """
    handle = path.open("x+" if new else "r+", encoding="utf-8")
    try:
        lock(handle)
        # Between opening and locking, the session of the file may have ended and removed it. On
        # Windows it cannot, since an open file is not removed; and there the two calls may name one
        # volume by different numbers.
        if not IS_WINDOWS and not os.path.samestat(os.fstat(handle.fileno()), path.stat()):
            raise FileNotFoundError(f"{path.name} was replaced by another file.")
    except OSError:
        handle.close()
        if new:
            remove(path)
        raise
    return handle
