"""Texts that change, read out by a screen reader."""

from __future__ import annotations

import re
import unicodedata

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

# A text is announced once it has stood for this time, ms: while a run plays, nobody could follow.
PAUSE = 600
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
    "\xa0%": " percent",
}
POWER = re.compile("·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


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
            event = QAccessibleAnnouncementEvent(self._speaker, in_words(self._text))
            QAccessible.updateAccessibility(event)
        self._last = self._text


def in_words(text: str) -> str:
    """Return a text with signs such as = and → as words, and powers of ten as they are said."""
    for sign, words in WORDS.items():
        text = text.replace(sign, words)
    return POWER.sub(
        lambda power: f" times 10 to the {unicodedata.normalize('NFKC', power[1])}", text
    )
