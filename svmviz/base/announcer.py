"""Texts that change, read out by a screen reader."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

# A text is announced once it has stood for this time, ms: while a run plays, nobody could follow.
PAUSE = 600


class Announcer(QObject):
    """Announces the texts of an object, each once it stays.

    Parameters
    ----------
    speaker : QObject
        The widget whose texts they are.
    """

    def __init__(self, speaker: QObject) -> None:
        super().__init__(speaker)
        self._speaker = speaker
        self._text = self._last = ""
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
        if self._text and self._text != self._last:
            event = QAccessibleAnnouncementEvent(self._speaker, self._text)
            QAccessible.updateAccessibility(event)
        self._last = self._text
