"""The menu of recent files."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QWidget

from svmviz.base.words import shown_name
from svmviz.stage.stage import Stage
from svmviz.widgets.plain_text import caption, set_tip
from svmviz.window.files.files import Files
from svmviz.window.memory import WindowMemory
from svmviz.window.menus.recent_pictures import RecentPictures, keep_only, picture_of


class RecentMenu(QMenu):
    """An entry with a picture for each recent file, listed when the menu is opened.

    Entries of files that no longer exist are disabled, and leave the list when another file is
    opened or saved.

    Parameters
    ----------
    memory : WindowMemory
    files : Files
        Opens a file, after a question if changes would be lost.
    stage : Stage
        Makes the frames from which pictures are painted.
    parent : QWidget
    """

    def __init__(self, memory: WindowMemory, files: Files, stage: Stage, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self._memory, self._files = memory, files
        RecentPictures(stage, files, memory)
        # The style sheet sets the size of the pictures by this name.
        self.setObjectName("recent")
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
            action.setIcon(QIcon(picture_of(path)))
            action.setIconVisibleInMenu(True)
            action.setEnabled(exists)
            set_tip(action, str(path))
            action.triggered.connect(lambda _=False, path=path: self._open(path))
        if paths:
            self.addSeparator()
            self.addAction("&Clear this list").triggered.connect(self._clear)
        else:
            self.addAction("No files yet").setEnabled(False)

    def _open(self, path: Path) -> None:
        self._files.confirm_and_open(str(path))

    def _clear(self) -> None:
        self._memory.forget_files()
        keep_only(())
