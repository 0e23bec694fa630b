"""The menu of recent files."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.base.words import shown_name
from svmviz.widgets.plain_text import caption, set_tip
from svmviz.window.files.files import Files
from svmviz.window.memory import WindowMemory


class RecentMenu(QMenu):
    """An entry for each recent file, listed when the menu is opened.

    Entries of files that no longer exist are disabled, and leave the list when another file is
    opened or saved.

    Parameters
    ----------
    memory : WindowMemory
    files : Files
        Opens a file, after a question if changes would be lost.
    parent : QWidget
    """

    def __init__(self, memory: WindowMemory, files: Files, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self._memory, self._files = memory, files
        # Files of the same name are shown with their folders. All tooltips show the whole path.
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._list)

    def _list(self) -> None:
        self.clear()
        paths = self._memory.recent
        for path in paths:
            has_namesake = sum(other.name == path.name for other in paths) > 1
            text = f"{path.name} ({shown_name(path.parent.name)})" if has_namesake else path.name
            exists = os.path.isfile(path)
            action = self.addAction(caption(text if exists else f"{text}: no longer there"))
            action.setEnabled(exists)
            set_tip(action, str(path))
            action.triggered.connect(lambda _=False, path=path: self._open(path))
        if paths:
            self.addSeparator()
            self.addAction("&Clear this list").triggered.connect(self._memory.forget_files)
        else:
            self.addAction("No files yet").setEnabled(False)

    def _open(self, path: Path) -> None:
        self._files.confirm_and_open(str(path))
