"""The menu of recent files."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.base.words import shown_name
from svmviz.widgets.plain_text import caption, set_tip
from svmviz.window.memory import Memory


class RecentMenu(QMenu):
    """An entry for each recent file that still exists, listed when the menu is opened.

    Parameters
    ----------
    memory : Memory
    open_file : callable(str)
        Opens a file, after a question if changes would be lost.
    parent : QWidget
    """

    def __init__(self, memory: Memory, open_file: Callable[[str], object], parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self._memory = memory
        self._open_file = open_file
        # Files of the same name are shown with their folders. All tooltips show the whole path.
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._list)

    def _list(self) -> None:
        self.clear()
        paths = self._memory.recent
        for path in paths:
            has_namesake = sum(other.name == path.name for other in paths) > 1
            text = f"{path.name} ({shown_name(path.parent.name)})" if has_namesake else path.name
            action = self.addAction(caption(text))
            set_tip(action, str(path))
            action.triggered.connect(lambda _checked=False, path=path: self._open_file(str(path)))
        if paths:
            self.addSeparator()
            self.addAction("&Clear this list").triggered.connect(self._memory.forget_files)
        else:
            self.addAction("No files yet").setEnabled(False)
