"""The keys of all actions, each of which the user may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from svmviz.window.memory import WindowMemory

# The entry of the settings file for keys that differ from the usual ones, by name of the action.
STORED = "keys"
# Keys that fields, dialogs and the plane use themselves.
RESERVED = ("Esc", "Tab", "Shift+Tab", "Return", "Enter", "Ins", "Shift+Ins", "[", "]", "{", "}")
PORTABLE = QKeySequence.SequenceFormat.PortableText


class KeyMap(QObject):
    """The keys of actions: their usual ones, and those that the user has chosen.

    Parameters
    ----------
    groups : dict of dict of QAction
        The actions with their usual keys, by menu and name.
    memory : WindowMemory
        Stores the keys that differ from the usual ones.
    parent : QObject

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(
        self, groups: Mapping[str, Mapping[str, QAction]], memory: WindowMemory, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.groups, self._memory = groups, memory
        self._actions = {n: action for group in groups.values() for n, action in group.items()}
        self._usual = {name: action.shortcuts() for name, action in self._actions.items()}
        self._read(memory.get(STORED, {}) or {})

    def action(self, name: str) -> QAction:
        """Return an action."""
        return self._actions[name]

    def is_usual(self, name: str) -> bool:
        """Return whether an action has its usual keys."""
        return self._actions[name].shortcuts() == self._usual[name]

    def refusal(self, key: QKeySequence) -> str:
        """Return a sentence on why an action cannot have this key; empty if it can."""
        if key.toString(PORTABLE) in RESERVED:
            return f"{shown(key)} is a key of the plane, of fields and of dialogs."
        return ""

    def holder(self, key: QKeySequence, name: str) -> str | None:
        """Return another action that would lose its key if ``name`` got this key, or None.

        Both cannot have keys that are equal or of which one begins the other, such as P and P, K.
        """
        return next(
            (
                other
                for other, action in self._actions.items()
                if other != name and any(_overlap(key, its) for its in action.shortcuts())
            ),
            None,
        )

    def give(self, name: str, key: QKeySequence | None) -> None:
        """Give an action this key alone, and take overlapping keys from other actions.

        If ``key`` is None, the action has no key.
        """
        while key is not None and (other := self.holder(key, name)) is not None:
            rest = [its for its in self._actions[other].shortcuts() if not _overlap(key, its)]
            self._actions[other].setShortcuts(rest)
        self._actions[name].setShortcuts([] if key is None else [key])
        self._write()

    def restore(self, name: str) -> None:
        """Give an action its usual keys, and take overlapping keys from other actions."""
        usual = self._usual[name]
        for key in usual:
            self.give(name, key)
        self._actions[name].setShortcuts(usual)
        self._write()

    def restore_all(self) -> None:
        """Give all actions their usual keys."""
        for name, keys in self._usual.items():
            self._actions[name].setShortcuts(keys)
        self._write()

    def _read(self, stored: Mapping[str, object]) -> None:
        """Apply stored keys; a key of two actions goes to the first of them."""
        for name, texts in stored.items():
            if name in self._actions and isinstance(texts, list):
                self._actions[name].setShortcuts(_sequences(texts))
        for name, action in self._actions.items():
            if not self.is_usual(name):
                free = [key for key in action.shortcuts() if self.holder(key, name) is None]
                action.setShortcuts(free)

    def _write(self) -> None:
        changed = {
            name: [key.toString(PORTABLE) for key in action.shortcuts()]
            for name, action in self._actions.items()
            if not self.is_usual(name)
        }
        self._memory.put(STORED, changed)
        self.changed.emit()


def shown(key: QKeySequence) -> str:
    """Return a key as the desktop writes it."""
    return key.toString(QKeySequence.SequenceFormat.NativeText)


def _sequences(texts: Sequence[object]) -> list[QKeySequence]:
    keys = [QKeySequence(text, PORTABLE) for text in texts if isinstance(text, str)]
    # A text that is not a key becomes an empty sequence.
    return [key for key in keys if key.toString(PORTABLE) not in ("", *RESERVED)]


def _overlap(one: QKeySequence, other: QKeySequence) -> bool:
    """Return whether two sequences are equal, or one begins the other."""
    no_match = QKeySequence.SequenceMatch.NoMatch
    matches = (one.matches(other), other.matches(one))
    return not one.isEmpty() and not other.isEmpty() and any(m != no_match for m in matches)
