"""Texts that change, read out by a screen reader."""

from __future__ import annotations

import re
import sys
import unicodedata

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QStatusBar, QWidget

# A text is announced once it has stood for this time, ms: while a run plays, nobody could follow.
PAUSE = 600
# Longest time for an answer of the accessibility bus, ms; it takes less than 1.
MAX_WAIT = 100
# Signs that screen readers leave out of announcements, as words.
WORDS = {
    " · ": ", ",
    " → ": " to ",
    " = ": " equals ",
    " ≠ ": " is not ",
    " < ": " less than ",
    " > ": " greater than ",
    " ≤ ": " at most ",
    " ≥ ": " at least ",
}
PERCENT = re.compile(r"\s?%")
POWER = re.compile("·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


class Announcer(QObject):
    """Announces the texts of a widget, each once it stays.

    Parameters
    ----------
    speaker : QWidget
        The widget whose texts they are.
    """

    # The announcement that was heard last, of any announcer.
    _heard = ""

    def __init__(self, speaker: QWidget) -> None:
        super().__init__(speaker)
        self._speaker = speaker
        self._text = ""
        self._notice: SpokenNotice | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._announce)

    def say(self, text: str) -> None:
        """Announce a text if no other follows it soon, and a screen reader listens."""
        if QAccessible.isActive() and text != self._text:
            self._text = text
            self._timer.start()

    def _announce(self) -> None:
        # A text that came back, after another that did not stay, may just have been heard.
        if not self._text or self._text == Announcer._heard:
            return
        Announcer._heard = self._text
        text = in_words(self._text)
        if are_announcements_heard():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._speaker, text))
            return
        self._notice = self._notice or SpokenNotice(self._speaker)
        self._notice.show_text(text)


class SpokenNotice(QWidget):
    """A notification for screen readers that do not hear announcements; it is never seen.

    WORKAROUND: Orca before 45 ignores the event ``object:announcement``
    (https://gitlab.gnome.org/GNOME/orca). It says the name of a notification that appears, and
    leaves out the word "notification" if a status bar contains it.
    """

    def __init__(self, speaker: QWidget) -> None:
        bar = QStatusBar(speaker)
        bar.hide()
        super().__init__(bar)

    def show_text(self, text: str) -> None:
        """Let a screen reader say a text."""
        self.setAccessibleName(text)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ObjectShow))


def _notification(kind: str, thing: QObject) -> QAccessibleWidget | None:
    """Return what a screen reader finds in place of a notice."""
    if kind == SpokenNotice.__name__ and isinstance(thing, SpokenNotice):
        return QAccessibleWidget(thing, QAccessible.Role.Notification)
    return None


# WORKAROUND: when this is called after the first object was made accessible, PySide 6.11 ends the
# program with a segmentation fault at its end.
QAccessible.installFactory(_notification)


def are_announcements_heard() -> bool:
    """Return whether a screen reader listens to announcements; True where it cannot be asked."""
    if sys.platform != "linux":
        return True
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage

    def ask(bus: QDBusConnection, service: str, path: str, question: str) -> QDBusMessage:
        message = QDBusMessage.createMethodCall(service, path, service, question)
        return bus.call(message, QDBus.CallMode.Block, MAX_WAIT)

    address = ask(QDBusConnection.sessionBus(), "org.a11y.Bus", "/org/a11y/bus", "GetAddress")
    if address.type() != QDBusMessage.MessageType.ReplyMessage:
        return True
    bus = QDBusConnection.connectToBus(address.arguments()[0], "a11y")
    registry = "org.a11y.atspi.Registry"
    events = ask(bus, registry, "/org/a11y/atspi/registry", "GetRegisteredEvents")
    # The answer is an array of structures, which PySide cannot read; its text has their names.
    is_known = events.type() == QDBusMessage.MessageType.ReplyMessage
    return not is_known or "Object:Announcement" in str(events)


def in_words(text: str) -> str:
    """Return a text with signs such as = and → as words, and powers of ten as they are said."""
    for sign, words in WORDS.items():
        text = text.replace(sign, words)
    text = PERCENT.sub(" percent", text)
    return POWER.sub(
        lambda power: f" times 10 to the {unicodedata.normalize('NFKC', power[1])}", text
    )
