"""The settings of the window that are kept between sessions, in one JSON file.

The file is in the user's configuration folder. Qt's own QSettings is not used, because it loses the
types of values. An invalid value is replaced by its default. A file that cannot be read as JSON is
renamed to ``settings.json.bak``, and all settings get their defaults. So bad settings never prevent
a start.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from solvers import BadInput
from svmviz.base.strict_json import read_json
from svmviz.colours.palettes import PALETTES, VERMILION
from svmviz.colours.themes import THEMES
from svmviz.io.atomic import remove_strays, write_atomically
from svmviz.io.left_scenes import is_kept
from svmviz.io.open_and_save import read_text
from svmviz.io.paths import absolute_path

log = logging.getLogger(__name__)
MAX_RECENT = 10
# Maximum size of the file, bytes: the start of the program waits until it is read.
MAX_BYTES = 2_000_000
THEME_CHOICES = ("system", *THEMES)
MOTIONS = ("system", "full", "reduced")
# Limits of the factor on the text size, and of the factor on the size of controls.
MIN_SCALE, MAX_SCALE = 0.5, 4.0


@dataclass(frozen=True)
class StoredSettings:
    """The values of the settings file.

    Attributes
    ----------
    recent : tuple of str
        The files that were opened or saved last, the latest first, at most ``MAX_RECENT``.
    folder : str
        Folder of the file that was opened or saved last. It stays if ``recent`` is emptied.
    geometry : str
        Qt's description of the place of the window, in base64.
    theme : str
        One of ``THEME_CHOICES``.
    palette : str
        Palette of the classes, a key of ``PALETTES``.
    motion : str
        One of ``MOTIONS``.
    scale : float
        Factor on the text size.
    controls : float
        Factor on the size of controls.
    panels : dict
        Settings of panels and of the window that have no field of their own, by name (see
        ``svmviz/window/memory.py``). A value may be anything that JSON can hold.
    """

    recent: tuple[str, ...] = ()
    folder: str = ""
    geometry: str = ""
    theme: str = "system"
    palette: str = VERMILION.name
    motion: str = "system"
    scale: float = 1.0
    controls: float = 1.0
    panels: dict[str, Any] = field(default_factory=dict)


class SettingsStore:
    """The settings file, which holds :class:`StoredSettings`.

    Parameters
    ----------
    path : Path, optional
        By default, ``settings.json`` in the user's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        folder = platformdirs.user_config_path("svmviz", appauthor=False)
        self.path = path or folder / "settings.json"
        remove_strays(self.path.parent)
        self.values = self._read()

    def set(self, **changes: Any) -> None:
        """Change some values and write the file; a failure to write is logged, not raised.

        The file is read again first, so that changes by other windows stay.
        """
        self.values = dataclasses.replace(self._read(), **changes)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # ``vars`` and not ``asdict``, which would copy the nested settings of panels.
            write_atomically(self.path, json.dumps(vars(self.values), indent=2) + "\n")
        except (BadInput, OSError, TypeError, ValueError, RecursionError) as error:
            log.warning("The settings were not saved: %s", error)

    def recent_files(self) -> list[Path]:
        """Return the recent files, the latest first, even if they no longer exist."""
        return list(map(Path, self.values.recent))

    def folders(self) -> set[Path]:
        """Return the folders in which files were opened or saved, even if they no longer exist."""
        last = self.values.folder
        return {Path(name).parent for name in self.values.recent} | (
            {Path(last)} if last else set()
        )

    def remember_file(self, path: str | os.PathLike[str]) -> None:
        """Put a file at the head of the recent files, and propose its folder in file dialogs.

        Recent files that no longer exist leave the list.
        """
        file = absolute_path(path)
        others = (name for name in self._read().recent if Path(name) != file)
        existing = [name for name in others if os.path.isfile(name)]
        recent = (str(file), *existing[: MAX_RECENT - 1])
        folder = self.values.folder if is_kept(file) else str(file.parent)
        self.set(recent=recent, folder=folder)

    def forget_files(self) -> None:
        """Empty the list of recent files."""
        self.set(recent=())

    def _read(self) -> StoredSettings:
        """Return the file's values; the defaults if there is no file."""
        if not os.path.exists(self.path):
            return StoredSettings()
        try:
            members = read_json(read_text(self.path, max_bytes=MAX_BYTES)).value
            if not isinstance(members, dict):
                raise ValueError("not a JSON object")
        except (BadInput, ValueError) as error:
            log.warning("The settings could not be read; the defaults are used: %s", error)
            self._keep_as_backup()
            return StoredSettings()
        values = {name: members[name] for name in CHECKS if name in members}
        checked = {name: CHECKS[name](value) for name, value in values.items()}
        return StoredSettings(
            **{name: value for name, value in checked.items() if value is not None}
        )

    def _keep_as_backup(self) -> None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".bak"))
        except OSError as error:
            log.warning("The broken settings file could not be renamed: %s", error)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(item for item in value if isinstance(item, str))[:MAX_RECENT]


def _one_of(choices: Collection[str]) -> Callable[[Any], str | None]:
    return lambda value: value if isinstance(value, str) and value in choices else None


def _scale(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(max(float(value), MIN_SCALE), MAX_SCALE)


def _panels(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


# For each setting, a function that receives the value in the file, and returns a valid value. It
# returns None if the setting must have its default.
CHECKS: dict[str, Callable[[Any], Any]] = {
    "recent": _texts,
    "folder": _text,
    "geometry": _text,
    "theme": _one_of(THEME_CHOICES),
    "palette": _one_of(PALETTES),
    "motion": _one_of(MOTIONS),
    "scale": _scale,
    "controls": _scale,
    "panels": _panels,
}
