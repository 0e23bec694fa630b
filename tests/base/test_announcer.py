"""Announcements: what a screen reader that hears them, and one that does not, gets."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPushButton

from svmviz.base import announcer
from svmviz.base.announcer import Announcer


@pytest.fixture
def speaker(qtbot, monkeypatch):
    """A button, while a screen reader listens, and texts need not stay for long."""
    monkeypatch.setattr(announcer, "PAUSE", 20)
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    button = QPushButton("Step")
    qtbot.addWidget(button)
    yield button
    QAccessible.setActive(was_active)


@pytest.fixture
def heard(monkeypatch):
    """Return what screen readers are told, as the role of the speaker and the text."""
    told = []

    def note(event):
        thing = QAccessible.queryAccessibleInterface(event.object())
        text = event.message() if event.type() == QAccessible.Event.Announcement else None
        if text is None and event.type() == QAccessible.Event.ObjectShow:
            assert thing.parent().role() == QAccessible.Role.StatusBar
            text = thing.text(QAccessible.Text.Name)
        if text is not None:
            told.append((thing.role(), text))

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return told


@pytest.mark.parametrize("hears", [True, False])
def test_a_screen_reader_gets_a_text_in_the_way_it_hears(qtbot, speaker, heard, monkeypatch, hears):
    monkeypatch.setattr(announcer, "are_announcements_heard", lambda: hears)
    role = QAccessible.Role.Button if hears else QAccessible.Role.Notification
    texts = Announcer(speaker)
    for text in (f"Heard {hears}", f"Heard {hears} too"):
        texts.say(text)
        qtbot.waitUntil(lambda text=text: heard and heard[-1] == (role, text))
    assert len(heard) == 2


def test_a_text_that_came_back_is_announced_if_another_was_heard_meanwhile(
    qtbot, speaker, heard, monkeypatch
):
    monkeypatch.setattr(announcer, "are_announcements_heard", lambda: True)
    sentences, others = Announcer(speaker), Announcer(speaker)
    for expected in (["first"], ["first", "other", "first"]):
        if len(expected) > 1:
            others.say("other")
            qtbot.waitUntil(lambda: len(heard) == 2)
        for text in ("first", "second", "first"):
            sentences.say(text)
        qtbot.waitUntil(lambda expected=expected: len(heard) == len(expected))
    sentences.say("second")
    sentences.say("first")
    qtbot.wait(3 * announcer.PAUSE)
    assert [text for _, text in heard] == ["first", "other", "first"]
