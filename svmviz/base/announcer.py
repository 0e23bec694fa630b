"""Announcements of changed texts by a screen reader."""

from __future__ import annotations

import re
import sys
import unicodedata

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QStatusBar, QWidget

# Time for which a text must stay before it is announced, ms. While a run plays, texts change too
# fast to be read out.
PAUSE = 600
# Maximum time to wait for an answer of the accessibility bus, ms; usually it takes less than 1 ms.
MAX_WAIT = 100
# Words for signs that screen readers leave out.
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
    """An announcer of the texts of a widget. A text is announced if it stays for ``PAUSE``.

    Parameters
    ----------
    speaker : QWidget
        The widget that shows the texts.
    """

    # The last announcement of any announcer.
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
        """Announce a text if a screen reader is active and no other text follows soon."""
        if QAccessible.isActive() and text != self._text:
            self._text = text
            self._timer.start()

    def _announce(self) -> None:
        # If another text appeared only briefly, this may be the text that was announced last.
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
    """An invisible notification for screen readers that ignore announcements.

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
    """Return a notice as a screen reader sees it: a widget with the role of a notification."""
    if kind == SpokenNotice.__name__ and isinstance(thing, SpokenNotice):
        return QAccessibleWidget(thing, QAccessible.Role.Notification)
    return None


# WORKAROUND: this must be called before the first object is made accessible. Otherwise PySide 6.11
# causes a segmentation fault when the program ends.
QAccessible.installFactory(_notification)


def are_announcements_heard() -> bool:
    """Return whether a screen reader listens to announcements; True if that is unknown."""
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
    # PySide cannot read the array of structures in the answer, but its text contains the names.
    is_known = events.type() == QDBusMessage.MessageType.ReplyMessage
    return not is_known or "Object:Announcement" in str(events)


def in_words(text: str) -> str:
    """Return a text with signs such as = and →, and powers of ten, replaced by spoken words."""
    for sign, words in WORDS.items():
        text = text.replace(sign, words)
    text = PERCENT.sub(" percent", text)
    return POWER.sub(
        lambda power: f" times 10 to the {unicodedata.normalize('NFKC', power[1])}", text
    )
