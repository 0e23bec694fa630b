"""The dialog that asks for the columns of a table."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from solvers.data.files import UnclearColumns
from svmviz.theme import active
from svmviz.widgets.plain_text import Label, add_row


class ColumnsDialog(QDialog):
    """A choice of the columns of coordinates and label, if a table does not make them clear."""

    def __init__(self, unclear: UnclearColumns, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Choose the columns")
        self._values = unclear.label_values
        message = Label(str(unclear))
        message.setWordWrap(True)
        self._x = _combo(unclear.numeric, 0)
        self._y = _combo(unclear.numeric, 1)
        self._labels = _combo(list(unclear.label_values), -1)
        self._negative, self._positive = QComboBox(), QComboBox()
        self._problem = Label()
        self._problem.setProperty("role", "warning")
        self._problem.setWordWrap(True)
        self._labels.currentTextChanged.connect(self._show_classes)
        form = QFormLayout()
        for name, field in (
            ("Horizontal axis", self._x),
            ("Vertical axis", self._y),
            ("Label", self._labels),
            ("Class −1", self._negative),
            ("Class +1", self._positive),
        ):
            add_row(form, name, field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        layout.addWidget(message)
        layout.addLayout(form)
        layout.addWidget(self._problem)
        layout.addWidget(buttons)
        self._show_classes(self._labels.currentText())
        for combo in (self._x, self._y, self._labels, self._negative, self._positive):
            combo.currentTextChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        """Explain a choice that cannot be used, and allow OK for others only."""
        columns = [combo.currentText() for combo in (self._x, self._y, self._labels)]
        twice = next((name for name in columns if columns.count(name) > 1), None)
        problem = ""
        if twice is not None:
            problem = f"Column “{twice}” is chosen twice; each choice needs another column."
        elif self._negative.currentText() == self._positive.currentText():
            problem = "The two classes must be different."
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._ok.setEnabled(not problem)

    def choice(self) -> dict[str, object]:
        """Return the arguments for reading the file again."""
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
