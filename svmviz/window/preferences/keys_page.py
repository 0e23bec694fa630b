"""The page on which the keys of actions are changed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.widgets.still_text import StillText
from svmviz.window.menus.entries import keys_of, plain_text
from svmviz.window.preferences.key_map import KeyMap

NAME_ROLE = Qt.ItemDataRole.UserRole
HINT = "Choose a command, press its new key, then Use."


class KeysPage(QWidget):
    """A list of all commands with their keys, and below it a field for a new key.

    Parameters
    ----------
    keys : KeyMap
    """

    def __init__(self, keys: KeyMap) -> None:
        super().__init__()
        self._keys = keys
        # The commands of each group.
        self._items: dict[QTreeWidgetItem, list[QTreeWidgetItem]] = {}
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a command or a key…")
        self.search.setAccessibleName("Find a command or a key")
        self.search.textChanged.connect(self._filter)
        self.list = self._make_list()
        self.field = QKeySequenceEdit()
        for widget in (self.field, *self.field.findChildren(QLineEdit)):
            widget.setAccessibleName("New key")
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        # The longest key is P and a letter.
        self.field.setMaximumSequenceLength(2)
        self.use, self.none, self.usual = map(QPushButton, ("Use", "No key", "Usual key"))
        self.words = StillText(lines=2)
        self.field.keySequenceChanged.connect(self._refresh)
        self.list.currentItemChanged.connect(lambda *_: self.field.clear())
        self.list.currentItemChanged.connect(lambda *_: self._refresh())
        self.use.clicked.connect(lambda: self._give(self.field.keySequence()))
        self.none.clicked.connect(lambda: self._give(None))
        self.usual.clicked.connect(lambda: self._keys.restore(self.name))
        keys.changed.connect(self._refresh)
        self._lay_out()
        self._refresh()

    @property
    def name(self) -> str:
        """Name of the chosen action; empty if a group is chosen."""
        item = self.list.currentItem()
        return item.data(0, NAME_ROLE) or "" if item is not None else ""

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setAccessibleName("Commands and their keys")
        made.setColumnCount(2)
        made.setHeaderLabels(["Command", "Keys"])
        made.setUniformRowHeights(True)
        made.setColumnWidth(0, active().metrics.px(300))
        for place, actions in self._keys.groups.items():
            group = QTreeWidgetItem(made, [place])
            self._items[group] = [
                QTreeWidgetItem(group, [plain_text(action.text()), ""])
                for action in actions.values()
            ]
            for item, name in zip(self._items[group], actions, strict=True):
                item.setData(0, NAME_ROLE, name)
            group.setExpanded(True)
        made.setCurrentItem(next(iter(self._items.values()))[0])
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        label = Label("New key")
        label.setBuddy(self.field)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        for button in (self.use, self.none, self.usual):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(2))
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)
        layout.addWidget(self.words)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for group, items in self._items.items():
            for item in items:
                entry = f"{item.text(0)} {item.text(1)}".casefold()
                item.setHidden(not all(word in entry for word in words))
            group.setHidden(all(item.isHidden() for item in items))

    def _give(self, key: QKeySequence | None) -> None:
        self._keys.give(self.name, key)
        self.field.clear()
        self.list.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The field would accept Esc as the new key. So Esc is handled here: it leaves the field,
        # and a second Esc closes the dialog.
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self.list.setFocus()
            return event.type() == QEvent.Type.KeyPress
        return super().eventFilter(watched, event)

    def _refresh(self) -> None:
        """Show all keys, enable the possible changes, and name the command that loses its key."""
        for item in (item for items in self._items.values() for item in items):
            item.setText(1, keys_of(self._keys.action(item.data(0, NAME_ROLE))))
        name, key = self.name, self.field.keySequence()
        self.none.setEnabled(bool(name) and bool(self._keys.action(name).shortcuts()))
        self.usual.setEnabled(bool(name) and not self._keys.is_usual(name))
        refusal = self._keys.refusal(key)
        can_use = bool(name) and not key.isEmpty() and not refusal
        self.use.setEnabled(can_use)
        other = self._keys.holder(key, name) if can_use else None
        if other is not None:
            holder = self._keys.action(other)
            title = plain_text(holder.text()).rstrip("…")
            self.words.setText(
                f"“{title}” has {keys_of(holder)}; it loses that key to this command if you press "
                "Use."
            )
        else:
            self.words.setText(refusal or HINT)
