"""The dialog of preferences; each change takes effect at once."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from svmviz.theme import active
from svmviz.widgets.file_dialog import ask_folder
from svmviz.widgets.plain_text import ErrorLabel, add_row, set_tip
from svmviz.window.memory import WindowMemory
from svmviz.window.preferences.choices import Preference
from svmviz.window.preferences.key_map import KeyMap
from svmviz.window.preferences.keys_page import KeysPage

LAST_FOLDER = "the one used last"


class PreferencesDialog(QDialog):
    """Two pages: a form of choices, and the keys of all commands.

    Parameters
    ----------
    choices : sequence of Preference
    keys : KeyMap
    memory : WindowMemory
        Stores the default folder.
    parent : QWidget
    """

    def __init__(
        self, choices: Sequence[Preference], keys: KeyMap, memory: WindowMemory, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Preferences")
        self._choices, self._keys, self._memory = choices, keys, memory
        self.boxes: dict[str, QComboBox] = {}
        self.folder, self.browse, self.error = QLineEdit(), QPushButton("Choose…"), ErrorLabel(self)
        self.keys = KeysPage(keys)
        pages = QTabWidget()
        pages.addTab(self._make_form(), "Look and playing")
        pages.addTab(self.keys, "Keys")
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.reset = buttons.addButton("&Reset all", roles.ResetRole)
        self.reset.setAutoDefault(False)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        self.reset.clicked.connect(self._reset)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        layout.addWidget(pages)
        layout.addWidget(buttons)
        px = active().metrics.px
        self.resize(px(620), px(560))
        self._show()

    def _make_form(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        for choice in self._choices:
            box = self.boxes[choice.label] = QComboBox()
            for value, text in choice.options:
                box.addItem(text, value)
            set_tip(box, choice.tip)
            box.activated.connect(lambda _index, choice=choice, box=box: self._choose(choice, box))
            add_row(form, choice.label, box)
        self.folder.setPlaceholderText(LAST_FOLDER)
        self.folder.setClearButtonEnabled(True)
        self.folder.editingFinished.connect(self._set_folder)
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._ask_folder)
        row = QHBoxLayout()
        row.addWidget(self.folder, 1)
        row.addWidget(self.browse)
        beside = QWidget()
        row.setContentsMargins(0, 0, 0, 0)
        beside.setLayout(row)
        self.folder.setAccessibleName("Open and save in")
        add_row(form, "Open and save in", beside)
        form.addRow(self.error)
        return page

    def _choose(self, choice: Preference, box: QComboBox) -> None:
        choice.write(box.currentData())
        self._show()

    def _show(self) -> None:
        """Show the values that the program has now."""
        for choice in self._choices:
            box, value = self.boxes[choice.label], choice.read()
            index = box.findData(value)
            if index < 0:
                # A size that is not in the list, perhaps stored by an earlier version.
                box.addItem(f"{value}", value)
                index = box.count() - 1
            box.setCurrentIndex(index)
        self.folder.setText(self._memory.get("folder", ""))

    def _set_folder(self) -> None:
        text = self.folder.text().strip()
        is_folder = not text or os.path.isdir(text)
        self.error.say("" if is_folder else f"There is no folder {text}.")
        if is_folder:
            self._memory.put("folder", text)

    def _ask_folder(self) -> None:
        start = self._memory.folder
        chosen = ask_folder(self, "Folder of files", start)
        if chosen:
            self.folder.setText(chosen)
            self._set_folder()

    def _reset(self) -> None:
        for choice in self._choices:
            choice.write(choice.usual)
        self._memory.put("folder", "")
        self._keys.restore_all()
        self._show()
