"""Settings that the window keeps between sessions, if there is a file for them."""

from __future__ import annotations

import binascii
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray

from svmviz.io.settings_store import SettingsStore

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

# Version of the stored layout. A layout of another version is not restored. Increase this number if
# docks or toolbars change their names or areas.
LAYOUT_VERSION = 1


class Memory:
    """Recent files, folder, theme, sizes, geometry and docks of the window.

    Parameters
    ----------
    store : SettingsStore or None
        None to store nothing. Settings of the window that have no field in the store are in its
        dictionary ``panels``: glides, choices of the export dialogs, folded cards.
    log_file : Path or None
    """

    def __init__(self, store: SettingsStore | None = None, log_file: Path | None = None) -> None:
        self._store = store
        # Choices of the export dialogs, by the argument ``kind`` of `export`; read only if there is
        # no store.
        self._export_choices: dict[str, dict[str, Any]] = {}
        self.log_file = log_file

    @property
    def folder(self) -> str:
        """The folder in which a file was last opened or saved."""
        folder = self._store.values.folder if self._store else ""
        return folder if folder and Path(folder).is_dir() else str(Path.home())

    @property
    def recent(self) -> list[Path]:
        """Recent files that still exist."""
        return self._store.recent_files() if self._store else []

    def remember_file(self, path: Path) -> None:
        """Put a file at the head of the recent files."""
        if self._store:
            self._store.remember_file(path)

    def remember_folder(self, folder: Path) -> None:
        """Propose this folder in the next file dialog."""
        if self._store:
            self._store.set(folder=str(folder))

    def forget_files(self) -> None:
        """Empty the list of recent files."""
        if self._store:
            self._store.forget_files()

    def remember_theme(self, theme: str) -> None:
        """Store this theme for the next start, in place of the system's theme."""
        if self._store:
            self._store.set(theme=theme)

    def remember_sizes(self, scale: float, controls: float) -> None:
        """Store these factors on text and on controls for the next start."""
        if self._store:
            self._store.set(scale=scale, controls=controls)

    @property
    def glides(self) -> bool:
        """Whether the picture glides from step to step."""
        return self._store is None or self._store.values.panels.get("glides") is not False

    def remember_glides(self, glides: bool) -> None:
        """Store for the next start whether the picture glides from step to step."""
        if self._store:
            self._store.set(panels={**self._store.values.panels, "glides": glides})

    def export(self, kind: str = "export") -> dict[str, Any]:
        """Return the last choices in a dialog; ``kind`` is "export" (pictures) or "export-run"."""
        stored = self._store.values.panels if self._store else self._export_choices
        choices = stored.get(kind)
        return choices if isinstance(choices, dict) else {}

    def remember_export(self, choices: dict[str, Any], kind: str = "export") -> None:
        """Store these choices, to propose them next time."""
        self._export_choices[kind] = choices
        if self._store:
            self._store.set(panels={**self._store.values.panels, kind: choices})

    @property
    def folded(self) -> list[str]:
        """Names of the cards of settings that were folded."""
        names = self._store.values.panels.get("folded") if self._store else None
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    @property
    def is_first_start(self) -> bool:
        """Whether the program was never closed before, and no lesson was offered."""
        values = self._store.values if self._store else None
        return values is not None and not values.geometry and "welcomed" not in values.panels

    def remember_welcome(self) -> None:
        """Store that the first lesson was offered."""
        if self._store:
            self._store.set(panels={**self._store.values.panels, "welcomed": True})

    @property
    def lessons(self) -> dict[str, int]:
        """How far each lesson was read, by its name: the index of a card."""
        cards = self._store.values.panels.get("lessons") if self._store else None
        entries = cards.items() if isinstance(cards, dict) else ()
        return {name: card for name, card in entries if type(card) is int}

    def remember_lessons(self, cards: dict[str, int]) -> None:
        """Store how far each lesson was read."""
        if self._store:
            self._store.set(panels={**self._store.values.panels, "lessons": cards})

    def remember(self, window: QMainWindow, folded: list[str]) -> None:
        """Store the geometry of the window and its docks, and which cards are folded."""
        if self._store:
            self._store.set(
                panels={**self._store.values.panels, "folded": folded},
                geometry=_text(window.saveGeometry()),
                layout=_text(window.saveState(LAYOUT_VERSION)),
            )

    def restore(self, window: QMainWindow) -> bool:
        """Restore the geometry of window and docks; return whether both were restored."""
        if not self._store or not self._store.values.geometry:
            return False
        has_geometry = window.restoreGeometry(_bytes(self._store.values.geometry))
        has_docks = window.restoreState(_bytes(self._store.values.layout), LAYOUT_VERSION)
        return has_docks and has_geometry


def _text(data: QByteArray) -> str:
    return binascii.b2a_base64(data.data(), newline=False).decode("ascii")


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(binascii.a2b_base64(text))
    except ValueError:
        return QByteArray()
