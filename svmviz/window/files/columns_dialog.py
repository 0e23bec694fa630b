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

from solvers.data.datasets import MAX_CLASSES
from solvers.data.point_files import UnclearColumns
from svmviz.base.words import shown_name
from svmviz.theme import active
from svmviz.widgets.plain_text import Label, add_row


class ColumnsDialog(QDialog):
    """A dialog that asks which columns of a table are the coordinates and the label."""

    def __init__(self, unclear: UnclearColumns, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Choose the columns")
        self._values = unclear.label_values
        # The column whose labels may be no classes, so that those to read must be named.
        self._doubted = unclear.guess[2] if unclear.asks_for == "classes" else None
        message = Label(str(unclear), wraps=True)
        x, y, label = unclear.guess
        labels = list(unclear.label_values)
        label = label if label in labels else labels[-1] if labels else None
        # Columns of numbers that are not the label come first.
        likely = [name for name in unclear.numeric if name not in (x, y, label)]
        likely += [name for name in unclear.numeric if name not in likely]
        x = x or likely.pop(0)
        y = y or next((name for name in likely if name != x), None)
        self._x = _combo(unclear.numeric, x)
        self._y = _combo(unclear.numeric, y)
        self._labels = _combo(labels, label)
        self._classes, self._negative, self._positive = QComboBox(), QComboBox(), QComboBox()
        self._problem = Label(role="warning", wraps=True)
        self._labels.currentIndexChanged.connect(self._show_classes)
        self._form = form = QFormLayout()
        for name, field in (
            ("Horizontal axis", self._x),
            ("Vertical axis", self._y),
            ("Label", self._labels),
            ("Classes", self._classes),
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
        self._show_classes()
        self._classes.currentIndexChanged.connect(self._show_pair)
        for combo in (
            self._x, self._y, self._labels, self._classes, self._negative, self._positive,
        ):  # fmt: skip
            combo.currentIndexChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        """Enable OK if the choices can be used; otherwise show why they cannot."""
        columns = [combo.currentData() for combo in (self._x, self._y, self._labels)]
        duplicate = next((name for name in columns if columns.count(name) > 1), None)
        problem = ""
        if duplicate is not None:
            column = shown_name(duplicate)
            problem = f"Column “{column}” is chosen twice; each choice needs another column."
        elif self._takes_two and self._negative.currentData() == self._positive.currentData():
            problem = "The two classes must be different."
        self._problem.say(problem)
        self._ok.setEnabled(not problem)

    def choice(self) -> dict[str, object]:
        """Return the arguments for reading the file again."""
        labels = self._labels.currentData()
        classes: tuple[str, ...] | None = self._negative.currentData(), self._positive.currentData()
        if not self._takes_two:
            values = self._values[labels]
            classes = tuple(values) if len(values) <= MAX_CLASSES else None
        return {
            "x": self._x.currentData(),
            "y": self._y.currentData(),
            "labels": labels,
            "classes": classes,
        }

    @property
    def _takes_two(self) -> bool:
        """Whether the user chooses two classes, not all of them."""
        return self._classes.currentData() == "two"

    def _show_pair(self) -> None:
        """Show the two classes, if the user chooses two of several."""
        for row, is_shown in (
            (self._classes, self._classes.count() > 1),
            (self._negative, self._takes_two),
            (self._positive, self._takes_two),
        ):
            self._form.setRowVisible(row, is_shown)
        self.adjustSize()

    def _show_classes(self) -> None:
        labels = self._labels.currentData()
        values = self._values.get(labels, [])
        self._classes.clear()
        if 2 < len(values) <= MAX_CLASSES:
            self._classes.addItem(f"All {len(values)}", "all")
        elif len(values) > MAX_CLASSES and labels != self._doubted:
            self._classes.addItem(f"The {MAX_CLASSES} with the most points", "all")
        self._classes.addItem("Two of them", "two")
        for combo, index in ((self._negative, 0), (self._positive, 1)):
            combo.clear()
            _add_names(combo, values)
            combo.setCurrentIndex(min(index, len(values) - 1))
        self._show_pair()


def _combo(texts: list[str], chosen: str | None) -> QComboBox:
    combo = QComboBox()
    _add_names(combo, texts)
    combo.setCurrentIndex(texts.index(chosen) if chosen in texts else len(texts) - 1)
    return combo


def _add_names(combo: QComboBox, names: list[str]) -> None:
    """Add names, shortened by `shown_name`; the data of each entry is the whole name."""
    for name in names:
        combo.addItem(shown_name(name), name)
