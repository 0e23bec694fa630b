"""Settings that the window keeps between sessions, if there is a file for them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from svmviz.io.paths import can_enter
from svmviz.io.settings_store import SettingsStore, StoredSettings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

# Size of the window at the first start, px, and its least and largest share of the screen.
FIRST_SIZE = QSize(1440, 920)
MIN_FIRST_SHARE, MAX_FIRST_SHARE = 0.9, 0.96


class WindowMemory:
    """Recent files, folder, theme, sizes, geometry and layouts of the window.

    Parameters
    ----------
    store : SettingsStore or None
        None to keep settings for this session only. Settings without a field of their own, such as
        layouts and the choices of export dialogs, are in the store's dictionary ``panels``.
    log_file : Path or None
    """

    def __init__(self, store: SettingsStore | None = None, log_file: Path | None = None) -> None:
        self._store = store
        # The settings if there is no store.
        self._unstored = StoredSettings()
        self.log_file = log_file

    @property
    def values(self) -> StoredSettings:
        """All that is stored."""
        return self._store.values if self._store else self._unstored

    def set(self, **changes: Any) -> None:
        """Store other values of `StoredSettings` for the next start."""
        if self._store:
            self._store.set(**changes)
        else:
            self._unstored = dataclasses.replace(self._unstored, **changes)

    @property
    def folder(self) -> str:
        """The preferred folder, or the folder in which a file was last opened or saved.

        If neither can be entered, it is the home folder.
        """
        folders = (self.get("folder", ""), self.values.folder)
        return next(filter(can_enter, folders), str(Path.home()))

    @property
    def recent(self) -> list[Path]:
        """Recent files, the latest first, even if they no longer exist."""
        return self._store.recent_files() if self._store else []

    def remember_file(self, path: Path) -> None:
        """Put a file first in the list of recent files."""
        if self._store:
            self._store.remember_file(path)

    def forget_files(self) -> None:
        """Empty the list of recent files."""
        if self._store:
            self._store.forget_files()

    @property
    def motion(self) -> str:
        """The choice about motion: "system", "full" or "reduced"."""
        # Earlier versions stored whether steps glide.
        never_glides = self.values.panels.get("glides") is False
        return "reduced" if never_glides else self.values.motion

    def remember_motion(self, motion: str) -> None:
        """Store this choice about motion for the next start."""
        panels = {name: value for name, value in self.values.panels.items() if name != "glides"}
        self.set(motion=motion, panels=panels)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a preference; the default if none is stored, or if its type differs."""
        # Earlier versions stored some beside the preferences.
        value = {**self.values.panels, **self._preferences}.get(name, default)
        is_kept = default is None or value is None or isinstance(value, type(default))
        return value if is_kept else default

    def put(self, name: str, value: Any) -> None:
        """Store a preference, which JSON can hold."""
        preferences = {**self._preferences, name: value}
        self.set(panels={**self.values.panels, "preferences": preferences})

    @property
    def _preferences(self) -> dict[str, Any]:
        stored = self.values.panels.get("preferences")
        return stored if isinstance(stored, dict) else {}

    @property
    def is_first_start(self) -> bool:
        """Whether the program was never closed before, and no lesson was offered."""
        return self._store is not None and not self.values.geometry and not self.get("welcomed")

    def remember(self, window: QMainWindow) -> None:
        """Store the geometry of the window."""
        self.set(geometry=bytes(window.saveGeometry().toBase64().data()).decode())

    @property
    def size(self) -> QSize | None:
        """The size that the window will have when it is restored; None if none is stored."""
        probe = QWidget()
        if not (self.values.geometry and probe.restoreGeometry(_bytes(self.values.geometry))):
            return None
        if probe.isMaximized() or probe.isFullScreen():
            return probe.screen().availableSize()
        return probe.size()

    def restore(self, window: QMainWindow) -> bool:
        """Restore the geometry of the window; return whether it was restored."""
        if not self._store or not self._store.values.geometry:
            return False
        return window.restoreGeometry(_bytes(self._store.values.geometry))


def first_size(controls: float) -> QSize:
    """Return the size of the window at the first start, for a factor on controls."""
    screen = QGuiApplication.primaryScreen().availableSize()
    preferred = (FIRST_SIZE * controls).expandedTo(screen * MIN_FIRST_SHARE)
    return preferred.boundedTo(screen * MAX_FIRST_SHARE)


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(text.encode())
