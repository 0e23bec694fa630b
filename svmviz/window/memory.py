"""Settings that the window keeps between sessions, if there is a file for them."""

from __future__ import annotations

import binascii
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
MIN_FIRST_SHARE, MAX_FIRST_SHARE = 0.7, 0.96


class WindowMemory:
    """Recent files, folder, theme, sizes, geometry and layouts of the window.

    Parameters
    ----------
    store : SettingsStore or None
        None to keep settings for this session only. Settings without a field of their own, such as
        folded cards and the choices of export dialogs, are in the store's dictionary ``panels``.
    log_file : Path or None
    """

    def __init__(self, store: SettingsStore | None = None, log_file: Path | None = None) -> None:
        self._store = store
        # The settings if there is no store.
        self._unstored = StoredSettings()
        self.log_file = log_file

    @property
    def _values(self) -> StoredSettings:
        return self._store.values if self._store else self._unstored

    def _set(self, **changes: Any) -> None:
        if self._store:
            self._store.set(**changes)
        else:
            self._unstored = dataclasses.replace(self._unstored, **changes)

    @property
    def folder(self) -> str:
        """The preferred folder, or the folder in which a file was last opened or saved.

        If neither can be entered, it is the home folder.
        """
        folders = (self.get("folder", ""), self._values.folder)
        return next(filter(can_enter, folders), str(Path.home()))

    @property
    def recent(self) -> list[Path]:
        """Recent files, the latest first, even if they no longer exist."""
        return self._store.recent_files() if self._store else []

    def remember_file(self, path: Path) -> None:
        """Put a file first in the list of recent files."""
        if self._store:
            self._store.remember_file(path)

    def remember_folder(self, folder: Path) -> None:
        """Propose this folder in the next file dialog."""
        self._set(folder=str(folder))

    def forget_files(self) -> None:
        """Empty the list of recent files."""
        if self._store:
            self._store.forget_files()

    @property
    def theme(self) -> str:
        """The theme chosen, or "system"."""
        return self._values.theme

    def remember_theme(self, theme: str) -> None:
        """Store this theme for the next start; "system" stands for the system's theme."""
        self._set(theme=theme)

    def remember_palette(self, palette: str) -> None:
        """Store this palette of the classes for the next start."""
        self._set(palette=palette)

    @property
    def motion(self) -> str:
        """The choice about motion: "system", "full" or "reduced"."""
        # Earlier versions stored whether steps glide.
        never_glides = self._values.panels.get("glides") is False
        return "reduced" if never_glides else self._values.motion

    def remember_motion(self, motion: str) -> None:
        """Store this choice about motion for the next start."""
        panels = {name: value for name, value in self._values.panels.items() if name != "glides"}
        self._set(motion=motion, panels=panels)

    def remember_sizes(self, scale: float, controls: float) -> None:
        """Store these factors on text and on controls for the next start."""
        self._set(scale=scale, controls=controls)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a preference; the default if none is stored, or if its type differs."""
        value = self._preferences.get(name, default)
        is_kept = default is None or value is None or type(value) is type(default)
        return value if is_kept else default

    def put(self, name: str, value: Any) -> None:
        """Store a preference, which JSON can hold."""
        preferences = {**self._preferences, name: value}
        self._set(panels={**self._values.panels, "preferences": preferences})

    @property
    def _preferences(self) -> dict[str, Any]:
        stored = self._values.panels.get("preferences")
        return stored if isinstance(stored, dict) else {}

    def export(self, kind: str = "export") -> dict[str, Any]:
        """Return the last choices in a dialog; ``kind`` is "export" (pictures) or "export-run"."""
        choices = self._values.panels.get(kind)
        return choices if isinstance(choices, dict) else {}

    def remember_export(self, choices: dict[str, Any], kind: str = "export") -> None:
        """Store these choices, to propose them next time."""
        self._set(panels={**self._values.panels, kind: choices})

    @property
    def folded(self) -> list[str]:
        """Names of the cards of settings that were folded."""
        names = self._values.panels.get("folded")
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    @property
    def is_first_start(self) -> bool:
        """Whether the program was never closed before, and no lesson was offered."""
        values = self._store.values if self._store else None
        return values is not None and not values.geometry and "welcomed" not in values.panels

    def remember_welcome(self) -> None:
        """Store that the first lesson was offered."""
        self._set(panels={**self._values.panels, "welcomed": True})

    @property
    def lessons(self) -> dict[str, int]:
        """The index of the last card that was read, by the name of the lesson."""
        cards = self._values.panels.get("lessons")
        entries = cards.items() if isinstance(cards, dict) else ()
        return {name: card for name, card in entries if type(card) is int}

    def remember_lessons(self, cards: dict[str, int]) -> None:
        """Store the index of the last card that was read, by the name of the lesson."""
        self._set(panels={**self._values.panels, "lessons": cards})

    @property
    def layouts(self) -> Any:
        """The layouts as `Layouts.stored` had them; None if they were never stored."""
        return self._values.panels.get("layouts")

    def remember(self, window: QMainWindow, folded: list[str], layouts: dict[str, Any]) -> None:
        """Store the geometry of the window, its layouts, and which cards are folded."""
        self._set(
            panels={**self._values.panels, "folded": folded, "layouts": layouts},
            geometry=_text(window.saveGeometry()),
        )

    @property
    def size(self) -> QSize | None:
        """The size that the window will have when it is restored; None if none is stored."""
        probe = QWidget()
        if not (self._values.geometry and probe.restoreGeometry(_bytes(self._values.geometry))):
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


def _text(data: QByteArray) -> str:
    return binascii.b2a_base64(data.data(), newline=False).decode("ascii")


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(binascii.a2b_base64(text))
    except ValueError:
        return QByteArray()
