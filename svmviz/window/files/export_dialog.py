"""The dialog that asks for format, size and colours of a picture, with a preview."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from svmviz.export import FORMATS
from svmviz.plane.picture import Picture
from svmviz.theme import THEMES, active
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import Label, add_row
from svmviz.window.files.preview import Preview
from svmviz.window.messages import Messages

# Limits on the sides of a picture, px; and the key of a size that is typed.
MIN_SIDE, MAX_SIDE = 64, 16_384
FREE = "free"


@dataclass(frozen=True)
class Order:
    """A picture and the file to write it to."""

    path: Path
    picture: Picture


class ExportDialog(QDialog):
    """Format, size and colours of a picture; the Save button asks for the file.

    Parameters
    ----------
    parent : QWidget
    proposed : Path
        Proposed file, without its ending.
    shown : Picture
        The picture on screen, at its own size.
    """

    def __init__(self, parent: QWidget, proposed: Path, shown: Picture) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
        self._proposed, self._shown = proposed, shown
        self._path: Path | None = None
        self.factor = Segmented([*((str(k), f"{k}×") for k in (1, 2, 3, 4)), (FREE, "Free")])
        self.factor.set_value("2")
        self.theme = Segmented([("light", "Light"), ("dark", "Dark")])
        self.theme.set_value(shown.theme.name)
        self.format = QComboBox()
        for kind in FORMATS.values():
            self.format.addItem(kind.title, kind.ending)
        self.sides = (_side("Width"), _side("Height"))
        self.preview = Preview(self)
        self._lay_out()
        self.factor.chosen.connect(self._on_factor)
        self.theme.chosen.connect(self._show)
        for side in self.sides:
            side.valueChanged.connect(self._on_side)
        self._on_factor()

    def _lay_out(self) -> None:
        size = QHBoxLayout()
        for widget in (self.sides[0], Label("×"), self.sides[1], Label("px")):
            size.addWidget(widget)
        size.addStretch(1)
        form = QFormLayout()
        add_row(form, "Format", self.format)
        add_row(form, "Size", self.factor)
        form.addRow(Label(), size)
        add_row(form, "Colours", self.theme)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        across = QHBoxLayout()
        across.setSpacing(active().metrics.space(5))
        across.addWidget(self.preview)
        across.addLayout(form)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(across)
        layout.addWidget(buttons)

    def picture(self) -> Picture:
        """Return the picture as chosen; type and lines keep their ratio to the shorter side."""
        size = (self.sides[0].value(), self.sides[1].value())
        factor = min(a / b for a, b in zip(size, self._shown.size, strict=True))
        return replace(
            self._shown,
            size=size,
            theme=THEMES[self.theme.value],
            scale=self._shown.scale * factor,
        )

    def order(self) -> Order:
        """Return picture and file; only after the dialog was accepted."""
        assert self._path is not None
        return Order(self._path, self.picture())

    def _on_factor(self) -> None:
        """Fill in the sides of a multiple; a free size begins with the current sides."""
        if self.factor.value != FREE:
            for side, length in zip(self.sides, self._shown.size, strict=True):
                side.blockSignals(True)
                side.setValue(int(self.factor.value) * length)
                side.blockSignals(False)
        self._show()

    def _on_side(self) -> None:
        self.factor.set_value(FREE)
        self._show()

    def _show(self) -> None:
        self.preview.show_picture(self.picture())

    def done(self, result: int) -> None:
        """Close, after the thread of the preview has ended."""
        self.preview.rest()
        super().done(result)

    def _ask_path(self) -> None:
        ending = self.format.currentData()
        start = f"{self._proposed}{ending}"
        filters = f"{self.format.currentText()} (*{ending})"
        path, _ = QFileDialog.getSaveFileName(self, "Export picture", start, filters)
        if not path:
            return
        target = Path(path)
        if target.suffix.lower() not in FORMATS:
            # The dialog asked about the name as it was typed.
            target = target.with_name(target.name + ending)
            if not Messages(self).may_replace(target):
                return
        self._path = target
        self.accept()


def _side(name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(MIN_SIDE, MAX_SIDE)
    box.setAccessibleName(f"{name} in px")
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setKeyboardTracking(False)
    return box
