"""Questions and messages; each in one sentence."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from solvers.data.files import UnclearColumns
from svmviz import __version__
from svmviz.frames.clocks import Clock
from svmviz.panels.transport.step_box import read_step
from svmviz.theme import active
from svmviz.tools import TOOLS
from svmviz.window.log_dialog import LogDialog
from svmviz.window.menus.actions import ACTIONS


class Messages:
    """Message boxes over one window."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def warn(self, title: str, sentence: str) -> None:
        """Say what went wrong."""
        box = QMessageBox(QMessageBox.Icon.Warning, title, title, parent=self._parent)
        box.setInformativeText(sentence)
        box.exec()

    def fault(self, sentence: str, log_file: Path | None) -> None:
        """Say that the program itself went wrong, and where that is written down."""
        box = QMessageBox(QMessageBox.Icon.Critical, "svmviz", "Something went wrong in svmviz.")
        told = [sentence, "Your points are still there; saving them is wise."]
        close = box.addButton(QMessageBox.StandardButton.Close)
        if log_file is not None:
            told.append(f"The details are in {log_file}")
            show = box.addButton("Show log", QMessageBox.ButtonRole.ActionRole)
            show.clicked.connect(lambda: self.show_log(log_file))
        box.setInformativeText("\n\n".join(told))
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setDefaultButton(close)
        box.exec()

    def show_log(self, log_file: Path | None) -> None:
        """Say where the log is, and how it ends."""
        LogDialog(log_file, self._parent).exec()

    def ask_save(self, name: str) -> QMessageBox.StandardButton:
        """Ask what becomes of unsaved changes."""
        buttons = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Question, "Unsaved changes", f"Save the changes to “{name}”?",
            buttons.Save | buttons.Discard | buttons.Cancel, self._parent,
        )  # fmt: skip
        box.setInformativeText("They are lost if you do not.")
        box.setDefaultButton(buttons.Save)
        box.button(buttons.Save).setText("&Save")
        box.button(buttons.Discard).setText("&Discard")
        return QMessageBox.StandardButton(box.exec())

    def ask(self, title: str, sentence: str, yes: str, no: str) -> bool:
        """Ask a question with two named answers."""
        return self.choose(title, sentence, yes, no) == yes

    def choose(self, title: str, sentence: str, *answers: str) -> str | None:
        """Ask a question with two or three named answers; None if the program ends meanwhile.

        The first is proposed, the last changes nothing: Escape means it. One between them is of
        the kind of Discard.
        """
        roles = QMessageBox.ButtonRole
        box = QMessageBox(QMessageBox.Icon.Question, title, title, parent=self._parent)
        box.setInformativeText(sentence)
        kinds = [roles.DestructiveRole] * len(answers)
        kinds[0], kinds[-1] = roles.AcceptRole, roles.RejectRole
        buttons = [box.addButton(*each) for each in zip(answers, kinds, strict=True)]
        box.setDefaultButton(buttons[0])
        box.setEscapeButton(buttons[-1])
        box.exec()
        clicked = box.clickedButton()
        # Not by its text, into which some desktops put an ampersand.
        pairs = zip(buttons, answers, strict=True)
        return next((answer for button, answer in pairs if button is clicked), None)

    def may_replace(self, path: Path) -> bool:
        """Ask whether a file may be replaced, if there is one."""
        if not path.exists():
            return True
        return self.ask("Replace the file?", f"{path.name} is there already.", "Replace", "Cancel")

    def ask_reading(self, clock: Clock, reading: int, last: int) -> int | None:
        """Ask for a step, or for a reading of another clock in its unit."""
        asked, text = f"{clock.title}, 0 to {last:,}{clock.suffix}:", f"{reading:,}"
        wrong = ""
        while True:
            text, ok = QInputDialog.getText(
                self._parent, "Go to", wrong + asked, QLineEdit.EchoMode.Normal, text
            )
            found = read_step(text)
            if not ok or found is not None:
                return found if ok else None
            wrong = f"“{text}” is not a whole number, such as 231.\n"


class ColumnsDialog(QDialog):
    """Which columns of a table are the point and its label, when that is not clear."""

    def __init__(self, unclear: UnclearColumns, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Choose the columns")
        self._values = unclear.label_values
        message = QLabel(str(unclear))
        message.setWordWrap(True)
        self._x = _combo(unclear.numeric, 0)
        self._y = _combo(unclear.numeric, 1)
        self._labels = _combo(list(unclear.label_values), -1)
        self._negative, self._positive = QComboBox(), QComboBox()
        self._labels.currentTextChanged.connect(self._show_classes)
        form = QFormLayout()
        form.addRow("Horizontal axis", self._x)
        form.addRow("Vertical axis", self._y)
        form.addRow("Label", self._labels)
        form.addRow("Class −1", self._negative)
        form.addRow("Class +1", self._positive)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        layout.addWidget(message)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self._show_classes(self._labels.currentText())

    def choice(self) -> dict[str, object]:
        """Arguments for reading the file again."""
        return {
            "x": self._x.currentText(),
            "y": self._y.currentText(),
            "labels": self._labels.currentText(),
            "classes": (self._negative.currentText(), self._positive.currentText()),
        }

    def _show_classes(self, column: str) -> None:
        values = self._values.get(column, [])
        for combo, index in ((self._negative, 0), (self._positive, 1)):
            combo.clear()
            combo.addItems(values)
            combo.setCurrentIndex(min(index, len(values) - 1))


def _combo(texts: list[str], index: int) -> QComboBox:
    combo = QComboBox()
    combo.addItems(texts)
    combo.setCurrentIndex(index if index >= 0 else len(texts) - 1)
    return combo


class KeysDialog(QDialog):
    """All keys, made from the tables of actions and tools."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        label = QLabel(keys_as_html())
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setMargin(active().metrics.space(4))
        area = QScrollArea()
        area.setWidget(label)
        area.setWidgetResizable(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(area)
        layout.addWidget(buttons)
        px = active().metrics.px
        self.resize(px(560), px(640))


def keys_as_html() -> str:
    """One table: key, what it does, grouped by menu."""
    rows: list[str] = []
    groups: dict[str, list[tuple[str, str]]] = {
        "Mouse": [
            ("Left, right click", "Place a point of the tool's class, or of the other"),
            ("Drag a point", "Move it; off the plane: remove it"),
            ("Drag from nothing", "Select points"),
            ("Wheel, middle drag", "Zoom, pan"),
        ],
        "Tools": [(tool.key, tool.title) for tool in TOOLS.values()],
    }
    for spec in ACTIONS:
        if spec.keys:
            keys = " or ".join(_native(key) for key in spec.keys)
            text = spec.text.replace("&", "").rstrip("…")
            groups.setdefault(spec.menu.lstrip("|"), []).append((keys, text))
    for name, entries in groups.items():
        rows.append(f"<tr><td colspan=2><h3>{name}</h3></td></tr>")
        rows += [
            f"<tr><td style='padding-right:24px'><b>{k}</b></td><td>{t}</td></tr>"
            for k, t in entries
        ]
    return f"<table>{''.join(rows)}</table>"


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def show_about(parent: QWidget) -> None:
    """Say what this is."""
    QMessageBox.about(
        parent,
        "About svmviz",
        f"<h3>svmviz {__version__}</h3>"
        "<p>Watch support vector machines learn, step by step, forwards and backwards.</p>"
        "<p>MIT licence. The font is Inter (Open Font License); the penguins are CC0.</p>",
    )
