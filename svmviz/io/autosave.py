"""What survives a crash: each session writes its scene beside a lock; locks without owner tell.

A session is alive as long as it holds the lock on its file. The system lets go of it when the
process dies in whatever way, so numbers of processes that come round again do no harm (they are
written into the file for people only).
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
from svmviz.io.atomic import remove_strays, write_atomically
from svmviz.io.files import read_text
from svmviz.io.locks import hold
from svmviz.io.scene import Scene, read_scene, write_data, write_scene

log = logging.getLogger(__name__)
SCENE, LOCK = ".svmviz", ".lock"


@dataclass(frozen=True)
class Leftover:
    """A scene that a crashed session left behind.

    Attributes
    ----------
    path : Path
        The autosaved file.
    saved : float
        When it was written, in seconds since 1970.
    origin : Path or None
        The file that the session was working on.
    title : str
        What the session called it; may be empty.
    """

    path: Path
    saved: float
    origin: Path | None
    title: str = ""

    def read(self) -> Scene:
        """The scene; raises BadInput if it cannot be read."""
        return read_scene(read_text(self.path), self.path.name)


class Autosave:
    """The autosaved scene of this session, and those of sessions that crashed.

    Parameters
    ----------
    folder : Path, optional
        Where autosaved scenes lie; the user's state folder if not given.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or platformdirs.user_state_path("svmviz", appauthor=False) / "autosave"
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{os.urandom(3).hex()}"
        self._lock: IO[str] | None = None
        self._written: tuple[Scene, Path | None, str] | None = None
        self._announced = ""
        # The points that were written last, and their text.
        self._data: tuple[PointSet, str] | None = None
        self._claimed: dict[Path, IO[str]] = {}

    @property
    def path(self) -> Path:
        """The autosaved file of this session."""
        return self.folder / f"{self._name}{SCENE}"

    def write(self, scene: Scene, origin: Path | None = None, title: str = "") -> bool:
        """Write the scene unless it is written already; return whether that went well.

        A failure is logged, and is no reason to disturb anyone.
        """
        if (scene, origin, title) == self._written:
            return True
        try:
            self._announce(origin, title)
            write_atomically(self.path, write_scene(scene, self._text_of(scene.document.data)))
        except (BadInput, OSError) as error:
            log.warning("The scene was not autosaved: %s", error)
            return False
        self._written = scene, origin, title
        return True

    def discard(self) -> None:
        """Remove what this session has autosaved: it was saved, or is not wanted."""
        self._written = self._data = None
        _remove(self.path)

    def close(self) -> None:
        """End the session in good order: nothing of it stays, undecided leftovers do."""
        self.discard()
        if self._lock is not None:
            _let_go(self._lock)
            self._lock = None
        for handle in self._claimed.values():
            handle.close()
        self._claimed.clear()

    def recoverable(self) -> list[Leftover]:
        """Scenes of crashed sessions, the newest first; what they were writing is removed.

        They are claimed: no other session is offered them until this one is closed.
        """
        remove_strays(self.folder)
        found = []
        for path in self.folder.glob(f"*{LOCK}"):
            scene = path.with_suffix(SCENE)
            if path in self._claimed or self._claim(path):
                leftover = _describe(scene, path)
                if leftover is not None:
                    found.append(leftover)
                else:
                    self._forget(path)
        return sorted(found, key=lambda leftover: leftover.saved, reverse=True)

    def discard_leftover(self, leftover: Leftover) -> None:
        """Remove what a crashed session left: this one has written it anew, or it is not wanted."""
        _remove(leftover.path)
        self._forget(leftover.path.with_suffix(LOCK))

    def _announce(self, origin: Path | None, title: str) -> None:
        """Hold the lock, and write into it what the session is working on."""
        if self._lock is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = _take(self.folder / f"{self._name}{LOCK}", new=True)
            if self._lock is None:
                raise BadInput(f"The lock of the session is held by another: {self._name}")
        told = {"pid": os.getpid(), "origin": str(origin) if origin else None, "title": title}
        text = json.dumps(told)
        if text != self._announced.rstrip():
            # In one piece and over all that was there, so that no kill can leave a part of it.
            self._lock.seek(0)
            self._lock.write(text.ljust(len(self._announced)))
            self._lock.flush()
            self._announced = text.ljust(len(self._announced))

    def _text_of(self, data: PointSet) -> str:
        """Return the text of the points; it is kept, for mostly only the step is another."""
        if self._data is None or self._data[0] is not data:
            self._data = data, write_data(data)
        return self._data[1]

    def _claim(self, path: Path) -> bool:
        if self._lock is not None and path == Path(self._lock.name):
            return False
        handle = _take(path)
        if handle is None:
            return False
        self._claimed[path] = handle
        return True

    def _forget(self, path: Path) -> None:
        handle = self._claimed.pop(path, None)
        if handle is not None:
            _let_go(handle)


def _describe(scene: Path, lock: Path) -> Leftover | None:
    """What is left of a session; None if it had written no scene."""
    try:
        saved = scene.stat().st_mtime
    except OSError:
        return None
    told: Any = None
    with contextlib.suppress(OSError, ValueError):
        told = json.loads(lock.read_text(encoding="utf-8"))
    told = told if isinstance(told, dict) else {}
    origin, title = told.get("origin"), told.get("title")
    return Leftover(
        scene,
        saved,
        Path(origin) if isinstance(origin, str) else None,
        title if isinstance(title, str) else "",
    )


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _let_go(handle: IO[str]) -> None:
    """Remove a lock file that is held."""
    # While it is still held, so that nobody can come between; Windows removes closed files only.
    _remove(Path(handle.name))
    handle.close()
    _remove(Path(handle.name))


def _take(path: Path, new: bool = False) -> IO[str] | None:
    """Open a lock file and hold it; None if it is held by a living session, or gone."""
    try:
        handle = path.open("x+" if new else "r+", encoding="utf-8")
    except OSError:
        return None
    try:
        hold(handle)
        # Between opening and locking, its session may have ended and removed it.
        if path.exists() and os.path.samestat(os.fstat(handle.fileno()), path.stat()):
            return handle
    except OSError:
        pass
    handle.close()
    return None
