"""The wish for reduced motion, told by the portal of a desktop on a bus of the test's own."""

import os
import shutil
import subprocess
import sys

import pytest

from svmviz.theme.system import MotionWish
from tests.time_limits import TIME_LIMIT

# A portal with the settings of GNOME, whose switch is turned on and off, beside the one who asks.
PORTAL_AND_WISH = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant, QDBusVirtualObject
from svmviz.theme.system import PATH, PORTAL, SETTINGS, MotionWish

KEY = ["org.gnome.desktop.interface", "enable-animations"]

class Portal(QDBusVirtualObject):
    def introspect(self, path):
        return ""

    def handleMessage(self, message, bus):
        known = message.arguments() == KEY
        bus.send(
            message.createReply(QDBusVariant(False))
            if known
            else message.createErrorReply("org.freedesktop.portal.Error.NotFound", "none")
        )
        return True

app = QCoreApplication([])
bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, "portal")
portal, wish = Portal(), MotionWish()
assert bus.registerService(PORTAL) and bus.registerVirtualObject(PATH, portal)
seen = []

def on_change():
    seen.append(wish.is_reduced)
    if seen == [True, False]:
        print("told")
        app.exit(0)
    change = QDBusMessage.createSignal(PATH, SETTINGS, "SettingChanged")
    change.setArguments([*KEY, QDBusVariant(True)])
    bus.send(change)

wish.changed.connect(on_change)
wish.ask()
QTimer.singleShot(20_000, lambda: app.exit(3))
sys.exit(app.exec())
"""


@pytest.mark.skipif(not shutil.which("dbus-run-session"), reason="needs dbus-run-session")
def test_a_desktop_tells_its_wish_and_its_changes():
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, "-c", PORTAL_AND_WISH],
        capture_output=True, text=True, timeout=TIME_LIMIT, env={**os.environ},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "told\n"), done.stderr


def test_without_a_bus_there_is_no_wish(qapp, monkeypatch):
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    wish = MotionWish()
    wish.ask()
    assert not wish.is_reduced
