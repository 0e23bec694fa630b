"""Files and the desktop: its programs open files, its file manager shows and drops files."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from svmviz.io.paths import absolute_path
from svmviz.io.scene_line import is_scene_line

# Names of the D-Bus service and object of file managers on Linux, specified by freedesktop.org.
SERVICE, OBJECT = "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1"
log = logging.getLogger(__name__)


def open_file(path: Path) -> None:
    """Open a file or a folder with the program that the desktop has for it."""
    QDesktopServices.openUrl(_url(path))


def show_in_folder(path: Path) -> None:
    """Open the folder of a file with the file selected; if that is impossible, only the folder."""
    try:
        if sys.platform == "win32":
            # The command is one string, because Python would put quotes around a list item, and
            # explorer cannot read these.
            subprocess.Popen(f'explorer /select,"{absolute_path(path)}"')
        elif sys.platform == "darwin":
            subprocess.Popen(["open", "-R", str(absolute_path(path))])
        else:
            _ask_file_manager(path)
    except (ImportError, OSError):
        log.info("No file manager selects files here", exc_info=True)
        open_file(path.parent)


def _ask_file_manager(path: Path) -> None:
    """Ask the file manager over D-Bus, without waiting for its answer."""
    # Imported late: Qt has this module on Linux only.
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        open_file(path.parent)
        return
    message = QDBusMessage.createMethodCall(SERVICE, OBJECT, SERVICE, "ShowItems")
    message.setArguments([[_url(path).toString(QUrl.ComponentFormattingOption.FullyEncoded)], ""])
    answer = QDBusPendingCallWatcher(bus.asyncCall(message), QGuiApplication.instance())

    def on_answer(_: object) -> None:
        if answer.isError():
            open_file(path.parent)
        answer.deleteLater()

    answer.finished.connect(on_answer)


def _url(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(absolute_path(path)))


class Drops(QObject):
    """An event filter that opens what is dropped on a window.

    Parameters
    ----------
    window : QWidget
    open_file : callable(str)
    open_text : callable(str)
        Opens a scene that is one line of text.
    """

    def __init__(
        self,
        window: QWidget,
        open_file: Callable[[str], object],
        open_text: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        # A presentation finds this object by its name.
        self.setObjectName("drops")
        self._open_file, self._open_text = open_file, open_text
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            return False
        assert isinstance(event, QDropEvent)
        dropped = event.mimeData()
        if event.type() == QEvent.Type.DragEnter:
            if dropped.hasUrls() or is_scene_line(dropped.text()):
                event.acceptProposedAction()
        elif (run := self._command(dropped)) is not None:
            event.acceptProposedAction()
            # Delayed until the drag has ended, because a question to the user may follow.
            QTimer.singleShot(0, self, run)
        return True

    def _command(self, dropped: QMimeData) -> Callable[[], object] | None:
        """Return the function that opens dropped data; None if they cannot be opened."""
        paths = [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
        if paths:
            return lambda: self._open_file(paths[0])
        text = dropped.text()
        return (lambda: self._open_text(text)) if is_scene_line(text) else None
