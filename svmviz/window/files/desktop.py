"""Opening files with programs of the desktop, and showing them in its file manager."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

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
            subprocess.Popen(f'explorer /select,"{path.absolute()}"')
        elif sys.platform == "darwin":
            subprocess.Popen(["open", "-R", str(path.absolute())])
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
    return QUrl.fromLocalFile(str(path.absolute()))
