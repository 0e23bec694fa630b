"""A file is shown in the file manager of the desktop, which is asked over D-Bus."""

import shutil
import subprocess
import sys

import pytest

from svmviz.window.files import desktop
from tests.time_limits import TIME_LIMIT

# A file manager that prints what it is to show; and a program that asks it.
MANAGER = """
from PySide6.QtCore import ClassInfo, QCoreApplication, QObject, Slot
from PySide6.QtDBus import QDBusConnection
@ClassInfo({"D-Bus Interface": "org.freedesktop.FileManager1"})
class Manager(QObject):
    @Slot("QStringList", str)
    def ShowItems(self, places, startup):
        print(places, flush=True)
app, manager, bus = QCoreApplication([]), Manager(), QDBusConnection.sessionBus()
slots = QDBusConnection.RegisterOption.ExportAllSlots
assert bus.registerObject("/org/freedesktop/FileManager1", manager, slots)
assert bus.registerService("org.freedesktop.FileManager1")
print("ready", flush=True)
app.exec()
"""
ASK = """
import sys
from pathlib import Path
from PySide6.QtCore import QMetaObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from svmviz.window.files import desktop
def opened(path):
    print("opened", path, flush=True)
    app.quit()
desktop.open_file = opened
app = QGuiApplication(["svmviz", "-platform", "offscreen"])
if len(sys.argv) > 2:
    import subprocess
    command = [sys.executable, "-c", sys.argv[2]]
    manager = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert manager.stdout.readline() == "ready\\n"
    import threading
    def read():
        print(manager.stdout.readline().strip(), flush=True)
        manager.kill()
        # Queued: app.quit() keeps Python's lock while it waits for the main thread, which needs it.
        QMetaObject.invokeMethod(app, "quit", Qt.ConnectionType.QueuedConnection)
    threading.Thread(target=read).start()
# Within the event loop, which no quit can end before it has begun.
QTimer.singleShot(0, lambda: desktop.show_in_folder(Path(sys.argv[1])))
app.exec()
"""
NEEDS_BUS = pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="needs D-Bus")


def asked(path, *manager):
    command = ["dbus-run-session", "--", sys.executable, "-c", ASK, str(path), *manager]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    return done.stdout.strip()


@NEEDS_BUS
def test_the_file_is_selected(tmp_path):
    path = tmp_path / "a picture.pdf"
    assert asked(path, MANAGER) == f"['file://{tmp_path}/a%20picture.pdf']"


@NEEDS_BUS
def test_without_a_file_manager_the_folder_is_opened(tmp_path):
    assert asked(tmp_path / "a.pdf") == f"opened {tmp_path}"


def test_without_a_bus_the_folder_is_opened(tmp_path, monkeypatch, qapp):
    opened = []
    monkeypatch.setattr(desktop, "open_file", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setitem(sys.modules, "PySide6.QtDBus", None)
    desktop.show_in_folder(tmp_path / "a.pdf")
    assert opened == [tmp_path]


@pytest.mark.parametrize(
    ("platform", "command"),
    [("darwin", ["open", "-R", "{}"]), ("win32", 'explorer /select,"{}"')],
)
def test_other_systems(tmp_path, monkeypatch, platform, command):
    path, begun = tmp_path / "a b.pdf", []
    monkeypatch.setattr(desktop.sys, "platform", platform)
    monkeypatch.setattr(desktop.subprocess, "Popen", begun.append)
    desktop.show_in_folder(path)
    write = str(path)
    if isinstance(command, str):
        assert begun == [command.format(write)]
    else:
        assert begun == [[word.format(write) for word in command]]
