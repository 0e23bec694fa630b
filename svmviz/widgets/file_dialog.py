"""Dialogs, of the desktop or of Qt, that ask for the path of a file."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QChildEvent, QEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

from svmviz.widgets.plain_text import make_plain


class FileDialog(QFileDialog):
    """A file dialog whose message boxes show names of files as plain text.

    Qt's dialog shows message boxes that ask whether a file may be replaced or deleted. They would
    show a name such as ``<b>x</b>.csv`` as HTML.

    Parameters
    ----------
    parent : QWidget
    title : str
    start : str
        Folder, or the path of the proposed file.
    filters : str
        Name filters, separated by ``;;``.
    for_folder : bool
        Whether the user chooses a folder to write, and not a file: an existing folder whose name is
        in the field is then chosen, and not entered.
    """

    def __init__(
        self, parent: QWidget, title: str, start: str, filters: str, for_folder: bool = False
    ) -> None:
        path = Path(start)
        self._for_folder = for_folder
        is_place = os.path.isdir(path) and not for_folder
        super().__init__(parent, title, str(path if is_place else path.parent), filters)
        if not is_place:
            self.selectFile(path.name)

    def accept(self) -> None:
        if self._for_folder and os.path.isdir(self.selectedFiles()[0]):
            QDialog.accept(self)
        else:
            super().accept()

    def childEvent(self, event: QChildEvent) -> None:
        is_polished = event.type() == QEvent.Type.ChildPolished
        if is_polished and isinstance(box := event.child(), QMessageBox):
            make_plain(box)
        super().childEvent(event)


def ask_open_path(parent: QWidget, title: str, folder: str, filters: str) -> str:
    """Ask for a file that exists; return its path, or "" if the user cancels."""
    dialog = FileDialog(parent, title, folder, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _answer(dialog)[0]


def ask_save_path(
    parent: QWidget, title: str, start: str, filters: str, for_folder: bool = False
) -> tuple[str, str]:
    """Ask for a file to write, or for a folder; return its path and the chosen name filter.

    If the user cancels, the path is "". The dialog does not ask whether a folder may be replaced.
    """
    dialog = FileDialog(parent, title, start, filters, for_folder)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    return _answer(dialog)


def ask_folder(parent: QWidget, title: str, folder: str) -> str:
    """Ask for a folder that exists; return its path, or "" if the user cancels."""
    dialog = FileDialog(parent, title, folder, "")
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return _answer(dialog)[0]


def _answer(dialog: FileDialog) -> tuple[str, str]:
    """Show a dialog; return the path of the file and the chosen name filter."""
    accepted = dialog.exec()
    paths = dialog.selectedFiles() if accepted else []
    name_filter = dialog.selectedNameFilter()
    dialog.deleteLater()
    return (paths[0] if paths else ""), name_filter
