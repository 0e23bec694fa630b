"""What picture, how large, where to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from svmviz.export import FORMATS
from svmviz.theme import active
from svmviz.widgets.segmented import Segmented
from svmviz.window.dialogs import Messages


@dataclass(frozen=True)
class Order:
    """A picture to be written: ``factor`` times the size on screen."""

    path: Path
    theme: str
    factor: float


class ExportDialog(QDialog):
    """Size and colours of a picture; the file is asked for by the button."""

    def __init__(self, parent: QWidget, folder: str, size: QSize) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
        self._folder, self._size = folder, size
        self._path: Path | None = None
        self._factor = Segmented([(str(k), f"{k}×") for k in (1, 2, 3, 4)])
        self._factor.set_value("2")
        self._theme = Segmented([("light", "Light"), ("dark", "Dark")])
        self._format = QComboBox()
        for kind in FORMATS.values():
            self._format.addItem(kind.title, kind.ending)
        self._pixels = QLabel()
        self._pixels.setProperty("role", "muted")
        self._factor.chosen.connect(self._show_pixels)
        form = QFormLayout()
        form.addRow("Format", self._format)
        form.addRow("Size", self._factor)
        form.addRow("", self._pixels)
        form.addRow("Colours", self._theme)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(4))
        layout.addLayout(form)
        layout.addWidget(buttons)
        self._show_pixels()

    def order(self) -> Order:
        """What was asked for; only after the dialog was accepted."""
        assert self._path is not None
        return Order(self._path, self._theme.value, float(self._factor.value))

    def _show_pixels(self) -> None:
        k = int(self._factor.value)
        self._pixels.setText(f"{self._size.width() * k} × {self._size.height() * k} px")

    def _ask_path(self) -> None:
        ending = self._format.currentData()
        start = str(Path(self._folder) / f"svmviz{ending}")
        filters = f"{self._format.currentText()} (*{ending})"
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
