"""The wishes of the system: light or dark, high contrast, and reduced motion."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import SLOT, QObject, Qt, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher
from PySide6.QtGui import QGuiApplication

from svmviz.colours.themes import similar_theme

# The settings of desktops: service, path and interface of the portal of freedesktop.org.
PORTAL = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SETTINGS = "org.freedesktop.portal.Settings"
# Namespace and key of a setting, and the value with which it asks for reduced motion.
REDUCED = {
    ("org.freedesktop.appearance", "reduced-motion"): 1,
    ("org.gnome.desktop.interface", "enable-animations"): False,
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor"): "0",
}


def system_theme() -> str:
    """Return the name of the theme that the system wishes."""
    hints = QGuiApplication.styleHints()
    return similar_theme(
        is_dark=hints.colorScheme() == Qt.ColorScheme.Dark,
        has_high_contrast=hints.accessibility().contrastPreference()
        == Qt.ContrastPreference.HighContrast,
    ).name


class MotionWish(QObject):
    """The wish of the desktop for reduced motion, read in the background.

    Qt 6.11 does not report this wish.

    Signals
    -------
    changed()
        The wish has changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._values: dict[tuple[str, str], Any] = {}

    @property
    def is_reduced(self) -> bool:
        """Whether a setting asks for reduced motion; false until the desktop has answered."""
        return any(self._values.get(key) == value for key, value in REDUCED.items())

    def ask(self) -> None:
        """Ask the desktop, and follow its changes; without a session bus, do nothing."""
        # Without an address, the library would start a bus of its own.
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            return
        bus = QDBusConnection.sessionBus()
        # The stubs ask for bytes, which PySide6 refuses.
        slot: Any = SLOT("_on_change(QDBusMessage)")
        bus.connect(PORTAL, PATH, SETTINGS, "SettingChanged", self, slot)
        for key in REDUCED:
            call = QDBusMessage.createMethodCall(PORTAL, PATH, SETTINGS, "ReadOne")
            call.setArguments(list(key))
            watcher = QDBusPendingCallWatcher(bus.asyncCall(call), self)
            watcher.finished.connect(lambda done, key=key: self._on_answer(done, key))

    def _on_answer(self, done: QDBusPendingCallWatcher, key: tuple[str, str]) -> None:
        if not done.isError():
            self._take(key, done.reply().arguments()[0].variant())
        done.deleteLater()

    @Slot(QDBusMessage)
    def _on_change(self, message: QDBusMessage) -> None:
        namespace, key, value = message.arguments()
        self._take((namespace, key), value.variant())

    def _take(self, key: tuple[str, str], value: Any) -> None:
        before = self.is_reduced
        self._values[key] = value
        if self.is_reduced != before:
            self.changed.emit()
