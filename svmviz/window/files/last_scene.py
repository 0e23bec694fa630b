"""The scene that was shown when the window closed, with which the next start begins."""

from __future__ import annotations

from pathlib import Path

from svmviz.io import left_scenes
from svmviz.window.files.files import Files
from svmviz.window.memory import WindowMemory

# The preference with title, file and time of the file of the last scene.
LAST = "last"


class LastScene:
    """The last scene, in a file of its own.

    Parameters
    ----------
    files : Files
    memory : WindowMemory
    """

    def __init__(self, files: Files, memory: WindowMemory) -> None:
        self._files, self._memory = files, memory

    def keep(self) -> None:
        """Keep the scene that is shown, unless its changes were discarded."""
        files = self._files
        path = None if files.is_modified and not files.is_discarded else files.path
        is_kept = not files.is_discarded and left_scenes.keep_last(files.scene())
        self._memory.put(
            LAST,
            {
                "title": files.name,
                "path": str(path) if path else "",
                "time": left_scenes.time_of(path) if path else 0.0,
            }
            if is_kept or path
            else {},
        )

    def show(self) -> bool:
        """Show the last scene, and return whether there is one.

        If its file has changed since, the file is opened instead.
        """
        last = self._memory.get(LAST, {}) or {}
        title, name = str(last.get("title", "")), str(last.get("path", ""))
        path = Path(name) if name else None
        is_there = path is not None and left_scenes.time_of(path) > 0.0
        if path is not None and is_there and left_scenes.time_of(path) != last.get("time"):
            self._files.open(name)
            return True
        scene = left_scenes.read_last() if title else None
        if scene is None:
            return False
        self._files.show_scene(scene, path if is_there else None, title)
        return True
